/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The words of the kernel dialect: the keywords that kernels are written with, for the host's
 * compiler. <reap/kernel.h> includes this header.
 *
 * A kernel is in a file of its own, which a C file includes. The text of that file is also embedded
 * in the program, for devices that compile it at run time; for them these words are defined in
 * <reap/detail/device/words.h>. What the macros here expand to is in <reap/detail/host>. */
#ifndef REAP_KERNEL_WORDS_H
#define REAP_KERNEL_WORDS_H

/* Makes gcc's messages show the program's line only, and not the expansion of the macros here. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

/** A kernel whose body runs once for each work-item of a range (SYCL 2020, section 4.9.4.2.2).
 *
 * @code{.c}
 * REAP_KERNEL(name, parameter, ...) { body }
 * @endcode
 *
 * A kernel is defined outside functions; its body is the body of a function. Work-items may run at
 * the same time and in any order, so they must write different elements.
 *
 * Its parameters, at most 63, and the arguments of a launch:
 *
 * @code{.unparsed}
 * in(T, x)                    const T *x: an array that is read       .x = pointer
 * out(T, x)                   T *x: an array that is written          .x = pointer
 * inout(T, x)                 T *x: an array, read and written        .x = pointer
 * value(T, x)                 T x: by value                           .x = value
 * reduce(op, T, x)            a reduction variable                    .x = &v
 * reduce_with(op, T, x)       the same with a user's operator
 * reduce_location(op, T, x)   a minimum or maximum and where it is    .x = {.variable = &v,
 *                                                                           .location = &at}
 * reduce_span(op, T, x)       an array reduction                      .x = {.variable = array,
 * reduce_span_with(op, T, x)  the same with a user's operator               .count = length}
 * reduce_rows(op, T, x)       a reduction for each row of a 2-D or    .x = {.variable = array,
 * reduce_rows_with(op, T, x)  3-D range, along its last dimension           .count = rows}
 * reduce_columns(op, T, x)    the same for each column, along the     .x = {.variable = array,
 * reduce_columns_with(op, T, x)  first dimension                            .count = columns}
 * local(T, x)                 T *x: local memory of the work-group    .x = number of elements
 * local_2d(T, x)              the same, of two dimensions             .x = {rows, columns}
 * local_3d(T, x)              the same, of three                      .x = {planes, rows, columns}
 * identity(T, x)              the identity of reduction x, which the kernel reads by
 *                             reap_identity(x)
 * @endcode
 *
 * `v` is a T, `at` a uint64_t, `length` a size_t. Only kernels with work-groups have local memory.
 * Reductions of rows, of columns, and others are not together in one kernel; those of rows and
 * columns are in a REAP_KERNEL alone, and have no part. [Rows](docs/rows.md) has more.
 *
 * Every reduction (SYCL 2020, section 4.9.2) has further members:
 * - `.result` instead of `.variable`: the variable's value at the launch is not included
 * - `.properties = REAP_INITIALIZE_TO_IDENTITY`: the same, for `.variable`
 * - `.identity`: a pointer to a value that replaces the operator's identity
 * - `.part` instead of `.variable`: a part, to which other launches add further items
 *   (<reap/part.h>)
 *
 * The built-in operators are plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor,
 * logical_and, logical_or and exact_plus. [Reductions](docs/reductions.md) lists their types,
 * [kernels](docs/kernels.md) the C that a body may use. */
#define REAP_KERNEL(...)                                                                           \
    REAP__IF_CLANG(REAP__FATAL_BEGIN _Pragma(REAP__STOP(REAP__KERNEL, __VA_ARGS__)))               \
    REAP__IF_CLANG(                                                                                \
        REAP__DECLARED_BEFORE(__VA_ARGS__) _Static_assert(                                         \
            sizeof(0 ? REAP__UNLESS_WRONG(__VA_ARGS__) : (struct reap__right *)0), "");)           \
    REAP__IF_CLANG(REAP__FATAL_END)                                                                \
    REAP__TYPES(REAP__KERNEL, __VA_ARGS__)                                                         \
    _Static_assert(REAP__IS_RIGHT(REAP__KERNEL, __VA_ARGS__),                                      \
                   REAP__WHAT_IS_WRONG(REAP__KERNEL, __VA_ARGS__));                                \
    REAP__MAKE(REAP__KERNEL, __VA_ARGS__)

/** A kernel whose body runs once for each work-item of an nd_range, in work-groups, with barriers,
 * local memory and group algorithms.
 *
 * @code{.c}
 * REAP_ND_KERNEL(name, parameter, ...) { body }
 * @endcode
 *
 * The parameters are those of REAP_KERNEL(). [Groups](docs/groups.md) has more. */
#define REAP_ND_KERNEL(...)                                                                        \
    REAP__IF_CLANG(REAP__FATAL_BEGIN _Pragma(REAP__STOP(REAP__ND_KERNEL, __VA_ARGS__)))            \
    REAP__IF_CLANG(                                                                                \
        REAP__DECLARED_BEFORE(__VA_ARGS__) _Static_assert(                                         \
            sizeof(0 ? REAP__UNLESS_WRONG(__VA_ARGS__) : (struct reap__right *)0), "");)           \
    REAP__IF_CLANG(REAP__FATAL_END)                                                                \
    REAP__TYPES(REAP__ND_KERNEL, __VA_ARGS__)                                                      \
    _Static_assert(REAP__IS_RIGHT(REAP__ND_KERNEL, __VA_ARGS__),                                   \
                   REAP__WHAT_IS_WRONG(REAP__ND_KERNEL, __VA_ARGS__));                             \
    REAP__MAKE(REAP__ND_KERNEL, __VA_ARGS__)

/** A kernel whose body runs once for each work-item of a range or of an nd_range: each launch says
 * which. Over a range it is what a REAP_KERNEL() is, over an nd_range what a REAP_ND_KERNEL() is,
 * with their results to the bit; both are compiled.
 *
 * @code{.c}
 * REAP_ANY_KERNEL(name, parameter, ...) { body }
 * @endcode
 *
 * The parameters are those of REAP_KERNEL(), without local memory. A launch over a range fails if a
 * work-item reaches a barrier, a group algorithm, or a local or group id: with
 * REAP_ERROR_DIVERGENT_BARRIER on the host, with REAP_ERROR_COMPILATION_FAILED on devices if the
 * body has one at all. */
