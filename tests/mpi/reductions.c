/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether parts that the ranks of a communicator merge have the bits of one launch: kernels of
 * every type and operator, cut at random into shares of 1, 2, 3, 5 and 8 ranks (the world's ranks
 * in groups), empty ones among them, to one rank and to all, blocking and not, several reductions
 * in flight. As SEED says; ROUNDS times (1); ONLY: these kernels.
 */
#include "tests/conformance/devices.h"
#include "tests/conformance/part_trials.h"
#include "tests/mpi/ranks.h"

#include <reap/mpi.h>
#include <string.h>

enum { MOST_RANKS = 64 };

/* How the world's ranks form groups, of which each has a communicator. */
static const int groupings[][4] = {{8}, {5, 3}, {1, 2, 5}, {3, 3, 2}, {2, 1, 3, 2}};
enum { GROUPINGS = sizeof groupings / sizeof *groupings };

struct group {
    MPI_Comm comm;
    int rank, ranks;
};

/* The group number of a rank, so that groups are not of neighbours only. */
static int color_of(int grouping, int rank, int ranks, const int *order)
{
    int at = order[rank], color = 0;
    if (ranks != 8)
        return 0;
    while (color < 3 && at >= groupings[grouping][color])
        at -= groupings[grouping][color++];
    return color;
}

static void split(int grouping, int rank, int ranks, uint64_t *random, struct group *group)
{
    int order[MOST_RANKS] = {0};
    for (int r = 0; r < ranks; r++)
        order[r] = r;
    for (int r = ranks; r > 1; r--) {
        const int other = (int)trial_draw(random, (size_t)r - 1), last = order[r - 1];
        order[r - 1] = order[other];
        order[other] = last;
    }
    MPI_Comm_split(MPI_COMM_WORLD, color_of(grouping, rank, ranks, order), order[rank],
                   &group->comm);
    MPI_Comm_rank(group->comm, &group->rank);
    MPI_Comm_size(group->comm, &group->ranks);
}

/* ---- Shares -----------------------------------------------------------------------------------*/

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Pieces of all items, in order, at least one for each rank. */
static size_t draw_pieces(const struct trial *trial, size_t count, struct piece *pieces)
{
    size_t cuts[2 * MOST_RANKS + 1] = {0};
    for (size_t c = 1; c < count; c++)
        cuts[c] = trial_draw(trial->random, 6) == 0 ? cuts[c - 1] : trial_draw_cut(trial);
    cuts[count] = trial->items;
    qsort(cuts, count + 1, sizeof *cuts, compare_sizes);
    for (size_t c = 0; c < count; c++)
        pieces[c] = (struct piece){cuts[c], cuts[c + 1] - cuts[c]};
    return count;
}

/* A rank has one piece in the order of the ranks, or any of them; all ranks draw the same. */
static void launch_share(struct trial *trial, const struct group *group, reap_part **parts)
{
    struct piece pieces[2 * MOST_RANKS];
    const bool is_in_order = trial_draw(trial->random, 2) > 0;
    const size_t ranks = (size_t)group->ranks;
    const size_t count = draw_pieces(trial, is_in_order ? ranks : 2 * ranks, pieces);
    uint64_t *const random = trial->random;
    uint64_t mine = *random;
    for (size_t p = 0; p < count; p++) {
        const size_t owner = is_in_order ? p : trial_draw(random, ranks - 1);
        if ((int)owner != group->rank)
            continue;
        trial->random = &mine; /* a launch draws numbers, too */
        CHECK_STATUS(trial_launch(trial, &pieces[p], NULL, parts), REAP_OK);
        trial->random = random;
    }
    CHECK_STATUS(reap_queue_wait(trial->queue), REAP_OK);
}

/* ---- Reductions -------------------------------------------------------------------------------*/

static void merge(const struct trial *trial, const struct group *group, int root,
                  reap_part *const *parts)
{
    for (size_t r = 0; r < trial->reductions; r++)
        CHECK_STATUS(root < 0 ? reap_mpi_allreduce(parts[r], group->comm)
                              : reap_mpi_reduce(parts[r], root, group->comm),
                     REAP_OK);
}

