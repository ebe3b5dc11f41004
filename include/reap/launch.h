/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Launches: a kernel, over a range, on a queue, with arguments by name.
 *
 * @code{.c}
 * status = reap_parallel_for(queue, sum_and_max, reap_range_1d(count),
 *                            .values = values,
 *                            .sum = &sum,
 *                            .max = &max);
 * @endcode
 *
 * Each kernel has its own argument struct, so the compiler reports a misspelt name and a pointer of
 * the wrong type. <reap/kernel_words.h> describes the members.
 */
#ifndef REAP_LAUNCH_H
#define REAP_LAUNCH_H

/* Makes gcc's messages show the program's line only, and not the expansion of the macros here. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/api.h>
#include <reap/device.h>
#include <reap/event.h>
#include <reap/part.h>
#include <reap/queue.h>
#include <reap/range.h>
#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

/** Values for `.properties` of a reduction (SYCL 2020, section 4.9.2.2). */
enum reap_reduction_property {
    REAP_INITIALIZE_TO_IDENTITY = 1 /**< the value of .variable is not included, as with .result */
};

/** The member `.launch` of every kernel's arguments; all zero is the default. */
typedef struct reap_launch_options {
    reap_event *const *wait_for; /**< events that the command runs after; default: none */
    size_t wait_for_count;       /**< how many; default: 0 */
    reap_event **event; /**< receives the command's event, which the caller releases; default: NULL,
                         * no event */
    uint64_t first_item; /**< the number that the first work-item has in the whole reduction, where
                          * the launch's reductions go to parts (<reap/part.h>); default: 0 */
    const char *divided; /**< on combined devices (reap_device_combine()): names of arrays, with
                          * blanks between them, of which work-item i uses element i alone, or as
                          * "name*3" elements 3 i to 3 i + 2; valid until the command has completed,
                          * as a string literal is; default: NULL, none */
} reap_launch_options;

/** @struct reap_kernel
 * A kernel. REAP_KERNEL(NAME, ...) defines the constant `reap_kernel_NAME` of this type, and the
 * struct `reap_arguments_NAME` of its arguments. Its members belong to the library. */
struct reap_kernel;

/** Launches a kernel (SYCL 2020, section 4.9.4.2.2, parallel_for). reap_parallel_for() calls it.
 *
 * It equals this serial loop, in which each reduction combines values in the order of
 * [the reduction shape](docs/reduction-shape.md):
 *
 * @code{.c}
 * for (item = 0; item < the range's items; item++)
 *     body(item, arguments);
 * @endcode
 *
 * The items of a work-group run concurrently and wait at barriers; groups are not ordered
 * ([groups](docs/groups.md)). <reap/queue.h> says when a launch returns.
 *
 * The status of a launch reports whether the command was accepted. It returns
 * REAP_ERROR_INVALID_ARGUMENT, before anything runs, for
 * - a NULL pointer; an array that is NULL or misaligned
 * - a reduction without a variable, or with two
 * - two reductions whose variables overlap, or an output that is given twice
 * - a reduction variable inside a buffer that the command uses as an array
 * - `.result` or REAP_INITIALIZE_TO_IDENTITY without an identity
 * - 2^64 work-items or more
 * - work-groups that do not divide the range, or that the device cannot run
 * - a launch inside a kernel
 *
 * [Reductions](docs/reductions.md) and [groups](docs/groups.md) have the whole list.
 *
 * reap_queue_wait() and the command's event return the command's result; it can be
 * REAP_ERROR_INDEX_OUT_OF_RANGE, REAP_ERROR_DIVERGENT_BARRIER, REAP_ERROR_DEPENDENCY_FAILED, or
 * REAP_ERROR_OUT_OF_MEMORY if the kernel's reap_item_private() variables exceed their limits. A
 * launch without `.launch.event` returns such an error too if the command has already failed, as on
 * the host; reap_queue_wait() returns it again.
 *
 * The arrays must remain valid, and no other code may use the reduction variables, until the
 * command has completed.
 *
 * @param queue      the queue
 * @param kernel     the kernel, such as &reap_kernel_sum_and_max
 * @param arguments  the kernel's argument struct, whose first member is the range; not used after
 *                   the call
 * @retval REAP_ERROR_INVALID_ARGUMENT    see above
 * @retval REAP_ERROR_OUT_OF_MEMORY       memory ran out, or the calling thread has too little stack
 *                                        left ([threads](docs/threads.md))
 * @retval REAP_ERROR_INEXACT_BUILD       the kernel was compiled with options that change results,
 *                                        or its text asks for such ones
 * @retval REAP_ERROR_COMPILATION_FAILED  a device's compiler rejected the kernel's text
 * @retval REAP_ERROR_DEVICE_FAILED       a device failed
 * @note Any thread may call it. An in-order queue runs one command at a time. */