#define REAP_ANY_KERNEL(...)                                                                       \
    REAP__IF_CLANG(REAP__FATAL_BEGIN _Pragma(REAP__STOP(REAP__ANY_KERNEL, __VA_ARGS__)))           \
    REAP__IF_CLANG(                                                                                \
        REAP__DECLARED_BEFORE(__VA_ARGS__) _Static_assert(                                         \
            sizeof(0 ? REAP__UNLESS_WRONG(__VA_ARGS__) : (struct reap__right *)0), "");)           \
    REAP__IF_CLANG(REAP__FATAL_END)                                                                \
    REAP__TYPES(REAP__ANY_KERNEL, __VA_ARGS__)                                                     \
    _Static_assert(REAP__IS_RIGHT(REAP__ANY_KERNEL, __VA_ARGS__),                                  \
                   REAP__WHAT_IS_WRONG(REAP__ANY_KERNEL, __VA_ARGS__));                            \
    REAP__MAKE(REAP__ANY_KERNEL, __VA_ARGS__)

/** A kernel whose body runs once for each work-group of an nd_range, in phases
 * (reap_for_each_item).
 *
 * @code{.c}
 * REAP_GROUP_KERNEL(name, parameter, ...) { body }
 * @endcode
 *
 * The parameters are those of REAP_KERNEL(). [Groups](docs/groups.md) has more. */
#define REAP_GROUP_KERNEL(...)                                                                     \
    REAP__IF_CLANG(REAP__FATAL_BEGIN _Pragma(REAP__STOP(REAP__GROUP_KERNEL, __VA_ARGS__)))         \
    REAP__IF_CLANG(                                                                                \
        REAP__DECLARED_BEFORE(__VA_ARGS__) _Static_assert(                                         \
            sizeof(0 ? REAP__UNLESS_WRONG(__VA_ARGS__) : (struct reap__right *)0), "");)           \
    REAP__IF_CLANG(REAP__FATAL_END)                                                                \
    REAP__TYPES(REAP__GROUP_KERNEL, __VA_ARGS__)                                                   \
    _Static_assert(REAP__IS_RIGHT(REAP__GROUP_KERNEL, __VA_ARGS__),                                \
                   REAP__WHAT_IS_WRONG(REAP__GROUP_KERNEL, __VA_ARGS__));                          \
    REAP__MAKE(REAP__GROUP_KERNEL, __VA_ARGS__)

/** The work-item's index in the range, in one dimension (SYCL 2020, sections 4.9.1.4 and 4.9.1.5,
 * for all ids).
 *
 * @param dimension  0, 1 or 2
 * @return a size_t; 0 if the range does not have the dimension */
#define reap_global_id(dimension) (reap_item_.global_id_[dimension])
/** The range's size in one dimension.
 *
 * @param dimension  0, 1 or 2
 * @return a size_t; 1 if the range does not have the dimension */
#define reap_global_range(dimension) (reap_item_.global_range_[dimension])
/** The work-item's row-major index in the range. */
#define reap_global_linear_id() (reap_item_.global_linear_id_)
/** The number of work-items of the range. */
#define reap_global_linear_range()                                                                 \
    (reap_item_.global_range_[0] * reap_item_.global_range_[1] * reap_item_.global_range_[2])

/** The work-item's index in its work-group, in one dimension.
 *
 * Only kernels with work-groups have local and group ids. In the body of a REAP_KERNEL they are a
 * compile error. If a helper function uses one for a work-item of a REAP_KERNEL, the command fails
 * with REAP_ERROR_DIVERGENT_BARRIER.
 *
 * @param dimension  0, 1 or 2
 * @return a size_t; 0 if the range does not have the dimension */
#define reap_local_id(dimension) REAP__OF_A_GROUP("reap_local_id", reap_item_.local_id_[dimension])
/** The work-item's row-major index in its work-group; see reap_local_id(). */
#define reap_local_linear_id() REAP__OF_A_GROUP("reap_local_linear_id", reap_item_.local_linear_id_)
/** The work-group's size in one dimension; see reap_local_id(). */
#define reap_local_range(dimension)                                                                \
    REAP__OF_A_GROUP("reap_local_range", reap_item_.group_->local_range_[dimension])
/** The number of work-items of the work-group; see reap_local_id(). */
#define reap_local_linear_range()                                                                  \
    REAP__OF_A_GROUP("reap_local_linear_range", reap_item_.group_->items_)
/** The work-group's index among the groups, in one dimension; see reap_local_id(). */
#define reap_group_id(dimension)                                                                   \
    REAP__OF_A_GROUP("reap_group_id", reap_item_.group_->id_[dimension])
/** The work-group's row-major index among the groups; see reap_local_id(). */
#define reap_group_linear_id()                                                                     \
    REAP__OF_A_GROUP("reap_group_linear_id", reap_item_.group_->linear_id_)
/** The number of work-groups in one dimension; see reap_local_id(). */
#define reap_group_range(dimension)                                                                \
    REAP__OF_A_GROUP("reap_group_range", reap_item_.group_->range_[dimension])
/** The number of work-groups; see reap_local_id(). */
#define reap_group_linear_range()                                                                  \
    REAP__OF_A_GROUP("reap_group_linear_range", reap_item_.group_->range_[0] *                     \
                                                    reap_item_.group_->range_[1] *                 \
                                                    reap_item_.group_->range_[2])
/** Whether the work-item is its group's leader, whose local ids are 0 (SYCL 2020, section 4.9.1.7,
 * leader); see reap_local_id().
 *
 * @return a bool, true for one work-item of each group */
#define reap_group_leader()                                                                        \
    (REAP__OF_A_GROUP("reap_group_leader", reap_item_.local_linear_id_) == 0)

/** For reap_barrier(): local memory. Combine both with |. */
#define REAP_LOCAL_SPACE 1
/** For reap_barrier(): arrays. */
#define REAP_GLOBAL_SPACE 2

/** A barrier: each work-item of the group waits until all others have reached it (SYCL 2020,
 * section 4.17.3).
 *
 * For REAP_ND_KERNEL() and its helper functions. Each work-item then sees what the others of its
 * group have written to the memory in `spaces`. Work-items of different groups are not ordered.
 *
 * All work-items of a group must reach the same barriers in the same order, or none; otherwise the
 * command fails with REAP_ERROR_DIVERGENT_BARRIER.
 *
 * @param spaces  REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both, a constant */
#define reap_barrier(spaces)                                                                       \
    do {                                                                                           \
        _Static_assert(REAP__IS_GROUPED, "Reap: reap_barrier " REAP__NEEDS_GROUP);                 \
        _Static_assert(((spaces) & ~(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE)) == 0 && (spaces) != 0, \
                       "Reap: a barrier orders REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both");      \
        REAP__CALL_SITE(reap_site_, "reap_barrier", NULL);                                         \
        REAP__WAIT(REAP__GROUP_HERE, &reap_site_, NULL);                                           \
    } while (0)

