/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the bits of exact.kernels.h's results, a line for each kernel, or that its launch was
 * refused.
 */
#include <reap/reap.h>

#include "exact.kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3000 };

static unsigned mix(const void *memory, size_t bytes)
{
    const unsigned char *byte = memory;
    unsigned hash = 5381;
    while (bytes-- > 0)
        hash = hash * 33u + *byte++;
    return hash;
}

static bool was_launched(reap_status status)
{
    if (status == REAP_ERROR_INEXACT_BUILD)
        printf("refused\n");
    else if (status != REAP_OK)
        exit(1);
    return status == REAP_OK;
}

static void print_arithmetic(reap_queue *queue)
{
    static float x[COUNT], quotients[COUNT], zeros[COUNT];
    float sums[3] = {0, 0, 100};
    for (int i = 0; i < COUNT; i++)
        x[i] = 1.0f + (float)i * 0x1p-12f;
    if (was_launched(reap_parallel_for(
            queue, arithmetic, reap_range_1d(COUNT), .x = x, .c = -1.1f, .quotients = quotients,
            .zeros = zeros, .products = {.variable = &sums[0]}, .helped = {.variable = &sums[1]},
            .least = {.variable = &sums[2]})))
        printf("%08x %08x %08x\n", mix(sums, sizeof sums), mix(quotients, sizeof quotients),
               mix(zeros, sizeof zeros));
}

static void print_products(reap_queue *queue)
{
    static complex_number z[COUNT], squares[COUNT];
    for (int i = 0; i < COUNT; i++)
        z[i] = (complex_number){1 + i * 0x1.23456789p-13, 2 - i * 0x1.3456789ap-12};
    if (was_launched(
            reap_parallel_for(queue, products, reap_range_1d(COUNT), .z = z, .squares = squares)))
        printf("%08x\n", mix(squares, sizeof squares));
    if (was_launched(reap_parallel_for(queue, products_elsewhere, reap_range_1d(COUNT), .z = z,
                                       .squares = squares)))
        printf("%08x\n", mix(squares, sizeof squares));
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    print_arithmetic(queue);
    print_products(queue);
    reap_queue_release(queue);
    return 0;
}
