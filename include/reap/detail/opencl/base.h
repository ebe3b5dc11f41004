/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the dialect's keywords (device/words.h) and of generated entry functions, in OpenCL
 * C: address spaces, functions, ids of a work-item, barriers of a work-group.
 */
#ifndef REAP_DETAIL_OPENCL_BASE_H
#define REAP_DETAIL_OPENCL_BASE_H

#define REAP_GLOBAL __global
#define REAP_LOCAL __local
#define REAP_CONSTANT __constant

#define REAP__FUNCTION static inline __attribute__((always_inline))
#define REAP__OUT_OF_LINE static inline
#define REAP__NEVER_INLINE static __attribute__((noinline)) /* without a barrier */
/* PoCL 5 aborts on some kernels with barriers when functions with loops or returns are inlined
 * into them. */
#define REAP__BESIDE_BARRIERS REAP__NEVER_INLINE
#define REAP__OVERLOAD_BESIDE_BARRIERS static __attribute__((overloadable, noinline))
/* PoCL 3.1 compiles a branch with another one inside wrongly beside some barriers (docs/devices.md,
 * "Defects of PoCL"). */
#if defined(REAP__HAS_GROUPS) && defined(REAP__IS_PROCESSOR)
#define REAP__OVERLOAD_WITH_BRANCHES REAP__OVERLOAD_BESIDE_BARRIERS
#else
#define REAP__OVERLOAD_WITH_BRANCHES REAP__OVERLOAD
#endif
#define REAP__ASSUME_LOCAL(pointer)
#define REAP__OVERLOAD static inline __attribute__((overloadable, always_inline))
#define REAP__OVERLOAD_DECLARED __attribute__((overloadable))
#define REAP__BODY static inline __attribute__((always_inline)) void
#define REAP__IS_LARGE(T) (sizeof(T) > 128)
#define REAP__REFERENCE
#define REAP__RESTRICT restrict
#ifdef REAP__IS_PROCESSOR /* loops of a thousand lanes, which are vectorised */
#define REAP__UNROLL
#define REAP__NO_UNROLL
#else
#define REAP__UNROLL _Pragma("unroll")
#define REAP__NO_UNROLL _Pragma("unroll 1")
#endif
#define REAP__UNROLL_ROWS
#define REAP__EACH_SPACE(X, ...) X(__global, __VA_ARGS__) X(__local, __VA_ARGS__)

/* Entry functions: their parameters, their local memory; the last parameter of one that takes
 * dynamic local memory. */
#define REAP__ENTRY(name, threads)                                                                 \
    __kernel __attribute__((reqd_work_group_size(threads, 1, 1))) void name
#define REAP__ENTRY_BESIDE(name, threads, groups) REAP__ENTRY(name, threads)
#define REAP__ANY_GROUP_ENTRY(name) __kernel void name
#define REAP__BLOCK_PARAMETER const struct reap_block
#define REAP__MEMORY(name) , __global reap__uchar *name
#define REAP__DYNAMIC_PARAMETER(name) , __local reap__ulong8 *name
#define REAP__DYNAMIC_MEMORY(name)
#define REAP__SHARED(T, name, count) __local T name[count]

/* A memory that is aligned for vectors: compilers load neighbouring elements together if they can
 * prove that. */
#define REAP__ALIGNED(pointer) (pointer)

REAP__FUNCTION size_t reap__thread(void)
{
    return get_local_id(0);
}

REAP__FUNCTION size_t reap__group(void)
{
    return get_group_id(0);
}

REAP__FUNCTION size_t reap__groups(void)
{
    return get_num_groups(0);
}

/* *to = *from; from any memory to any other. Cards' compilers split an assignment into members,
 * which takes minutes for a value larger than registers: so a loop copies it. */
