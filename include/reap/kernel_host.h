/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for the host: the words that a kernel is written in, and the code that a
 * kernel becomes. The first half is for the readers of kernels. The second generates, for each
 * kernel, an argument struct, an always-inline body, the loops that run it over rows of work-items
 * (once for each instruction set), and the table by which the library finds all of this.
 *
 * A kernel lives in a file of its own that a C file includes. Its text also travels inside the
 * program, for devices that compile it at run time.
 */
#ifndef REAP_KERNEL_HOST_H
#define REAP_KERNEL_HOST_H

/* gcc's messages then show the program's lines, without the macros here that they come from. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error                                                                                             \
    "Reap: -ffast-math (or a part of it) changes what kernels compute; compile this file without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error                                                                                             \
    "Reap: kernels need float arithmetic in float precision; on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

/* No multiply and add becomes one operation: devices must agree (docs/reduction-shape.md). It holds
 * for what follows, the operators among it: gcc does not inline between functions that differ. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off", "no-trapping-math")
/* gcc's -O3, but for what it would do to loops over rows of lanes: two rows at a time are two
 * streams of reads (a dot product in the cache took 1.7 times as long with AVX-512), and a lane's
 * members one loop after the other are as many passes. Here, so that helpers have it too. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("O3", "no-loop-unroll-and-jam", "no-tree-loop-distribution",                  \
                     "no-tree-loop-distribute-patterns")
#endif
#if __GNUC__ + 0 < 14 && defined(__FMA__)
/* Which gcc before 14 takes for leave to contract a * b - c * d beside a * d + b * c all the same.
 * The library finds that in a kernel's own code, but not in helpers that were not inlined. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#endif

#include <float.h>
#include <reap/detail/host/operators.h>
#include <reap/detail/kernel_table.h>
#include <reap/detail/list.h>
#include <reap/half.h>
#include <reap/launch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof 1.0 == sizeof(double), "Reap: -fsingle-precision-constant changes constants; "
                                             "compile this file without it");

/* ---- Words ------------------------------------------------------------------------------------*/

/* REAP_KERNEL(name, parameter, ...) { body } is a kernel whose body is run once for each work-item
 * of a range (SYCL 2020, section 4.9.4.2.2). It stands outside of functions, and the body is a
 * function's: work-items may run at the same time, in any order, and write different elements.
 * Parameters, at most 63, and what the launch gives for each:
 *
 *     in(T, x)                    const T *x: an array that is read       .x = pointer
 *     out(T, x)                   T *x: an array that is written          .x = pointer
 *     inout(T, x)                 T *x: an array, read and written        .x = pointer
 *     value(T, x)                 T x: by value                           .x = value
 *     reduce(op, T, x)            a reduction variable                    .x = &v
 *     reduce_with(op, T, x)       the same, the user's operator
 *     reduce_location(op, T, x)   a minimum or maximum and where it is    .x = {.variable = &v,
 *                                                                               .location = &at}
 *     reduce_span(op, T, x)       an array reduction                      .x = {.variable = array,
 *     reduce_span_with(op, T, x)  the same, the user's operator                 .count = length}
 *     local(T, x)                 T *x: the work-group's own memory       .x = number of elements
 *
 * Only kernels with work-groups have local memory. v is a T, at a uint64_t, length a size_t. Every
 * reduction (SYCL 2020, section 4.9.2) takes .result in place of .variable: then the value that the
 * variable holds at the launch is not included. It also takes .properties
 * (REAP_INITIALIZE_TO_IDENTITY, which does the same to .variable) and .identity, a pointer to a
 * value that is used instead of the operator's own. Built-in operators:
 * plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, logical_and, logical_or;
 * docs/reductions.md says for which types, and docs/kernels.md what C a body may use. */
