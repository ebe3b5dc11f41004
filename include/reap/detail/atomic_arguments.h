/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of the atomic operations (kernel_words.h), in all dialects: the order and the scope
 * may be omitted, and are constants that are checked here. A dialect defines
 * - REAP__ATOMIC_BY_DEFAULT(f, type, ...): function f for those arguments, relaxed;
 * - REAP__ATOMIC_AT(f, type, order, scope, ...): with an order and a scope;
 * - REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, ...): with both orders of a comparison;
 * - REAP__ATOMIC_FENCE_AT(order, scope);
 * - REAP__ATOMIC_INTEGERS(object), REAP__ATOMIC_NUMBERS(object): whether it is a pointer to one,
 *   with a text for each that says what to use;
 * - REAP__IS_CONSTANT(x);
 * - REAP__ATOMIC_CHECK(...): an expression of no effect, which contains static assertions;
 * - REAP__ATOMIC_CAN(name, order, scope): assertions about what the device has.
 */
#ifndef REAP_DETAIL_ATOMIC_ARGUMENTS_H
#define REAP_DETAIL_ATOMIC_ARGUMENTS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/list.h>

/* How many arguments follow the first, the first two, the first three: wrong_ are too many. */
#define REAP__EIGHTH_(_1, _2, _3, _4, _5, _6, _7, eighth, ...) eighth
#define REAP__EIGHTH(...) REAP__EIGHTH_(__VA_ARGS__)
#define REAP__BEHIND_1(...)                                                                        \
    REAP__EIGHTH(__VA_ARGS__, wrong_, wrong_, wrong_, wrong_, 2, 1, 0, wrong_, ~)
#define REAP__BEHIND_2(...)                                                                        \
    REAP__EIGHTH(__VA_ARGS__, wrong_, wrong_, wrong_, 2, 1, 0, wrong_, wrong_, ~)
#define REAP__BEHIND_3(...) REAP__EIGHTH(__VA_ARGS__, wrong_, 3, 2, 1, 0, wrong_, wrong_, wrong_, ~)

/* Orders and scopes that an operation takes. */
#define REAP__LOAD_ORDERS(order) ((order) == 0 || (order) == 2 || (order) == 5)
#define REAP__LOAD_ORDERS_TEXT                                                                     \
    "REAP_ORDER_RELAXED, REAP_ORDER_ACQUIRE or REAP_ORDER_SEQ_CST: a store releases, or "          \
    "reap_atomic_fence before it"
#define REAP__STORE_ORDERS(order) ((order) == 0 || (order) == 3 || (order) == 5)
#define REAP__STORE_ORDERS_TEXT                                                                    \
    "REAP_ORDER_RELAXED, REAP_ORDER_RELEASE or REAP_ORDER_SEQ_CST: a load acquires, or "           \
    "reap_atomic_fence after it"
#define REAP__ALL_ORDERS(order)                                                                    \
    ((order) == 0 || (order) == 2 || (order) == 3 || (order) == 4 || (order) == 5)
#define REAP__ALL_ORDERS_TEXT                                                                      \
    "REAP_ORDER_RELAXED, REAP_ORDER_ACQUIRE, REAP_ORDER_RELEASE, REAP_ORDER_ACQ_REL or "           \
    "REAP_ORDER_SEQ_CST"
#define REAP__IS_SCOPE(scope) ((scope) >= 16 && (scope) <= 19)

/* Of a comparison that fails: the order for reading; and whether one is at most as strong as
 * that of a comparison that succeeds. */
#define REAP__FAILURE_ORDER(order) ((order) == 4 ? 2 : (order) == 3 ? 0 : (order))
#define REAP__IS_FAILURE_ORDER(failure, success)                                                   \
    ((failure) == 0 || ((failure) == 2 && (success) != 0 && (success) != 3) ||                     \
     ((failure) == 5 && (success) == 5))

