/* SPDX-License-Identifier: Apache-2.0
 *
 * The state that the threads of a pass share.
 */
#include "tools/describe/pass.h"

#include "tools/describe/exchange.h"
#include "tools/describe/meter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of an own block. */
static struct cli_slot *find_slot(const struct cli_pass *pass, uint64_t block)
{
    return &pass->slots[cli_exchange_index(pass->exchange, block) % pass->slot_count];
}

/* ---- Taking -----------------------------------------------------------------------------------*/

static void note_failure(struct cli_pass *pass, const char *text)
{
    cli_fail(&pass->failure, "%s", text);
    pass->is_over = true;
    pthread_cond_broadcast(&pass->moved);
}

/* Waits for a slot, which the block of another rank does not need; false: the pass has ended. With
 * the lock held. */
static bool wait_for_slot(struct cli_pass *pass, const struct cli_block *block)
{
    while (!pass->is_over && !block->is_foreign &&
           (pass->own_taken - pass->own_added == pass->slot_count ||
            cli_exchange_is_full(pass->exchange)))
        pthread_cond_wait(&pass->moved, &pass->lock);
    return !pass->is_over;
}

/* Stores the feed's result. A failure counts in the order of blocks: earlier blocks may still fail.
 */
static void note_taken(struct cli_pass *pass, const struct cli_block *block, enum cli_next next,
                       const struct cli_failure *failure)
{
    if (next == CLI_NEXT_FAILED)
        pass->end = (struct cli_slot){.is_given = true, .block = *block, .failure = *failure};
    if (next == CLI_NEXT && !block->is_foreign) {
        find_slot(pass, block->number)->is_given = false;
        pass->own_taken++;
    }
    pass->taken += next != CLI_NO_MORE;
    pass->is_over = pass->is_over || next != CLI_NEXT;
    pthread_cond_broadcast(&pass->moved);
    cli_pass_add_given(pass);
}

static enum cli_next take_next(struct cli_pass *pass, struct cli_block *block)
{
    struct cli_failure failure = {""};
    enum cli_next next = CLI_NO_MORE;
    pthread_mutex_lock(&pass->reading);
    pthread_mutex_lock(&pass->lock);
    block->number = pass->taken;
    block->is_foreign = !cli_exchange_owns(pass->exchange, block->number);
    block->bad_line = 0; /* it is the thread's last one */
    const bool is_wanted = wait_for_slot(pass, block);
    pthread_mutex_unlock(&pass->lock);
    if (is_wanted) {
        next = pass->feed->take(pass->feed, block, &failure);
        pthread_mutex_lock(&pass->lock);
        note_taken(pass, block, next, &failure);
        pthread_mutex_unlock(&pass->lock);
    }
    pthread_mutex_unlock(&pass->reading);
    return next;
}

bool cli_pass_take(struct cli_pass *pass, struct cli_block *block)
{
    enum cli_next next;
    do
        next = take_next(pass, block);
    while (next == CLI_NEXT && block->is_foreign);
    return next == CLI_NEXT;
}

struct cli_found *cli_pass_found(struct cli_pass *pass, const struct cli_block *block)
{
    return find_slot(pass, block->number)->found;
}

bool cli_pass_wants(struct cli_pass *pass, size_t series, enum cli_element_type type, int extreme,
                    uint64_t key, uint64_t block)
{
    pthread_mutex_lock(&pass->lock);
    const bool is_wanted = cli_series_wants(&pass->series[series], type, extreme, key, block);
    pthread_mutex_unlock(&pass->lock);
    return is_wanted;
}

/* ---- Counting ---------------------------------------------------------------------------------*/

/* The first block, which is rank 0's, may also be finished without having been loaded. */
bool cli_pass_begin_counting(struct cli_pass *pass, const struct cli_block *block)
{
    struct cli_counting *counting = pass->counting;
    if (block->number == 0 && counting->begin != NULL)
        counting->begin(counting, pass->feed, block);
    pthread_mutex_lock(&pass->lock);
    if (block->number == 0) {
        pass->has_begun = true;
        pthread_cond_broadcast(&pass->moved);
    }
    while (!pass->has_begun && pass->failure.text[0] == '\0' &&
           (pass->added == 0 || cli_job_own(pass->job) > 0))
        pthread_cond_wait(&pass->moved, &pass->lock);
    const bool has_begun = pass->has_begun;
    pthread_mutex_unlock(&pass->lock);
    return has_begun;
}

void cli_pass_add_counts(struct cli_pass *pass, const void *tally)
{
    pthread_mutex_lock(&pass->lock);
    if (!pass->counting->add(pass->counting, tally))
        note_failure(pass, strerror(ENOMEM));
    pthread_mutex_unlock(&pass->lock);
}

/* ---- Giving -----------------------------------------------------------------------------------*/

bool cli_pass_add(struct cli_pass *pass, const struct cli_found *found,
                  const struct cli_block *block)
{
    const uint64_t first_row = block->first_row == CLI_ROW_AFTER ? pass->rows : block->first_row;
    struct cli_failure failure = {""};
    for (size_t s = 0; s < block->series_count && pass->series != NULL; s++) {
        const size_t series = block->first_series + s;
        if (!cli_series_add(&pass->series[series], &found[s], first_row, &failure)) {
            note_failure(pass, failure.text);
            return false;
        }
    }
    pass->rows += block->rows;
    return true;
}

