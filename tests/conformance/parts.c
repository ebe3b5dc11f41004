/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether reductions that are cut into parts have the bits of one launch: kernels of every type and
 * operator, cut anywhere, launched in any order into one part or several, merged in any order, some
 * after they were written and read. That one launch has the right bits is for test_agreement.
 */
#include "tests/conformance/devices.h"
#include "tests/conformance/part_trials.h"
#include "tests/support/check_status.h"

#include <string.h>

#ifdef REAP_TESTS_SMALL
enum { ROUNDS = 3 };
#else
enum { ROUNDS = 12 };
#endif
enum { MOST_PIECES = 24 };

/* As a program does that stores a part and is started again. */
static void write_and_read(const struct trial *trial, size_t r, reap_part **part)
{
    size_t size = 0, written = 0;
    reap_part *read = NULL;
    CHECK_STATUS(reap_part_write(*part, NULL, 0, &size), REAP_OK);
    unsigned char *bytes = test_allocate(size);
    CHECK_STATUS(reap_part_write(*part, bytes, size, &written), REAP_OK);
    CHECK_EQ(written, size);
    const reap_status status =
        reap_part_read(trial->subject->kernel, trial->parameters[r]->name, bytes, size, &read);
    CHECK_STATUS(status, REAP_OK);
    if (status == REAP_OK) {
        reap_part_release(*part);
        *part = read;
    } else {
        fprintf(stderr, "%s\n", reap_last_error());
    }
    free(bytes);
}

static void copy_over(reap_part **part)
{
    reap_part *copy = NULL;
    CHECK_STATUS(reap_part_copy(*part, &copy), REAP_OK);
    reap_part_release(*part);
    *part = copy;
}

/* A copy of the words in memory of their device; NULL: they are not on a device. */
static void *copy_on_device(const reap_part *part, size_t bytes)
{
    const reap_device *device;
    const void *words;
    void *copy = NULL;
    reap_queue *queue = NULL;
    CHECK_STATUS(reap_part_get_device_words(part, &device, &words), REAP_OK);
    if (device == NULL)
        return NULL;
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_malloc_device(device, bytes, &copy), REAP_OK);
    CHECK_STATUS(reap_copy(queue, copy, words, bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    reap_queue_release(queue);
    return copy;
}

/* As a library does that adds the words of one part. */
static void pass_as_words(reap_part *part)
{
    reap_part_description is;
    CHECK_STATUS(reap_part_describe(part, &is), REAP_OK);
    const size_t count = reap_part_range_count(part);
    if (is.word_count == 0 || count == 0)
        return;
    unsigned char *words = test_allocate(is.word_count * is.word_size);
    reap_part_range *ranges = test_allocate(count * sizeof *ranges);
    for (size_t r = 0; r < count; r++)
        CHECK_STATUS(reap_part_get_range(part, r, &ranges[r]), REAP_OK);
    void *const copy = copy_on_device(part, is.word_count * is.word_size);
    if (copy == NULL)
        CHECK_STATUS(reap_part_get_words(part, words, is.word_count * is.word_size), REAP_OK);
    const reap_part_contents contents = {.ranges = ranges,
                                         .range_count = count,
                                         .group_items = is.group_items,
                                         .count = is.count,
                                         .words = copy != NULL ? copy : words};
    CHECK_STATUS(reap_part_set_words(part, &contents), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), count);
    CHECK_STATUS(reap_free(copy), REAP_OK);
    free(ranges);
    free(words);
}

static void disturb(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++) {
        if (trial_draw(trial->random, 3) == 0)
            write_and_read(trial, r, &parts[r]);
        if (trial_draw(trial->random, 7) == 0)
            copy_over(&parts[r]);
        if (trial_draw(trial->random, 3) == 0)
            pass_as_words(parts[r]);
    }
}

static void merge(const struct trial *trial, reap_part **into, reap_part **from)
{
    for (size_t r = 0; r < trial->reductions; r++) {
        const reap_status status = reap_part_merge(into[r], from[r]);
        CHECK_STATUS(status, REAP_OK);
        if (status != REAP_OK)
            fprintf(stderr, "%s\n", reap_last_error());
    }
}

