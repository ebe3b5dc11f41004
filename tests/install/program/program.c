/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's program with a kernel of its own. It prints the version of the Reap that it runs with.
 */
#include <reap/reap.h>
#include <stdio.h>

#include "program.kernels.h"

int main(void)
{
    static double a[10000], b[10000];
    for (int i = 0; i < 10000; i++) {
        a[i] = i;
        b[i] = 2;
    }
    double product = 0;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK ||
        reap_parallel_for(queue, dot, reap_range_1d(10000), .a = a, .b = b,
                          .product = {.variable = &product}) != REAP_OK ||
        reap_queue_wait(queue) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);
    printf("%s %.0f\n", reap_version(), product);
    return 0;
}
