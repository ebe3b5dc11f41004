/* SPDX-License-Identifier: Apache-2.0
 *
 * The keywords of the dialect on devices, in the order of kernel_words.h, which documents them. A
 * kernel becomes only its body, an inlined function; the entry function that calls it for each
 * work-item is generated when the program runs (src/accelerator/codegen/codegen.c).
 *
 * Names are pasted only after they have been expanded, in the kernel's text as in the entry
 * function, since a name may be a macro of the compiler or of names.h.
 */
#ifndef REAP_DETAIL_DEVICE_WORDS_H
#define REAP_DETAIL_DEVICE_WORDS_H

#include <reap/bfloat16.h>
#include <reap/half.h>

/* The context of a work-item. */
typedef struct reap_item {
    size_t global_id[3];
    size_t global_linear_id;
    size_t global_range[3];
    size_t local_id[3];
    size_t local_linear_id;
    size_t local_range[3];
    size_t group_id[3];
    size_t group_linear_id;
    size_t group_range[3];
    size_t items;                      /* of the group */
    REAP_LOCAL reap__ulong2 *exchange; /* of the group: space for one for each item */
#ifdef REAP__COUNTS_EPOCHS
    reap__ulong *epoch; /* the item's count of barriers and the like (span_log.h) */
#endif
} reap_item;

#include <reap/detail/device/operators.h>
#include <reap/detail/device/parameters.h>

#define REAP_KERNEL(...)                                                                           \
    REAP__BODY REAP__PASTE(reap_body_, REAP__FIRST(__VA_ARGS__))(                                  \
        REAP_ITEM REAP__EACH(REAP__FORMAL, __VA_ARGS__))
#define REAP_ND_KERNEL(...) REAP_KERNEL(__VA_ARGS__)
#define REAP_GROUP_KERNEL(...) REAP_KERNEL(__VA_ARGS__)
#define REAP_ANY_KERNEL(...) REAP_KERNEL(__VA_ARGS__)

#define reap_global_id(dimension) (reap_item_.global_id[dimension])
#define reap_global_range(dimension) (reap_item_.global_range[dimension])
#define reap_global_linear_id() (reap_item_.global_linear_id)
#define reap_global_linear_range()                                                                 \
    (reap_item_.global_range[0] * reap_item_.global_range[1] * reap_item_.global_range[2])
#define REAP_LOCAL_SPACE 1
#define REAP_GLOBAL_SPACE 2
#define REAP_SUB_GROUP_SIZE 32
#ifdef REAP__HAS_GROUPS
#define reap_local_id(dimension) (reap_item_.local_id[dimension])
#define reap_local_linear_id() (reap_item_.local_linear_id)
#define reap_local_range(dimension) (reap_item_.local_range[dimension])
#define reap_local_linear_range() (reap_item_.items)
#define reap_group_id(dimension) (reap_item_.group_id[dimension])
#define reap_group_linear_id() (reap_item_.group_linear_id)
#define reap_group_range(dimension) (reap_item_.group_range[dimension])
#define reap_group_linear_range()                                                                  \
    (reap_item_.group_range[0] * reap_item_.group_range[1] * reap_item_.group_range[2])
#define reap_group_leader() (reap_item_.local_linear_id == 0)
#define reap_sub_group_id() (reap_item_.local_linear_id / REAP_SUB_GROUP_SIZE)
#define reap_sub_group_range() ((reap_item_.items + REAP_SUB_GROUP_SIZE - 1) / REAP_SUB_GROUP_SIZE)
#define reap_sub_group_local_id() (reap_item_.local_linear_id % REAP_SUB_GROUP_SIZE)
#define reap_sub_group_local_range() ((size_t)reap__lanes(reap_item_))
#define reap_sub_group_leader() (reap_sub_group_local_id() == 0)
#define reap_barrier(spaces) (reap__sync_spaces(spaces), reap__next_epoch(reap_item_))
#else
#include <reap/detail/device/range_words.h>
#endif

/* If the order of combinations depends on it (span_log.h), each barrier and group algorithm is
 * counted. */
#ifdef REAP__COUNTS_EPOCHS
REAP__FUNCTION void reap__next_epoch(const reap_item item)
{
    ++*item.epoch;
}
#else
#define reap__next_epoch(item) ((void)0)
#endif
#define reap__sync_items(item) (reap__sync(), reap__next_epoch(item))