/* All in flight at a time, and ended in another order on each rank. */
static void merge_in_flight(const struct trial *trial, const struct group *group, int root,
                            reap_part *const *parts)
{
    reap_mpi_request *requests[MOST_REDUCTIONS] = {NULL};
    bool is_done = false;
    for (size_t r = 0; r < trial->reductions; r++)
        CHECK_STATUS(root < 0 ? reap_mpi_allreduce_begin(parts[r], group->comm, &requests[r])
                              : reap_mpi_reduce_begin(parts[r], root, group->comm, &requests[r]),
                     REAP_OK);
    for (size_t i = 0; i < trial->reductions; i++) {
        const size_t r = (i + (size_t)group->rank) % trial->reductions;
        for (unsigned tests = 0; tests < 3 && !is_done; tests++)
            CHECK_STATUS(reap_mpi_test(requests[r], &is_done), REAP_OK);
        CHECK_STATUS(reap_mpi_wait(&requests[r]), REAP_OK);
        CHECK(requests[r] == NULL);
        is_done = false;
    }
}

static void check_shares(const struct trial *trial, const struct group *group, int root,
                         reap_part *const *parts, const size_t *before)
{
    if (root < 0 || root == group->rank)
        return;
    for (size_t r = 0; r < trial->reductions; r++)
        CHECK_EQ(reap_part_range_count(parts[r]), before[r]);
}

static void run_trial(const struct subject *subject, reap_queue *queue, const struct group *group,
                      uint64_t *random)
{
    struct trial *trial = trial_create(subject, queue, random);
    struct variable *expected = test_allocate(MOST_REDUCTIONS * sizeof *expected);
    struct variable *found = test_allocate(MOST_REDUCTIONS * sizeof *found);
    reap_part *parts[MOST_REDUCTIONS];
    size_t ranges[MOST_REDUCTIONS];
    const bool is_blocking = trial_draw(random, 1) == 0;
    const int root = (int)trial_draw(random, (size_t)group->ranks) - 1;
    uint64_t own = *random;
    trial_fill(trial, expected, found);
    CHECK_STATUS(trial_create_parts(trial, parts), REAP_OK);
    launch_share(trial, group, parts);
    for (size_t r = 0; r < trial->reductions; r++)
        ranges[r] = reap_part_range_count(parts[r]);
    (is_blocking ? merge : merge_in_flight)(trial, group, root, parts);
    check_shares(trial, group, root, parts, ranges);
    if (root < 0 || root == group->rank) {
        trial->random = &own;
        CHECK_STATUS(trial_launch(trial, &(const struct piece){0, trial->items}, expected, NULL),
                     REAP_OK);
        CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
        check_comparisons += trial->reductions;
        CHECK(trial_compare(trial, parts, found, expected));
    }
    trial_release_parts(trial, parts);
    free(found);
    free(expected);
    trial_release(trial);
}

/* The groups draw different numbers. */
static void run_groups(int grouping, int rank, int ranks, reap_queue *queue, uint64_t *random)
{
    struct group group;
    const bool is_share = getenv("SHARE") != NULL && getenv("ONLY") == NULL;
    split(grouping, rank, ranks, random, &group);
    for (size_t s = 0; s < part_subject_count && check_failures < 20; s++) {
        uint64_t state = check_random(random) + (uint64_t)group.ranks;
        if ((test_on_device() && !part_subjects[s].is_quick) ||
            !test_wants(part_subjects[s].kernel->name))
            continue;
        if (is_share && trial_draw(&state, 2) > 0) /* the same on all ranks of the group */
            continue;
        run_trial(&part_subjects[s], queue, &group, &state);
    }
    MPI_Comm_free(&group.comm);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    reap_queue *queue = NULL;
    ranks_begin(&argc, &argv, &rank, &ranks);
    uint64_t random = ranks_seed(rank);
    const char *rounds = getenv("ROUNDS");
    const int count = rounds != NULL ? (int)strtol(rounds, NULL, 10) : 1;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (int i = 0; i < count * (ranks == 8 ? (int)GROUPINGS : 1) && queue != NULL; i++)
        run_groups(i % (int)GROUPINGS, rank, ranks, queue, &random);
    reap_queue_release(queue);
    return ranks_finish(rank);
}
