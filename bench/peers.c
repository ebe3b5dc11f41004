/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens modules. One that was not built was left out by CMake, for want of what is said here.
 */
#include "bench/peers.h"

#include "bench/fail.h"

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
    {"openmp-clang", "OpenMP, clang", "clang", WITHOUT "clang with libomp"},
    {"tbb", "TBB", "TBB", WITHOUT "libtbb-dev, or a C++ compiler"},
    {"openblas", "OpenBLAS", "BLAS", "not built"},
    {"opencl", "OpenCL", "OpenCL", WITHOUT "OpenCL's headers"},
    {"numpy", "NumPy", "NumPy", "not built"},
#endif
    {NULL, NULL, NULL, NULL}};

/* How long threads wait spinning, so that it is less than a pause: libgomp's do so for 4 to 8 ms by
 * default on a Zen 4, and whose turn came next lacked a processor. */
static const struct setting {
    const char *name, *value;
} settings[] = {
    {"GOMP_SPINCOUNT", "20000"}, {"KMP_BLOCKTIME", "1"}, {"OPENBLAS_THREAD_TIMEOUT", "20"}};

const char *peers_settings(void)
{
    static char text[256];
    text[0] = '\0';
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s=%s", length > 0 ? " " : "",
                 settings[s].name, settings[s].value);
    }
    return text;
}

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

static void open_module(struct peer *peer, const struct module *module)
{
    typedef const struct bench_peer *(*opener)(const char **why_not);
    char path[1200];
    *peer = (struct peer){.name = module->name, .title = module->title, .head = module->head};
    find_path(module->name, path, sizeof path);
    if (access(path, R_OK) != 0) {
        peer->why_not = module->why_not;
        return;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = library != NULL ? dlsym(library, "bench_peer_open") : NULL;
    if (address == NULL) {
        const char *message = dlerror();
        peer->why_not = strdup(message != NULL ? message : "cannot be opened");
        return;
    }
    opener open;
    memcpy(&open, &address, sizeof open);
    peer->is_there = open(&peer->why_not);
}

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
            bench_fail("--peer: a name there is no peer's; --list lists them");
    }
}

void peers_open(struct peer_list *list, const char *names)
{
    static struct bench_peer reap = {.flags = BENCH_REAP_FLAGS};
    reap.version = reap_version();
    check_names(names);
    list->peers[0] = (struct peer){"reap", "Reap", "Reap", &reap, NULL};
    list->count = 1;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        setenv(settings[s].name, settings[s].value, 1);
    for (size_t m = 0; modules[m].name != NULL; m++)
        if (names == NULL || is_listed(names, modules[m].name))
            open_module(&list->peers[list->count++], &modules[m]);
}

const struct peer *peers_find(const struct peer_list *list, const char *name)
{
    for (size_t p = 0; p < list->count; p++)
        if (strcmp(list->peers[p].name, name) == 0)
            return &list->peers[p];
    return NULL;
}

bench_function peer_function(const struct peer *peer, const struct bench_case *work,
                             enum bench_type type)
{
    const bool is_reap = strcmp(peer->name, "reap") == 0;
    if (peer->is_there == NULL)
        return NULL;
    const struct bench_offer *offers = is_reap ? work->offers : peer->is_there->offers;
    const size_t count = is_reap ? work->offer_count : peer->is_there->offer_count;
    for (size_t o = 0; o < count; o++)
        if (offers[o].type == type && strcmp(offers[o].work, work->name) == 0)
            return offers[o].function;
    return NULL;
}