/* The inner loop runs once and handles continue and break; the outer one ends in the barrier. If
 * code between phases reads what phases write, a phase waits for it, too. (The library determines
 * this from the kernel's text: src/accelerator/preprocess/phase_check.c.) */
#ifdef REAP__READS_BETWEEN_PHASES
#define reap__begin_phase() reap__sync()
#else
#define reap__begin_phase() ((void)0)
#endif
#define reap_for_each_item                                                                         \
    for (int reap_phase_ = (reap__begin_phase(), 1); reap_phase_ != 0;                             \
         reap_phase_ = (reap__sync_items(reap_item_), 0))                                          \
        for (int reap_part_ = 1; reap_part_ != 0; reap_part_ = 0)
/* The count is code between phases. */
#define reap_for_first_items(count)                                                                \
    for (size_t reap_first_ = (size_t)(+(count)), reap_phase_ = (reap__begin_phase(), 1);          \
         reap_phase_ != 0; reap_phase_ = (reap__sync_items(reap_item_), 0))                        \
        for (bool reap_part_ = reap_local_linear_id() < reap_first_; reap_part_; reap_part_ = false)
#define reap_item_private(T, name) T REAP__PASTE(name, _reap_private)
#define reap_private(name) REAP__PASTE(name, _reap_private)

#define REAP__EXTENTS(x) REAP__PASTE(x, _reap_extents)
#define reap_at(local, ...) REAP__PASTE(REAP__AT_, REAP__COUNT(__VA_ARGS__))(local, __VA_ARGS__)
#define REAP__AT_2(x, i, j) ((x)[(size_t)(i)*REAP__EXTENTS(x).of_two_dimensions_[1] + (size_t)(j)])
#define REAP__AT_3(x, i, j, k)                                                                     \
    ((x)[((size_t)(i)*REAP__EXTENTS(x).of_three_dimensions_[1] + (size_t)(j)) *                    \
             REAP__EXTENTS(x).of_three_dimensions_[2] +                                            \
         (size_t)(k)])
#define reap_identity(x) REAP__PASTE(x, _reap_identity)
#define reap_extent(local, dimension) (((const size_t *)&REAP__EXTENTS(local))[dimension])

#ifdef REAP__HAS_GROUPS
#include <reap/detail/device/collectives.h>
#endif

#define REAP_ORDER_RELAXED 0
#define REAP_ORDER_ACQUIRE 2
#define REAP_ORDER_RELEASE 3
#define REAP_ORDER_ACQ_REL 4
#define REAP_ORDER_SEQ_CST 5
#define REAP_SCOPE_SUB_GROUP 16
#define REAP_SCOPE_WORK_GROUP 17
#define REAP_SCOPE_DEVICE 18
#define REAP_SCOPE_SYSTEM 19
#define reap_atomic_load(...)                                                                      \
    REAP__ATOMIC_1("reap_atomic_load", reap__atomic_load, REAP__ATOMIC_VALUES, REAP__LOAD_ORDERS,  \
                   __VA_ARGS__)
#define reap_atomic_store(...)                                                                     \
    REAP__ATOMIC_2("reap_atomic_store", reap__atomic_store, REAP__ATOMIC_OBJECTS,                  \
                   REAP__STORE_ORDERS, __VA_ARGS__)