/** A phase of a REAP_GROUP_KERNEL: runs a block once for each work-item of the group, in any order.
 *
 * @code{.c}
 * reap_for_each_item { block }
 * @endcode
 *
 * There is a barrier before and after each phase. In a phase
 * - the block assigns to its own variables, to memory, and to private variables (reap_private());
 * - `continue` and `break` end the work-item's execution of the block;
 * - `return` and `goto` must not leave it, and phases do not nest;
 * - barriers, group algorithms and keywords of sub-groups that wait are refused, also in functions
 *   that it calls.
 *
 * Between phases
 * - memory is only read, and local ids are not available;
 * - the code may change variables that are the same for all work-items.
 *
 * A launch of a kernel that does anything else fails with REAP_ERROR_COMPILATION_FAILED. */
#define reap_for_each_item REAP__FOR_EACH_ITEM

/** A phase that only the first work-items of the group run, by local linear id.
 *
 * @code{.c}
 * reap_for_first_items(count) { block }
 * @endcode
 *
 * It does what reap_for_each_item { if (reap_local_linear_id() < count) block } does; on the host
 * the loop ends at the last of these items. The count is code between phases, and is converted to
 * size_t; all items run the phase if the group has no more. (The flexible range of
 * parallel_for_work_item: SYCL 2020, section 4.9.4.2.3.) */
#define reap_for_first_items(count) REAP__FOR_FIRST_ITEMS(count)

/** Declares a private variable of each work-item, between phases; it lives until the group ends.
 *
 * @code{.c}
 * reap_item_private(T, name);
 * @endcode
 *
 * It is not initialised. A kernel has at most 64 private variables, of at most 1024 bytes together.
 * Phases use it as reap_private(). */
#define reap_item_private(T, name) REAP__ITEM_PRIVATE(T, name)
/** The work-item's private variable of that name, an lvalue, in a phase. */
#define reap_private(name) (name[reap_item_.lane_])

/** An element of local memory of two or three dimensions, an lvalue; the last index varies fastest.
 *
 * @param local  a parameter of the kernel, local_2d or local_3d
 * @param ...    an index for each dimension */
#define reap_at(local, ...) REAP__PASTE(REAP__AT_, REAP__COUNT(__VA_ARGS__))(local, __VA_ARGS__)
/** The size of local memory of two or three dimensions in one of them, a size_t.
 *
 * @param local      a parameter of the kernel, local_2d or local_3d
 * @param dimension  0, 1 or 2
 * @return 1 if the local memory does not have the dimension */
#define reap_extent(local, dimension) REAP__EXTENT(local, dimension)

/** The identity of a reduction of the kernel (SYCL 2020, section 4.9.2.4, reducer::identity()): the
 * `.identity` of the launch, or else the operator's own.
 *
 * The kernel has a parameter `identity(T, x)` for it. A launch that gives no identity is refused
 * where the operator has none. A helper function gets the value as an argument.
 *
 * @param x  a reduction among the kernel's parameters, of any kind
 * @return the identity, of the reduction's type */
#define reap_identity(x) (x##_reap_identity_needs_the_parameter_identity)

/** Combines the values `v` of all work-items of the group, in the order of a reduction's fold.
 *
 * This and the following are group algorithms (SYCL 2020, section 4.17.4), for REAP_ND_KERNEL() and
 * its helper functions. Every work-item of the group must reach the same one, as with a barrier,
 * and gets its result. They do not order memory. [Groups](docs/groups.md) has the order in which
 * each combines.
 *
 * @param op  a built-in operator, or a user's, for T
 * @param T   the type
 * @param v   this work-item's value
 * @return the combined value, for all work-items */
#define reap_group_reduce(op, T, v)                                                                \
    REAP__GROUP(REAP__OF_GROUP, "reap_group_reduce", REAP__GROUP_REDUCE, op, T, v)
/** Combines the values of the group's work-items up to and including this one, by local linear id;
 * see reap_group_reduce(). */
#define reap_group_inclusive_scan(op, T, v)                                                        \
    REAP__GROUP(REAP__OF_GROUP, "reap_group_inclusive_scan", REAP__GROUP_INCLUSIVE_SCAN, op, T, v)
/** Combines the values of the group's work-items before this one, by local linear id; see
 * reap_group_reduce(). The operator must have an identity, which the first work-item gets. */
#define reap_group_exclusive_scan(op, T, v)                                                        \
    REAP__GROUP_EXCLUSIVE(REAP__OF_GROUP, "reap_group_exclusive_scan", op, T, v)
/** As reap_group_reduce(), after an initial value: op(initial, the combined value).
 *
 * In this and the following, `initial` is the same for all work-items. A minimum or maximum with an
 * initial value that is NaN is NaN.
 *
 * @param op       a built-in operator, or a user's, for T
 * @param T        the type
 * @param v        this work-item's value
 * @param initial  the initial value, a T
 * @return the combined value, for all work-items */
#define reap_group_reduce_from(op, T, v, initial)                                                  \
    REAP__GROUP_AFTER(REAP__OF_GROUP, "reap_group_reduce_from", REAP__GROUP_REDUCE, op, T, v,      \
                      initial)
/** As reap_group_inclusive_scan(), after an initial value; see reap_group_reduce_from(). */
#define reap_group_inclusive_scan_from(op, T, v, initial)                                          \
    REAP__GROUP_AFTER(REAP__OF_GROUP, "reap_group_inclusive_scan_from",                            \
                      REAP__GROUP_INCLUSIVE_SCAN, op, T, v, initial)
/** As reap_group_exclusive_scan(), after an initial value, which the first work-item gets; see
 * reap_group_reduce_from(). The operator need not have an identity. */
#define reap_group_exclusive_scan_from(op, T, v, initial)                                          \
    REAP__GROUP_EXCLUSIVE_AFTER(REAP__OF_GROUP, "reap_group_exclusive_scan_from", op, T, v, initial)
/** The value of one work-item of the group; see reap_group_reduce().
 *
 * @param T     the type
 * @param v     this work-item's value
 * @param item  a local linear id, the same for all work-items. If the group does not have it, the
 *              command fails with REAP_ERROR_INDEX_OUT_OF_RANGE
 * @return the value of that work-item */
#define reap_group_broadcast(T, v, item)                                                           \
    REAP__GROUP_FROM(REAP__OF_GROUP, "reap_group_broadcast", T, v, item)
