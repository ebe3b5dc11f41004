/* SPDX-License-Identifier: Apache-2.0
 *
 * What three ranks refuse together: all return the same status and message, at once, and no part
 * has changed. Where memory runs out on one rank, at any allocation, all ranks say so. And what a
 * program may do: gaps, requests that end in any order, a communicator that is freed before them;
 * parts that are just small enough to be merged in an exchange, or to be sent in one message, and
 * larger ones.
 */
#include "tests/mpi/rules.kernels.h"

#include "src/core/allocate.h"
#include "tests/mpi/ranks.h"
#include "tests/support/memory.h"

#include <reap/mpi.h>
#include <reap/reap.h>
#include <string.h>

enum { RANKS = 3, ITEMS = 9000, SHARE = ITEMS / RANKS, SUMS = 700, LARGE = 300000, IN_FLIGHT = 40 };

static float x[ITEMS];
static int rank;
static reap_queue *queue;

static reap_part *create(const struct reap_kernel *kernel, const char *reduction)
{
    reap_part *part = NULL;
    CHECK_STATUS(reap_part_create(kernel, reduction, &part), REAP_OK);
    return part;
}

static void add(reap_part *part, size_t first, size_t items)
{
    CHECK_STATUS(reap_parallel_for(queue, ranks_sum, reap_range_1d(items), .x = x + first % ITEMS,
                                   .sum = {.part = part}, .launch.first_item = first),
                 REAP_OK);
}

/* A sum of this rank's share. */
static reap_part *create_share(void)
{
    reap_part *part = create(&reap_kernel_ranks_sum, "sum");
    add(part, (size_t)rank * SHARE, SHARE);
    return part;
}

static reap_part *create_count(void)
{
    reap_part *part = create(&reap_kernel_ranks_count, "count");
    CHECK_STATUS(reap_parallel_for(queue, ranks_count, reap_range_1d(SHARE),
                                   .x = x + (size_t)rank * SHARE, .count = {.part = part},
                                   .launch.first_item = (size_t)rank * SHARE),
                 REAP_OK);
    return part;
}

static reap_part *create_exact(void)
{
    reap_part *part = create(&reap_kernel_ranks_exact, "sum");
    CHECK_STATUS(reap_parallel_for(queue, ranks_exact, reap_range_1d(SHARE),
                                   .x = x + (size_t)rank * SHARE, .sum = {.part = part},
                                   .launch.first_item = (size_t)rank * SHARE),
                 REAP_OK);
    return part;
}

/* ---- Refusals ---------------------------------------------------------------------------------*/

