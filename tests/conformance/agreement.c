/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether Reap's reductions have the bits of the reference. The first argument says for how many
 * numbers of work-items: drawn (200), few (10) or every (each from 0 to 5000); the others name
 * groups, all of them where there are none. The reference is folded once for each number, and every
 * instruction set and number of threads compared with it.
 */
#include "tests/conformance/agreement_work.h"
#include "tests/conformance/counts.h"
#include "tests/conformance/devices.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#ifdef REAP_TESTS_SMALL
enum { DRAWN_COUNTS = 24, MANY_COUNTS = 24, EVERY_COUNT = 301, DRAWN_SHARE = 4 };
#else
enum { DRAWN_COUNTS = 16, MANY_COUNTS = 200, EVERY_COUNT = 5001, DRAWN_SHARE = 1 };
#endif
#if defined(__clang__) || __GNUC__ >= 14
enum { COMPILER_CONTRACTS = 0 };
#else
enum { COMPILER_CONTRACTS = 1 };
#endif
enum { FEW_COUNTS = 10, FEW_SHARE = 32, THREAD_NUMBERS_MOST = 4 };

/* How many numbers of work-items there are, up to which share of the group's largest, and with how
 * many threads each runs; 0 ends that list. Where REAP_TESTS_MANY is set, `drawn` means `many`, and
 * in `make check` (SHARE) `sample`. */
struct mode {
    const char *name;
    bool every;
    size_t counts, share;
    size_t threads[THREAD_NUMBERS_MOST + 1];
};

static const struct mode modes[] = {
    {"drawn", false, DRAWN_COUNTS, DRAWN_SHARE, {1, 2, 8, 17, 0}},
    {"many", false, MANY_COUNTS, DRAWN_SHARE, {1, 2, 8, 17, 0}},
    {"sample", false, FEW_COUNTS, 4 * DRAWN_SHARE, {1, 2, 17, 0}},
    {"few", false, FEW_COUNTS, FEW_SHARE, {1, 17, 0}},
    {"every", true, EVERY_COUNT, 1, {1, 3, 0}},
};

/* What is compared: one group's trials, with their results from the reference, row by row. */
struct agreement {
    const struct group *group;
    struct trial *trials;
    unsigned char *expected;
};

struct run {
    const struct mode *mode;
    size_t count;
    struct agreement *agreements;
};

static struct trial *draw_trials(const struct mode *mode, const struct group *group,
                                 uint64_t *random)
{
    size_t *counts = test_allocate(mode->counts * sizeof *counts);
    struct trial *trials = test_allocate(mode->counts * sizeof *trials);
    counts_draw(group->reductions[0].op->bytes, group->largest / mode->share, mode->counts, random,
                counts);
    for (size_t t = 0; t < mode->counts; t++) {
        trials[t].count = mode->every ? t : counts[t];
        trials[t].flavour = (unsigned)(check_random(random) % input_flavours(group->input));
        trials[t].seed = check_random(random);
    }
    free(counts);
    return trials;
}

static struct agreement new_agreement(const struct mode *mode, const struct group *group,
                                      uint64_t *random)
{
    struct agreement agreement = {group, draw_trials(mode, group, random), NULL};
    struct workspace work;
    workspace_open(group, agreement.trials, mode->counts, &work);
    const size_t row = workspace_row_bytes(&work);
    agreement.expected = test_allocate(mode->counts * row);
    for (size_t t = 0; t < mode->counts; t++) {
        workspace_prepare(&work, &agreement.trials[t]);
        workspace_expect(&work, agreement.expected + t * row);
    }
    workspace_close(&work);
    return agreement;
}

static void compare(struct workspace *work, const unsigned char *expected, size_t threads,
                    reap_queue *queue)
{
    const reap_status status = workspace_launch(work, queue);
    CHECK_STATUS(status, REAP_OK);
    if (status != REAP_OK)
        fprintf(stderr, "%s\n", reap_last_error());
    const unsigned wrong = workspace_compare(work, expected);
    check_comparisons += work->group->reduction_count;
    CHECK_EQ(wrong, 0);
    if (wrong != 0)
        fprintf(stderr, "  group %s, count %zu, flavour '%s', %zu threads\n", work->group->name,
                work->trial->count, input_flavour_name(work->group->input, work->trial->flavour),
                threads);
}