/** The value of the work-item with these local ids; see reap_group_broadcast().
 *
 * @param T    the type
 * @param v    this work-item's value
 * @param ...  one local id for each dimension of the range, the same for all work-items: 1 to 3
 * @return the value of that work-item */
#define reap_group_broadcast_id(T, v, ...)                                                         \
    REAP__GROUP_FROM(REAP__OF_GROUP, "reap_group_broadcast_id", T, v,                              \
                     REAP__ITEM_AT(reap_item_.group_->local_range_, __VA_ARGS__, 0, 0, ~))
/** Whether the condition is true for any work-item of the group, a bool; see reap_group_reduce().
 */
#define reap_group_any(condition)                                                                  \
    REAP__GROUP(REAP__OF_GROUP, "reap_group_any", REAP__GROUP_REDUCE, logical_or, bool,            \
                (condition) != 0)
/** Whether the condition is true for all work-items of the group, a bool; see reap_group_reduce().
 */
#define reap_group_all(condition)                                                                  \
    REAP__GROUP(REAP__OF_GROUP, "reap_group_all", REAP__GROUP_REDUCE, logical_and, bool,           \
                (condition) != 0)
/** Whether the condition is false for all work-items of the group, a bool; see reap_group_reduce().
 */
#define reap_group_none(condition)                                                                 \
    (!REAP__GROUP(REAP__OF_GROUP, "reap_group_none", REAP__GROUP_REDUCE, logical_or, bool,         \
                  (condition) != 0))
/** Combines `count` elements of an array; see reap_group_reduce().
 *
 * The arguments of this and the other joint algorithms must be the same for all work-items of the
 * group. They are evaluated once, before elements are written.
 *
 * @param op     an operator for T that has an identity
 * @param T      the type
 * @param x      the array
 * @param count  the number of elements
 * @return the combined value, for all work-items */
#define reap_group_joint_reduce(op, T, x, count)                                                   \
    REAP__JOINT_REDUCE("reap_group_joint_reduce", op, T, x, count)
/** As reap_group_joint_reduce(), after an initial value: op(initial, the combined value); see
 * reap_group_reduce_from(). */
#define reap_group_joint_reduce_from(op, T, x, count, initial)                                     \
    REAP__JOINT_REDUCE_AFTER("reap_group_joint_reduce_from", op, T, x, count, initial)
/** Sets `into[i]` to the elements x[0] to x[i] combined, for each i below `count`; see
 * reap_group_joint_reduce().
 *
 * It is a statement, not an expression. `into` may be `x`. Other work-items see the result after a
 * barrier.
 *
 * @param op     an operator for T that has an identity
 * @param T      the type
 * @param x      the array
 * @param into   the array of results
 * @param count  the number of elements */
#define reap_group_joint_inclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN("reap_group_joint_inclusive_scan", 1, op, T, x, into, count, reap_none_)
/** As reap_group_joint_inclusive_scan(), after an initial value; see reap_group_reduce_from(). */
#define reap_group_joint_inclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__JOINT_SCAN("reap_group_joint_inclusive_scan_from", 1, op, T, x, into, count, initial)
/** Sets `into[i]` to the elements x[0] to x[i - 1] combined, and `into[0]` to the identity;
 * otherwise as reap_group_joint_inclusive_scan(). */
#define reap_group_joint_exclusive_scan(op, T, x, into, count)                                     \
    REAP__JOINT_SCAN("reap_group_joint_exclusive_scan", 0, op, T, x, into, count, reap_none_)
/** As reap_group_joint_exclusive_scan(), after an initial value, which into[0] becomes (combined
 * with the identity); see reap_group_reduce_from(). */
#define reap_group_joint_exclusive_scan_from(op, T, x, into, count, initial)                       \
    REAP__JOINT_SCAN("reap_group_joint_exclusive_scan_from", 0, op, T, x, into, count, initial)
/** Whether a condition is true for any of `count` elements of an array; see
 * reap_group_joint_reduce() (SYCL 2020, section 4.17.4.1, joint_any_of).
 *
 * @code{.c}
 * bool found = reap_group_joint_any(float, v, x, count, v < 0 || v > limit);
 * @endcode
 *
 * @param T          the elements' type
 * @param element    names the element in the condition
 * @param x          the array
 * @param count      the number of elements
 * @param condition  an expression, which is evaluated for some elements or all
 * @return a bool, for all work-items; false if count is 0 */
#define reap_group_joint_any(T, element, x, count, condition)                                      \
    (REAP__JOINT_FIND("reap_group_joint_any", T, element, x, count, (condition) != 0))
/** Whether a condition is true for all elements; true if count is 0. See reap_group_joint_any(). */
#define reap_group_joint_all(T, element, x, count, condition)                                      \
    (!REAP__JOINT_FIND("reap_group_joint_all", T, element, x, count, (condition) == 0))
/** Whether a condition is false for all elements; true if count is 0. See reap_group_joint_any().
 */
#define reap_group_joint_none(T, element, x, count, condition)                                     \
    (!REAP__JOINT_FIND("reap_group_joint_none", T, element, x, count, (condition) != 0))

/** The number of work-items of a sub-group, a constant: 32, on every device.
 *
 * A sub-group is 32 consecutive work-items of a work-group (SYCL 2020, section 3.7.2; a warp of
 * CUDA): item l, by local linear id, is item l % 32 of sub-group l / 32. The last sub-group of a
 * group has fewer items if the group's size is not a multiple of 32.
 *
 * The following are for REAP_ND_KERNEL() and its helper functions; the ids and ranges also for
 * phases. [Groups](docs/groups.md#sub-groups) has more. */
#define REAP_SUB_GROUP_SIZE 32
/** The index of the work-item's sub-group in its work-group; see reap_local_id(). */
#define reap_sub_group_id()                                                                        \
    (REAP__OF_A_GROUP("reap_sub_group_id", reap_item_.local_linear_id_) / REAP_SUB_GROUP_SIZE)
/** The number of sub-groups of the work-group; see reap_local_id(). */
#define reap_sub_group_range()                                                                     \
    reap__sub_groups(REAP__OF_A_GROUP("reap_sub_group_range", reap_item_.group_->items_))
/** The work-item's index in its sub-group, 0 to 31; see reap_local_id(). */
#define reap_sub_group_local_id()                                                                  \
    (REAP__OF_A_GROUP("reap_sub_group_local_id", reap_item_.local_linear_id_) % REAP_SUB_GROUP_SIZE)