/* ---- Cuts -------------------------------------------------------------------------------------*/

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Pieces that make up all items, in a random order. */
static size_t draw_pieces(const struct trial *trial, struct piece *pieces)
{
    size_t cuts[MOST_PIECES + 1], count = 1 + trial_draw(trial->random, MOST_PIECES - 1);
    cuts[0] = 0;
    for (size_t c = 1; c < count; c++)
        cuts[c] = trial_draw_cut(trial);
    cuts[count] = trial->items;
    qsort(cuts, count + 1, sizeof *cuts, compare_sizes);
    for (size_t c = 0; c < count; c++)
        pieces[c] = (struct piece){cuts[c], cuts[c + 1] - cuts[c]};
    for (size_t c = count; c > 1; c--) {
        const size_t other = trial_draw(trial->random, c - 1);
        const struct piece last = pieces[c - 1];
        pieces[c - 1] = pieces[other];
        pieces[other] = last;
    }
    return count;
}

/* ---- Trials -----------------------------------------------------------------------------------*/

/* All pieces into few parts, which then merge in a random order; the last one is the result. */
static void reduce_in_parts(const struct trial *trial, reap_part **whole)
{
    struct piece pieces[MOST_PIECES];
    reap_part *parts[MOST_PIECES][MOST_REDUCTIONS] = {{NULL}};
    const size_t count = draw_pieces(trial, pieces);
    size_t left = 1 + trial_draw(trial->random, count - 1);
    for (size_t p = 0; p < left; p++)
        CHECK_STATUS(trial_create_parts(trial, parts[p]), REAP_OK);
    for (size_t p = 0; p < count; p++)
        CHECK_STATUS(
            trial_launch(trial, &pieces[p], NULL, parts[trial_draw(trial->random, left - 1)]),
            REAP_OK);
    CHECK_STATUS(reap_queue_wait(trial->queue), REAP_OK);
    for (; left > 1; left--) {
        const size_t into = trial_draw(trial->random, left - 2), from = left - 1;
        disturb(trial, parts[trial_draw(trial->random, left - 1)]);
        merge(trial, parts[into], parts[from]);
        trial_release_parts(trial, parts[from]);
    }
    disturb(trial, parts[0]);
    memcpy(whole, parts[0], sizeof parts[0]);
}

static void compare_all(const struct trial *trial)
{
    struct variable *expected = test_allocate(MOST_REDUCTIONS * sizeof *expected);
    struct variable *found = test_allocate(MOST_REDUCTIONS * sizeof *found);
    reap_part *whole[MOST_REDUCTIONS];
    trial_fill(trial, expected, found);
    CHECK_STATUS(trial_launch(trial, &(const struct piece){0, trial->items}, expected, NULL),
                 REAP_OK);
    reduce_in_parts(trial, whole);
    check_comparisons += trial->reductions;
    CHECK(trial_compare(trial, whole, found, expected));
    trial_release_parts(trial, whole);
    free(found);
    free(expected);
}

static void run_trial(const struct subject *subject, reap_queue *queue, uint64_t *random)
{
    struct trial *trial = trial_create(subject, queue, random);
    compare_all(trial);
    trial_release(trial);
}

int main(void)
{
    uint64_t random = check_seed();
    const unsigned rounds = test_few() ? 2 : ROUNDS;
    for (unsigned q = test_few() ? 1 : 0; q < 2; q++) {
        const reap_queue_options options = {.asynchronous = q != 0, .out_of_order = q != 0};
        reap_queue *queue = NULL;
        CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
        if (queue == NULL)
            break;
        for (size_t s = 0; s < part_subject_count && check_failures < 20; s++) {
            if (test_on_device() && !part_subjects[s].is_quick)
                continue;
            if (test_draws_large() && trial_draw(&random, 3) != 0)
                continue;
            for (unsigned round = 0; round < rounds && check_failures < 20; round++)
                run_trial(&part_subjects[s], queue, &random);
        }
        reap_queue_release(queue);
    }
    return check_finish();
}
