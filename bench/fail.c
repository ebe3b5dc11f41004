/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends the program.
 */
#include "bench/fail.h"

#include <stdio.h>
#include <stdlib.h>

void bench_fail(const char *what)
{
    fprintf(stderr, "reap-bench: %s\n", what);
    exit(1);
}
