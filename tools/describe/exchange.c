/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks send each other in a pass. Rank 0 receives from each other rank packets of blocks,
 * then packets of counts, if the pass counts, and one packet with its end. It sends the others the
 * start of the counting, if there is one, and the outcome of the pass, sooner if that is a failure.
 */
#include "tools/describe/exchange.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A packet of blocks that has this size waits until rank 0 has received all except one that were
 * sent, and until then the rank does not describe further blocks. Rank 0 has memory for
 * MOST_SLOT_BYTES of its own results that wait for those of other ranks. */
enum {
    PACKET_BYTES = 1 << 20,
    MOST_SENT = 2,
    MOST_ARRIVED = 2,
    MOST_SLOT_BYTES = 32 << 20,
    STRIPES_OF_RANK = 4,
    FOUND_WORDS = sizeof(struct cli_found) / sizeof(uint64_t)
};

_Static_assert(sizeof(struct cli_found) % sizeof(uint64_t) == 0, "it is sent as words");

enum packet_kind { BLOCKS, COUNTS, END, START, OUTCOME };

/* Packets of another rank that rank 0 has received and not used, the first one first. */
struct arrivals {
    size_t count;
    struct cli_packet packets[MOST_ARRIVED];
    enum packet_kind kind; /* of the first one */
};

struct cli_exchange {
    struct cli_pass *pass;
    struct cli_job *job;
    int rank, rank_count;
    uint64_t stripe;            /* blocks */
    struct cli_packet blocks;   /* other ranks: to be sent. With the pass's lock */
    struct arrivals *arrivals;  /* rank 0: of each rank. With the pass's lock */
    struct cli_slot slot;       /* rank 0: a foreign block, for the pass */
    bool has_sent_start;        /* rank 0 */
    bool has_outcome;           /* rank 0: has sent it; other ranks: have received it */
    struct cli_failure outcome; /* of the pass */
};

/* ---- The division -----------------------------------------------------------------------------*/

/* Stripes are shorter if there are few blocks: each rank has several, to divide the blocks evenly;
 * but one if the array is read in slabs, since both neighbours read the slab between two stripes.
 */
static uint64_t choose_stripe(const struct cli_feed *feed, int rank_count)
{
    const uint64_t stripes = (uint64_t)rank_count * (feed->has_slabs ? 1 : STRIPES_OF_RANK);
    const uint64_t most = feed->block_count / stripes + (feed->block_count % stripes > 0);
    return feed->stripe_blocks < most ? feed->stripe_blocks : most > 0 ? most : 1;
}

static int find_owner(const struct cli_exchange *exchange, uint64_t block)
{
    return (int)(block / exchange->stripe % (uint64_t)exchange->rank_count);
}

bool cli_exchange_owns(const struct cli_exchange *exchange, uint64_t block)
{
    return exchange == NULL || find_owner(exchange, block) == exchange->rank;
}

uint64_t cli_exchange_index(const struct cli_exchange *exchange, uint64_t block)
{
    if (exchange == NULL)
        return block;
    const uint64_t stripe = exchange->stripe;
    return block / (stripe * (uint64_t)exchange->rank_count) * stripe + block % stripe;
}

size_t cli_exchange_slots(const struct cli_exchange *exchange)
{
    if (exchange == NULL || exchange->rank > 0)
        return 0;
    const size_t most =
        MOST_SLOT_BYTES / sizeof(struct cli_found) / exchange->pass->feed->series_count;
    const uint64_t wanted = 2 * exchange->stripe;
    return wanted < most ? (size_t)wanted : most;
}

/* ---- Results of blocks ------------------------------------------------------------------------*/

/* The members of a block that are sent, before those of its series. */
struct sent_block {
    uint64_t number, rows, lines, comment_lines, first_series, series_count, first_row, bad_line;
    uint64_t has_failed;
};

enum { SENT_WORDS = sizeof(struct sent_block) / sizeof(uint64_t) };