REAP_API reap_status reap_launch(reap_queue *queue, const struct reap_kernel *kernel,
                                 const void *arguments);

/** Compiles a kernel for a device before its first launch, and keeps the result as a launch does.
 *
 * The compiled code depends on the launch, too. This compiles for launches whose arrays begin at
 * multiples of 16 bytes from the start of their buffers, and whose reduction variables are in no
 * buffer. Other launches compile their code when they run first.
 *
 * A REAP_ANY_KERNEL is compiled for ranges and for nd_ranges, and fails if either fails.
 *
 * The host checks the kernel's text: variables of the program, pragmas that change results, and
 * statements that are not allowed between phases or in one, are refused. It compiles a
 * REAP_ND_KERNEL() to loops if it can, and a REAP_ANY_KERNEL() for nd_ranges
 * ([groups](docs/groups.md)); else the call succeeds, and reap_kernel_code() has the reason.
 *
 * @param device      the device
 * @param kernel      the kernel, such as &reap_kernel_sum_and_max
 * @param dimensions  of the range, 1 to 3
 * @retval REAP_ERROR_COMPILATION_FAILED  reap_last_error() has the file and line, reap_last_log()
 *                                        the compiler's whole output
 * @retval REAP_ERROR_INEXACT_BUILD       the kernel's text asks for options that change results
 * @retval REAP_ERROR_INVALID_ARGUMENT    a pointer is NULL, or `dimensions` is out of range
 * @retval REAP_ERROR_OUT_OF_MEMORY       memory ran out
 * @retval REAP_ERROR_DEVICE_FAILED       the device failed
 * @note Blocks while the compiler runs. Any thread may call it. */
REAP_API reap_status reap_kernel_compile(const reap_device *device,
                                         const struct reap_kernel *kernel, unsigned dimensions);

/** Says what runs a kernel for ranges of that many dimensions.
 *
 * On the host the work-items of a REAP_ND_KERNEL() run on fibers until the library has compiled the
 * kernel with the system's C compiler ([groups](docs/groups.md)). So do those of a
 * REAP_ANY_KERNEL() in launches over nd_ranges, of which this tells; its launches over ranges run
 * what the program's compiler has made.
 *
 * @param device      the device
 * @param kernel      the kernel, such as &reap_kernel_sum_and_max
 * @param dimensions  1, 2 or 3
 * @return a phrase that is valid until the program ends: "compiled by the program's compiler",
 *         "compiled by the device's compiler", "compiled at run time", or "fibers: " and why; "" if
 *         an argument is invalid
 * @note Any thread may call it. */
REAP_API const char *reap_kernel_code(const reap_device *device, const struct reap_kernel *kernel,
                                      unsigned dimensions);

/** Launches a kernel by its name; the status is that of reap_launch().
 *
 * @code{.c}
 * reap_parallel_for(queue, kernel, range, .name = argument, ...)
 * @endcode
 *
 * - Arguments are in any order; one that is omitted is zero. `.launch` has the options.
 * - A reduction that needs only a variable needs no braces: `.sum = &sum`.
 * - A pointer to another type than the parameter's is an error with any compiler options except -w.
 * - The kernel's code for other dimensions is not compiled if the range begins with
 *   `reap_range_1d(`, `reap_nd_range_1d(` or the same of two dimensions. A conditional expression
 *   that begins so must be in parentheses.
 * - It is available in C only: C++ has no compound literals with designators in any order. */
