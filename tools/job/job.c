/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines whether there are ranks, opens the library with MPI, and sends packets through it. A
 * packet is sent as messages of MESSAGE_BYTES, and a shorter one, perhaps empty, at its end.
 */
#include "tools/job/job.h"

#include "tools/beside.h"
#include "tools/job/mpi.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1 << 26 };

/* A packet that is being sent. */
struct sending {
    struct sending *next;
    int to;
    struct cli_packet packet; /* without bytes: they are borrowed */
    size_t messages;          /* that have not been received */
    void *requests[];         /* of the messages; NULL once a message is received */
};

struct cli_job {
    int rank, count;
    const struct cli_mpi_functions *mpi;
    struct sending *sendings;
    char host[64];
};

/* ---- The environment --------------------------------------------------------------------------*/

/* The variables of a program that starts ranks. */
struct launcher {
    const char *size, *rank; /* NULL: only MPI knows the number of ranks */
    const char *library;     /* the MPI library that its ranks must be built with; NULL: any */
};

static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MVAPICH"},
    {"PMI_SIZE", "PMI_RANK", NULL},              /* MPICH, Intel MPI, srun --mpi=pmi2 */
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK", NULL}, /* srun --mpi=pmix */
    {NULL, "PMIX_RANK", NULL},                   /* others with PMIx: the size is unknown */
};

enum { LAUNCHER_COUNT = sizeof launchers / sizeof *launchers };