#ifdef REAP__IS_PROCESSOR
#define REAP__COPY(T, to, from) ((void)(*(to) = *(from)))
#else
typedef reap__ulong __attribute__((may_alias)) reap__word_8; /* words of values of any type */
typedef reap__uint __attribute__((may_alias)) reap__word_4;
typedef reap__ushort __attribute__((may_alias)) reap__word_2;
#define REAP__COPY_WORDS(to_space, from_space, W)                                                  \
    REAP__NO_UNROLL                                                                                \
    for (size_t w = 0; w < bytes / sizeof(W); w++)                                                 \
        ((to_space W *)to)[w] = ((const from_space W *)from)[w];
#define REAP__COPIES(to_space, from_space)                                                         \
    REAP__OVERLOAD void reap__copy(to_space void *to, const from_space void *from, size_t bytes,   \
                                   size_t alignment)                                               \
    {                                                                                              \
        if (alignment % 8 == 0) {                                                                  \
            REAP__COPY_WORDS(to_space, from_space, reap__word_8)                                   \
        } else if (alignment == 4) {                                                               \
            REAP__COPY_WORDS(to_space, from_space, reap__word_4)                                   \
        } else if (alignment == 2) {                                                               \
            REAP__COPY_WORDS(to_space, from_space, reap__word_2)                                   \
        } else {                                                                                   \
            REAP__COPY_WORDS(to_space, from_space, reap__uchar)                                    \
        }                                                                                          \
    }
REAP__COPIES(, )
REAP__COPIES(, __global)
REAP__COPIES(, __local)
REAP__COPIES(__global, )
REAP__COPIES(__local, )
#define REAP__ALIGNMENT(T)                                                                         \
    (sizeof(struct {                                                                               \
         reap__uchar first;                                                                        \
         T value;                                                                                  \
     }) -                                                                                          \
     sizeof(T))
#define REAP__COPY(T, to, from)                                                                    \
    do {                                                                                           \
        if (REAP__IS_LARGE(T))                                                                     \
            reap__copy(to, from, sizeof(T), REAP__ALIGNMENT(T));                                   \
        else                                                                                       \
            *(to) = *(from);                                                                       \
    } while (0)
#endif

/* The parameters and the result of an operator. */
#define REAP__OPERAND(T) T
#define REAP__OPERATED(T) T

/* `name` points to memory for a copy of the value in that memory. */
#define REAP__VALUE_AT(T, name, memory) T name[1]

/* The beginning of an entry function. */
REAP__FUNCTION void reap__begin(void)
{
}

REAP__FUNCTION void reap__sync(void)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

REAP__FUNCTION void reap__sync_spaces(int spaces)
{
    if (spaces == 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    else if (spaces == 2)
        barrier(CLK_GLOBAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Writes before this are visible to an item that sees a later atomic of this work-item; and the
 * other way round. OpenCL 1.2 guarantees neither. */
REAP__FUNCTION void reap__fence(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}

/* The bits of a float, for narrow_types.h. */
REAP__FUNCTION reap__uint reap__bits_of_float(float value)
{
    return as_uint(value);
}

REAP__FUNCTION float reap__float_of_bits(reap__uint bits)
{
    return as_float(bits);
}

#ifdef REAP__HAS_DOUBLES
REAP__FUNCTION reap__ulong reap__bits_of_double(double value)
{
    return as_ulong(value);
}

REAP__FUNCTION double reap__double_of_bits(reap__ulong bits)
{
    return as_double(bits);
}
#endif

/* A value of a struct type from its members' values. */
#define reap_value(T, ...) ((T){__VA_ARGS__})

/* The value of another work-item of the group, of any type. A small one needs no loop. */
#define REAP__GROUP_FROM(T, v, item)                                                               \
    ({                                                                                             \
        union {                                                                                    \
            reap__ulong2 pair;                                                                     \
            reap__uchar bytes[sizeof(T)];                                                          \
            T value;                                                                               \
        } reap_v_;                                                                                 \
        reap_v_.value = (v);                                                                       \
        if (sizeof(T) <= sizeof(reap__ulong2))                                                     \
            reap_v_.pair = reap__fetch_pair(reap_item_, reap_v_.pair, item);                       \
        else                                                                                       \
            reap__fetch_bytes(reap_item_, reap_v_.bytes, sizeof(T), item);                         \
        reap_v_.value;                                                                             \
    })

#endif