void cli_exchange_put(struct cli_exchange *exchange, const struct cli_slot *slot)
{
    struct cli_packet *packet = &exchange->blocks;
    const struct cli_block *block = &slot->block;
    const struct sent_block sent = {.number = block->number,
                                    .rows = block->rows,
                                    .lines = block->lines,
                                    .comment_lines = block->comment_lines,
                                    .first_series = block->first_series,
                                    .series_count = block->series_count,
                                    .first_row = block->first_row,
                                    .bad_line = block->bad_line,
                                    .has_failed = slot->failure.text[0] != '\0'};
    uint64_t words[SENT_WORDS], found[FOUND_WORDS];
    if (packet->count == 0)
        cli_packet_put_number(packet, BLOCKS);
    memcpy(words, &sent, sizeof words);
    cli_packet_put_words(packet, words, SENT_WORDS);
    if (sent.has_failed) {
        cli_packet_put(packet, &slot->failure, sizeof slot->failure);
        return;
    }
    for (size_t s = 0; s < block->series_count && exchange->pass->series != NULL; s++) {
        memcpy(found, &slot->found[s], sizeof found);
        cli_packet_put_words(packet, found, FOUND_WORDS);
    }
}

static void get_block(struct cli_exchange *exchange, struct cli_packet *packet)
{
    struct cli_slot *slot = &exchange->slot;
    struct sent_block sent;
    uint64_t words[SENT_WORDS], found[FOUND_WORDS];
    cli_packet_get_words(packet, words, SENT_WORDS);
    memcpy(&sent, words, sizeof words);
    slot->failure = (struct cli_failure){""};
    slot->block = (struct cli_block){.number = sent.number,
                                     .rows = (size_t)sent.rows,
                                     .lines = (size_t)sent.lines,
                                     .comment_lines = (size_t)sent.comment_lines,
                                     .first_series = (size_t)sent.first_series,
                                     .series_count = (size_t)sent.series_count,
                                     .first_row = sent.first_row,
                                     .bad_line = (size_t)sent.bad_line};
    if (sent.has_failed != 0) {
        cli_packet_get(packet, &slot->failure, sizeof slot->failure);
        return;
    }
    assert(sent.series_count <= exchange->pass->feed->series_count);
    for (size_t s = 0; s < sent.series_count && exchange->pass->series != NULL; s++) {
        cli_packet_get_words(packet, found, FOUND_WORDS);
        memcpy(&slot->found[s], found, sizeof found);
    }
}

bool cli_exchange_is_full(const struct cli_exchange *exchange)
{
    return exchange != NULL && exchange->blocks.count >= PACKET_BYTES;
}

/* ---- Arrivals at rank 0 -----------------------------------------------------------------------*/

static void drop_first(struct arrivals *arrivals)
{
    cli_packet_free(&arrivals->packets[0]);
    for (size_t p = 1; p < arrivals->count; p++)
        arrivals->packets[p - 1] = arrivals->packets[p];
    arrivals->packets[--arrivals->count] = (struct cli_packet){.bytes = NULL};
}

/* The packet of the rank that is used next, after its kind; NULL: it has not arrived. */
static struct cli_packet *find_first(struct arrivals *arrivals)
{
    struct cli_packet *packet = &arrivals->packets[0];
    if (arrivals->count > 0 && packet->at > 0 && cli_packet_is_at_end(packet))
        drop_first(arrivals);
    if (arrivals->count == 0)
        return NULL;
    if (packet->at == 0)
        arrivals->kind = (enum packet_kind)cli_packet_get_number(packet);
    return packet;
}

static bool fail_changed(struct cli_failure *failure)
{
    return cli_fail(failure, "the file changed while it was read");
}

/* What a rank sends at its end. */
struct sent_end {
    uint64_t taken;    /* blocks */
    uint64_t share[2]; /* of what the array's finish needs to know */
    struct cli_failure failure;
};

