/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages of ranks in a pass. At its end, rank 0 receives from each other rank a packet about
 * its blocks, then packets of some megabytes with its series and with its counts.
 */
#include "tools/describe/exchange.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The size of a packet of series, unless one series is larger. At most MOST_SENT packets of a rank
 * wait for rank 0. The fewest stripes of a rank. */
enum { PACKET_BYTES = 4 << 20, MOST_SENT = 2, STRIPES_OF_RANK = 4 };

enum packet_kind { SERIES, COUNTS, END };

/* ---- The division -----------------------------------------------------------------------------*/

/* If there are few blocks, stripes are shorter, so that each rank has several and the division is
 * even. Each rank has one stripe if the array is read in slabs, since a slab at the border of two
 * stripes is read twice.
 */
void cli_exchange_divide(struct cli_pass *pass)
{
    const struct cli_block_source *source = pass->source;
    const uint64_t ranks = (uint64_t)cli_job_count(pass->job);
    const uint64_t stripes = ranks * (source->has_slabs ? 1 : STRIPES_OF_RANK);
    const uint64_t most = source->block_count / stripes + (source->block_count % stripes > 0);
    const uint64_t wanted = source->stripe_blocks < most ? source->stripe_blocks : most;
    pass->stripe = wanted > 0 ? wanted : 1;
}

bool cli_exchange_owns(const struct cli_pass *pass, uint64_t block)
{
    return pass->job == NULL || block / pass->stripe % (uint64_t)cli_job_count(pass->job) ==
                                    (uint64_t)cli_job_own(pass->job);
}

/* ---- The beginning ----------------------------------------------------------------------------*/

bool cli_exchange_start(const struct cli_pass *pass, bool has_begun)
{
    struct cli_counting *counting = pass->counting;
    const bool is_root = cli_job_own(pass->job) == 0;
    struct cli_packet packet = {.bytes = NULL};
    if (is_root) {
        cli_packet_put_number(&packet, has_begun);
        if (has_begun && counting->put_start != NULL)
            counting->put_start(counting, &packet);
    }
    cli_job_broadcast(pass->job, &packet);
    if (!is_root) {
        has_begun = cli_packet_get_number(&packet) != 0;
        if (has_begun && counting->get_start != NULL)
            counting->get_start(counting, &packet);
    }
    cli_packet_free(&packet);
    return has_begun;
}

/* ---- Other ranks ------------------------------------------------------------------------------*/

/* The first packet of a rank; the numbers and extents of a table's blocks follow. */
struct sent_blocks {
    uint64_t taken, rows, comment_lines, extents;
    uint64_t failed_block, bad_line;
    uint64_t share[2]; /* of the array (get_share) */
    struct cli_failure failure;
};

static void send_blocks(struct cli_pass *pass)
{
    const struct cli_array *array = pass->source->array;
    struct cli_packet packet = {.bytes = NULL};
    struct sent_blocks sent = {.taken = pass->taken,
                               .rows = pass->rows,
                               .comment_lines = pass->comment_lines,
                               .failed_block = pass->failed_block,
                               .bad_line = pass->bad_line,
                               .failure = pass->failure};
    if (array != NULL && array->get_share != NULL)
        array->get_share(array, sent.share);
    for (uint64_t b = 0; b < pass->extent_count; b++)
        sent.extents += cli_exchange_owns(pass, b);
    cli_packet_put(&packet, &sent, sizeof sent);
    for (uint64_t b = 0; b < pass->extent_count; b++)
        if (cli_exchange_owns(pass, b)) {
            cli_packet_put_number(&packet, b);
            cli_packet_put(&packet, &pass->extents[b], sizeof pass->extents[b]);
        }
    cli_job_send(pass->job, 0, &packet);
}

/* Sends a packet, once rank 0 has received enough of the previous ones. */
static void send(struct cli_job *job, struct cli_packet *packet)
{
    unsigned calls = 0;
    while (cli_job_unreceived(job, 0) >= MOST_SENT)
        cli_job_pause(&calls);
    cli_job_send(job, 0, packet);
}

/* Sends all series. A failure is sent in the last packet. */
static bool send_series(const struct cli_pass *pass, struct cli_failure *failure)
{
    const size_t count = pass->series != NULL ? pass->source->series_count : 0;
    bool is_fine = true;
    for (size_t s = 0; s < count && is_fine;) {
        struct cli_packet packet = {.bytes = NULL};
        cli_packet_put_number(&packet, SERIES);
        for (; s < count && packet.count < PACKET_BYTES && is_fine; s++) {
            cli_packet_put_number(&packet, s);
            is_fine = cli_series_put(&pass->series[s], &packet, failure);
        }
        if (is_fine)
            send(pass->job, &packet);
        cli_packet_free(&packet);
    }
    return is_fine;
}