#define REAP_KERNEL(...)                                                                           \
    _Pragma("GCC diagnostic push") _Pragma(REAP__STOPS) _Pragma(REAP__STOPS_ONCE)                  \
        _Pragma(REAP__STOP(KERNEL, __VA_ARGS__)) REAP__ONCE(__VA_ARGS__)                           \
            _Pragma("GCC diagnostic pop") REAP__TYPES(KERNEL, __VA_ARGS__) _Static_assert(         \
                REAP__IS_RIGHT(KERNEL, __VA_ARGS__), REAP__WHAT_IS_WRONG(KERNEL, __VA_ARGS__));    \
    REAP__MAKE(KERNEL, __VA_ARGS__)

/* REAP_ND_KERNEL(name, parameter, ...) { body } is a kernel whose body is run once for each
 * work-item of an nd_range, in work-groups: with barriers, local memory and group algorithms. The
 * parameters are those of REAP_KERNEL; docs/groups.md has the rest. */
#define REAP_ND_KERNEL(...)                                                                        \
    _Pragma("GCC diagnostic push") _Pragma(REAP__STOPS) _Pragma(REAP__STOPS_ONCE) _Pragma(         \
        REAP__STOP(ND_KERNEL, __VA_ARGS__)) REAP__ONCE(__VA_ARGS__) _Pragma("GCC diagnostic pop")  \
        REAP__TYPES(ND_KERNEL, __VA_ARGS__) _Static_assert(                                        \
            REAP__IS_RIGHT(ND_KERNEL, __VA_ARGS__), REAP__WHAT_IS_WRONG(ND_KERNEL, __VA_ARGS__));  \
    REAP__MAKE(ND_KERNEL, __VA_ARGS__)

/* REAP_GROUP_KERNEL(name, parameter, ...) { body } is a kernel whose body is run once for each
 * work-group of an nd_range, in phases (reap_for_each_item). The parameters are those of
 * REAP_KERNEL; docs/groups.md has the rest. */
#define REAP_GROUP_KERNEL(...)                                                                     \
    _Pragma("GCC diagnostic push") _Pragma(REAP__STOPS) _Pragma(REAP__STOPS_ONCE)                  \
        _Pragma(REAP__STOP(GROUP_KERNEL, __VA_ARGS__)) REAP__ONCE(__VA_ARGS__)                     \
            _Pragma("GCC diagnostic pop") REAP__TYPES(GROUP_KERNEL, __VA_ARGS__) _Static_assert(   \
                REAP__IS_RIGHT(GROUP_KERNEL, __VA_ARGS__),                                         \
                REAP__WHAT_IS_WRONG(GROUP_KERNEL, __VA_ARGS__));                                   \
    REAP__MAKE(GROUP_KERNEL, __VA_ARGS__)

/* The work-item's index in the range, a size_t, in one dimension: 0, 1 or 2 (SYCL 2020, sections
 * 4.9.1.4 and 4.9.1.5, for this and what follows). Where the range lacks it, that is 0. */
#define reap_global_id(dimension) (reap_item_.global_id[dimension])
/* The range's size in one dimension; 1 where the range lacks it. */
#define reap_global_range(dimension) (reap_item_.global_range[dimension])
/* The work-item's row-major index in the range. */
#define reap_global_linear_id() (reap_item_.global_linear_id)

/* In kernels with work-groups: the work-item's index in its group, in one dimension. In the body of
 * a REAP_KERNEL this and what follows is a compile error; where a helper comes to it for an item of
 * a REAP_KERNEL, the command fails with REAP_ERROR_DIVERGENT_BARRIER. */
#define reap_local_id(dimension) REAP__OF_A_GROUP("reap_local_id", reap_item_.local_id[dimension])
/* In kernels with work-groups: the work-item's row-major index in its group. */
#define reap_local_linear_id() REAP__OF_A_GROUP("reap_local_linear_id", reap_item_.local_linear_id)
/* In kernels with work-groups: the group's size in one dimension. */
#define reap_local_range(dimension)                                                                \
    REAP__OF_A_GROUP("reap_local_range", reap_item_.group->local_range[dimension])
