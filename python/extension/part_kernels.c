/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of reap.Part, by what they compute and the type of elements. They take long to
 * compile, so the functions that launch them are in other files. */
#include "python/extension/part_kernels.h"

#include "python/extension/part_kernels.kernels.h"

#include <string.h>

enum { SUM_KERNEL, EXACT_SUM_KERNEL, MIN_KERNEL, MAX_KERNEL, MOMENTS_KERNEL, KINDS };

static const char *const kinds[KINDS] = {"sum", "exact_sum", "min", "max", "moments"};

/* Sums of integers are exact. */
#define KERNELS(letter, name, exact)                                                               \
    {                                                                                              \
        letter,                                                                                    \
        {                                                                                          \
            &reap_kernel_part_sum_##name, &reap_kernel_part_##exact##_##name,                      \
                &reap_kernel_part_min_##name, &reap_kernel_part_max_##name,                        \
                &reap_kernel_part_moments_##name                                                   \
        }                                                                                          \
    }

/* Letters are those of python/reap/_ctypes.py. */
static const struct {
    char letter;
    const struct reap_kernel *kernels[KINDS];
} types[] = {
    KERNELS('?', u8, sum),        KERNELS('b', i8, sum),         KERNELS('B', u8, sum),
    KERNELS('h', i16, sum),       KERNELS('H', u16, sum),        KERNELS('i', i32, sum),
    KERNELS('I', u32, sum),       KERNELS('q', i64, sum),        KERNELS('Q', u64, sum),
    KERNELS('e', f16, exact_sum), KERNELS('y', bf16, exact_sum), KERNELS('f', f32, exact_sum),
    KERNELS('d', f64, exact_sum)};

const struct reap_kernel *reap__py_part_kernel(const char *kind, int letter)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t k = 0; k < KINDS; k++) {
            if (types[t].letter == letter && strcmp(kinds[k], kind) == 0)
                return types[t].kernels[k];
        }
    }
    return NULL;
}