#define REAP__ASSERT_TYPE(name, type, object)                                                      \
    _Static_assert(type(object), "Reap: " name " takes " type##_TEXT);
#define REAP__ASSERT_ORDER(name, orders, order)                                                    \
    _Static_assert(REAP__IS_CONSTANT(order),                                                       \
                   "Reap: " name " takes a constant for its order, such as REAP_ORDER_ACQ_REL");   \
    _Static_assert(orders(order), "Reap: " name " takes order " orders##_TEXT);
#define REAP__ASSERT_SCOPE(name, scope)                                                            \
    _Static_assert(REAP__IS_CONSTANT(scope),                                                       \
                   "Reap: " name " takes a constant for its scope, such as REAP_SCOPE_DEVICE");    \
    _Static_assert(REAP__IS_SCOPE(scope),                                                          \
                   "Reap: " name " takes scope REAP_SCOPE_SUB_GROUP, REAP_SCOPE_WORK_GROUP, "      \
                   "REAP_SCOPE_DEVICE or REAP_SCOPE_SYSTEM, after the order");
#define REAP__ASSERT_FAILURE(name, failure, success)                                               \
    _Static_assert(REAP__LOAD_ORDERS(failure), "Reap: " name " takes, as the order of a "          \
                                               "comparison that fails, " REAP__LOAD_ORDERS_TEXT);  \
    _Static_assert(REAP__IS_FAILURE_ORDER(failure, success),                                       \
                   "Reap: " name " takes an order of a comparison that fails, the second order, "  \
                   "at most as strong as the first: omit it");
#define REAP__ATOMIC_COUNT(name, usage)                                                            \
    REAP__ATOMIC_CHECK(_Static_assert(0, "Reap: " name " takes the arguments " usage);)

/* An operation with the operands (object), (object, v), or (object, expected, v). f: the name of
 * its functions, type and orders: what it takes, as above. */
#define REAP__ATOMIC_1(name, f, type, orders, ...)                                                 \
    REAP__PASTE(REAP__ATOMIC_1_, REAP__BEHIND_1(__VA_ARGS__))(name, f, type, orders, __VA_ARGS__)
#define REAP__ATOMIC_1_0(name, f, type, orders, object)                                            \
    (REAP__ATOMIC_CHECK(REAP__ASSERT_TYPE(name, type, object)),                                    \
     REAP__ATOMIC_BY_DEFAULT(f, type, object))
#define REAP__ATOMIC_1_1(name, f, type, orders, object, order)                                     \
    REAP__ATOMIC_1_2(name, f, type, orders, object, order, REAP_SCOPE_DEVICE)
#define REAP__ATOMIC_1_2(name, f, type, orders, object, order, scope)                              \
    (REAP__ATOMIC_CHECK(                                                                           \
         REAP__ASSERT_TYPE(name, type, object) REAP__ASSERT_ORDER(name, orders, order)             \
             REAP__ASSERT_SCOPE(name, scope) REAP__ATOMIC_CAN(name, order, scope)),                \
     REAP__ATOMIC_AT(f, type, order, scope, object))
#define REAP__ATOMIC_1_wrong_(name, ...) REAP__ATOMIC_COUNT(name, "(object, order, scope)")

#define REAP__ATOMIC_2(name, f, type, orders, ...)                                                 \
    REAP__PASTE(REAP__ATOMIC_2_, REAP__BEHIND_2(__VA_ARGS__))(name, f, type, orders, __VA_ARGS__)
#define REAP__ATOMIC_2_0(name, f, type, orders, object, v)                                         \
    (REAP__ATOMIC_CHECK(REAP__ASSERT_TYPE(name, type, object)),                                    \
     REAP__ATOMIC_BY_DEFAULT(f, type, object, v))
#define REAP__ATOMIC_2_1(name, f, type, orders, object, v, order)                                  \
    REAP__ATOMIC_2_2(name, f, type, orders, object, v, order, REAP_SCOPE_DEVICE)
#define REAP__ATOMIC_2_2(name, f, type, orders, object, v, order, scope)                           \
    (REAP__ATOMIC_CHECK(                                                                           \
         REAP__ASSERT_TYPE(name, type, object) REAP__ASSERT_ORDER(name, orders, order)             \
             REAP__ASSERT_SCOPE(name, scope) REAP__ATOMIC_CAN(name, order, scope)),                \
     REAP__ATOMIC_AT(f, type, order, scope, object, v))
#define REAP__ATOMIC_2_wrong_(name, ...) REAP__ATOMIC_COUNT(name, "(object, v, order, scope)")

#define REAP__ATOMIC_3(name, f, type, ...)                                                         \
    REAP__PASTE(REAP__ATOMIC_3_, REAP__BEHIND_3(__VA_ARGS__))(name, f, type, __VA_ARGS__)
#define REAP__ATOMIC_3_0(name, f, type, object, expected, v)                                       \
    (REAP__ATOMIC_CHECK(REAP__ASSERT_TYPE(name, type, object)),                                    \
     REAP__ATOMIC_BY_DEFAULT(f, type, object, expected, v))
#define REAP__ATOMIC_3_1(name, f, type, object, expected, v, order)                                \
    REAP__ATOMIC_3_2(name, f, type, object, expected, v, order, REAP_SCOPE_DEVICE)
#define REAP__ATOMIC_3_2(name, f, type, object, expected, v, order, scope)                         \
    (REAP__ATOMIC_CHECK(                                                                           \
         REAP__ASSERT_TYPE(name, type, object) REAP__ASSERT_ORDER(name, REAP__ALL_ORDERS, order)   \
             REAP__ASSERT_SCOPE(name, scope) REAP__ATOMIC_CAN(name, order, scope)),                \
     REAP__ATOMIC_SWAP_AT(f, type, order, REAP__FAILURE_ORDER(order), scope, object, expected, v))
#define REAP__ATOMIC_3_3(name, f, type, object, expected, v, success, failure, scope)              \
    (REAP__ATOMIC_CHECK(                                                                           \
         REAP__ASSERT_TYPE(name, type, object) REAP__ASSERT_ORDER(name, REAP__ALL_ORDERS, success) \
             REAP__ASSERT_FAILURE(name, failure, success) REAP__ASSERT_SCOPE(name, scope)          \
                 REAP__ATOMIC_CAN(name, success, scope)),                                          \
     REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, object, expected, v))
#define REAP__ATOMIC_3_wrong_(name, ...)                                                           \
    REAP__ATOMIC_COUNT(name, "(object, expected, v, order, scope), or (object, expected, v, "      \
                             "order if equal, order if not, scope)")

#define REAP__ATOMIC_FENCE(...)                                                                    \
    REAP__PASTE(REAP__ATOMIC_FENCE_, REAP__BEHIND_1(__VA_ARGS__))(__VA_ARGS__)
#define REAP__ATOMIC_FENCE_0(order) REAP__ATOMIC_FENCE_1(order, REAP_SCOPE_DEVICE)
#define REAP__ATOMIC_FENCE_1(order, scope)                                                         \
    (REAP__ATOMIC_CHECK(REAP__ASSERT_ORDER("reap_atomic_fence", REAP__ALL_ORDERS, order)           \
                            REAP__ASSERT_SCOPE("reap_atomic_fence", scope)                         \
                                REAP__ATOMIC_CAN("reap_atomic_fence", order, scope)),              \
     REAP__ATOMIC_FENCE_AT(order, scope))
#define REAP__ATOMIC_FENCE_2(...) REAP__ATOMIC_FENCE_wrong_()
#define REAP__ATOMIC_FENCE_wrong_(...) REAP__ATOMIC_COUNT("reap_atomic_fence", "(order, scope)")

#endif
