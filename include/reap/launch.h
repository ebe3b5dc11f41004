/* SPDX-License-Identifier: Apache-2.0
 *
 * Launching a kernel: which queue, which kernel, over which range, with which arguments, by name.
 *
 *     status = reap_parallel_for(queue, sum_and_max, reap_range_1d(count),
 *                                .values = values,
 *                                .sum = &sum,
 *                                .max = &max);
 *
 * Each kernel has its own struct of arguments, so the compiler finds a misspelt name and a pointer
 * of the wrong type. What the members mean stands in <reap/kernel_host.h>.
 */
#ifndef REAP_LAUNCH_H
#define REAP_LAUNCH_H

/* gcc's messages then show the program's lines, without the macros here that they come from. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/api.h>
#include <reap/device.h>
#include <reap/event.h>
#include <reap/queue.h>
#include <reap/range.h>
#include <reap/status.h>
#include <stddef.h>

/* For .properties of a reduction variable (SYCL 2020, section 4.9.2.2). */
enum reap_reduction_property {
    REAP_INITIALIZE_TO_IDENTITY = 1 /* .variable's present value is not included: as .result is */
};

/* .launch of every kernel's arguments; all zero is the default. */
typedef struct reap_launch_options {
    reap_event *const *wait_for; /* the command runs after these; default: none */
    size_t wait_for_count;       /* how many; default: 0 */
    reap_event **event; /* where not NULL, gets the command's event: the caller's, to be released */
} reap_launch_options;

/* A kernel. REAP_KERNEL(NAME, ...) makes the constant reap_kernel_NAME of this type, and the struct
 * reap_arguments_NAME that a launch of it takes. Its members are the library's. */
struct reap_kernel;

/* Launches a kernel (SYCL 2020, section 4.9.4.2.2, parallel_for); reap_parallel_for calls this, and
 * <reap/queue.h> says when it returns. arguments is the kernel's own struct,
 * which starts with its range, and is not used after the call.
 *
 * It equals this serial loop, in which each reduction combines in the order that
 * docs/reduction-shape.md fixes:
 *
 *     for (item = 0; item < the range's items; item++)
 *         body(item, arguments);
 *
 * With work-groups the items of a group take turns at their barriers, and nothing orders groups
 * (docs/groups.md).
 *
 * Refused before anything runs, with INVALID_ARGUMENT: a NULL, an array that is NULL or misaligned,
 * a reduction without a variable or with two, two reductions whose variables overlap, a variable
 * inside a buffer that the command uses as an array, an output that is given twice, .result or
 * REAP_INITIALIZE_TO_IDENTITY without an identity, 2^64 items or more, work-groups that do not
 * divide the range or that the device has no room for, a launch from within a kernel
 * (docs/reductions.md and docs/groups.md have the whole list). Other failures of the launch:
 * OUT_OF_MEMORY (also where the calling thread has too little stack left: docs/threads.md),
 * INEXACT_BUILD, and on a device COMPILATION_FAILED and DEVICE_FAILED.
 *
 * REAP_OK of a launch means that the command was accepted. How it ended is returned by
 * reap_queue_wait and by the command's event: INDEX_OUT_OF_RANGE, DIVERGENT_BARRIER,
 * DEPENDENCY_FAILED, or OUT_OF_MEMORY where the kernel's reap_item_private variables exceed their
 * limits. A launch that asks for no event returns such an error as well, if the command has failed
 * by then, as on the host; reap_queue_wait returns it once more.
 *
 * The arrays must stay valid, and the reduction variables are nobody else's, until the command has
 * completed. Any thread; an in-order queue runs one command at a time. */
REAP_API reap_status reap_launch(reap_queue *queue, const struct reap_kernel *kernel,
                                 const void *arguments);

/* Compiles a kernel for a device ahead of its first launch, which would otherwise do so, and keeps
 * it as that would; the kernel sum_and_max is &reap_kernel_sum_and_max. The host has nothing to
 * compile; of a kernel's text it refuses variables of the program, and what must not stand between
 * phases. What a device compiles depends on the launch, too: this is for ranges of `dimensions`
 * dimensions, 1 to 3, whose arrays begin at multiples of 16 bytes from the begins of their buffers,
 * and whose reduction variables lie in no buffer; others are compiled at their own first launch.
 * Blocks while the compiler runs. Any thread. Fails with COMPILATION_FAILED, and the file and line
 * in reap_last_error (reap_last_log has the rest), INVALID_ARGUMENT (a NULL, other dimensions),
 * OUT_OF_MEMORY or DEVICE_FAILED. */
REAP_API reap_status reap_kernel_compile(const reap_device *device,
                                         const struct reap_kernel *kernel, unsigned dimensions);

#ifndef __clang__
/* reap_parallel_for(queue, kernel, range, .name = argument, ...) launches a kernel by its name, and
 * gives the status of reap_launch. The order of the arguments is free, and one that is left out is
 * zero; .launch holds the options. C alone has it: C++ has no such struct literals. A pointer to
 * another type than the parameter's is an error, whatever the compiler's options say. A reduction
 * that has no more than a variable needs no braces: .sum = &sum. */
#define reap_parallel_for(queue, kernel, ...)                                                      \
    __extension__({                                                                                \
        REAP__STRICT_BEGIN                                                                         \
        const reap_status reap_status_ = reap_launch(                                              \
            (queue), &reap_kernel_##kernel,                                                        \
            &(const __typeof__(*reap__launched_kernel_##kernel)){.reap_range_ = __VA_ARGS__});     \
        REAP__STRICT_END                                                                           \
        reap_status_;                                                                              \
    })
#else /* in which a kernel that does not exist has one message */
#define reap_parallel_for(queue, kernel, ...)                                                      \
    __extension__({                                                                                \
        const __auto_type reap_of_ = &reap__launched_kernel_##kernel;                              \
        REAP__STRICT_BEGIN                                                                         \
        const reap_status reap_status_ =                                                           \
            reap_launch((queue), reap_of_->code,                                                   \
                        &(const __typeof__(*reap_of_->arguments)){.reap_range_ = __VA_ARGS__});    \
        REAP__STRICT_END                                                                           \
        reap_status_;                                                                              \
    })
#endif

/* What is an error in between, and what is none. */
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