/* That all ranks say the same. */
static void check_alike(reap_status status, const char *text)
{
    char message[1024] = "";
    int first = (int)status;
    snprintf(message, sizeof message, "%s", reap_last_error());
    MPI_Bcast(message, sizeof message, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQ((int)status, first);
    CHECK_STR(reap_last_error(), message);
    CHECK_HAS(reap_last_error(), text);
}

/* Both calls of a part, to be refused on all ranks. */
static void check_refused(reap_part *part, const char *text)
{
    const size_t ranges = reap_part_range_count(part);
    reap_status status = reap_mpi_allreduce(part, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, text);
    status = reap_mpi_reduce(part, 1, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, text);
    CHECK_EQ(reap_part_range_count(part), ranges);
    reap_part_release(part);
}

static void check_kernels(void)
{
    check_refused(rank == 2 ? create(&reap_kernel_ranks_wide, "sum")
                            : create(&reap_kernel_ranks_sum, "sum"),
                  "rank 2's part is of kernel 'ranks_wide', reduction 'sum' (plus of double), and "
                  "rank 0's of kernel 'ranks_sum', reduction 'sum' (plus of float)");
    check_refused(
        create(&reap_kernel_ranks_wide, rank == 1 ? "most" : "sum"),
        "rank 1's part is of kernel 'ranks_wide', reduction 'most' (maximum of float), and "
        "rank 0's of kernel 'ranks_wide', reduction 'sum' (plus of double)");
    check_refused(rank == 2 ? NULL : create_share(), "rank 2: the part is NULL");
    check_refused(rank == 1 ? create_exact() : create_share(),
                  "rank 1's part is of kernel 'ranks_exact', reduction 'sum' (exact_plus of "
                  "double), and rank 0's of kernel 'ranks_sum', reduction 'sum' (plus of float)");
    check_refused(rank == 1 ? create_exact() : create_count(),
                  "rank 1's part is of kernel 'ranks_exact', reduction 'sum' (exact_plus of "
                  "double), and rank 0's of kernel 'ranks_count', reduction 'count' (plus of u32)");
}

/* What launches have said: the first rank has no items. */
static void check_launches(void)
{
    const float identity = (float)rank;
    reap_part *part = create(&reap_kernel_ranks_sum, "sum");
    if (rank > 0)
        CHECK_STATUS(reap_parallel_for(queue, ranks_sum, reap_range_1d(10), .x = x,
                                       .sum = {.part = part, .identity = &identity},
                                       .launch.first_item = (size_t)rank * 10),
                     REAP_OK);
    check_refused(part, "rank 2's part has items with another .identity than rank 1's");
    part = create(&reap_kernel_ranks_bins, "bins");
    CHECK_STATUS(reap_parallel_for(queue, ranks_bins, reap_range_1d(10), .x = x,
                                   .bins = {.part = part, .count = rank == 2 ? 4 : 3},
                                   .launch.first_item = (size_t)rank * 10),
                 REAP_OK);
    check_refused(part, "rank 2's part has 4 elements, and rank 0's has 3");
    part = create(&reap_kernel_ranks_groups, "sum");
    const size_t group = rank == 1 ? 4 : 8;
    CHECK_STATUS(reap_parallel_for(queue, ranks_groups, reap_nd_range_1d(16, group), .x = x,
                                   .sum = {.part = part}, .launch.first_item = (size_t)rank * 16),
                 REAP_OK);
    check_refused(part, "rank 1's part has work-groups of 4 work-items, and rank 0's of 8");
    part = create(&reap_kernel_ranks_group_count, "count");
    CHECK_STATUS(reap_parallel_for(queue, ranks_group_count, reap_nd_range_1d(16, group), .x = x,
                                   .count = {.part = part}, .launch.first_item = (size_t)rank * 16),
                 REAP_OK);
    check_refused(part, "rank 1's part has work-groups of 4 work-items, and rank 0's of 8");
}

static void check_overlaps(void)
{
    reap_part *part = create(&reap_kernel_ranks_sum, "sum");
    const size_t firsts[RANKS] = {0, 3000, 2990};
    add(part, firsts[rank], rank == 0 ? 3000 : 10);
    check_refused(part, "work-items 2990 to 2999 of rank 2 overlap work-items 0 to 2999 of rank 0");
    part = create(&reap_kernel_ranks_exact, "sum");
    CHECK_STATUS(reap_parallel_for(queue, ranks_exact, reap_range_1d(10), .x = x,
                                   .sum = {.part = part},
                                   .launch.first_item = (size_t)(rank == 0 ? 50 : 7)),
                 REAP_OK);
    check_refused(part, "work-items 7 to 16 of rank 2 overlap work-items 7 to 16 of rank 1");
}

static void check_roots(void)
{
    reap_part *part = create_share();
    reap_status status = reap_mpi_reduce(part, rank == 1, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, "rank 0 calls reap_mpi_reduce with root 0, and rank 1 calls "
                        "reap_mpi_reduce with root 1");
    status = rank == 2 ? reap_mpi_allreduce(part, MPI_COMM_WORLD)
                       : reap_mpi_reduce(part, 0, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, "rank 2 calls reap_mpi_allreduce");
    status = reap_mpi_reduce(part, rank == 2 ? 3 : 0, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, "rank 2: the root is 3, but there are 3 ranks");
    status = reap_mpi_reduce(part, -1, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, "rank 0: the root is negative");
    CHECK_EQ(reap_part_range_count(part), 1);
    reap_part_release(part);
}

/* A launch into a rank's part that has not completed. */
static void check_unsettled(void)
{
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *later = NULL;
    reap_part *part = create(&reap_kernel_ranks_slow, "sum");
    CHECK_STATUS(reap_queue_create(NULL, &options, &later), REAP_OK);
    CHECK_STATUS(reap_parallel_for(later, ranks_slow, reap_range_1d(1), .x = x,
                                   .steps = rank == 1 ? 200000000 : 1, .sum = {.part = part},
                                   .launch.first_item = (size_t)rank),
                 REAP_OK);
    if (rank != 1)
        CHECK_STATUS(reap_queue_wait(later), REAP_OK);
    const reap_status status = reap_mpi_allreduce(part, MPI_COMM_WORLD);
    CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
    check_alike(status, "reap_mpi_allreduce: rank 1: reap_part_describe: the launch of kernel "
                        "'ranks_slow' over work-items 1 to 1 into the part of 'sum' has not "
                        "completed");
    CHECK_STATUS(reap_queue_wait(later), REAP_OK);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 1);
    reap_queue_release(later);
    reap_part_release(part);
}

