/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that work-items of a sub-group get from each other, of built-in types and structs of
 * several sizes and alignments.
 */
#include "tests/conformance/user.kernels.h"

REAP_KERNEL_FILE

typedef struct {
    unsigned char bytes[3];
} three_bytes;

typedef struct {
    uint16_t words[5];
} ten_bytes;

typedef struct {
    double x;
    float y[6];
    uint32_t id;
    signed char kind;
} forty_bytes;

typedef struct {
    uint64_t words[20];
} many_bytes;

/* Of all work-items: each way to name an item, one after the other. */
#define MOVES(name, T)                                                                             \
    REAP_ND_KERNEL(move_##name, in(T, x), in(uint32_t, by), out(T, y))                             \
    {                                                                                              \
        const size_t i = reap_global_linear_id(), items = reap_global_linear_range();              \
        const uint32_t first = reap_sub_group_broadcast(uint32_t, by[i], 0);                       \
        y[i] = reap_sub_group_shuffle(T, x[i], by[i]);                                             \
        y[items + i] = reap_sub_group_shuffle_up(T, x[i], by[i]);                                  \
        y[2 * items + i] = reap_sub_group_shuffle_down(T, x[i], by[i]);                            \
        y[3 * items + i] = reap_sub_group_shuffle_xor(T, x[i], by[i]);                             \
        y[4 * items + i] =                                                                         \
            reap_sub_group_broadcast(T, x[i], first % reap_sub_group_local_range());               \
    }

/* The first four in phases. */
#define PHASES(name, T)                                                                            \
    REAP_GROUP_KERNEL(phases_##name, in(T, x), in(uint32_t, by), out(T, y))                        \
    {                                                                                              \
        reap_item_private(T, made);                                                                \
        const size_t items = reap_global_linear_range();                                           \
        reap_sub_groups_shuffle(T, made, x[HERE], by[HERE]);                                       \
        reap_for_each_item {                                                                       \
            y[HERE] = reap_private(made);                                                          \
        }                                                                                          \
        reap_sub_groups_shuffle_up(T, made, x[HERE], by[HERE]);                                    \
        reap_for_each_item {                                                                       \
            y[items + HERE] = reap_private(made);                                                  \
        }                                                                                          \
        reap_sub_groups_shuffle_down(T, made, x[HERE], by[HERE]);                                  \
        reap_for_each_item {                                                                       \
            y[2 * items + HERE] = reap_private(made);                                              \
        }                                                                                          \
        reap_sub_groups_shuffle_xor(T, made, x[HERE], by[HERE]);                                   \
        reap_for_each_item {                                                                       \
            y[3 * items + HERE] = reap_private(made);                                              \
        }                                                                                          \
    }

#define HERE reap_global_linear_id()
MOVES(char_, char)
MOVES(schar_, signed char)
MOVES(uchar_, unsigned char)
MOVES(short_, short)
MOVES(ushort_, unsigned short)
MOVES(int_, int)
MOVES(uint_, unsigned)
MOVES(long_, long)
MOVES(ulong_, unsigned long)
MOVES(llong_, long long)
MOVES(ullong_, unsigned long long)
MOVES(float_, float)
MOVES(double_, double)
MOVES(half_, reap_half)
MOVES(bfloat16_, reap_bfloat16)
MOVES(bool_, bool)
MOVES(three_bytes, three_bytes)
MOVES(ten_bytes, ten_bytes)
MOVES(extent, extent)
MOVES(moments, moments)
MOVES(forty_bytes, forty_bytes)
MOVES(many_bytes, many_bytes)

PHASES(uchar_, unsigned char)
PHASES(float_, float)
PHASES(llong_, long long)
PHASES(three_bytes, three_bytes)
PHASES(moments, moments)
PHASES(forty_bytes, forty_bytes)