/** The number of work-items of this work-item's sub-group, 1 to 32; see reap_local_id(). */
#define reap_sub_group_local_range()                                                               \
    reap__sub_group_items(                                                                         \
        REAP__OF_A_GROUP("reap_sub_group_local_range", reap_item_.group_->items_),                 \
        reap_item_.local_linear_id_)
/** Whether the work-item is the first of its sub-group; see reap_local_id().
 *
 * @return a bool, true for one work-item of each sub-group */
#define reap_sub_group_leader() (reap_sub_group_local_id() == 0)

/** A barrier of the sub-group: each of its work-items waits until the others have reached it.
 *
 * Each then sees what the others of its sub-group have written to the memory in `spaces`. The
 * work-items of a sub-group must reach the same keywords of sub-groups in the same order, or none;
 * otherwise the command fails with REAP_ERROR_DIVERGENT_BARRIER. Other sub-groups of the group may
 * reach other ones. (Some OpenCL devices have no such barrier. There a kernel in which work-items
 * of a group might not all reach the same keyword is refused, with REAP_ERROR_COMPILATION_FAILED.)
 *
 * @param spaces  REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both, a constant */
#define reap_sub_group_barrier(spaces)                                                             \
    do {                                                                                           \
        _Static_assert(((spaces) & ~(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE)) == 0 && (spaces) != 0, \
                       "Reap: a barrier orders REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both");      \
        REAP__SUB_GROUP_BARRIER("reap_sub_group_barrier");                                         \
    } while (0)
/** The value of one work-item of the sub-group, which may be another for each work-item.
 *
 * This and the following are algorithms of a sub-group (SYCL 2020, section 4.17.4): all its
 * work-items must reach the same one, as with reap_sub_group_barrier(), and each gets its result.
 * They do not order memory.
 *
 * @param T     the type: any that is copied byte by byte
 * @param v     this work-item's value
 * @param item  an index in the sub-group. If it does not have that work-item, the result is `v`
 * @return the value of that work-item */
#define reap_sub_group_shuffle(T, v, item)                                                         \
    REAP__SHUFFLE("reap_sub_group_shuffle", T, v, reap__lane_at, item)
/** The value of the work-item so many before this one in the sub-group; `v` if there is none. See
 * reap_sub_group_shuffle(). */
#define reap_sub_group_shuffle_up(T, v, by)                                                        \
    REAP__SHUFFLE("reap_sub_group_shuffle_up", T, v, reap__lane_up, by)
/** The value of the work-item so many after this one in the sub-group; `v` if there is none. See
 * reap_sub_group_shuffle(). */
#define reap_sub_group_shuffle_down(T, v, by)                                                      \
    REAP__SHUFFLE("reap_sub_group_shuffle_down", T, v, reap__lane_down, by)
/** The value of the work-item whose index in the sub-group is this one's ^ mask; `v` if there is
 * none. See reap_sub_group_shuffle(). */
#define reap_sub_group_shuffle_xor(T, v, mask)                                                     \
    REAP__SHUFFLE("reap_sub_group_shuffle_xor", T, v, reap__lane_xor, mask)
/** The value of one work-item of the sub-group, the same for all; see reap_sub_group_shuffle().
 *
 * @param T     the type
 * @param v     this work-item's value
 * @param item  an index in the sub-group, the same for all its work-items. If the sub-group does
 *              not have it, the command fails with REAP_ERROR_INDEX_OUT_OF_RANGE on the host; on
 *              other devices the result is `v`
 * @return the value of that work-item */
#define reap_sub_group_broadcast(T, v, item)                                                       \
    REAP__GROUP_FROM(REAP__OF_SUB_GROUP, "reap_sub_group_broadcast", T, v, item)
/** Combines the values of the sub-group's work-items, in the order of reap_group_reduce(); see
 * reap_sub_group_shuffle(). */
#define reap_sub_group_reduce(op, T, v)                                                            \
    REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_reduce", REAP__GROUP_REDUCE, op, T, v)
/** Combines the values of the sub-group's work-items up to and including this one; see
 * reap_group_inclusive_scan(). */
#define reap_sub_group_inclusive_scan(op, T, v)                                                    \
    REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_inclusive_scan", REAP__GROUP_INCLUSIVE_SCAN,   \
                op, T, v)
/** Combines the values of the sub-group's work-items before this one; see
 * reap_group_exclusive_scan(). */
#define reap_sub_group_exclusive_scan(op, T, v)                                                    \
    REAP__GROUP_EXCLUSIVE(REAP__OF_SUB_GROUP, "reap_sub_group_exclusive_scan", op, T, v)
/** As reap_sub_group_reduce(), after an initial value; see reap_group_reduce_from(). */
#define reap_sub_group_reduce_from(op, T, v, initial)                                              \
    REAP__GROUP_AFTER(REAP__OF_SUB_GROUP, "reap_sub_group_reduce_from", REAP__GROUP_REDUCE, op, T, \
                      v, initial)
/** As reap_sub_group_inclusive_scan(), after an initial value; see reap_group_reduce_from(). */
#define reap_sub_group_inclusive_scan_from(op, T, v, initial)                                      \
    REAP__GROUP_AFTER(REAP__OF_SUB_GROUP, "reap_sub_group_inclusive_scan_from",                    \
                      REAP__GROUP_INCLUSIVE_SCAN, op, T, v, initial)
/** As reap_sub_group_exclusive_scan(), after an initial value, which the first work-item gets; see
 * reap_group_exclusive_scan_from(). */
#define reap_sub_group_exclusive_scan_from(op, T, v, initial)                                      \
    REAP__GROUP_EXCLUSIVE_AFTER(REAP__OF_SUB_GROUP, "reap_sub_group_exclusive_scan_from", op, T,   \
                                v, initial)
/** Whether the condition is true for any work-item of the sub-group, a bool. */
#define reap_sub_group_any(condition)                                                              \
    REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_any", REAP__GROUP_REDUCE, logical_or, bool,    \
                (condition) != 0)
/** Whether the condition is true for all work-items of the sub-group, a bool. */
#define reap_sub_group_all(condition)                                                              \
    REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_all", REAP__GROUP_REDUCE, logical_and, bool,   \
                (condition) != 0)
