/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of peers, and how a process opens one. A module that was not built was left out by
 * CMake, for want of what is said here.
 */
#include "bench/peers.h"

#include "bench/fail.h"
#include "bench/limits/limits.h"
#include "bench/worker.h"

#include <dlfcn.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those that this was built with, or could have been. */
static const struct module {
    const char *name, *title, *head, *why_not;
} modules[] = {
#if BENCH_HAS_PEERS
#define WITHOUT "not built, for want of "
    {"openmp-gcc", "OpenMP, gcc", "gcc", WITHOUT "gcc with OpenMP"},
    {"openmp-gcc-O2", "OpenMP, gcc -O2", "gcc-O2", WITHOUT "gcc with OpenMP"},
    {"openmp-atomic", "OpenMP, atomics", "atomic", WITHOUT "gcc with OpenMP"},
    {"openmp-clang", "OpenMP, clang", "clang", WITHOUT "clang with libomp"},
    {"tbb", "TBB", "TBB", WITHOUT "libtbb-dev, or a C++ compiler"},
    {"openblas", "OpenBLAS", "BLAS", "not built"},
    {"opencl", "OpenCL", "OpenCL", WITHOUT "OpenCL's headers"},
    {"numpy", "NumPy", "NumPy", "not built"},
#endif
    {NULL, NULL, NULL, NULL}};

/* The path of a module; in the build tree it lies in a folder beside the program. */
static void find_path(const char *name, char *path, size_t room)
{
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(path, room, "%s/peers/peer_%s.so", program, name);
}

static const struct bench_peer *open_module(const char *name, const char **why_not)
{
    typedef const struct bench_peer *(*opener)(const char **why_not);
    char path[1200];
    find_path(name, path, sizeof path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = library != NULL ? dlsym(library, "bench_peer_open") : NULL;
    opener open;
    if (address == NULL) {
        const char *message = dlerror();
        *why_not = message != NULL ? message : "cannot be opened";
        return NULL;
    }
    memcpy(&open, &address, sizeof open);
    return open(why_not);
}

/* ---- Reap and the read loop -------------------------------------------------------------------*/

enum { MOST_OFFERS = MOST_CASES * BENCH_TYPES };

/* Reap's offers are with the cases. */
static const struct bench_peer *open_reap(void)
{
    static struct bench_offer offers[MOST_OFFERS];
    static struct bench_peer reap = {.flags = BENCH_REAP_FLAGS, .offers = offers};
    reap.version = reap_version();
    reap.offer_count = 0;
    for (size_t c = 0; c < bench_number_of_cases; c++)
        for (size_t o = 0; o < bench_cases[c]->offer_count; o++)
            offers[reap.offer_count++] = bench_cases[c]->offers[o];
    return &reap;
}

static void read_once(const struct bench_task *task, struct bench_result *result)
{
    (void)result;
    limits_read_task(task, 1);
}

/* It reads what any case reads. */
static const struct bench_peer *open_read_loop(void)
{
    static struct bench_offer offers[MOST_OFFERS];
    static struct bench_peer loop = {
        .version = "", .flags = BENCH_READ_FLAGS, .offers = offers, .time_calls = limits_read_task};
    const struct bench_peer *reap = open_reap();
    loop.offer_count = reap->offer_count;
    for (size_t o = 0; o < loop.offer_count; o++) {
        offers[o] = reap->offers[o];
        offers[o].function = read_once;
    }
    return &loop;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static void note_facts(const struct bench_peer *peer, const char *why_not, struct peer_facts *facts)
{
    *facts = (struct peer_facts){.is_there = peer != NULL};
    if (peer == NULL) {
        snprintf(facts->why_not, sizeof facts->why_not, "%s", why_not);
        return;
    }
    snprintf(facts->version, sizeof facts->version, "%s", peer->version);
    snprintf(facts->flags, sizeof facts->flags, "%s", peer->flags);
    facts->only_all_threads = peer->only_all_threads;
    facts->copies_arrays = peer->copies_arrays;
    for (size_t c = 0; c < bench_number_of_cases; c++)
        for (int type = 0; type < BENCH_TYPES; type++)
            facts->does[c][type] =
                peer_function(peer, bench_cases[c], (enum bench_type)type) != NULL;
}

const struct bench_peer *peer_open(const char *name, struct peer_facts *facts)
{
    const char *why_not = "";
    const struct bench_peer *peer;
    if (strcmp(name, "reap") == 0)
        peer = open_reap();
    else if (strcmp(name, "read") == 0)
        peer = open_read_loop();
    else
        peer = open_module(name, &why_not);
    note_facts(peer, why_not, facts);
    return peer;
}

/* ---- The list ---------------------------------------------------------------------------------*/

static bool is_listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at != NULL; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Each name in the list must be some module's. */
static void check_names(const char *names)
{
    for (const char *at = names; at != NULL; at = strchr(at, ','), at += at != NULL) {
        bool is_known = false;
        for (size_t m = 0; modules[m].name != NULL; m++) {
            const size_t length = strlen(modules[m].name);
            is_known |= strncmp(at, modules[m].name, length) == 0 &&
                        (at[length] == ',' || at[length] == '\0');
        }
        if (!is_known)
            bench_fail("--peer: unknown peer; --list lists them");
    }
}

/* A process opens the peer, and ends. */
static void find_out(struct peer *peer, const char *why_not)
{
    struct worker worker;
    char path[1200];
    find_path(peer->name, path, sizeof path);
    if (why_not != NULL && access(path, R_OK) != 0) {
        snprintf(peer->facts.why_not, sizeof peer->facts.why_not, "%s", why_not);
        return;
    }
    worker_start(&worker, peer->name, &peer->facts);
    worker_end(&worker);
}

void peers_find_out(struct peer_list *list, const char *names)
{
    check_names(names);
    if (bench_number_of_cases > MOST_CASES)
        bench_fail("more cases than MOST_CASES");
    list->peers[PEER_REAP] = (struct peer){.name = "reap", .title = "Reap", .head = "Reap"};
    list->peers[PEER_READ] = (struct peer){.name = "read", .title = "read loop", .head = "read"};
    list->count = 2;
    find_out(&list->peers[PEER_REAP], NULL);
    find_out(&list->peers[PEER_READ], NULL);
    for (const struct module *module = modules; module->name != NULL; module++)
        if (names == NULL || is_listed(names, module->name)) {
            struct peer *peer = &list->peers[list->count++];
            *peer =
                (struct peer){.name = module->name, .title = module->title, .head = module->head};
            find_out(peer, module->why_not);
        }
}

const struct peer *peers_find(const struct peer_list *list, const char *name)
{
    for (size_t p = 0; p < list->count; p++)
        if (strcmp(list->peers[p].name, name) == 0 && list->peers[p].facts.is_there)
            return &list->peers[p];
    return NULL;
}

bool peer_does(const struct peer *peer, const struct bench_case *work, enum bench_type type)
{
    size_t c = 0;
    while (bench_cases[c] != work)
        c++;
    return peer->facts.is_there && peer->facts.does[c][type];
}

bench_function peer_function(const struct bench_peer *peer, const struct bench_case *work,
                             enum bench_type type)
{
    const bool is_theirs = work->library_name != NULL && peer->is_library;
    const char *name = is_theirs ? work->library_name : work->name;
    for (size_t o = 0; o < peer->offer_count; o++)
        if (peer->offers[o].type == type && strcmp(peer->offers[o].work, name) == 0)
            return peer->offers[o].function;
    return NULL;
}
