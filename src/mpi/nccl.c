/* SPDX-License-Identifier: Apache-2.0
 *
 * See nccl.h. Functions, types and numbers are those of NVIDIA's nccl.h and cuda.h, of version 2.14
 * of NCCL or later, since which communicators need not block.
 */
#include "src/mpi/nccl.h"

#include "src/port/library.h"

#include <assert.h>
#include <pthread.h>
#include <reap/native.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- The libraries ----------------------------------------------------------------------------*/

enum { NCCL_SUCCESS = 0, NCCL_IN_PROGRESS = 7, NCCL_SUM = 0 };
enum { CUDA_SUCCESS = 0, CUDA_NOT_READY = 600, CUDA_STREAM_NON_BLOCKING = 1 };

struct id {
    char bytes[REAP__MPI_NCCL_ID_BYTES];
};

/* ncclConfig_t as of version 2.14: later versions take the other members' defaults. */
struct config {
    size_t size;
    unsigned magic, version;
    int blocking;
};
#define CONFIG_MAGIC 0xcafebeefu
#define CONFIG_VERSION 21400u

static struct {
    int (*get_version)(int *version);
    int (*get_unique_id)(struct id *id);
    int (*comm_init)(void **comm, int ranks, struct id id, int rank, struct config *config);
    int (*comm_abort)(void *comm);
    int (*comm_error)(void *comm, int *error);
    int (*all_reduce)(const void *from, void *to, size_t count, int type, int op, void *comm,
                      void *stream);
    int (*reduce)(const void *from, void *to, size_t count, int type, int op, int root, void *comm,
                  void *stream);
    const char *(*error_string)(int code);
    int (*push_context)(void *context);
    int (*pop_context)(void **context);
    int (*stream_create)(void **stream, unsigned flags);
    int (*stream_destroy)(void *stream);
    int (*stream_query)(void *stream);
} api;

static char problem[200]; /* why `api` cannot be used; empty: it can */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(const char *name)
{
    void *library = reap__library_open(name);
    if (library == NULL && problem[0] == '\0')
        snprintf(problem, sizeof problem, "%s: %s", name, reap__library_problem());
    return library;
}

static void find(void *library, const char *name, void *function)
{
    void *const found = library != NULL ? reap__library_symbol(library, name) : NULL;
    if (library != NULL && found == NULL && problem[0] == '\0')
        snprintf(problem, sizeof problem, "the library has no function %s", name);
    memcpy(function, &found, sizeof found); /* POSIX: it represents a function */
}

static void load(void)
{
    void *const cuda = open_library("libcuda.so.1"), *const nccl = open_library("libnccl.so.2");
    find(nccl, "ncclGetVersion", &api.get_version);
    find(nccl, "ncclGetUniqueId", &api.get_unique_id);
    find(nccl, "ncclCommInitRankConfig", &api.comm_init);
    find(nccl, "ncclCommAbort", &api.comm_abort);
    find(nccl, "ncclCommGetAsyncError", &api.comm_error);
    find(nccl, "ncclAllReduce", &api.all_reduce);
    find(nccl, "ncclReduce", &api.reduce);
    find(nccl, "ncclGetErrorString", &api.error_string);
    find(cuda, "cuCtxPushCurrent_v2", &api.push_context);
    find(cuda, "cuCtxPopCurrent_v2", &api.pop_context);
    find(cuda, "cuStreamCreate", &api.stream_create);
    find(cuda, "cuStreamDestroy_v2", &api.stream_destroy);
    find(cuda, "cuStreamQuery", &api.stream_query);
}