/* What is wrong here alone is not sent to others. */
static void check_own_arguments(void)
{
    reap_mpi_request *request = NULL;
    bool is_done;
    reap_part *part = create_share();
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "MPI_COMM_NULL");
    CHECK_STATUS(reap_mpi_reduce_begin(part, 0, MPI_COMM_WORLD, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_mpi_wait(NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_mpi_wait(&request), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_mpi_test(NULL, &is_done), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_mpi_allreduce_begin(part, MPI_COMM_WORLD, &request), REAP_OK);
    CHECK_STATUS(reap_mpi_test(request, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_mpi_wait(&request), REAP_OK);
    reap_part_release(part);
}

/* ---- What is right ----------------------------------------------------------------------------*/

/* Parts without items, on some ranks or all; gaps; parts that get more items afterwards. */
static void check_shares(void)
{
    float sum = 0, whole = 0;
    reap_part *part = create(&reap_kernel_ranks_sum, "sum");
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 0);
    if (rank == 2)
        add(part, 500, 500);
    else if (rank == 1)
        add(part, 0, 100);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 2);
    add(part, 100, 400);
    add(part, 1000, ITEMS - 1000);
    CHECK_STATUS(reap_part_finish(part, &sum, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, ranks_sum, reap_range_1d(ITEMS), .x = x, .sum = &whole),
                 REAP_OK);
    CHECK(check_same(&sum, &whole, sizeof sum));
    reap_part_release(part);
}

/* Ends requests in another order on each rank, after their communicator was freed. */
static void check_in_flight(void)
{
    MPI_Comm comm;
    reap_part *parts[IN_FLIGHT];
    reap_mpi_request *requests[IN_FLIGHT];
    double sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < IN_FLIGHT; i++) {
        parts[i] = create(i % 2 == 0 ? &reap_kernel_ranks_exact : &reap_kernel_ranks_wide, "sum");
        if (i % 2 == 0)
            CHECK_STATUS(reap_parallel_for(queue, ranks_exact, reap_range_1d(SHARE),
                                           .x = x + (size_t)rank * SHARE, .sum = {.part = parts[i]},
                                           .launch.first_item = (size_t)rank * SHARE),
                         REAP_OK);
        CHECK_STATUS(reap_mpi_allreduce_begin(parts[i], comm, &requests[i]), REAP_OK);
    }
    MPI_Comm_free(&comm);
    for (int i = 0; i < IN_FLIGHT; i++)
        CHECK_STATUS(reap_mpi_wait(&requests[(i * 7 + rank * 3) % IN_FLIGHT]), REAP_OK);
    for (int i = 0; i < IN_FLIGHT; i++) {
        if (i % 2 == 0) {
            CHECK_STATUS(reap_part_finish(parts[i], &sum, NULL), REAP_OK);
        }
        reap_part_release(parts[i]);
    }
    CHECK_EQ(sum, 0.5 * IN_FLIGHT * ITEMS * (ITEMS - 1) / 2);
}

/* First requests of several communicators, which are freed at once, advance in another order on
 * each rank. */
static void check_first_requests(void)
{
    enum { COMMUNICATORS = 12, STEP = 5 };
    reap_part *parts[COMMUNICATORS];
    reap_mpi_request *requests[COMMUNICATORS];
    MPI_Comm comms[COMMUNICATORS];
    for (int i = 0; i < COMMUNICATORS; i++) {
        parts[i] = create_count();
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        CHECK_STATUS(reap_mpi_allreduce_begin(parts[i], comms[i], &requests[i]), REAP_OK);
    }
    for (int i = 0; i < COMMUNICATORS; i++)
        MPI_Comm_free(&comms[i]);
    for (int left = COMMUNICATORS, i = rank; left > 0; i += STEP) {
        const int at = i % COMMUNICATORS;
        bool is_done = false;
        if (requests[at] == NULL || reap_mpi_test(requests[at], &is_done) != REAP_OK || !is_done)
            continue;
        CHECK_STATUS(reap_mpi_wait(&requests[at]), REAP_OK);
        CHECK_EQ(reap_part_range_count(parts[at]), 1);
        reap_part_release(parts[at]);
        left--;
    }
}

/* A rank has begun more requests than there are tags (CMakeLists.txt) when another one begins its
 * first; the third has begun one. */
