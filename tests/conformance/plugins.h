/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plugin has: one function, plugin_run.
 */
#ifndef TESTS_CONFORMANCE_PLUGINS_H
#define TESTS_CONFORMANCE_PLUGINS_H

#include <reap/status.h>

struct plugin_run {
    reap_status status; /* of the first call that failed */
    char problem[512];  /* its message */
    int wrong;          /* results that are not those of the plugin's own kernels */
    const void *kernel; /* the address of one of them */
    char code[64];      /* what the kernel with work-groups runs as */
};

#endif