void reap__mpi_nccl_name(char *text, size_t size)
{
    int version = 0;
    (api.get_version)(&version);
    snprintf(text, size, "NCCL %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
}

/* ---- Failures ---------------------------------------------------------------------------------*/

static const char *fail(struct reap__mpi_nccl *nccl, const char *what, const char *why)
{
    snprintf(nccl->why, sizeof nccl->why, "%s: %s", what, why);
    return nccl->why;
}

static const char *refuse(struct reap__mpi_nccl *nccl, const char *why)
{
    snprintf(nccl->why, sizeof nccl->why, "%s", why);
    return nccl->why;
}

static const char *check(struct reap__mpi_nccl *nccl, const char *what, int code)
{
    return code == NCCL_SUCCESS || code == NCCL_IN_PROGRESS
               ? NULL
               : fail(nccl, what, (api.error_string)(code));
}

static const char *check_cuda(struct reap__mpi_nccl *nccl, const char *what, int code)
{
    char text[32];
    snprintf(text, sizeof text, "CUDA's error %d", code);
    return code == CUDA_SUCCESS ? NULL : fail(nccl, what, text);
}

/* ---- Whether NCCL can add words ---------------------------------------------------------------*/

/* ncclUint8, ncclUint32 or ncclUint64; NCCL has no type of 16 bits. */
static int type_of(size_t word_size)
{
    return word_size == 1 ? 1 : word_size == 4 ? 3 : word_size == 8 ? 5 : -1;
}

static const char *find_device(struct reap__mpi_nccl *nccl, const reap_part *part,
                               reap_native_device *native, const reap_device **device)
{
    const void *words;
    if (reap_part_get_device_words(part, device, &words) != REAP_OK || *device == NULL)
        return refuse(nccl, "its array is not in a device's memory");
    if (reap_device_get_native(*device, native) != REAP_OK || native->ordinal < 0)
        return refuse(nccl, "its array is not in a CUDA device's memory");
    return NULL;
}

const char *reap__mpi_nccl_refuse(struct reap__mpi_nccl *nccl, const reap_part *part,
                                  const reap_part_description *is)
{
    reap_native_device native;
    const reap_device *device = NULL;
    assert(nccl != NULL);
    const char *why = find_device(nccl, part, &native, &device);
    if (why != NULL)
        return why;
    if (type_of(is->word_size) < 0)
        return refuse(nccl, "its array has words of 16 bits, for which NCCL has no sum");
    if (nccl->is_connected && nccl->device != device)
        return refuse(nccl,
                      "its array is on another device than the one that NCCL was initialised for");
    pthread_once(&once, load);
    return problem[0] == '\0' ? NULL : fail(nccl, "NCCL", problem);
}

/* ---- Work -------------------------------------------------------------------------------------*/

const char *reap__mpi_nccl_make_id(struct reap__mpi_nccl *nccl,
                                   unsigned char id[REAP__MPI_NCCL_ID_BYTES])
{
    struct id made;
    const char *why = check(nccl, "ncclGetUniqueId", (api.get_unique_id)(&made));
    memcpy(id, &made, sizeof made);
    return why;
}

static long seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec;
}

static const char *begin_connecting(struct reap__mpi_nccl *nccl, const unsigned char *id, int rank,
                                    int ranks)
{
    struct config config = {sizeof config, CONFIG_MAGIC, CONFIG_VERSION, 0};
    struct id copy;
    memcpy(&copy, id, sizeof copy);
    const char *why = check_cuda(nccl, "cuStreamCreate",
                                 (api.stream_create)(&nccl->stream, CUDA_STREAM_NON_BLOCKING));
    return why != NULL ? why
                       : check(nccl, "ncclCommInitRankConfig",
                               (api.comm_init)(&nccl->comm, ranks, copy, rank, &config));
}

static const char *enter(struct reap__mpi_nccl *nccl)
{
    return check_cuda(nccl, "cuCtxPushCurrent", (api.push_context)(nccl->context));
}

static void leave(void)
{
    void *context;
    (api.pop_context)(&context);
}