static void check_ahead(void)
{
    enum { AHEAD = 50, SLOW = 2 };
    reap_part *parts[AHEAD];
    reap_mpi_request *requests[AHEAD];
    const uint32_t all = ITEMS * (ITEMS - 1) / 2;
    int begun = 0;
    if (rank == SLOW)
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < AHEAD; i++) {
        uint32_t count = 0;
        for (; begun < (rank == 1 ? AHEAD : i + 1); begun++) {
            parts[begun] = create_count();
            CHECK_STATUS(reap_mpi_allreduce_begin(parts[begun], MPI_COMM_WORLD, &requests[begun]),
                         REAP_OK);
        }
        if (rank == 1 && i == 0)
            MPI_Send(NULL, 0, MPI_BYTE, SLOW, 0, MPI_COMM_WORLD);
        CHECK_STATUS(reap_mpi_wait(&requests[i]), REAP_OK);
        CHECK_STATUS(reap_part_finish(parts[i], &count, NULL), REAP_OK);
        CHECK_EQ(count, all);
        reap_part_release(parts[i]);
    }
}

/* With a .identity values are not sums of words; on ranks without items they might be. */
static void check_identity(void)
{
    const uint32_t identity = 7;
    uint32_t count = 0, whole = 0;
    reap_part *part = create(&reap_kernel_ranks_count, "count");
    if (rank == 1)
        CHECK_STATUS(reap_parallel_for(queue, ranks_count, reap_range_1d(ITEMS), .x = x,
                                       .count = {.part = part, .identity = &identity}),
                     REAP_OK);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK_STATUS(reap_part_finish(part, &count, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, ranks_count, reap_range_1d(ITEMS), .x = x,
                                   .count = {&whole, .identity = &identity}),
                 REAP_OK);
    CHECK_EQ(count, whole);
    reap_part_release(part);
}

/* ---- MPI's functions --------------------------------------------------------------------------*/

/* MPI lets a program replace its functions (the profiling interface). */
static bool is_failing, is_of_another_version;
static unsigned long sends;

/* Another version's reports begin with another number, and are as long as this one's. */
int MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    enum { REPORT = 976 };
    static unsigned char changed[IN_FLIGHT][REPORT];
    static unsigned next;
    sends++;
    if (!is_of_another_version || count != REPORT)
        return PMPI_Isend(bytes, count, type, to, tag, comm, request);
    unsigned char *const copy = changed[next++ % IN_FLIGHT];
    memcpy(copy, bytes, REPORT);
    copy[0] ^= 0x80;
    return PMPI_Isend(copy, count, type, to, tag, comm, request);
}

/* A count over many ranges: more bytes than MPI sends before they are asked for. */
static reap_part *create_ranges(void)
{
    reap_part *part = create(&reap_kernel_ranks_count, "count");
    for (size_t r = 0; r < SHARE / 2; r++)
        CHECK_STATUS(reap_parallel_for(queue, ranks_count, reap_range_1d(1), .x = x,
                                       .count = {.part = part},
                                       .launch.first_item = (size_t)rank * SHARE + 2 * r),
                     REAP_OK);
    return part;
}

/* Several requests begin before the first one finds out. Then all have this version. */
static void check_version(int other)
{
    MPI_Comm comm;
    char text[64];
    reap_mpi_request *requests[3];
    reap_part *parts[3];
    snprintf(text, sizeof text, "rank %d uses another version of libreap_mpi", other);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    is_of_another_version = rank == other;
    for (int i = 0; i < 3; i++) {
        parts[i] = i == 1 ? create_ranges() : create_share();
        CHECK_STATUS(reap_mpi_allreduce_begin(parts[i], comm, &requests[i]), REAP_OK);
    }
    for (int i = 0; i < 3; i++) {
        const reap_status status = reap_mpi_wait(&requests[i]);
        CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
        check_alike(status, text);
    }
    is_of_another_version = false;
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(reap_mpi_allreduce(parts[i], comm), REAP_OK);
        CHECK_EQ(reap_part_range_count(parts[i]), i == 1 ? RANKS * SHARE / 2 : 1);
        reap_part_release(parts[i]);
    }
    MPI_Comm_free(&comm);
}

/* Not rank 0, which would find by itself that the others' reports are of another version. */
static void check_versions(void)
{
    check_version(1);
    check_version(2);
}

int MPI_Test(MPI_Request *request, int *is_complete, MPI_Status *status)
{
    return is_failing ? MPI_ERR_INTERN : PMPI_Test(request, is_complete, status);
}