#define reap_atomic_exchange(...)                                                                  \
    REAP__ATOMIC_2("reap_atomic_exchange", reap__atomic_exchange, REAP__ATOMIC_VALUES,             \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_compare_exchange(...)                                                          \
    REAP__ATOMIC_3("reap_atomic_compare_exchange", reap__atomic_compare_exchange,                  \
                   REAP__ATOMIC_VALUES, __VA_ARGS__)
#define reap_atomic_compare_exchange_weak(...)                                                     \
    REAP__ATOMIC_3("reap_atomic_compare_exchange_weak", reap__atomic_compare_exchange_weak,        \
                   REAP__ATOMIC_OBJECTS, __VA_ARGS__)
#define reap_atomic_compare_exchange_strong(...)                                                   \
    REAP__ATOMIC_3("reap_atomic_compare_exchange_strong", reap__atomic_compare_exchange_strong,    \
                   REAP__ATOMIC_OBJECTS, __VA_ARGS__)
#define reap_atomic_fetch_add(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_add", reap__atomic_fetch_add, REAP__ATOMIC_TERMS,            \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_sub(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_sub", reap__atomic_fetch_sub, REAP__ATOMIC_TERMS,            \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_min(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_min", reap__atomic_fetch_min, REAP__ATOMIC_NUMBERS,          \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_max(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_max", reap__atomic_fetch_max, REAP__ATOMIC_NUMBERS,          \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_and(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_and", reap__atomic_fetch_and, REAP__ATOMIC_INTEGERS,         \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_or(...)                                                                  \
    REAP__ATOMIC_2("reap_atomic_fetch_or", reap__atomic_fetch_or, REAP__ATOMIC_INTEGERS,           \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fetch_xor(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_xor", reap__atomic_fetch_xor, REAP__ATOMIC_INTEGERS,         \
                   REAP__ALL_ORDERS, __VA_ARGS__)
#define reap_atomic_fence(...) REAP__ATOMIC_FENCE(__VA_ARGS__)

#define reap_combine(reduction, v)                                                                 \
    reap__combine(REAP__PASTE(reduction, _reap_tag), (reduction), (v))
#define reap_combine_at(span, index, v)                                                            \
    reap__combine_at(REAP__PASTE(span, _reap_tag), (span),                                         \
                     reap__span_at(REAP__PASTE(span, _reap_span), (index)), (v))

#define REAP_OPERATOR(name, T, identity, a, b)                                                     \
    REAP__OPERATOR(name, T)                                                                        \
    REAP__FUNCTION T REAP__PASTE(name, _identity)(void)                                            \
    {                                                                                              \
        return identity;                                                                           \
    }                                                                                              \
    REAP__USER_COMBINE(name, T)                                                                    \
    REAP__USER_SPAN(name, T)                                                                       \
    REAP__USER_GROUP(name, T)                                                                      \
    REAP__USER_IDENTITY_GROUP(name, T)                                                             \
    REAP__FUNCTION REAP__OPERATED(T)                                                               \
        REAP__PASTE(reap__operate_, name)(REAP__OPERAND(T) a, REAP__OPERAND(T) b)
#define REAP_OPERATOR_NO_IDENTITY(name, T, a, b)                                                   \
    REAP__OPERATOR(name, T)                                                                        \
    REAP__USER_COMBINE_NO_IDENTITY(name, T)                                                        \
    REAP__USER_SPAN_NO_IDENTITY(name, T)                                                           \
    REAP__USER_GROUP(name, T)                                                                      \
    REAP__FUNCTION REAP__OPERATED(T)                                                               \
        REAP__PASTE(reap__operate_, name)(REAP__OPERAND(T) a, REAP__OPERAND(T) b)
#define reap_operate(name, a, b) REAP__PASTE(REAP__OPERATE_, REAP__IS_OPERATOR(name))(name, a, b)
#define REAP__OPERATE_0(name, a, b) (REAP__PASTE(reap_operator_, name)((a), (b)))
#define REAP__OPERATE_1(op, a, b) reap__settled(REAP__PASTE(reap__, op)((a), (b)))

#define reap_known_identity(op, T) REAP__PASTE(reap__identity_of_, op)((T *)0)
#define reap_has_known_identity(op, T)                                                             \
    (REAP__PASTE(REAP__HAS_IDENTITY_, REAP__IS_OPERATOR(op))(op, T))

#define REAP_ITEM const reap_item reap_item_
#define REAP_THIS_ITEM reap_item_
#define reap_reducer(op, T, name) REAP__SCALAR_PARAMETERS(op, T, name)
#define reap_span_reducer(op, T, name) REAP__SPAN_PARAMETERS(op, T, name)
#define reap_location_reducer(op, T, name) REAP__LOCATION_PARAMETERS(op, T, name)
#define reap_pass(name) name, REAP__PASTE(name, _reap_tag)
#define reap_pass_span(name) name, REAP__PASTE(name, _reap_tag), REAP__PASTE(name, _reap_span)

/* The library has found the file's text, and put the macro's value before it. */
#define REAP_KERNEL_FILE
#define REAP_KERNEL_MACRO(macro)

#endif
