/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment's settings. Nothing else in the library reads the environment.
 */
#ifndef REAP_CORE_CONFIG_H
#define REAP_CORE_CONFIG_H

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Read once, at first use; the strings are copies and live for ever. */
struct reap__config {
    const char *device;      /* REAP_DEVICE; NULL: not set */
    const char *backends;    /* REAP_BACKENDS; NULL: not set */
    const char *host_isa;    /* REAP_HOST_ISA; NULL: not set */
    const char *cache;       /* the folder for compiled kernels; NULL: they are not kept */
    const char *compiler;    /* REAP_HOST_COMPILER, or "cc"; NULL: none */
    unsigned compiler_after; /* REAP_HOST_COMPILER_AFTER, milliseconds */
    const char *dump;        /* REAP_DUMP_KERNELS, a folder; NULL: not set */
    size_t threads;          /* REAP_NUM_THREADS; 0: not set */
    size_t omp_threads;      /* OMP_NUM_THREADS, its first number; 0: not set, or not usable */
    bool is_checked;         /* REAP_CHECK is 1, not 0 or not set */
};

/* Returns the settings. Fails with REAP_ERROR_NO_DEVICE, naming the variable, if one is malformed
 * or longer than 255 bytes, or a path is longer than 4095. Any thread. */
reap_status reap__config_get(const struct reap__config **config);

/* The number of threads of launches on the host: REAP_NUM_THREADS; if it is not set, the number of
 * processors, but at most OMP_NUM_THREADS. */
size_t reap__config_threads(const struct reap__config *config, size_t processors);

#endif