static void check_broken(void)
{
    MPI_Comm comm;
    reap_part *part = create_share();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK_STATUS(reap_mpi_allreduce(part, comm), REAP_OK);
    is_failing = true;
    CHECK_STATUS(reap_mpi_allreduce(part, comm), REAP_ERROR_COMMUNICATION_FAILED);
    is_failing = false;
    CHECK_HAS(reap_last_error(), "reap_mpi_allreduce: rank ");
    CHECK_HAS(reap_last_error(), "a message to other ranks fails: ");
    CHECK_EQ(reap_part_range_count(part), 1);
    reap_part_release(part);
}

/* ---- Small parts ------------------------------------------------------------------------------*/

/* What one message has room for, and what an exchange takes (src/mpi/exchange.h, merge.c). */
enum { PACKET = 4000 - 24, SMALL = 1 << 16, WORDS_HEADER = 32, RANGE = 16, OWN_RANGES = 2 };

static void add_array(bool is_sum, reap_part *part, size_t first, size_t items, size_t count)
{
    const reap_range range = reap_range_1d(items);
    CHECK_STATUS(is_sum ? reap_parallel_for(queue, ranks_tally, range, .x = x + first,
                                            .tally = {.part = part, .count = count},
                                            .launch.first_item = first)
                        : reap_parallel_for(queue, ranks_peaks, range, .x = x + first,
                                            .peaks = {.part = part, .count = count},
                                            .launch.first_item = first),
                 REAP_OK);
}

/* Ranges that do not touch: a rank has two, all have six, and then the gaps are filled. */
static reap_part *create_array(bool is_sum, size_t count)
{
    reap_part *part = is_sum ? create(&reap_kernel_ranks_tally, "tally")
                             : create(&reap_kernel_ranks_peaks, "peaks");
    for (size_t r = 0; r < OWN_RANGES; r++)
        add_array(is_sum, part, ((size_t)rank * OWN_RANGES + r) * 10, 8, count);
    return part;
}

static void check_array(bool is_sum, size_t count, unsigned long *sent)
{
    static uint32_t found[SMALL], expected[SMALL];
    reap_part *part = create_array(is_sum, count);
    sends = 0;
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    *sent = sends;
    CHECK_EQ(reap_part_range_count(part), OWN_RANGES * RANKS);
    for (size_t gap = 8; gap < OWN_RANGES * RANKS * 10; gap += 10)
        add_array(is_sum, part, gap, 2, count);
    memset(found, 0, sizeof found);
    memset(expected, 0, sizeof expected);
    CHECK_STATUS(reap_part_finish(part, found, NULL), REAP_OK);
    for (uint32_t i = 0; i < OWN_RANGES * RANKS * 10; i++)
        expected[i % 3] = is_sum ? expected[i % 3] + i : i;
    CHECK(memcmp(found, expected, sizeof found) == 0);
    reap_part_release(part);
}

/* Arrays of which the messages of one, two or all ranks are as large as `most`, or larger. */
static void check_bound(bool is_sum, size_t most)
{
    size_t size = WORDS_HEADER;
    unsigned long fewest = 0, sent = 0;
    reap_part *part = create_array(is_sum, 3);
    if (!is_sum) {
        CHECK_STATUS(reap_part_write(part, NULL, 0, &size), REAP_OK);
        size -= 3 * sizeof(uint32_t) + OWN_RANGES * RANGE;
    }
    reap_part_release(part);
    for (size_t of = RANKS; of > 0 && check_failures < 20; of--) {
        const size_t count = (most - size - of * OWN_RANGES * RANGE) / sizeof(uint32_t);
        check_array(is_sum, count, of == RANKS ? &fewest : &sent);
        check_array(is_sum, count + 1, &sent);
    }
    CHECK_GT(sent, fewest); /* the bound is where it is expected */
}