static int read_variable(const char *name)
{
    const char *text = name != NULL ? getenv(name) : NULL;
    char *end;
    if (text == NULL || *text < '0' || *text > '9')
        return -1;
    const long number = strtol(text, &end, 10);
    return *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

static const struct launcher *find_launcher(int *rank, int *count)
{
    for (int l = 0; l < LAUNCHER_COUNT; l++) {
        *count = read_variable(launchers[l].size);
        *rank = read_variable(launchers[l].rank);
        if (*rank >= 0 && (*count > 0 || launchers[l].size == NULL)) {
            *count = *count > 0 ? *count : 0;
            return &launchers[l];
        }
    }
    *rank = 0;
    *count = 1;
    return NULL;
}

bool cli_job_is_started(int *rank, int *count)
{
    return find_launcher(rank, count) != NULL;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static const char remedy[] = "with --no-mpi each process describes the files alone";

/* `count` is the number of ranks; 0: unknown. */
static void fail_started(int count, const char *reason, struct cli_failure *failure)
{
    char of[32] = "";
    if (count > 0)
        snprintf(of, sizeof of, " of %d", count);
    cli_fail(failure, "started as an MPI rank%s: %.300s; %s", of, reason, remedy);
}

/* Returns NULL and a failure if the library is missing or of another build. Its symbols are made
 * global, which plug-ins of Open MPI need. */
static const struct cli_mpi_functions *open_library(int count, struct cli_failure *failure)
{
    char path[PATH_MAX];
    const struct cli_mpi_functions *mpi;
    if (!cli_find_beside("reap-mpi.so", path, sizeof path) || access(path, R_OK) != 0) {
        fail_started(count, "this reap was built without MPI", failure);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* until the process ends */
    if (library == NULL) {
        fail_started(count, dlerror(), failure);
        return NULL;
    }
    mpi = dlsym(library, CLI_MPI_SYMBOL);
    if (mpi != NULL && mpi->version == CLI_MPI_VERSION)
        return mpi;
    cli_fail(failure, "%s is of another version than this reap", path);
    return NULL;
}

static bool fail_other(const struct cli_job *job, struct cli_failure *failure)
{
    char line[CLI_MPI_LINE_BYTES];
    job->mpi->describe(line);
    return cli_fail(failure,
                    "started by the mpirun of another MPI than that for which this reap was "
                    "built, %s; %s",
                    line, remedy);
}

/* Whether the library may be the launcher's. If another library started Open MPI, that takes long
 * to initialise itself as the only rank, or ends the process. */
static bool may_fit(const struct cli_job *job, const struct launcher *launcher)
{
    char line[CLI_MPI_LINE_BYTES];
    job->mpi->describe(line);
    const bool is_open_mpi = strstr(line, "Open MPI") != NULL;
    if (is_open_mpi && getenv("HYDI_CONTROL_FD") != NULL) /* MPICH's mpirun */
        return false;
    return launcher->library == NULL || strstr(line, launcher->library) != NULL;
}

/* Returns false and a failure before MPI is initialised. */
static bool begin(struct cli_job *job, struct cli_failure *failure)
{
    int rank, count;
    const struct launcher *launcher = find_launcher(&rank, &count);
    assert(launcher != NULL);
    job->mpi = open_library(count, failure);
    if (job->mpi == NULL)
        return false;
    if (!may_fit(job, launcher))
        return fail_other(job, failure);
    job->mpi->begin(&job->rank, &job->count);
    gethostname(job->host, sizeof job->host - 1);
    if (job->count == count || count == 0)
        return true;
    job->mpi->end();
    return fail_other(job, failure);
}

struct cli_job *cli_job_open(struct cli_failure *failure)
{
    struct cli_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        cli_fail(failure, "%s", strerror(ENOMEM));
        return NULL;
    }
    if (begin(job, failure))
        return job;
    free(job);
    return NULL;
}

int cli_job_own(const struct cli_job *job)
{
    return job == NULL ? 0 : job->rank;
}

int cli_job_count(const struct cli_job *job)
{
    return job == NULL ? 1 : job->count;
}

/* ---- Messages ---------------------------------------------------------------------------------*/

/* Ends the job when memory runs out. Ranks that wait for this one cannot be notified; mpirun ends
 * them. */
static void end_all(const struct cli_job *job)
{
    fprintf(stderr, "reap: rank %d (%s): %s\n", job->rank, job->host, strerror(ENOMEM));
    _exit(EXIT_FAILURE);
}

void cli_job_pause(unsigned *calls)
{
    enum { SPINS = 64, STEP_NANOSECONDS = 10000, MOST_STEPS = 100 };
    const unsigned call = (*calls)++;
    if (call < SPINS) {
        sched_yield();
        return;
    }
    const unsigned steps = call - SPINS + 1 < MOST_STEPS ? call - SPINS + 1 : MOST_STEPS;
    const struct timespec time = {.tv_nsec = (long)steps * STEP_NANOSECONDS};
    nanosleep(&time, NULL);
}

/* Sends bytes that do not change until they are received. */
static void start_sending(struct cli_job *job, int to, const unsigned char *bytes, size_t count,
                          struct cli_packet owned)
{
    const size_t messages = count / MESSAGE_BYTES + 1;
    struct sending *sending = calloc(1, sizeof *sending + messages * sizeof(void *));
    if (sending == NULL)
        end_all(job);
    else {
        sending->to = to;
        sending->packet = owned;
        sending->messages = messages;
        sending->next = job->sendings;
        job->sendings = sending;
    }
    for (size_t p = 0; p < messages && sending != NULL; p++) {
        const size_t first = p * MESSAGE_BYTES, left = count - first;
        sending->requests[p] =
            job->mpi->send(to, bytes + first, left < MESSAGE_BYTES ? left : MESSAGE_BYTES);
        if (sending->requests[p] == NULL)
            end_all(job);
    }
}

/* Frees packets that have been received. */
static void progress(struct cli_job *job)
{
    for (struct sending **at = &job->sendings; *at != NULL;) {
        struct sending *sending = *at;
        const size_t all = sending->packet.count / MESSAGE_BYTES + 1;
        for (size_t p = 0; p < all; p++)
            if (sending->requests[p] != NULL && job->mpi->has_sent(sending->requests[p])) {
                sending->requests[p] = NULL;
                sending->messages--;
            }
        if (sending->messages > 0) {
            at = &sending->next;
            continue;
        }
        *at = sending->next;
        cli_packet_free(&sending->packet);
        free(sending);
    }
}

static void flush(struct cli_job *job)
{
    unsigned calls = 0;
    for (progress(job); job->sendings != NULL; progress(job))
        cli_job_pause(&calls);
}

void cli_job_send(struct cli_job *job, int to, struct cli_packet *packet)
{
    if (packet->has_failed)
        end_all(job);
    start_sending(job, to, packet->bytes, packet->count, *packet);
    *packet = (struct cli_packet){.bytes = NULL};
}

size_t cli_job_unreceived(struct cli_job *job, int to)
{
    size_t count = 0;
    progress(job);
    for (const struct sending *sending = job->sendings; sending != NULL; sending = sending->next)
        count += sending->to == to;
    return count;
}

void cli_job_receive(struct cli_job *job, int from, struct cli_packet *packet)
{
    unsigned calls = 0;
    size_t bytes, done = 0;
    do {
        while (!job->mpi->probe(from, &bytes)) {
            progress(job);
            cli_job_pause(&calls);
        }
        calls = 0;
        if (!cli_packet_resize(packet, done + bytes))
            end_all(job);
        job->mpi->receive(from, packet->bytes + done, bytes);
        done += bytes;
    } while (bytes == MESSAGE_BYTES);
}

/* ---- Collective functions ---------------------------------------------------------------------*/

void cli_job_broadcast(struct cli_job *job, struct cli_packet *packet)
{
    if (cli_job_count(job) == 1)
        return;
    if (job->rank > 0) {
        cli_job_receive(job, 0, packet);
        return;
    }
    if (packet->has_failed)
        end_all(job);
    for (int r = 1; r < job->count; r++) {
        const struct cli_packet borrowed = {.count = packet->count};
        start_sending(job, r, packet->bytes, packet->count, borrowed);
    }
    flush(job);
}

static void put_outcome(struct cli_packet *packet, bool is_fine, const struct cli_failure *failure)
{
    cli_packet_put_number(packet, is_fine);
    cli_packet_put(packet, failure, sizeof *failure);
}

static bool get_outcome(struct cli_packet *packet, struct cli_failure *failure)
{
    const bool is_fine = cli_packet_get_number(packet) != 0;
    cli_packet_get(packet, failure, sizeof *failure);
    return is_fine;
}

/* Rank 0: receives the outcomes of the other ranks. */
static bool gather_outcomes(struct cli_job *job, bool is_fine, struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    for (int r = 1; r < job->count; r++) {
        struct cli_failure other;
        char host[sizeof job->host];
        cli_job_receive(job, r, &packet);
        const bool is_other_fine = get_outcome(&packet, &other);
        cli_packet_get(&packet, host, sizeof host);
        if (is_fine && !is_other_fine) {
            *failure = (struct cli_failure){""};
            cli_fail(failure, "rank %d (%s): %.400s", r, host, other.text);
        }
        is_fine = is_fine && is_other_fine;
    }
    cli_packet_free(&packet);
    return is_fine;
}

bool cli_job_agree(struct cli_job *job, bool is_fine, struct cli_failure *failure)
{
    struct cli_packet packet = {.bytes = NULL};
    if (cli_job_count(job) == 1)
        return is_fine;
    if (job->rank > 0) {
        put_outcome(&packet, is_fine, failure);
        cli_packet_put(&packet, job->host, sizeof job->host);
        cli_job_send(job, 0, &packet);
    } else {
        is_fine = gather_outcomes(job, is_fine, failure);
        put_outcome(&packet, is_fine, failure);
    }
    cli_job_broadcast(job, &packet);
    is_fine = get_outcome(&packet, failure);
    cli_packet_free(&packet);
    return is_fine;
}

bool cli_job_agree_on(struct cli_job *job, const struct cli_packet *packet, const char *difference,
                      struct cli_failure *failure)
{
    struct cli_packet roots = {.bytes = NULL};
    if (cli_job_own(job) == 0 && packet != NULL)
        cli_packet_put(&roots, packet->bytes, packet->count);
    cli_job_broadcast(job, &roots);
    const bool is_fine = packet != NULL && packet->count == roots.count &&
                         (roots.count == 0 || memcmp(packet->bytes, roots.bytes, roots.count) == 0);
    cli_packet_free(&roots);
    if (!is_fine)
        cli_fail(failure, "%s", difference);
    return cli_job_agree(job, is_fine, failure);
}

double cli_job_add(struct cli_job *job, double value)
{
    struct cli_packet packet = {.bytes = NULL};
    double sum = value;
    if (cli_job_own(job) > 0) {
        cli_packet_put(&packet, &value, sizeof value);
        cli_job_send(job, 0, &packet);
        return value;
    }
    for (int r = 1; r < cli_job_count(job); r++) {
        cli_job_receive(job, r, &packet);
        cli_packet_get(&packet, &value, sizeof value);
        sum += value;
    }
    cli_packet_free(&packet);
    return sum;
}

void cli_job_close(struct cli_job *job)
{
    if (job == NULL)
        return;
    flush(job);
    job->mpi->end();
    free(job);
}