/* A rank that has ended before a block has failed, or has found fewer blocks. */
static void note_early_end(struct cli_exchange *exchange, int rank)
{
    const struct arrivals *arrivals = &exchange->arrivals[rank];
    struct cli_packet end = arrivals->packets[0]; /* it is read again later */
    struct cli_slot *slot = &exchange->slot;
    struct sent_end sent = {.failure = {""}};
    if (arrivals->kind == END)
        cli_packet_get(&end, &sent, sizeof sent);
    slot->block = (struct cli_block){.rows = 0};
    slot->failure = (struct cli_failure){""};
    if (sent.failure.text[0] != '\0')
        cli_fail(&slot->failure, "rank %d: %.400s", rank, sent.failure.text);
    fail_changed(&slot->failure);
}

const struct cli_slot *cli_exchange_get(struct cli_exchange *exchange, uint64_t block)
{
    if (exchange->rank > 0)
        return &exchange->slot;
    const int owner = find_owner(exchange, block);
    struct arrivals *arrivals = &exchange->arrivals[owner];
    struct cli_packet *packet = find_first(arrivals);
    if (packet == NULL)
        return NULL;
    if (arrivals->kind == BLOCKS)
        get_block(exchange, packet);
    if (arrivals->kind != BLOCKS ||
        (exchange->slot.block.number != block && exchange->slot.failure.text[0] == '\0'))
        note_early_end(exchange, owner);
    return &exchange->slot;
}

static void receive(struct cli_exchange *exchange, int from)
{
    struct arrivals *arrivals = &exchange->arrivals[from];
    struct cli_packet packet = {.bytes = NULL};
    cli_job_receive(exchange->job, from, &packet);
    pthread_mutex_lock(&exchange->pass->lock);
    arrivals->packets[arrivals->count++] = packet;
    pthread_mutex_unlock(&exchange->pass->lock);
}

/* Receives what has arrived and fits; returns whether that was anything. */
static bool receive_all(struct cli_exchange *exchange)
{
    bool has_received = false;
    for (int r = 1; r < exchange->rank_count; r++) {
        pthread_mutex_lock(&exchange->pass->lock);
        find_first(&exchange->arrivals[r]);
        const bool fits = exchange->arrivals[r].count < MOST_ARRIVED;
        pthread_mutex_unlock(&exchange->pass->lock);
        if (fits && cli_job_has_packet(exchange->job, r)) {
            receive(exchange, r);
            has_received = true;
        }
    }
    return has_received;
}

/* ---- While blocks are described ---------------------------------------------------------------*/

/* With the lock held. */
static bool is_over(const struct cli_pass *pass)
{
    return pass->failure.text[0] != '\0' || (pass->is_over && pass->added == pass->taken);
}

/* A packet to all other ranks. */
static void send_to_all(struct cli_exchange *exchange, const struct cli_packet *packet)
{
    for (int r = 1; r < exchange->rank_count; r++) {
        struct cli_packet copy = {.bytes = NULL};
        cli_packet_put(&copy, packet->bytes, packet->count);
        copy.has_failed = copy.has_failed || packet->has_failed;
        cli_job_send(exchange->job, r, &copy);
    }
}

/* Once the counting has begun. */
static void send_start(struct cli_exchange *exchange)
{
    const struct cli_counting *counting = exchange->pass->counting;
    struct cli_packet packet = {.bytes = NULL};
    cli_packet_put_number(&packet, START);
    if (counting->put_start != NULL)
        counting->put_start(counting, &packet);
    send_to_all(exchange, &packet);
    cli_packet_free(&packet);
    exchange->has_sent_start = true;
}

static void run_root(struct cli_exchange *exchange)
{
    struct cli_pass *pass = exchange->pass;
    unsigned calls = 0;
    for (bool has_ended = false; !has_ended;) {
        const bool has_received = receive_all(exchange);
        pthread_mutex_lock(&pass->lock);
        if (has_received)
            cli_pass_add_given(pass);
        has_ended = is_over(pass);
        const bool has_begun = pass->has_begun;
        pthread_mutex_unlock(&pass->lock);
        if (has_begun && !exchange->has_sent_start)
            send_start(exchange);
        calls = has_received ? 0 : calls;
        if (!has_ended)
            cli_job_pause(&calls);
    }
}