static void check_bounds(void)
{
    for (int is_sum = 0; is_sum < 2; is_sum++) {
        check_bound(is_sum, PACKET);
        check_bound(is_sum, SMALL);
    }
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* An array whose encoding takes several messages. */
static reap_part *create_large(void)
{
    reap_part *part = create(&reap_kernel_ranks_most, "most");
    CHECK_STATUS(reap_parallel_for(queue, ranks_most, reap_range_1d(SHARE),
                                   .x = x + (size_t)rank * SHARE, .first = rank * SHARE,
                                   .most = {.part = part, .count = LARGE},
                                   .launch.first_item = (size_t)rank * SHARE),
                 REAP_OK);
    return part;
}

static void check_large(void)
{
    float *most = test_allocate(LARGE * sizeof *most), *whole = test_allocate(LARGE * sizeof *most);
    reap_part *part = create_large();
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK_STATUS(reap_part_finish(part, most, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, ranks_most, reap_range_1d(ITEMS), .x = x, .first = 0,
                                   .most = {whole, .count = LARGE}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(check_same(most, whole, LARGE * sizeof *most));
    reap_part_release(part);
    free(whole);
    free(most);
}

static reap_part *create_sums(void)
{
    reap_part *part = create(&reap_kernel_ranks_sums, "sums");
    CHECK_STATUS(reap_parallel_for(queue, ranks_sums, reap_range_1d(SHARE),
                                   .x = x + (size_t)rank * SHARE,
                                   .sums = {.part = part, .count = SUMS},
                                   .launch.first_item = (size_t)rank * SHARE),
                 REAP_OK);
    return part;
}

/* Two messages in each step of an exchange. */
static reap_part *create_tally(void)
{
    return create_array(true, 2 * PACKET / sizeof(uint32_t));
}

static reap_part *create_peaks(void)
{
    return create_array(false, 2 * PACKET / sizeof(uint32_t));
}

/* Parts that take different ways; the last one is large. */
typedef reap_part *create_function(void);
static create_function *const creations[] = {create_share, create_count, create_exact, create_tally,
                                             create_peaks, create_sums,  create_large};
enum { CREATIONS = sizeof creations / sizeof *creations };

/* Of the rank's allocations this one fails; false: there are fewer. The request itself has the
 * memory of an earlier one. */
static bool check_allocation(int kind, int failing, bool is_for_all, unsigned long number)
{
    reap_mpi_request *request = NULL;
    const long alive = reap__allocations_alive();
    reap_part *part = (creations[kind])();
    if (rank == failing)
        reap__fail_allocation(number);
    CHECK_STATUS(is_for_all ? reap_mpi_allreduce_begin(part, MPI_COMM_WORLD, &request)
                            : reap_mpi_reduce_begin(part, 1, MPI_COMM_WORLD, &request),
                 REAP_OK);
    const reap_status status = reap_mpi_wait(&request);
    int is_reached = rank == failing && reap__allocations_made() >= number;
    reap__fail_allocation(0);
    MPI_Bcast(&is_reached, 1, MPI_INT, failing, MPI_COMM_WORLD);
    CHECK_STATUS(status, is_reached ? REAP_ERROR_OUT_OF_MEMORY : REAP_OK);
    if (is_reached)
        check_alike(status, "no memory");
    const size_t ranges = reap_part_range_count(part);
    const bool is_array = creations[kind] == create_tally || creations[kind] == create_peaks;
    if (is_reached) /* nothing has changed */
        CHECK_EQ(ranges, is_array ? OWN_RANGES : 1);
    if (is_reached) { /* and then there is memory */
        CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    }
    reap_part_release(part);
    if (number > 1) /* launches have their memory */
        CHECK_EQ(reap__allocations_alive(), alive);
    return is_reached;
}

/* To one rank they take the same way as the others. */
static bool is_to_all_only(int kind)
{
    return creations[kind] == create_tally || creations[kind] == create_peaks ||
           creations[kind] == create_large;
}

static void check_memory(void)
{
    for (int kind = 0; kind < CREATIONS; kind++)
        for (int failing = 0; failing < RANKS; failing++)
            for (int is_for_all = is_to_all_only(kind); is_for_all < 2; is_for_all++) {
                unsigned long number = 1;
                while (check_failures < 20 && check_allocation(kind, failing, is_for_all, number))
                    number++;
                CHECK_GT(number, 2);
            }
}

int main(int argc, char **argv)
{
    int ranks;
    ranks_begin(&argc, &argv, &rank, &ranks);
    CHECK_EQ(ranks, RANKS);
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (float)i;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    check_in_flight();
    const long alive = reap__allocations_alive();
    check_in_flight();
    CHECK_EQ(reap__allocations_alive(), alive);
    check_first_requests();
    check_ahead();
    check_kernels();
    check_launches();
    check_overlaps();
    check_roots();
    check_own_arguments();
    check_shares();
    check_identity();
    check_bounds();
    check_large();
    check_memory();
    check_versions();
    check_unsettled(); /* its queue's thread may release memory later */
    check_broken();
    reap_queue_release(queue);
    return ranks_finish(rank);
}
