/* SPDX-License-Identifier: Apache-2.0
 *
 * The product of a square matrix with itself, in groups of 16 * 16 items that share two tiles of
 * it; what is measured does not write the product, but adds its elements up.
 */
#include <reap/kernel.h>

enum { MATRIX_TILE = 16 };

REAP_ND_KERNEL(square_by_items, in(float, x), value(size_t, n), local(float, left),
               local(float, right), reduce(plus, double, sum))
{
    const size_t row = reap_global_id(0), column = reap_global_id(1);
    const size_t i = reap_local_id(0), j = reap_local_id(1);
    float element = 0;
    for (size_t tile = 0; tile < n; tile += MATRIX_TILE) {
        left[i * MATRIX_TILE + j] = x[row * n + tile + j];
        right[i * MATRIX_TILE + j] = x[(tile + i) * n + column];
        reap_barrier(REAP_LOCAL_SPACE);
        for (size_t k = 0; k < MATRIX_TILE; k++)
            element += left[i * MATRIX_TILE + k] * right[k * MATRIX_TILE + j];
        reap_barrier(REAP_LOCAL_SPACE);
    }
    reap_combine(sum, element);
}

REAP_GROUP_KERNEL(square_in_phases, in(float, x), value(size_t, n), local(float, left),
                  local(float, right), reduce(plus, double, sum))
{
    reap_item_private(float, element);
    reap_for_each_item {
        reap_private(element) = 0;
    }
    for (size_t tile = 0; tile < n; tile += MATRIX_TILE) {
        reap_for_each_item {
            const size_t i = reap_local_id(0), j = reap_local_id(1);
            left[i * MATRIX_TILE + j] = x[reap_global_id(0) * n + tile + j];
            right[i * MATRIX_TILE + j] = x[(tile + i) * n + reap_global_id(1)];
        }
        reap_for_each_item {
            const size_t i = reap_local_id(0), j = reap_local_id(1);
            float dot = reap_private(element);
            for (size_t k = 0; k < MATRIX_TILE; k++)
                dot += left[i * MATRIX_TILE + k] * right[k * MATRIX_TILE + j];
            reap_private(element) = dot;
        }
    }
    reap_for_each_item {
        reap_combine(sum, reap_private(element));
    }
}