static void begin_counting(struct cli_pass *pass, struct cli_packet *packet)
{
    pthread_mutex_lock(&pass->lock);
    if (pass->counting->get_start != NULL)
        pass->counting->get_start(pass->counting, packet);
    pass->has_begun = true;
    pthread_cond_broadcast(&pass->moved);
    pthread_mutex_unlock(&pass->lock);
}

/* What rank 0 has sent. */
static void receive_from_root(struct cli_exchange *exchange)
{
    struct cli_packet packet = {.bytes = NULL};
    cli_job_receive(exchange->job, 0, &packet);
    const uint64_t kind = cli_packet_get_number(&packet);
    if (kind == START)
        begin_counting(exchange->pass, &packet);
    else {
        assert(kind == OUTCOME);
        cli_packet_get(&packet, &exchange->outcome, sizeof exchange->outcome);
        exchange->has_outcome = true;
        if (exchange->outcome.text[0] != '\0')
            cli_pass_stop(exchange->pass, exchange->outcome.text);
    }
    cli_packet_free(&packet);
}

/* Takes the blocks to be sent, if rank 0 has received enough of the others. */
static bool take_blocks(struct cli_exchange *exchange, struct cli_packet *packet)
{
    const bool is_allowed = cli_job_unreceived(exchange->job, 0) < MOST_SENT;
    *packet = (struct cli_packet){.bytes = NULL};
    if (!is_allowed || exchange->blocks.count == 0)
        return false;
    *packet = exchange->blocks;
    exchange->blocks = (struct cli_packet){.bytes = NULL};
    pthread_cond_broadcast(&exchange->pass->moved);
    return true;
}

static void run_other(struct cli_exchange *exchange)
{
    struct cli_pass *pass = exchange->pass;
    struct cli_packet packet;
    unsigned calls = 0;
    for (bool has_ended = false; !has_ended;) {
        const bool has_received = !exchange->has_outcome && cli_job_has_packet(exchange->job, 0);
        if (has_received)
            receive_from_root(exchange);
        pthread_mutex_lock(&pass->lock);
        has_ended = is_over(pass);
        const bool has_blocks = take_blocks(exchange, &packet);
        pthread_mutex_unlock(&pass->lock);
        if (has_blocks)
            cli_job_send(exchange->job, 0, &packet);
        calls = has_received || has_blocks ? 0 : calls;
        if (!has_ended)
            cli_job_pause(&calls);
    }
}

void cli_exchange_run(struct cli_exchange *exchange)
{
    if (exchange->rank == 0)
        run_root(exchange);
    else
        run_other(exchange);
}

/* ---- The end ----------------------------------------------------------------------------------*/

static void send_counts(struct cli_exchange *exchange)
{
    const struct cli_counting *counting = exchange->pass->counting;
    size_t at = 0;
    unsigned calls = 0;
    for (bool is_left = true; is_left && !exchange->has_outcome;) {
        if (cli_job_has_packet(exchange->job, 0))
            receive_from_root(exchange);
        if (cli_job_unreceived(exchange->job, 0) >= MOST_SENT) {
            cli_job_pause(&calls);
            continue;
        }
        struct cli_packet packet = {.bytes = NULL};
        cli_packet_put_number(&packet, COUNTS);
        is_left = counting->put_counts(counting, &at, &packet);
        cli_job_send(exchange->job, 0, &packet);
        calls = 0;
    }
}

static void collect_other(struct cli_exchange *exchange)
{
    const struct cli_pass *pass = exchange->pass;
    const struct cli_array *array = pass->feed->array;
    struct cli_packet packet = {.bytes = NULL};
    struct sent_end end = {.taken = pass->taken, .failure = pass->failure};
    if (exchange->blocks.count > 0)
        cli_job_send(exchange->job, 0, &exchange->blocks);
    if (pass->counting != NULL && pass->failure.text[0] == '\0' && pass->has_begun)
        send_counts(exchange);
    if (array != NULL && array->get_share != NULL)
        array->get_share(array, end.share);
    cli_packet_put_number(&packet, END);
    cli_packet_put(&packet, &end, sizeof end);
    cli_job_send(exchange->job, 0, &packet);
}