#define reap_parallel_for(queue, kernel, ...)                                                      \
    __extension__({                                                                                \
        REAP__STRICT_BEGIN                                                                         \
        REAP__IF_CLANG(extern struct reap__declared *reap__declared_kernel_##kernel[];             \
                       REAP__FATAL_BEGIN(void) sizeof(                                             \
                           0 ? REAP__UNLESS_DECLARED(reap__declared_kernel_##kernel,               \
                                                     reap__there_is_no_kernel_##kernel)            \
                             : (struct reap__right *)0);                                           \
                       REAP__FATAL_END)                                                            \
        (void)sizeof(reap_kernel_##kernel);                                                        \
        const __typeof__(*reap__launched_kernel_##kernel) *const reap_arguments_ =                 \
            &(const __typeof__(*reap__launched_kernel_##kernel)){.reap_range_ = __VA_ARGS__};      \
        const unsigned reap_dimensions_ = reap__dimensions_of(&reap_arguments_->reap_range_);      \
        const reap_status reap_status_ = reap_launch(                                              \
            (queue), REAP__KERNEL_FOR(kernel, #__VA_ARGS__, reap_dimensions_), reap_arguments_);   \
        REAP__STRICT_END                                                                           \
        reap_status_;                                                                              \
    })

/* The object of a kernel for a range of so many dimensions. Where the text of a launch's arguments
 * begins with the range, the parser chooses, and gcc replaces a constant's member before it looks
 * at the functions that others refer to: a fifth of the time that a kernel takes to compile. Else
 * the optimiser drops those that it sees no launch use. (`reap_range_1d(1).size[0] > 1 ? a : b`
 * begins so, too, but may be another range: NULL, which a launch refuses.) */
#define REAP__KERNEL_FOR(kernel, text, dimensions)                                                 \
    __builtin_choose_expr(                                                                         \
        REAP__BEGINS_WITH(text, "reap_range_1d(") || REAP__BEGINS_WITH(text, "reap_nd_range_1d("), \
        (dimensions) == 1 ? reap_kernel_##kernel.of_1d_ : NULL,                                    \
        __builtin_choose_expr(REAP__BEGINS_WITH(text, "reap_range_2d(") ||                         \
                                  REAP__BEGINS_WITH(text, "reap_nd_range_2d("),                    \
                              (dimensions) == 2 ? reap_kernel_##kernel.of_2d_ : NULL,              \
                              (dimensions) == 1   ? reap_kernel_##kernel.of_1d_                    \
                              : (dimensions) == 2 ? reap_kernel_##kernel.of_2d_                    \
                                                  : &reap_kernel_##kernel))
#define REAP__BEGINS_WITH(text, begin) (__builtin_strncmp(text, begin, sizeof(begin) - 1) == 0)

/* A kernel or an operator declares an array of a known size. REAP__IS_DECLARED is 1 if it has
 * done so; the array must have been declared without its size before. */
#define REAP__DECLARED(name) extern struct reap__declared *reap__declared_##name[2];
#define REAP__UNSIZED(name) extern struct reap__declared *reap__declared_##name[];
#define REAP__IS_DECLARED(name)                                                                    \
    _Generic((struct reap__declared * (*)[3])0, __typeof__(name) * : 0, default : 1)
/* A pointer, to a struct whose name says what is wrong if something is. clang prints the macros
 * that a message comes through, and stops after it: between the two macros below, the other type of
 * a conditional expression is a fatal error. gcc prints no macros of system headers. */
#define REAP__UNLESS_DECLARED(name, wrong)                                                         \
    __builtin_choose_expr(REAP__IS_DECLARED(name), (struct reap__right *)0, (struct wrong *)0)
#ifdef __clang__
#define REAP__IF_CLANG(...) __VA_ARGS__
#define REAP__FATAL_BEGIN                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic fatal \"-W#pragma-messages\"")      \
        _Pragma("clang diagnostic fatal \"-Wpointer-type-mismatch\"")
#define REAP__FATAL_END _Pragma("clang diagnostic pop")
#else
#define REAP__IF_CLANG(...)
#endif

/* Between these, mismatched pointer types are errors, and omitted members are not warned about. */
#ifdef __clang__
#define REAP__STRICT_BEGIN                                                                         \
    _Pragma("clang diagnostic push")                                                               \
        _Pragma("clang diagnostic error \"-Wincompatible-pointer-types\"")                         \
            _Pragma("clang diagnostic error \"-Wint-conversion\"")                                 \
                _Pragma("clang diagnostic error \"-Wpointer-sign\"")                               \
                    _Pragma("clang diagnostic ignored \"-Wmissing-braces\"")                       \
                        _Pragma("clang diagnostic ignored \"-Wmissing-field-initializers\"")
#define REAP__STRICT_END _Pragma("clang diagnostic pop")
#else
#define REAP__STRICT_BEGIN                                                                         \
    _Pragma("GCC diagnostic push")                                                                 \
        _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")                           \
            _Pragma("GCC diagnostic error \"-Wdiscarded-qualifiers\"")                             \
                _Pragma("GCC diagnostic error \"-Wint-conversion\"")                               \
                    _Pragma("GCC diagnostic error \"-Wpointer-sign\"")                             \
                        _Pragma("GCC diagnostic ignored \"-Wmissing-braces\"")                     \
                            _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define REAP__STRICT_END _Pragma("GCC diagnostic pop")
#endif

#endif
