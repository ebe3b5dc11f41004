/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the bits of exact.kernels.h's results, or that the launch was refused.
 */
#include <reap/reap.h>

#include "exact.kernels.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 3000 };

static unsigned mix(unsigned hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = hash * 33u + bits;
    }
    return hash;
}

int main(void)
{
    static float x[COUNT], quotients[COUNT], zeros[COUNT];
    float sums[3] = {0, 0, 100};
    reap_queue *queue;
    for (int i = 0; i < COUNT; i++)
        x[i] = 1.0f + (float)i * 0x1p-12f;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    const reap_status status = reap_parallel_for(
        queue, arithmetic, reap_range_1d(COUNT), .x = x, .c = -1.1f, .quotients = quotients,
        .zeros = zeros, .products = {.variable = &sums[0]}, .helped = {.variable = &sums[1]},
        .least = {.variable = &sums[2]});
    if (status == REAP_ERROR_INEXACT_BUILD)
        printf("refused\n");
    else if (status == REAP_OK)
        printf("%08x %08x %08x\n", mix(0, sums, 3), mix(0, quotients, COUNT), mix(0, zeros, COUNT));
    reap_queue_release(queue);
    return status != REAP_OK && status != REAP_ERROR_INEXACT_BUILD;
}