/* In kernels with work-groups: the group's index among the groups, in one dimension. */
#define reap_group_id(dimension) REAP__OF_A_GROUP("reap_group_id", reap_item_.group->id[dimension])
/* In kernels with work-groups: the group's row-major index among the groups. */
#define reap_group_linear_id() REAP__OF_A_GROUP("reap_group_linear_id", reap_item_.group->linear_id)
/* In kernels with work-groups: how many groups there are in one dimension. */
#define reap_group_range(dimension)                                                                \
    REAP__OF_A_GROUP("reap_group_range", reap_item_.group->range[dimension])

/* For reap_barrier: local memory. Combine both with |. */
#define REAP_LOCAL_SPACE 1
/* For reap_barrier: arrays. */
#define REAP_GLOBAL_SPACE 2

/* Every work-item of the group waits here for all others (SYCL 2020, section 4.17.3), and sees what
 * they have written to the memory named, until the next barrier. For REAP_ND_KERNEL. All items of a
 * group must come to the same barrier, equally often, or none; otherwise the command fails with
 * REAP_ERROR_DIVERGENT_BARRIER. Helpers call it, too. Nothing orders different groups of one
 * launch. */
#define reap_barrier(spaces)                                                                       \
    do {                                                                                           \
        _Static_assert(REAP__IS_GROUPED, "Reap: reap_barrier " REAP__NEEDS_GROUP);                 \
        _Static_assert(((spaces) & ~(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE)) == 0 && (spaces) != 0, \
                       "Reap: a barrier orders REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both");      \
        REAP__PLACE(reap_place_, "reap_barrier", NULL);                                            \
        reap__wait(REAP__GROUP_HERE, &reap_place_, NULL);                                          \
    } while (0)

/* A phase of a REAP_GROUP_KERNEL: reap_for_each_item { ... } runs its block for each work-item of
 * the group, in no order, with a barrier before the first and behind the last. Within it, continue
 * and break end the item's part; return and goto must not leave it, and phases do not nest. It
 * assigns to its own variables, to memory, and to words of the item's own. Between phases memory is
 * read only, variables that are the same for all items are changed, and there are no local ids;
 * otherwise a launch fails with REAP_ERROR_COMPILATION_FAILED. */
#define reap_for_each_item REAP__FOR_EACH_ITEM

/* Between phases, reap_item_private(T, name); gives each work-item a T of its own that lasts until
 * its group ends. At first it holds garbage. The words of an item have at most 1024 bytes together,
 * and are at most 64. */
#define reap_item_private(T, name) REAP__ITEM_PRIVATE(T, name)
/* In a phase, the work-item's own T of that name, to be read and assigned to. */
#define reap_private(name) (name[reap_item_.lane])

/* All items' v combined; they fold as a reduction's lanes do. This and the following are group
 * algorithms (SYCL 2020, section 4.17.4), for REAP_ND_KERNEL: every work-item of the group comes to
 * the same one, as to a barrier, and gets its result. They order no memory. op is built in or the
 * user's, and fits T. docs/groups.md has the order in which each combines. */
#define reap_group_reduce(op, T, v) REAP__GROUP("reap_group_reduce", REAP__GROUP_REDUCE, op, T, v)
/* The v combined of the group's items up to this one, by local linear id; see reap_group_reduce. */
#define reap_group_inclusive_scan(op, T, v)                                                        \
    REAP__GROUP("reap_group_inclusive_scan", REAP__GROUP_INCLUSIVE_SCAN, op, T, v)
/* The v combined of the group's items before this one; the first gets op's identity, which op must
 * have. See reap_group_reduce. */
#define reap_group_exclusive_scan(op, T, v)                                                        \
    REAP__GROUP_EXCLUSIVE("reap_group_exclusive_scan", op, T, v)