/* All trials of a group; returns how many launches there were. */
static unsigned long compare_trials(const struct mode *mode, const struct agreement *agreement,
                                    reap_queue *const *queues)
{
    struct workspace work;
    unsigned long launches = 0;
    workspace_open(agreement->group, agreement->trials, mode->counts, &work);
    for (size_t t = 0; t < mode->counts && check_failures < 20; t++) {
        workspace_prepare(&work, &agreement->trials[t]);
        for (size_t q = 0; mode->threads[q] > 0 && (q == 0 || !test_on_device()); q++, launches++)
            compare(&work, agreement->expected + t * workspace_row_bytes(&work), mode->threads[q],
                    queues[q]);
    }
    workspace_close(&work);
    return launches;
}

/* The proof: the group's commands ran in the instruction set that was asked for, and in no other.
 */
static void compare_group(const struct mode *mode, const struct agreement *agreement,
                          reap_queue *const *queues, unsigned set)
{
    const struct group *group = agreement->group;
    unsigned long ran[INSTRUCTION_SETS], elsewhere = 0;
    for (unsigned s = 0; s < INSTRUCTION_SETS; s++)
        ran[s] = instruction_set_commands(s);
    const unsigned long launches = compare_trials(mode, agreement, queues);
    if (test_on_device())
        return;
    for (unsigned s = 0; s < INSTRUCTION_SETS; s++) {
        ran[s] = instruction_set_commands(s) - ran[s];
        elsewhere += s < set ? ran[s] : 0;
    }
    printf("%s: %lu of %lu launches of %s\n", instruction_sets[set], ran[set], launches,
           group->name);
    CHECK(ran[set] == launches ||
          (COMPILER_CONTRACTS && group->pairs_products && elsewhere == launches));
}

static int compare_all(unsigned set, const void *context)
{
    const struct run *run = context;
    const struct mode *mode = run->mode;
    reap_queue *queues[THREAD_NUMBERS_MOST];
    for (size_t q = 0; mode->threads[q] > 0; q++) {
        const reap_queue_options options = {.max_threads = mode->threads[q]};
        CHECK_STATUS(reap_queue_create(NULL, &options, &queues[q]), REAP_OK);
    }
    for (size_t a = 0; a < run->count && check_failures < 20; a++)
        compare_group(mode, &run->agreements[a], queues, set);
    for (size_t q = 0; mode->threads[q] > 0; q++)
        reap_queue_release(queues[q]);
    return check_finish();
}

static const struct mode *find_mode(const char *name)
{
    if (strcmp(name, "drawn") == 0)
        name = getenv("REAP_TESTS_MANY") != NULL ? "many" : test_samples() ? "sample" : name;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        if (strcmp(modes[m].name, name) == 0)
            return &modes[m];
    fprintf(stderr, "unknown mode '%s'\n", name);
    exit(2);
}

static const struct group *find_group(const char *name)
{
    for (size_t g = 0; g < group_count; g++)
        if (strcmp(groups[g]->name, name) == 0)
            return groups[g];
    fprintf(stderr, "unknown group '%s'\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    const size_t named = argc > 2 ? (size_t)argc - 2 : 0;
    struct run run = {find_mode(argc > 1 ? argv[1] : "few"), 0, NULL};
    uint64_t random = check_seed();
    run.agreements = test_allocate((named > 0 ? named : group_count) * sizeof *run.agreements);
    for (size_t g = 0; g < (named > 0 ? named : group_count); g++) {
        const struct group *group = named > 0 ? find_group(argv[2 + g]) : groups[g];
        if (test_wants(group->name))
            run.agreements[run.count++] = new_agreement(run.mode, group, &random);
    }
    CHECK(run.count > 0 && in_each_instruction_set(compare_all, &run) == 0);
    for (size_t a = 0; a < run.count; a++) {
        free(run.agreements[a].trials);
        free(run.agreements[a].expected);
    }
    free(run.agreements);
    return check_finish();
}