const char *reap__mpi_nccl_connect(struct reap__mpi_nccl *nccl, const reap_part *part,
                                   const unsigned char id[REAP__MPI_NCCL_ID_BYTES], int rank,
                                   int ranks)
{
    reap_native_device native;
    assert(nccl != NULL);
    const char *why = find_device(nccl, part, &native, &nccl->device);
    if (why != NULL)
        return why;
    nccl->context = native.context;
    why = enter(nccl);
    if (why != NULL)
        return why;
    nccl->begun = seconds();
    why = begin_connecting(nccl, id, rank, ranks);
    leave();
    return why;
}

const char *reap__mpi_nccl_sum(struct reap__mpi_nccl *nccl, const void *words, void *sums,
                               size_t count, size_t word_size, int root)
{
    const int type = type_of(word_size);
    const char *why = enter(nccl);
    if (why != NULL)
        return why;
    nccl->begun = seconds();
    why =
        root < 0
            ? check(nccl, "ncclAllReduce",
                    (api.all_reduce)(words, sums, count, type, NCCL_SUM, nccl->comm, nccl->stream))
            : check(
                  nccl, "ncclReduce",
                  (api.reduce)(words, sums, count, type, NCCL_SUM, root, nccl->comm, nccl->stream));
    leave();
    return why;
}

/* Asks NCCL first: while it is in progress, the stream may not have its work yet. */
static const char *query(struct reap__mpi_nccl *nccl, bool *is_complete)
{
    int state = NCCL_SUCCESS;
    const char *why = check(nccl, "ncclCommGetAsyncError", (api.comm_error)(nccl->comm, &state));
    if (why == NULL)
        why = check(nccl, "NCCL", state);
    if (why != NULL || state == NCCL_IN_PROGRESS)
        return why;
    const int code = (api.stream_query)(nccl->stream);
    *is_complete = code == CUDA_SUCCESS;
    return code == CUDA_NOT_READY ? NULL : check_cuda(nccl, "cuStreamQuery", code);
}

/* If NCCL fails on a rank, that rank leaves, and NCCL may or may not report it to the others: they
 * wait for at most so long. Sums also wait for programs that rarely test their requests. */
#ifndef REAP__MPI_NCCL_SECONDS
#define REAP__MPI_NCCL_SECONDS 60
#endif
enum { MOST_TO_CONNECT = REAP__MPI_NCCL_SECONDS, MOST_TO_SUM = 10 * REAP__MPI_NCCL_SECONDS };

static const char *poll(struct reap__mpi_nccl *nccl, bool *is_complete)
{
    const int most = nccl->is_connected ? MOST_TO_SUM : MOST_TO_CONNECT;
    const char *why = query(nccl, is_complete);
    if (why != NULL || *is_complete || seconds() - nccl->begun <= most)
        return why;
    char text[64];
    snprintf(text, sizeof text, "the other ranks did not join within %d seconds", most);
    return fail(nccl, "NCCL", text);
}

const char *reap__mpi_nccl_poll(struct reap__mpi_nccl *nccl, bool *is_complete)
{
    *is_complete = false;
    const char *why = enter(nccl);
    if (why != NULL)
        return why;
    why = poll(nccl, is_complete);
    leave();
    return why;
}

/* ---- The end ----------------------------------------------------------------------------------*/

/* ncclCommAbort does not wait for other ranks. Nothing is in flight, or it is not needed. */
void reap__mpi_nccl_release(struct reap__mpi_nccl *nccl)
{
    if (nccl->context == NULL || (api.push_context)(nccl->context) != CUDA_SUCCESS)
        return;
    if (nccl->comm != NULL)
        (api.comm_abort)(nccl->comm);
    if (nccl->stream != NULL)
        (api.stream_destroy)(nccl->stream);
    nccl->comm = nccl->stream = nccl->context = NULL;
    leave();
}

void reap__mpi_nccl_turn_off(struct reap__mpi_nccl *nccl, const char *why)
{
    char copy[REAP__MPI_NCCL_TEXT_BYTES];
    snprintf(copy, sizeof copy, "%s", why);
    reap__mpi_nccl_release(nccl);
    nccl->is_connected = false;
    nccl->is_off = true;
    memcpy(nccl->why, copy, sizeof copy);
}