static void send_counts(const struct cli_pass *pass)
{
    size_t at = 0;
    for (bool is_left = pass->counting != NULL; is_left;) {
        struct cli_packet packet = {.bytes = NULL};
        cli_packet_put_number(&packet, COUNTS);
        is_left = pass->counting->put_counts(pass->counting, &at, &packet);
        send(pass->job, &packet);
    }
}

static void collect_other(struct cli_pass *pass)
{
    struct cli_packet packet = {.bytes = NULL};
    struct cli_failure failure = {""};
    send_blocks(pass);
    if (pass->failure.text[0] == '\0' && send_series(pass, &failure))
        send_counts(pass);
    for (size_t s = 0; s < pass->source->series_count && pass->series != NULL; s++) {
        cli_series_free(&pass->series[s]);
        pass->series[s] = (struct cli_series){.missing = 0};
    }
    cli_packet_put_number(&packet, END);
    cli_packet_put(&packet, &failure, sizeof failure);
    send(pass->job, &packet);
}

/* ---- Rank 0 -----------------------------------------------------------------------------------*/

/* Takes a rank's failure. That of a block has the text of a run without ranks; any other one names
 * the rank. */
static void take_failure(struct cli_pass *pass, int rank, const struct sent_blocks *sent)
{
    struct cli_failure failure = {""};
    if (sent->failure.text[0] == '\0')
        return;
    if (sent->failed_block > 0)
        failure = sent->failure;
    else
        cli_fail(&failure, "rank %d: %.400s", rank, sent->failure.text);
    cli_pass_fail(pass, sent->failed_block, (size_t)sent->bad_line, failure.text);
}

static void take_blocks(struct cli_pass *pass, int rank, struct cli_packet *packet)
{
    const struct cli_array *array = pass->source->array;
    struct sent_blocks sent;
    cli_packet_get(packet, &sent, sizeof sent);
    take_failure(pass, rank, &sent);
    if (pass->failure.text[0] == '\0' && sent.taken != pass->taken)
        cli_pass_fail(pass, 0, 0, "the file changed while it was read");
    pass->rows += sent.rows;
    pass->comment_lines += sent.comment_lines;
    if (array != NULL && array->add_share != NULL)
        array->add_share(array, sent.share);
    for (uint64_t e = 0; e < sent.extents && !packet->has_failed; e++) {
        const uint64_t block = cli_packet_get_number(packet);
        if (!cli_pass_reserve_extents(pass, block + 1)) {
            cli_pass_fail(pass, 0, 0, strerror(ENOMEM));
            return;
        }
        cli_packet_get(packet, &pass->extents[block], sizeof pass->extents[block]);
    }
}

static bool take_series(const struct cli_pass *pass, struct cli_packet *packet,
                        struct cli_failure *failure)
{
    bool is_fine = true;
    while (is_fine && !cli_packet_is_at_end(packet)) {
        const size_t series = (size_t)cli_packet_get_number(packet);
        is_fine = cli_series_get(&pass->series[series], packet, failure);
    }
    return is_fine;
}

/* Uses a packet of a rank; returns whether it was the last one. */
static bool take_packet(struct cli_pass *pass, int rank, struct cli_packet *packet)
{
    const uint64_t kind = cli_packet_get_number(packet);
    struct cli_failure failure = {""}, named = {""};
    if (kind == END)
        cli_packet_get(packet, &failure, sizeof failure);
    else if (pass->failure.text[0] == '\0' && kind == SERIES)
        take_series(pass, packet, &failure);
    else if (pass->failure.text[0] == '\0' && !pass->counting->get_counts(pass->counting, packet))
        cli_fail(&failure, "%s", strerror(ENOMEM));
    if (failure.text[0] != '\0') {
        cli_fail(&named, "rank %d: %.400s", rank, failure.text);
        cli_pass_fail(pass, 0, 0, named.text);
    }
    return kind == END;
}

static void collect_root(struct cli_pass *pass)
{
    for (int r = 1; r < cli_job_count(pass->job); r++) {
        struct cli_packet packet = {.bytes = NULL};
        cli_job_receive(pass->job, r, &packet);
        take_blocks(pass, r, &packet);
        for (bool is_last = false; !is_last;) {
            cli_packet_free(&packet);
            cli_job_receive(pass->job, r, &packet);
            is_last = take_packet(pass, r, &packet);
        }
        cli_packet_free(&packet);
    }
}

void cli_exchange_collect(struct cli_pass *pass)
{
    if (cli_job_own(pass->job) == 0)
        collect_root(pass);
    else
        collect_other(pass);
}

/* ---- The end ----------------------------------------------------------------------------------*/

void cli_exchange_close(struct cli_pass *pass)
{
    struct cli_packet packet = {.bytes = NULL};
    if (cli_job_own(pass->job) == 0)
        cli_packet_put(&packet, &pass->failure, sizeof pass->failure);
    cli_job_broadcast(pass->job, &packet);
    if (cli_job_own(pass->job) > 0)
        cli_packet_get(&packet, &pass->failure, sizeof pass->failure);
    cli_packet_free(&packet);
}