static void send_outcome(struct cli_exchange *exchange)
{
    struct cli_packet packet = {.bytes = NULL};
    if (exchange->has_outcome)
        return;
    exchange->has_outcome = true;
    cli_packet_put_number(&packet, OUTCOME);
    cli_packet_put(&packet, &exchange->pass->failure, sizeof exchange->pass->failure);
    send_to_all(exchange, &packet);
    cli_packet_free(&packet);
}

static void take_end(struct cli_exchange *exchange, int rank, struct cli_packet *packet)
{
    struct cli_pass *pass = exchange->pass;
    const struct cli_array *array = pass->feed->array;
    struct sent_end end;
    cli_packet_get(packet, &end, sizeof end);
    if (end.failure.text[0] != '\0')
        cli_fail(&pass->failure, "rank %d: %.400s", rank, end.failure.text);
    else if (end.taken != pass->taken)
        fail_changed(&pass->failure);
    else if (array != NULL && array->add_share != NULL)
        array->add_share(array, end.share);
}

/* Uses the next packet of a rank; returns whether it was the last one. Blocks are left if the pass
 * has failed, or the rank has found more of them than rank 0, which its end says, too. */
static bool take_packet(struct cli_exchange *exchange, int rank)
{
    struct cli_pass *pass = exchange->pass;
    struct arrivals *arrivals = &exchange->arrivals[rank];
    struct cli_packet *packet = find_first(arrivals);
    if (packet == NULL) {
        receive(exchange, rank);
        return false;
    }
    if (arrivals->kind == COUNTS && pass->failure.text[0] == '\0' &&
        !pass->counting->get_counts(pass->counting, packet))
        cli_fail(&pass->failure, "%s", strerror(ENOMEM));
    else if (arrivals->kind == END)
        take_end(exchange, rank, packet);
    const bool is_last = arrivals->kind == END;
    drop_first(arrivals);
    return is_last;
}

void cli_exchange_collect(struct cli_exchange *exchange)
{
    if (exchange->rank > 0) {
        collect_other(exchange);
        return;
    }
    if (exchange->pass->failure.text[0] != '\0')
        send_outcome(exchange);
    for (int r = 1; r < exchange->rank_count; r++)
        while (!take_packet(exchange, r))
            continue;
}

void cli_exchange_close(struct cli_exchange *exchange)
{
    struct cli_pass *pass = exchange->pass;
    if (exchange->rank == 0)
        send_outcome(exchange);
    else {
        while (!exchange->has_outcome)
            receive_from_root(exchange);
        pass->failure = exchange->outcome;
    }
    cli_packet_free(&exchange->blocks);
    free(exchange->arrivals);
    free(exchange->slot.found);
    free(exchange);
}

/* ---- The beginning ----------------------------------------------------------------------------*/

/* Memory for it may lack on one rank. */
struct cli_exchange *cli_exchange_open(struct cli_pass *pass)
{
    struct cli_exchange *exchange = calloc(1, sizeof *exchange);
    bool is_fine = exchange != NULL;
    if (exchange != NULL) {
        exchange->pass = pass;
        exchange->job = pass->job;
        exchange->rank = cli_job_own(pass->job);
        exchange->rank_count = cli_job_count(pass->job);
        exchange->stripe = choose_stripe(pass->feed, exchange->rank_count);
        exchange->arrivals = calloc((size_t)exchange->rank_count, sizeof *exchange->arrivals);
        exchange->slot.found = calloc(pass->feed->series_count, sizeof *exchange->slot.found);
        is_fine = exchange->arrivals != NULL && exchange->slot.found != NULL;
    }
    if (!is_fine)
        cli_fail(&pass->failure, "%s", strerror(ENOMEM));
    if (cli_job_agree(pass->job, is_fine, &pass->failure))
        return exchange;
    if (exchange != NULL) {
        free(exchange->arrivals);
        free(exchange->slot.found);
    }
    free(exchange);
    return NULL;
}