static void add_slot(struct cli_pass *pass, const struct cli_slot *slot)
{
    struct cli_failure failure = {""};
    const struct cli_block *block = &slot->block;
    if (slot->failure.text[0] != '\0') {
        if (block->bad_line > 0)
            cli_fail(&failure, "line %" PRIu64 ": %.400s", pass->lines + block->bad_line,
                     slot->failure.text);
        note_failure(pass, block->bad_line > 0 ? failure.text : slot->failure.text);
        return;
    }
    if (cli_pass_add(pass, slot->found, block)) {
        pass->lines += block->lines;
        pass->comment_lines += block->comment_lines;
    }
}

/* The results of the next block; NULL: they are not there. */
static const struct cli_slot *find_given(struct cli_pass *pass)
{
    const struct cli_slot *slot = &pass->end;
    if (pass->end.is_given && pass->end.block.number == pass->added)
        return slot;
    if (!cli_exchange_owns(pass->exchange, pass->added))
        return cli_exchange_get(pass->exchange, pass->added);
    slot = find_slot(pass, pass->added);
    return slot->is_given ? slot : NULL;
}

/* Adds the next block if its results are there; other ranks than rank 0 send those of their own. */
static bool add_next(struct cli_pass *pass)
{
    const bool is_own = cli_exchange_owns(pass->exchange, pass->added);
    const struct cli_slot *slot = find_given(pass);
    if (slot == NULL)
        return false;
    if (cli_job_own(pass->job) == 0)
        add_slot(pass, slot);
    else if (is_own || slot == &pass->end)
        cli_exchange_put(pass->exchange, slot);
    if (cli_job_own(pass->job) > 0 && slot->failure.text[0] != '\0')
        note_failure(pass, slot->failure.text);
    pass->added++;
    pass->own_added += is_own && slot != &pass->end;
    pthread_cond_broadcast(&pass->moved);
    return true;
}

/* Adds the results of the next blocks in order, as many as are finished. */
void cli_pass_add_given(struct cli_pass *pass)
{
    while (pass->added < pass->taken && pass->failure.text[0] == '\0' && add_next(pass))
        continue;
    if (pass->meter != NULL)
        cli_meter_show(pass->meter, pass->rows);
}

void cli_pass_give(struct cli_pass *pass, const struct cli_block *block,
                   const struct cli_failure *failure)
{
    pthread_mutex_lock(&pass->lock);
    struct cli_slot *slot = find_slot(pass, block->number);
    slot->block = *block;
    slot->failure = *failure;
    slot->is_given = true;
    cli_pass_add_given(pass);
    pthread_mutex_unlock(&pass->lock);
}

void cli_pass_stop(struct cli_pass *pass, const char *failure)
{
    pthread_mutex_lock(&pass->lock);
    note_failure(pass, failure);
    pthread_mutex_unlock(&pass->lock);
}

/* ---- A pass -----------------------------------------------------------------------------------*/

/* Two for each thread, so that none waits for a slower one, and with other ranks further ones. */
static bool make_slots(struct cli_pass *pass)
{
    reap_device_info info;
    const reap_device *host;
    if (reap_device_default(&host) != REAP_OK || reap_device_get_info(host, &info) != REAP_OK)
        return cli_fail(&pass->failure, "%s", reap_last_error());
    pass->thread_count = (size_t)info.compute_units;
    pass->slot_count = 2 * pass->thread_count + cli_exchange_slots(pass->exchange);
    pass->slots = calloc(pass->slot_count, sizeof *pass->slots);
    bool is_fine = pass->slots != NULL;
    for (size_t s = 0; s < pass->slot_count && is_fine; s++) {
        pass->slots[s].found = calloc(pass->feed->series_count, sizeof *pass->slots[s].found);
        is_fine = pass->slots[s].found != NULL;
    }
    return is_fine || cli_fail(&pass->failure, "%s", strerror(ENOMEM));
}

static void free_slots(struct cli_pass *pass)
{
    for (size_t s = 0; s < pass->slot_count && pass->slots != NULL; s++)
        free(pass->slots[s].found);
    free(pass->slots);
}

/* With other ranks: after its own blocks have been described. */
static void finish_exchange(struct cli_pass *pass)
{
    cli_exchange_collect(pass->exchange);
    if (cli_job_own(pass->job) == 0 && pass->failure.text[0] == '\0' && pass->feed->finish != NULL)
        pass->feed->finish(pass->feed, &pass->failure);
    cli_exchange_close(pass->exchange);
    pass->exchange = NULL;
}

static void run(struct cli_pass *pass, const struct cli_array *array)
{
    pass->lines = pass->feed->lines_before;
    if (pass->job != NULL && (pass->exchange = cli_exchange_open(pass)) == NULL)
        return;
    if (array != NULL && pass->place->device != NULL && pass->exchange == NULL &&
        (pass->counting == NULL || pass->counting->begin == NULL))
        cli_pass_in_batches(pass, array);
    else if (make_slots(pass))
        cli_pass_on_threads(pass);
    if (pass->meter != NULL)
        cli_meter_hide(pass->meter);
    if (pass->exchange != NULL)
        finish_exchange(pass);
    else if (pass->failure.text[0] == '\0' && pass->feed->finish != NULL)
        pass->feed->finish(pass->feed, &pass->failure);
    free_slots(pass);
}

bool cli_pass_run(struct cli_pass *pass, const struct cli_array *array)
{
    pthread_mutex_init(&pass->reading, NULL);
    pthread_mutex_init(&pass->lock, NULL);
    pthread_cond_init(&pass->moved, NULL);
    run(pass, array);
    pthread_cond_destroy(&pass->moved);
    pthread_mutex_destroy(&pass->lock);
    pthread_mutex_destroy(&pass->reading);
    return pass->failure.text[0] == '\0';
}