/* The v of the group's item with that local linear id, which all items ask for, and which the group
 * has; otherwise the command fails with REAP_ERROR_INDEX_OUT_OF_RANGE. See reap_group_reduce. */
#define reap_group_broadcast(T, v, item) REAP__GROUP_FROM("reap_group_broadcast", T, v, item)
/* Whether the condition holds for some item of the group, as a bool; see reap_group_reduce. */
#define reap_group_any(condition)                                                                  \
    REAP__GROUP("reap_group_any", REAP__GROUP_REDUCE, logical_or, bool, (condition) != 0)
/* Whether the condition holds for all items of the group, as a bool; see reap_group_reduce. */
#define reap_group_all(condition)                                                                  \
    REAP__GROUP("reap_group_all", REAP__GROUP_REDUCE, logical_and, bool, (condition) != 0)
/* Whether the condition holds for no item of the group, as a bool; see reap_group_reduce. */
#define reap_group_none(condition)                                                                 \
    (!REAP__GROUP("reap_group_none", REAP__GROUP_REDUCE, logical_or, bool, (condition) != 0))
/* `count` elements of an array x combined, with an operator that has an identity. The arguments of
 * this and the other joint algorithms are the same for all items of the group; see
 * reap_group_reduce. */
#define reap_group_joint_reduce(op, T, x, count) REAP__JOINT_REDUCE(op, T, x, count)
/* into[i] becomes the elements x[0] to x[i] combined, for `count` of them; into may be x, and other
 * items see it after a barrier. A statement, not an expression. See reap_group_joint_reduce. */
#define reap_group_joint_inclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN("reap_group_joint_inclusive_scan", 1, op, T, x, into, count)
/* into[i] becomes the elements x[0] to x[i - 1] combined, and into[0] op's identity; otherwise as
 * reap_group_joint_inclusive_scan. */
#define reap_group_joint_exclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN("reap_group_joint_exclusive_scan", 0, op, T, x, into, count)

/* Adds v to the object, and gives its value from before: one of the atomic operations (SYCL 2020,
 * section 4.15.3) in any kernel, on an object in global or local memory that the first argument
 * points to: an integer of 32 or 64 bits, here also a float or a double. They are relaxed: what
 * else an item has written, others of its group see after a barrier. */
#define reap_atomic_fetch_add(object, v) (REAP__ATOMIC_ADD(object)((object), (v)))
/* The object becomes v where that is less; gives the value from before. Integers, as for
 * reap_atomic_fetch_add. */
#define reap_atomic_fetch_min(object, v) (REAP__ATOMIC(fetch_min, object)((object), (v)))
/* The object becomes v where that is greater; gives the value from before. Integers, as for
 * reap_atomic_fetch_add. */
#define reap_atomic_fetch_max(object, v) (REAP__ATOMIC(fetch_max, object)((object), (v)))
/* *object &= v, and gives the value from before. Integers, as for reap_atomic_fetch_add. */
#define reap_atomic_fetch_and(object, v) (REAP__ATOMIC(fetch_and, object)((object), (v)))
/* *object |= v, and gives the value from before. Integers, as for reap_atomic_fetch_add. */
#define reap_atomic_fetch_or(object, v) (REAP__ATOMIC(fetch_or, object)((object), (v)))
/* *object ^= v, and gives the value from before. Integers, as for reap_atomic_fetch_add. */
#define reap_atomic_fetch_xor(object, v) (REAP__ATOMIC(fetch_xor, object)((object), (v)))
/* The object becomes v; gives the value from before. Integers, as for reap_atomic_fetch_add. */
#define reap_atomic_exchange(object, v) (REAP__ATOMIC(exchange, object)((object), (v)))
/* Where the object equals `expected`, it becomes v; gives the value from before. Integers, as for
 * reap_atomic_fetch_add. */
#define reap_atomic_compare_exchange(object, expected, v)                                          \
    (REAP__ATOMIC(compare_exchange, object)((object), (expected), (v)))

