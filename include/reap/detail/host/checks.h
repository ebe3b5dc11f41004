/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a kernel's list of parameters, so that each mistake causes one message. The preprocessor
 * checks first; if it finds a mistake, nothing of the kernel is compiled. Whether operators fit
 * their types is checked by one static assertion; what does not fit still compiles (operators.h).
 * Compilers print the macros that a message comes through, up to three lines for each. gcc does not
 * for system headers; for clang, what may be wrong is expanded in the outermost macro.
 */
#ifndef REAP_DETAIL_HOST_CHECKS_H
#define REAP_DETAIL_HOST_CHECKS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/operators.h>
#include <reap/detail/host/parameters.h>

/* REAP__VERDICT: fit_ or refused_; REAP__FAULT_TEXT: why. Both are picked from a list, to which
 * each fault adds two entries. */
#define REAP__VERDICT(kernel, ...) REAP__SECOND(REAP__FAULTS(kernel, __VA_ARGS__), fit_)
#define REAP__FAULT_TEXT(kernel, ...) REAP__THIRD(REAP__FAULTS(kernel, __VA_ARGS__))
#define REAP__FAULTS(kernel, ...)                                                                  \
    ~REAP__PASTE(REAP__FAULT_LEVEL_, __INCLUDE_LEVEL__) REAP__UNNAMED(REAP__FIRST(__VA_ARGS__))    \
        REAP__EACH(REAP__FAULT_IN_##kernel, __VA_ARGS__)
#define REAP__FAULT_LEVEL_0 , refused_, " must be in a file of its own, which the C file includes",
#define REAP__UNNAMED(k) REAP__UNNAMED_OF(k)
#define REAP__UNNAMED_OF(k)                                                                        \
    REAP__FAULT_NAME_##k REAP__PASTE(REAP__FAULT_FIRST_, REAP__SECOND(REAP__KIND_##k, none_))
#define REAP__FAULT_NAME_ , refused_, " needs a name",
#define REAP__FAULT_FIRST_none_
#define REAP__FAULT_FIRST_right_ , refused_, " is a parameter; the kernel's name comes first",
#define REAP__FAULT_FIRST_count_ REAP__FAULT_FIRST_right_
#define REAP__EACH_many_(...) , refused_, " has too many parameters (at most 63)"

#define REAP__FAULT_IN_ANY(k, p)                                                                   \
    REAP__PASTE(REAP__FAULT_, REAP__SECOND(REAP__KIND_##p, kind_))(k, p)
#define REAP__FAULT_IN_GROUPS(k, p)                                                                \
    REAP__PASTE(REAP__FAULT_, REAP__SECOND(REAP__GROUPED_##p, none_))(k, p)
#define REAP__FAULT_ALONE_IN_RANGE(k, p)                                                           \
    REAP__PASTE(REAP__FAULT_, REAP__SECOND(REAP__ALONE_##p, none_))(k, p)
#define REAP__FAULT_IN_REAP__ND_KERNEL(k, p) REAP__FAULT_IN_ANY(k, p) REAP__FAULT_IN_GROUPS(k, p)
#define REAP__FAULT_IN_REAP__GROUP_KERNEL(k, p) REAP__FAULT_IN_REAP__ND_KERNEL(k, p)
#define REAP__FAULT_IN_REAP__ANY_KERNEL(k, p)                                                      \
    REAP__FAULT_IN_REAP__KERNEL(k, p) REAP__FAULT_IN_GROUPS(k, p)
#define REAP__FAULT_IN_REAP__KERNEL(k, p) REAP__FAULT_IN_ANY(k, p) REAP__FAULT_ALONE_IN_RANGE(k, p)
#define REAP__GROUPED_reduce_rows(...) ~, grouped_
#define REAP__GROUPED_reduce_rows_with(...) ~, grouped_
#define REAP__GROUPED_reduce_columns(...) ~, grouped_
#define REAP__GROUPED_reduce_columns_with(...) ~, grouped_
#define REAP__FAULT_grouped_(k, p)                                                                 \
    , refused_,                                                                                    \
        ": '" #p "' reduces the rows or columns of a range without work-groups: it must be a "     \
        "REAP_KERNEL"
#define REAP__ALONE_local(...) ~, in_groups_
#define REAP__ALONE_local_2d(...) ~, in_groups_
#define REAP__ALONE_local_3d(...) ~, in_groups_
#define REAP__FAULT_none_(k, p)
#define REAP__FAULT_in_groups_(k, p)                                                               \
    , refused_,                                                                                    \
        " has local memory, which needs work-groups: it must be a REAP_ND_KERNEL or a "            \
        "REAP_GROUP_KERNEL"
#define REAP__FAULT_kind_(k, p)                                                                    \
    , refused_,                                                                                    \
        ": '" #p "' is not a kind of parameter (in, out, inout, value, reduce, reduce_with, "      \
        "reduce_location, reduce_span, reduce_span_with, reduce_rows, reduce_rows_with, "          \
        "reduce_columns, reduce_columns_with, local, local_2d, local_3d, identity)"
#define REAP__FAULT_count_(k, p)                                                                   \
    , refused_,                                                                                    \
        ": '" #p "' has too few or too many entries: in, out, inout, value, local and identity "   \
        "have a type and a name, reductions an operator before them"

/* right_ for a kind of parameter that has as many entries as it needs. */
#define REAP__KIND_in(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_out(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_inout(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_value(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_identity(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_local(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_local_2d(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_local_3d(...) ~, REAP__HAS_TWO(__VA_ARGS__), end_
#define REAP__KIND_reduce(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_with(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_location(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_rows(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_rows_with(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_columns(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_columns_with(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_span(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__KIND_reduce_span_with(...) ~, REAP__HAS_THREE(__VA_ARGS__), end_
#define REAP__HAS_TWO(...)                                                                         \
    REAP__SECOND(REAP__PASTE(REAP__IS_TWO_, REAP__COUNT(__VA_ARGS__)), count_)
#define REAP__HAS_THREE(...)                                                                       \
    REAP__SECOND(REAP__PASTE(REAP__IS_THREE_, REAP__COUNT(__VA_ARGS__)), count_)
#define REAP__IS_TWO_2 ~, right_
#define REAP__IS_THREE_3 ~, right_

/* Reports what follows a parameter. */
#define REAP__FAULT_right_(k, p)                                                                   \
    REAP__PASTE(REAP__FAULT_, REAP__SECOND(REAP__END(REAP__THIRD(REAP__KIND_##p)), more_))(k, p)
#define REAP__END(end) REAP__END_OF(end)
#define REAP__END_OF(end) REAP__IS_##end(~)
#define REAP__IS_end_(...) ~, alone_
#define REAP__FAULT_more_(k, p)                                                                    \
    , refused_, ": '" #p "' is more than one parameter; a comma seems to be missing"

#define REAP__FAULT_alone_(k, p) REAP__FACET_AS_WRITTEN(REAP__FAULT_, k, p)
#define REAP__FAULT_array_(k, kind, T, n, ...) REAP__FAULT_NAMED(n)
#define REAP__FAULT_value_(k, kind, T, n, ...) REAP__FAULT_NAMED(n)
#define REAP__FAULT_local_(k, kind, T, n, ...) REAP__FAULT_NAMED(n)
#define REAP__FAULT_scalar_(k, kind, T, n, op, origin)                                             \
    REAP__FAULT_NAMED(n) REAP__FAULT_OPERATOR(n, op, origin, REAP__IS_OPERATOR(op))
#define REAP__FAULT_span_(k, kind, T, n, op, origin)                                               \
    REAP__FAULT_NAMED(n)                                                                           \
    REAP__FAULT_OPERATOR(n, op, origin, REAP__IS_OPERATOR(op))                                     \
    REAP__PASTE(REAP__FAULT_SPAN_, REAP__SECOND(REAP__CLASS_##op, scalar_))(n, op)
#define REAP__FAULT_SPAN_scalar_(n, op)
#define REAP__FAULT_SPAN_exact_(n, op)                                                             \
    , refused_, ": '" #n "' has operator '" #op "', which array reductions do not have"
#define REAP__FAULT_exact_(...) REAP__FAULT_scalar_(__VA_ARGS__)
#define REAP__FAULT_location_(k, kind, T, n, op, origin)                                           \
    REAP__FAULT_NAMED(n)                                                                           \
    REAP__FAULT_OPERATOR(n, op, location_, REAP__SECOND(REAP__HAS_LOCATION_##op, 0))
#define REAP__HAS_LOCATION_minimum ~, 1
#define REAP__HAS_LOCATION_maximum ~, 1
#define REAP__FAULT_OPERATOR(n, op, origin, is)                                                    \
    REAP__PASTE(REAP__FAULT_OPERATOR_##origin, is)(": '" #n "' has operator '" #op "', ")
#define REAP__FAULT_OPERATOR_builtin_0(what)                                                       \
    , refused_, what "which is not a built-in operator (for a REAP_OPERATOR use reduce_with)"
#define REAP__FAULT_OPERATOR_builtin_1(what)
#define REAP__FAULT_OPERATOR_location_0(what)                                                      \
    , refused_, what "and only minimum and maximum have a location"
#define REAP__FAULT_OPERATOR_location_1(what)
#define REAP__FAULT_OPERATOR_user_0(what)
#define REAP__FAULT_OPERATOR_user_1(what)                                                          \
    , refused_, what "which is built in (use reduce or reduce_span)"

/* Reports a type where the name should be. */
#define REAP__FAULT_NAMED(n) REAP__PASTE(REAP__FAULT_NAMED_, REAP__SECOND(REAP__IS_TYPE_##n, 0))(n)
#define REAP__FAULT_NAMED_0(n)
#define REAP__FAULT_NAMED_1(n)                                                                     \
    , refused_,                                                                                    \
        ": '" #n                                                                                   \
        "' is a type, where the parameter's name is expected: the type comes first, as in "        \
        "in(float, x)"
#define REAP__IS_TYPE_bool ~, 1,
#define REAP__IS_TYPE__Bool ~, 1,
#define REAP__IS_TYPE_char ~, 1,
#define REAP__IS_TYPE_short ~, 1,
#define REAP__IS_TYPE_int ~, 1,
#define REAP__IS_TYPE_long ~, 1,
#define REAP__IS_TYPE_signed ~, 1,
#define REAP__IS_TYPE_unsigned ~, 1,
#define REAP__IS_TYPE_float ~, 1,
#define REAP__IS_TYPE_double ~, 1,
#define REAP__IS_TYPE_const ~, 1,
#define REAP__IS_TYPE_struct ~, 1,
#define REAP__IS_TYPE_union ~, 1,
#define REAP__IS_TYPE_enum ~, 1,
#define REAP__IS_TYPE_size_t ~, 1,
#define REAP__IS_TYPE_int8_t ~, 1,
#define REAP__IS_TYPE_int16_t ~, 1,
#define REAP__IS_TYPE_int32_t ~, 1,
#define REAP__IS_TYPE_int64_t ~, 1,
#define REAP__IS_TYPE_uint8_t ~, 1,
#define REAP__IS_TYPE_uint16_t ~, 1,
#define REAP__IS_TYPE_uint32_t ~, 1,
#define REAP__IS_TYPE_uint64_t ~, 1,
#define REAP__IS_TYPE_reap_half ~, 1,
#define REAP__IS_TYPE_reap_bfloat16 ~, 1,

/* For clang, a pragma that reports the mistake: a message, which is fatal where a kernel begins.
 * Without a mistake a pragma without effect. */
#define REAP__STOP(kernel, ...)                                                                    \
    REAP__PASTE(REAP__STOP_, REAP__VERDICT(kernel, __VA_ARGS__))(kernel, __VA_ARGS__)
#define REAP__STOP_refused_(kernel, ...)                                                           \
    REAP__TEXT(message(REAP__WRONG_refused_(kernel, __VA_ARGS__)))
#define REAP__STOP_fit_(...) REAP__NO_STOP
#define REAP__NO_STOP "clang diagnostic fatal \"-W#pragma-messages\""

/* For clang, names that must be declared once before a kernel (users' operators), or not at all
 * (another kernel of its name); see launch.h. */
#define REAP__DECLARED_BEFORE(...)                                                                 \
    REAP__UNSIZED_KERNEL(REAP__FIRST(__VA_ARGS__))                                                 \
    REAP__EACH(REAP__OPERATOR_BEFORE, __VA_ARGS__)
#define REAP__UNSIZED_KERNEL(k) REAP__UNSIZED_KERNEL_OF(k)
#define REAP__UNSIZED_KERNEL_OF(k) REAP__UNSIZED(kernel_##k)
#define REAP__OPERATOR_BEFORE(k, p) REAP__FACET_AS_WRITTEN(REAP__OPERATOR_BEFORE_, k, p)
#define REAP__OPERATOR_BEFORE_array_(...)
#define REAP__OPERATOR_BEFORE_value_(...)
#define REAP__OPERATOR_BEFORE_local_(...)
#define REAP__OPERATOR_BEFORE_location_(...)
#define REAP__OPERATOR_BEFORE_exact_(...)
#define REAP__OPERATOR_BEFORE_scalar_(k, kind, T, n, op, origin) REAP__BEFORE_##origin(op)
#define REAP__OPERATOR_BEFORE_span_(k, kind, T, n, op, origin) REAP__BEFORE_##origin(op)
#define REAP__BEFORE_builtin_(op)
#define REAP__BEFORE_user_(op) REAP__UNSIZED(operator_##op)

/* A pointer to a struct; after a mistake the struct's name states the mistake. */
#define REAP__UNLESS_WRONG(...)                                                                    \
    REAP__UNLESS_TWO(REAP__FIRST(__VA_ARGS__),                                                     \
                     REAP__EACH(REAP__UNLESS_UNKNOWN, __VA_ARGS__)(                                \
                         struct reap__right *) 0 REAP__EACH(REAP__UNLESS_END, __VA_ARGS__))
#define REAP__UNLESS_TWO(k, ...) REAP__UNLESS_TWO_OF(k, __VA_ARGS__)
#define REAP__UNLESS_TWO_OF(k, ...)                                                                \
    __builtin_choose_expr(REAP__IS_DECLARED(reap__declared_kernel_##k),                            \
                          (struct reap__two_kernels_are_called_##k *)0, __VA_ARGS__)
#define REAP__UNLESS_UNKNOWN(k, p) REAP__FACET_AS_WRITTEN(REAP__UNLESS_UNKNOWN_, k, p)
#define REAP__UNLESS_UNKNOWN_array_(...)
#define REAP__UNLESS_UNKNOWN_value_(...)
#define REAP__UNLESS_UNKNOWN_local_(...)
#define REAP__UNLESS_UNKNOWN_location_(...)
#define REAP__UNLESS_UNKNOWN_exact_(...)
#define REAP__UNLESS_UNKNOWN_scalar_(k, kind, T, n, op, origin) REAP__UNLESS_UNKNOWN_##origin(op)
#define REAP__UNLESS_UNKNOWN_span_(k, kind, T, n, op, origin) REAP__UNLESS_UNKNOWN_##origin(op)
#define REAP__UNLESS_UNKNOWN_builtin_(op)
#define REAP__UNLESS_UNKNOWN_user_(op)                                                             \
    __builtin_choose_expr(!REAP__IS_DECLARED(reap__declared_operator_##op),                        \
                          (struct reap__there_is_no_operator_##op *)0,
#define REAP__UNLESS_END(k, p) REAP__FACET_AS_WRITTEN(REAP__UNLESS_END_, k, p)
#define REAP__UNLESS_END_array_(...)
#define REAP__UNLESS_END_value_(...)
#define REAP__UNLESS_END_local_(...)
#define REAP__UNLESS_END_location_(...)
#define REAP__UNLESS_END_exact_(...)
#define REAP__UNLESS_END_scalar_(k, kind, T, n, op, origin) REAP__UNLESS_END_##origin
#define REAP__UNLESS_END_span_(k, kind, T, n, op, origin) REAP__UNLESS_END_##origin
#define REAP__UNLESS_END_builtin_
#define REAP__UNLESS_END_user_ )

/* For gcc, a pragma that ends the compilation after the message, since a launch of the kernel would
 * cause more: a file that it depends on does not exist. */
#ifdef __clang__
#define REAP__END_OF_FILE REAP__NO_STOP
#else
#define REAP__END_OF_FILE "GCC dependency \"Reap: a kernel is wrong, which ends the compilation\""
#endif

/* The list, with the line number appended to the kernel's name. Everything that is defined for a
 * kernel has this name, so that a second kernel of the same name defines only two things twice. */
#define REAP__IN_LINE(...)                                                                         \
    REAP__PASTE(REAP__IN_LINE_,                                                                    \
                REAP__SECOND(REAP__PASTE(REAP__ALONE_, REAP__COUNT(__VA_ARGS__)), 2))              \
    (__LINE__, __VA_ARGS__)
#define REAP__ALONE_1 ~, 1
#define REAP__IN_LINE_1(line, k) REAP__PASTE(k##_, line)
#define REAP__IN_LINE_2(line, k, ...) REAP__PASTE(k##_, line), __VA_ARGS__

/* Begins the definition of a kernel of a kind; after a mistake, another one, for its body. */
#define REAP__MAKE(kernel, ...)                                                                    \
    REAP__PASTE(REAP__MAKE_, REAP__VERDICT(kernel, __VA_ARGS__))(kernel, __VA_ARGS__)
#define REAP__MAKE_fit_(kernel, ...) REAP__MAKE_OF(kernel##_FIT, __VA_ARGS__)
#define REAP__MAKE_OF(fit, ...)                                                                    \
    REAP__MAKE_BY(fit, REAP__FIRST(__VA_ARGS__), REAP__IN_LINE(__VA_ARGS__))
#define REAP__MAKE_BY(fit, called, ...)                                                            \
    REAP__MAKE_WITH(fit, called, REAP__FIRST(__VA_ARGS__), (__VA_ARGS__), REAP__LISTS(__VA_ARGS__))
#define REAP__MAKE_WITH(fit, ...) fit(__VA_ARGS__)
#define REAP__MAKE_refused_(kernel, ...)                                                           \
    _Pragma(REAP__END_OF_FILE) int REAP__PASTE(reap_no_body_, REAP__FIRST(__VA_ARGS__))

/* Defines names for the parameters' types. */
#define REAP__TYPES(kernel, ...)                                                                   \
    REAP__PASTE(REAP__TYPES_, REAP__VERDICT(kernel, __VA_ARGS__))(__VA_ARGS__)
#define REAP__TYPES_refused_(...)
#define REAP__TYPES_fit_(...)                                                                      \
    REAP__EACH(REAP__TYPE_OF, REAP__IN_LINE(__VA_ARGS__)) REAP__EACH(REAP__SIZED, __VA_ARGS__)

/* Checks that a reduction's type has a size. The flags of its operator (operators.h) get a type
 * even if the operator was not declared. */
#define REAP__SIZED(k, p) REAP__FACET_AS_WRITTEN(REAP__SIZED_, k, p)
#define REAP__SIZED_array_(...)
#define REAP__SIZED_value_(...)
#define REAP__SIZED_local_(...)
#define REAP__SIZED_scalar_(k, kind, T, n, op, ...)                                                \
    struct reap_flag_##op;                                                                         \
    _Static_assert(sizeof(T) > 0,                                                                  \
                   "Reap kernel '" #k "': '" #n "' has type '" #T "', whose size is 0");
#define REAP__SIZED_span_(...) REAP__SIZED_scalar_(__VA_ARGS__)
#define REAP__SIZED_location_(...)
#define REAP__SIZED_exact_(...) REAP__SIZED_scalar_(__VA_ARGS__)

/* ---- Checks by the compiler -------------------------------------------------------------------*/

#define REAP__IS_RIGHT(kernel, ...)                                                                \
    REAP__PASTE(REAP__IS_RIGHT_, REAP__VERDICT(kernel, __VA_ARGS__))(__VA_ARGS__)
#define REAP__IS_RIGHT_refused_(...) 0
#define REAP__IS_RIGHT_fit_(...) 1 REAP__EACH(REAP__FITTING, REAP__IN_LINE(__VA_ARGS__))
#define REAP__WHAT_IS_WRONG(kernel, ...)                                                           \
    REAP__PASTE(REAP__WRONG_, REAP__VERDICT(kernel, __VA_ARGS__))(kernel, __VA_ARGS__)
#define REAP__WRONG_refused_(kernel, ...)                                                          \
    "Reap kernel '" REAP__TEXT(REAP__FIRST(__VA_ARGS__)) "'" REAP__FAULT_TEXT(kernel, __VA_ARGS__)
#define REAP__WRONG_fit_(kernel, ...)                                                              \
    "Reap kernel '" REAP__TEXT(REAP__FIRST(__VA_ARGS__)) "'" REAP__EACH(REAP__MISFIT, __VA_ARGS__)

#define REAP__FITTING(k, p) REAP__FACET(REAP__FITTING_, k, p)
#define REAP__FITTING_array_(...)
#define REAP__FITTING_value_(...)
#define REAP__FITTING_local_(k, kind, T, n, ...) &&_Alignof(T) <= 64
#define REAP__FITTING_scalar_(k, kind, T, n, op, origin) REAP__FITTING_##origin(T, op)
#define REAP__FITTING_span_(k, kind, T, n, op, origin) REAP__FITTING_##origin(T, op)
#define REAP__FITTING_exact_(...) REAP__FITTING_scalar_(__VA_ARGS__)
#define REAP__FITTING_location_(k, kind, T, n, op, origin) REAP__FITTING_##origin(T, op)
#define REAP__FITTING_builtin_(T, op) &&REAP__FITS(op, T)
#define REAP__FITTING_user_(T, op)                                                                 \
    &&reap_operator_has_identity_##op >= 0 &&                                                      \
        _Generic(&reap_operator_##op, T(REAP__BY_MEMBER *)(T, T) : 1, default : 0)

/* The message if the assertion does not hold; if several parameters may be wrong, all of them. */
#define REAP__MISFIT(k, p) REAP__FACET_AS_WRITTEN(REAP__MISFIT_, k, p)
#define REAP__MISFIT_array_(...)
#define REAP__MISFIT_value_(...)
#define REAP__MISFIT_local_(k, kind, T, n, ...)                                                    \
    ": '" #n "' has type '" #T "', whose alignment is more than 64 bytes"
#define REAP__MISFIT_scalar_(k, kind, T, n, op, origin) REAP__MISFIT_##origin(T, n, op)
#define REAP__MISFIT_span_(k, kind, T, n, op, origin) REAP__MISFIT_##origin(T, n, op)
#define REAP__MISFIT_exact_(...) REAP__MISFIT_scalar_(__VA_ARGS__)
#define REAP__MISFIT_location_(k, kind, T, n, op, origin) REAP__MISFIT_##origin(T, n, op)
#define REAP__MISFIT_builtin_(T, n, op)                                                            \
    ": '" #n "' has operator '" #op "', which does not fit type '" #T "'"
#define REAP__MISFIT_user_(T, n, op)                                                               \
    ": '" #n "' has operator '" #op "', which was not declared for type '" #T "'"

#endif