/** Whether the condition is false for all work-items of the sub-group, a bool. */
#define reap_sub_group_none(condition)                                                             \
    (!REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_none", REAP__GROUP_REDUCE, logical_or, bool, \
                  (condition) != 0))
/** For which work-items of the sub-group the condition is true.
 *
 * @return a uint32_t, the same for all: bit i is that of the work-item with index i */
#define reap_sub_group_ballot(condition)                                                           \
    REAP__GROUP(REAP__OF_SUB_GROUP, "reap_sub_group_ballot", REAP__GROUP_REDUCE, bit_or, uint32_t, \
                (uint32_t)((condition) != 0) << reap_item_.local_linear_id_ % REAP_SUB_GROUP_SIZE)

/** In a REAP_GROUP_KERNEL, between phases: combines the values of each sub-group's work-items.
 *
 * @code{.c}
 * reap_sub_groups_reduce(op, T, name, v);
 * @endcode
 *
 * This and the following are statements. Each is a phase, in which `v` is evaluated for each
 * work-item of the group, and the result stored in its private variable. They do what
 * reap_sub_group_reduce() and its like do in a REAP_ND_KERNEL(), with the same bits.
 *
 * @param op    a built-in operator, or a user's, for T
 * @param T     the type
 * @param name  a private variable of that type (reap_item_private()), which becomes the result
 * @param v     an expression, in which all words of phases may be used */
#define reap_sub_groups_reduce(op, T, name, v) REAP__SUB_GROUPS_REDUCE(op, T, name, v)
/** `name` becomes the values up to and including this work-item's, combined; see
 * reap_sub_groups_reduce(). */
#define reap_sub_groups_inclusive_scan(op, T, name, v) REAP__SUB_GROUPS_INCLUSIVE(op, T, name, v)
/** `name` becomes the values before this work-item's, combined; of the first of a sub-group, the
 * identity. See reap_sub_groups_reduce(). */
#define reap_sub_groups_exclusive_scan(op, T, name, v)                                             \
    REAP__SUB_GROUPS_EXCLUSIVE("reap_sub_groups_exclusive_scan", op, T, name, v)
/** `name` becomes the value of the work-item with that index in the sub-group; see
 * reap_sub_groups_reduce() and reap_sub_group_shuffle().
 *
 * @param T     the type
 * @param name  a private variable
 * @param v     an expression: the value
 * @param item  an expression: an index in the sub-group */
#define reap_sub_groups_shuffle(T, name, v, item)                                                  \
    REAP__SUB_GROUPS_MOVE(T, name, v, reap__lane_at, item)
/** `name` becomes the value of the work-item so many before this one; see
 * reap_sub_groups_shuffle(). */
#define reap_sub_groups_shuffle_up(T, name, v, by)                                                 \
    REAP__SUB_GROUPS_MOVE(T, name, v, reap__lane_up, by)
/** `name` becomes the value of the work-item so many after this one; see
 * reap_sub_groups_shuffle(). */
#define reap_sub_groups_shuffle_down(T, name, v, by)                                               \
    REAP__SUB_GROUPS_MOVE(T, name, v, reap__lane_down, by)
/** `name` becomes the value of the work-item whose index is this one's ^ mask; see
 * reap_sub_groups_shuffle(). */
#define reap_sub_groups_shuffle_xor(T, name, v, mask)                                              \
    REAP__SUB_GROUPS_MOVE(T, name, v, reap__lane_xor, mask)
/** `name`, a private bool, becomes whether the condition is true for any work-item of the
 * sub-group; see reap_sub_groups_reduce(). */
#define reap_sub_groups_any(name, condition)                                                       \
    REAP__SUB_GROUPS_VOTE(name, condition, reap_ballot_ != 0)
/** `name`, a private bool, becomes whether the condition is true for all of them. */
#define reap_sub_groups_all(name, condition)                                                       \
    REAP__SUB_GROUPS_VOTE(name, condition, reap_ballot_ == reap__all_bits(reap_n_))
/** `name`, a private bool, becomes whether the condition is false for all of them. */
#define reap_sub_groups_none(name, condition)                                                      \
    REAP__SUB_GROUPS_VOTE(name, condition, reap_ballot_ == 0)
/** `name`, a private uint32_t, becomes a bit for each work-item of the sub-group: whether the
 * condition is true for it. */
#define reap_sub_groups_ballot(name, condition) REAP__SUB_GROUPS_VOTE(name, condition, reap_ballot_)

/** The order of an atomic operation, or of a fence (SYCL 2020, section 3.8.3.1): it orders nothing
 * else. The default. */
#define REAP_ORDER_RELAXED 0
/** An order for reading: later accesses of the work-item come after the operation. If it reads what
 * a REAP_ORDER_RELEASE has written, the work-item sees all writes before that. */
#define REAP_ORDER_ACQUIRE 2
/** An order for writing: earlier accesses of the work-item come before the operation. */
#define REAP_ORDER_RELEASE 3
/** Both REAP_ORDER_ACQUIRE and REAP_ORDER_RELEASE, for operations that read and write. */
#define REAP_ORDER_ACQ_REL 4
/** REAP_ORDER_ACQUIRE, REAP_ORDER_RELEASE or both, as the operation reads, writes or does both; and
 * all operations of this order are in one order that all work-items see. */
#define REAP_ORDER_SEQ_CST 5
/** The scope of an atomic operation, or of a fence (SYCL 2020, section 3.8.3.2): for which
 * work-items the order holds, and the operation is one. Here: those of the sub-group. */
#define REAP_SCOPE_SUB_GROUP 16
/** The scope of the work-items of the work-group. */
#define REAP_SCOPE_WORK_GROUP 17
/** The scope of all work-items on the device. The default. */
#define REAP_SCOPE_DEVICE 18
/** The scope of all devices, and of the program's threads. */
#define REAP_SCOPE_SYSTEM 19

/** Adds `v` to an object atomically.
 *
 * @code{.c}
 * reap_atomic_fetch_add(object, v);
 * reap_atomic_fetch_add(object, v, order);
 * reap_atomic_fetch_add(object, v, order, scope);
 * @endcode
 *
 * This and the following are atomic operations (SYCL 2020, section 4.15.3), for any kernel. All
 * take an order and a scope as their last arguments: constants, which may be omitted. The order is
 * REAP_ORDER_RELAXED then, the scope REAP_SCOPE_DEVICE. [Atomics](docs/atomics.md) has the orders
 * and scopes of devices. A launch on a device that lacks one fails with
 * REAP_ERROR_COMPILATION_FAILED.
 *
 * - `object`: a pointer to an integer of 32 or 64 bits, a float, a double or, except on OpenCL
 *   devices, a pointer, in global or local memory. Minimum and maximum are of numbers, bitwise
 *   operations of integers;
 * - `v`: the value; a number of elements where the object is a pointer.
 *
 * Returns the previous value. Sums of integers wrap. */
#define reap_atomic_fetch_add(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_add", reap__atomic_fetch_add, REAP__ATOMIC_TERMS,            \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Subtracts `v` from an object atomically.
 *
 * @code{.c}
 * reap_atomic_fetch_sub(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_sub(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_sub", reap__atomic_fetch_sub, REAP__ATOMIC_TERMS,            \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Sets an object to the minimum of itself and `v`, atomically: to `v` if that is less.
 *
 * @code{.c}
 * reap_atomic_fetch_min(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_min(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_min", reap__atomic_fetch_min, REAP__ATOMIC_NUMBERS,          \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Sets an object to the maximum of itself and `v`, atomically: to `v` if that is greater.
 *
 * @code{.c}
 * reap_atomic_fetch_max(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_max(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_max", reap__atomic_fetch_max, REAP__ATOMIC_NUMBERS,          \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Computes `*object &= v` atomically, for integers.
 *
 * @code{.c}
 * reap_atomic_fetch_and(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_and(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_and", reap__atomic_fetch_and, REAP__ATOMIC_INTEGERS,         \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Computes `*object |= v` atomically, for integers.
 *
 * @code{.c}
 * reap_atomic_fetch_or(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_or(...)                                                                  \
    REAP__ATOMIC_2("reap_atomic_fetch_or", reap__atomic_fetch_or, REAP__ATOMIC_INTEGERS,           \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Computes `*object ^= v` atomically, for integers.
 *
 * @code{.c}
 * reap_atomic_fetch_xor(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_fetch_xor(...)                                                                 \
    REAP__ATOMIC_2("reap_atomic_fetch_xor", reap__atomic_fetch_xor, REAP__ATOMIC_INTEGERS,         \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Reads an object atomically.
 *
 * @code{.c}
 * reap_atomic_load(object, [order, [scope]]);
 * @endcode
 *
 * Returns its value. Orders: relaxed, acquire, seq_cst;
 * see reap_atomic_fetch_add(). */
#define reap_atomic_load(...)                                                                      \
    REAP__ATOMIC_1("reap_atomic_load", reap__atomic_load, REAP__ATOMIC_VALUES, REAP__LOAD_ORDERS,  \
                   __VA_ARGS__)
/** Sets an object to `v` atomically.
 *
 * @code{.c}
 * reap_atomic_store(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns nothing. Orders: relaxed, release, seq_cst;
 * see reap_atomic_fetch_add(). */
#define reap_atomic_store(...)                                                                     \
    REAP__ATOMIC_2("reap_atomic_store", reap__atomic_store, REAP__ATOMIC_OBJECTS,                  \
                   REAP__STORE_ORDERS, __VA_ARGS__)
/** Sets an object to `v` atomically.
 *
 * @code{.c}
 * reap_atomic_exchange(object, v, [order, [scope]]);
 * @endcode
 *
 * Returns the previous value; see reap_atomic_fetch_add(). */
#define reap_atomic_exchange(...)                                                                  \
    REAP__ATOMIC_2("reap_atomic_exchange", reap__atomic_exchange, REAP__ATOMIC_VALUES,             \
                   REAP__ALL_ORDERS, __VA_ARGS__)
/** Sets an object to `v` if it has the bits of `expected`, atomically.
 *
 * @code{.c}
 * reap_atomic_compare_exchange(object, expected, v, [order, [scope]]);
 * reap_atomic_compare_exchange(object, expected, v, order_if_equal, order_if_not, scope);
 * @endcode
 *
 * Returns the previous value: `expected` if the object was set. The second order is that of
 * reading an object with other bits, at most as strong as the first; by default it is the first,
 * without what it says of writing. See reap_atomic_fetch_add(). */
#define reap_atomic_compare_exchange(...)                                                          \
    REAP__ATOMIC_3("reap_atomic_compare_exchange", reap__atomic_compare_exchange,                  \
                   REAP__ATOMIC_VALUES, __VA_ARGS__)
/** Sets an object to `v` if it has the bits of `*expected`, atomically; else sets `*expected` to
 * the object's value.
 *
 * @code{.c}
 * reap_atomic_compare_exchange_strong(object, expected, v, [order, [scope]]);
 * reap_atomic_compare_exchange_strong(object, expected, v, order_if_equal, order_if_not, scope);
 * @endcode
 *
 * `expected` points to a local variable. Returns a bool: whether the object was set. See
 * reap_atomic_compare_exchange(). */
#define reap_atomic_compare_exchange_strong(...)                                                   \
    REAP__ATOMIC_3("reap_atomic_compare_exchange_strong", reap__atomic_compare_exchange_strong,    \
                   REAP__ATOMIC_OBJECTS, __VA_ARGS__)
/** The same as reap_atomic_compare_exchange_strong(), for loops: it may fail although the bits are
 * equal, and is faster on some processors.
 *
 * @code{.c}
 * reap_atomic_compare_exchange_weak(object, expected, v, [order, [scope]]);
 * reap_atomic_compare_exchange_weak(object, expected, v, order_if_equal, order_if_not, scope);
 * @endcode */
#define reap_atomic_compare_exchange_weak(...)                                                     \
    REAP__ATOMIC_3("reap_atomic_compare_exchange_weak", reap__atomic_compare_exchange_weak,        \
                   REAP__ATOMIC_OBJECTS, __VA_ARGS__)
/** A fence: orders the work-item's accesses to global and local memory before and after it (SYCL
 * 2020, section 4.15.1, atomic_fence).
 *
 * @code{.c}
 * reap_atomic_fence(order, [scope]);
 * @endcode
 *
 * With REAP_ORDER_RELEASE and a relaxed store after it, that store releases; with
 * REAP_ORDER_ACQUIRE and a relaxed load before it, that load acquires. Both together with
 * REAP_ORDER_ACQ_REL and REAP_ORDER_SEQ_CST; fences of the latter are in the one order of all
 * operations of it. Unlike at a barrier, work-items do not wait. See reap_atomic_fetch_add() for
 * the scope. */
#define reap_atomic_fence(...) REAP__ATOMIC_FENCE(__VA_ARGS__)

/** Combines a value into a reduction.
 *
 * A reduction with a location also records this work-item's linear id. A work-item may combine
 * never, once or many times, in any kernel and its helper functions.
 *
 * @param reduction  a parameter of the kernel or of the helper function
 * @param v          the value */
#define reap_combine(reduction, v)                                                                 \
    (REAP__CLAIM(REAP__IS_SCALAR(reduction),                                                       \
                 "Reap: '" #reduction "' is a span: reap_combine_at(" #reduction                   \
                 ", index, value) combines a value into one of its elements"),                     \
     REAP__IF_CLANG(REAP__FATAL_BEGIN(void) sizeof(                                                \
                        0 ? (__typeof__(reduction) *)0                                             \
                          : (const reap__reduction_takes_values_by_reap_combine *)0)               \
                        REAP__FATAL_END, )                                                         \
         reduction##_reap_function((reduction), reduction##_reap_set, reap_item_.lane_, (v)))
/** Combines a value into an element of a span.
 *
 * Sums (plus) of float and double are exact: an element is the sum of its values and of the
 * variable, rounded once, whatever their order. Minimum and maximum take -0 as +0 (docs/spans.md).
 *
 * If `index` is out of range, nothing is combined, the command fails with
 * REAP_ERROR_INDEX_OUT_OF_RANGE, and reduction variables keep their values.
 *
 * @param span   a parameter of the kernel or of the helper function
 * @param index  the element
 * @param v      the value */
#define reap_combine_at(span, index, v)                                                            \
    (REAP__CLAIM(REAP__IS_SPAN(span), "Reap: '" #span "' is not a span: reap_combine(" #span       \
                                      ", value) combines a value into it"),                        \
     REAP__IF_CLANG(REAP__FATAL_BEGIN(void) sizeof(                                                \
                        0 ? (__typeof__(span) *)0                                                  \
                          : (struct reap__span_takes_values_by_reap_combine_at *const *)0)         \
                        REAP__FATAL_END, )                                                         \
         span##_reap_function((span), span##_reap_set, span##_reap_span, (index), (v)))

/** Defines an operator for reduce_with, reduce_span_with and group algorithms.
 *
 * @code{.c}
 * REAP_OPERATOR(name, T, identity, a, b) { return ...; }
 * @endcode
 *
 * It also defines the function name_identity(), which returns the identity. T has any size except
 * 0, and is copied byte by byte. The operator should be associative and commutative. For one that
 * is not, the result depends on the reduction shape, and is still the same on all devices. The
 * identity leaves every x that is combined unchanged, as the second operand and as the first (SYCL
 * 2020, section 4.17.1). With one that does so only as the second, reduce_span_with has other
 * results on other devices. An operator that has no such value has no identity:
 * REAP_OPERATOR_NO_IDENTITY().
 *
 * @param name      the operator
 * @param T         the type of its operands and its result
 * @param identity  an expression of type T
 * @param a         names the first operand in the body
 * @param b         names the second operand in the body */
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
    REAP__BODY T REAP__BY_MEMBER reap_operator_##name(T a, T b)

/** Defines an operator without an identity, and without a function name_identity(); see
 * REAP_OPERATOR(). */
#define REAP_OPERATOR_NO_IDENTITY(name, T, a, b)                                                   \
    REAP__OPERATOR(name, T, 0)                                                                     \
    REAP__INLINE void reap_put_identity_##name(T *into_)                                           \
    {                                                                                              \
        (void)into_;                                                                               \
    }                                                                                              \
    REAP__BODY T REAP__BY_MEMBER reap_operator_##name(T a, T b)

/** Applies an operator to two values, inside or outside a kernel.
 *
 * A built-in one computes what a reduction computes of two values, with the same bits on every
 * device: minimum(a, b) is b < a ? b : a, integers wrap, a result that is NaN is the canonical NaN
 * (docs/reduction-shape.md). Both values must have the same type, which the operator fits, and
 * which is the type of the result; logical_and and logical_or convert theirs to bool.
 *
 * @param name  a user's operator, or a built-in one except exact_plus
 * @param a     the first operand
 * @param b     the second operand
 * @return the operator's result */
#define reap_operate(name, a, b) REAP__PASTE(REAP__OPERATE_, REAP__IS_OPERATOR(name))(name, a, b)

/** A value of a struct type from its members' values, in their order; works in every dialect. */
#define reap_value(T, ...) ((T){__VA_ARGS__})

/** The identity of a built-in operator for a type (SYCL 2020, section 4.17.1, known_identity_v), a
 * constant. */
#define reap_known_identity(op, T) REAP__IDENTITY(op, T)
/** Whether an operator is built in and has an identity for a type (SYCL 2020, section 4.17.1,
 * has_known_identity_v): a constant, 1 or 0. */
#define reap_has_known_identity(op, T)                                                             \
    REAP__PASTE(REAP__HAS_IDENTITY_, REAP__IS_OPERATOR(op))(op, T)

/** The first parameter of a helper function that uses ids, barriers, group algorithms or
 * reductions. */
#define REAP_ITEM const reap_item reap_item_ __attribute__((__unused__))
/** The argument for REAP_ITEM, in a kernel or in a helper function that has REAP_ITEM. */
#define REAP_THIS_ITEM                                                                             \
    (_Generic(reap_item_, reap_item                                                                \
              : reap__same_item, reap__item_of_a_kernel_without_work_groups                        \
              : reap__item_for_helpers)(reap_item_))
/** A helper function's parameter, after REAP_ITEM: a reduction of that operator and type. */
#define reap_reducer(op, T, name) REAP__SCALAR_PARAMETERS(op, T, name)
/** A helper function's parameter: an array reduction. */
#define reap_span_reducer(op, T, name) REAP__SPAN_PARAMETERS(op, T, name)
/** A helper function's parameter: a reduction with a location. */
#define reap_location_reducer(op, T, name) REAP__LOCATION_PARAMETERS(op, T, name)
/** The argument for reap_reducer() or reap_location_reducer(). */
#define reap_pass(name) name, name##_reap_function, name##_reap_set
/** The argument for reap_span_reducer(). */
#define reap_pass_span(name) name, name##_reap_function, name##_reap_set, name##_reap_span

/** Precedes the type that a pointer points to: a pointer into an array.
 *
 * REAP_GLOBAL, REAP_LOCAL and REAP_CONSTANT are empty on the host; OpenCL needs them. */
#define REAP_GLOBAL
/** Precedes the type that a pointer points to: a pointer into local memory. */
#define REAP_LOCAL
/** Precedes the type of a constant table outside functions. */
#define REAP_CONSTANT

/** Marks a file without kernels that kernel files include, so that devices' compilers get its text.
 *
 * It appears once in the file, without a semicolon. */
#define REAP_KERNEL_FILE REAP__SOURCE_FILE(__COUNTER__)

/** Passes a macro of the build's options to devices' compilers. It is written without a semicolon.
 * A macro that is not defined is a compile error. */
#define REAP_KERNEL_MACRO(macro) REAP__SOURCE_MACRO(#macro, REAP__TEXT(macro), __COUNTER__)

#endif