/* Combines a value into a reduction; one with a location notes this work-item's linear id. An item
 * may do so never, once or many times, in any kernel and its helpers. */
#define reap_combine(reduction, v)                                                                 \
    (reduction##_reap_combine((reduction), reduction##_reap_set, reap_item_.lane, (v)))
/* Combines a value into element `index` of a span. An index outside is not used: the command fails
 * with REAP_ERROR_INDEX_OUT_OF_RANGE, and reduction variables keep their values. */
#define reap_combine_at(span, index, v)                                                            \
    (span##_reap_combine((span), span##_reap_set, span##_reap_span, (index), (v)))

/* REAP_OPERATOR(name, T, identity, a, b) { return ...; } makes an operator for reduce_with,
 * reduce_span_with and group algorithms, and the function name_identity(), which gives its
 * identity. T may be copied byte by byte, and has any size but 0. The operator should be
 * associative and commutative; where it is not, the result is the reduction shape's, and still the
 * same everywhere. */
#define REAP_OPERATOR(name, T, identity, a, b)                                                     \
    REAP__OPERATOR(name, T, 1)                                                                     \
    REAP__INLINE T name##_identity(void)                                                           \
    {                                                                                              \
        return identity;                                                                           \
    }                                                                                              \
    REAP__INLINE void reap_put_identity_##name(T *into_)                                           \
    {                                                                                              \
        *into_ = name##_identity();                                                                \
    }                                                                                              \
    REAP__BODY T reap_operator_##name(T a, T b)

/* REAP_OPERATOR for an operator that has no identity, and so no function name_identity(). */
#define REAP_OPERATOR_NO_IDENTITY(name, T, a, b)                                                   \
    REAP__OPERATOR(name, T, 0)                                                                     \
    REAP__INLINE void reap_put_identity_##name(T *into_)                                           \
    {                                                                                              \
        (void)into_;                                                                               \
    }                                                                                              \
    REAP__BODY T reap_operator_##name(T a, T b)

/* Applies a user's operator to two values, outside or inside a kernel. */
#define reap_operate(name, a, b) (reap_operator_##name((a), (b)))

/* A value of a struct type from its members' values, in their order; in every dialect. */
#define reap_value(T, ...) ((T){__VA_ARGS__})

/* The identity of a built-in operator and a type (SYCL 2020, section 4.17.1, known_identity_v): a
 * constant. */
#define reap_known_identity(op, T) REAP__IDENTITY(op, T)
/* Whether an operator is built in and has an identity for a type (the same section,
 * has_known_identity_v): a constant, 1 or 0. */
#define reap_has_known_identity(op, T)                                                             \
    REAP__PASTE(REAP__HAS_IDENTITY_, REAP__IS_OPERATOR(op))(op, T)

/* The first parameter of a helper function that needs ids, barriers, group algorithms or a
 * reduction. */
#define REAP_ITEM const reap_item reap_item_ __attribute__((__unused__))
/* The argument for REAP_ITEM, in a kernel and in helpers that have one. */
#define REAP_THIS_ITEM                                                                             \
    (_Generic(reap_item_, reap_item                                                                \
              : reap__same_item, reap__item_of_a_kernel_without_work_groups                        \
              : reap__item_for_helpers)(reap_item_))
/* A helper's parameter, behind REAP_ITEM: a reduction of that operator and type. */
#define reap_reducer(op, T, name) REAP__SCALAR_PARAMETERS(op, T, name)
/* A helper's parameter: an array reduction. */
#define reap_span_reducer(op, T, name) REAP__SPAN_PARAMETERS(op, T, name)
/* A helper's parameter: a reduction with a location. */
#define reap_location_reducer(op, T, name) REAP__LOCATION_PARAMETERS(op, T, name)
/* The argument for reap_reducer or reap_location_reducer. */
#define reap_pass(name) name, name##_reap_combine, name##_reap_set
/* The argument for reap_span_reducer. */
#define reap_pass_span(name) name, name##_reap_combine, name##_reap_set, name##_reap_span

/* Before the type that a pointer points to: it points into an array. On the host REAP_GLOBAL,
 * REAP_LOCAL and REAP_CONSTANT mean nothing; OpenCL needs them. */
#define REAP_GLOBAL
/* Before the type that a pointer points to: it points into local memory. */
#define REAP_LOCAL
/* Before the type of a table outside of functions, which never changes. */
#define REAP_CONSTANT

/* REAP_KERNEL_FILE stands once, without a semicolon, in a file that kernel files include and that
 * has no kernel of its own: devices' compilers get its text, too. */
#define REAP_KERNEL_FILE REAP__SOURCE_FILE(__COUNTER__)

/* REAP_KERNEL_MACRO(N), without a semicolon, lets the macro N, from the build's options, reach
 * device compilers too. One that is not defined is a compile error. */
#define REAP_KERNEL_MACRO(macro) REAP__SOURCE_MACRO(#macro, REAP__TEXT(macro), __COUNTER__)

/* ---- What the words become --------------------------------------------------------------------*/

#define REAP__HAS_IDENTITY_0(op, T) 0
#define REAP__HAS_IDENTITY_1(op, T) REAP__FITS(op, T)

#define REAP__OPERATOR(name, T, has_identity)                                                      \
    REAP__BODY T reap_operator_##name(T, T);                                                       \
    static __attribute__((__unused__)) void reap_into_##name(void *into_, const void *from_)       \
    {                                                                                              \
        *(T *)into_ = reap_operator_##name(*(T const *)into_, *(T const *)from_);                  \
    }                                                                                              \
    struct reap_flag_##name {                                                                      \
        unsigned char set;                                                                         \
    };                                                                                             \
    enum { reap_operator_declared_##name = 1, reap_operator_has_identity_##name = has_identity };

#define REAP__SOURCE_FILE(number) REAP__SOURCE_FILE_(number)
#define REAP__SOURCE_FILE_(number)                                                                 \
    REAP__EMBED(reap__text_##number)                                                               \
    REAP__SOURCE(number, __FILE__, reap__text_##number, NULL)
#define REAP__SOURCE_MACRO(name, value, number)                                                    \
    _Static_assert(__builtin_strcmp(name, value) != 0,                                             \
                   "Reap: REAP_KERNEL_MACRO(" name "), and there is no such macro");               \
    REAP__SOURCE(number, name, NULL, value)

/* A parameter as: class, kind, T, name, qualifier of T or operator, where the operator is from. */
#define REAP__PARAMETER_in(T, n) array_, REAP__IN, T, n, const, ~
#define REAP__PARAMETER_out(T, n) array_, REAP__OUT, T, n, , ~
#define REAP__PARAMETER_inout(T, n) array_, REAP__INOUT, T, n, , ~
#define REAP__PARAMETER_value(T, n) value_, REAP__VALUE, T, n, ~, ~
#define REAP__PARAMETER_local(T, n) local_, REAP__LOCAL, T, n, ~, ~
#define REAP__PARAMETER_reduce(op, T, n) scalar_, REAP__SCALAR_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_with(op, T, n) scalar_, REAP__SCALAR_REDUCTION, T, n, op, user_
#define REAP__PARAMETER_reduce_location(op, T, n)                                                  \
    location_, REAP__SCALAR_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_span(op, T, n) span_, REAP__SPAN_REDUCTION, T, n, op, builtin_
#define REAP__PARAMETER_reduce_span_with(op, T, n) span_, REAP__SPAN_REDUCTION, T, n, op, user_

#include <reap/detail/host/atomics.h>
#include <reap/detail/host/checks.h>
#include <reap/detail/host/collectives.h>
#include <reap/detail/host/groups.h>
#include <reap/detail/host/loops.h>
#include <reap/detail/host/phases.h>

#endif
