/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The status that calls return, and the text of the last error.
 *
 * Every function that can fail returns a reap_status and writes its outputs on success only. The
 * cause of a failure is one line of text, reap_last_error(). The library never prints, exits or
 * aborts. (SYCL 2020, section 4.13, has exceptions instead.)
 */
#ifndef REAP_STATUS_H
#define REAP_STATUS_H

#include <reap/api.h>

/** All statuses, each with a sentence that explains it: `X(name, "sentence")`. */
#define REAP_STATUS_LIST(X)                                                                        \
    X(REAP_OK, "success")                                                                          \
    X(REAP_ERROR_INVALID_ARGUMENT, "an argument is wrong; nothing was run or changed")             \
    X(REAP_ERROR_OUT_OF_MEMORY, "memory ran out; reduction variables kept their values")           \
    X(REAP_ERROR_INDEX_OUT_OF_RANGE,                                                               \
      "a kernel accessed an element outside its span, or a work-item outside its group")           \
    X(REAP_ERROR_NO_DEVICE, "the device does not exist, or does not support the request")          \
    X(REAP_ERROR_INEXACT_BUILD, "the kernel was compiled with options that change its results")    \
    X(REAP_ERROR_DEPENDENCY_FAILED, "a command that this one depends on has failed")               \
    X(REAP_ERROR_DIVERGENT_BARRIER, "work-items of a group reached different barriers")            \
    X(REAP_ERROR_COMPILATION_FAILED, "a device's compiler rejected the kernel's text")             \
    X(REAP_ERROR_DEVICE_FAILED,                                                                    \
      "a device or its driver failed; what the command wrote is undefined")                        \
    X(REAP_ERROR_COMMUNICATION_FAILED, "processes could not exchange messages (MPI)")

/** The result of a call or a command. */
typedef enum reap_status {
#define REAP__STATUS_VALUE(name, meaning) name,
    REAP_STATUS_LIST(REAP__STATUS_VALUE)
#undef REAP__STATUS_VALUE
} reap_status;

/** The name of a status.
 *
 * @param status  any number
 * @return a static string such as "REAP_ERROR_INVALID_ARGUMENT"; "unknown status" for a number that
 *         is not a status
 * @note Any thread may call it. */
REAP_API const char *reap_status_name(reap_status status);

/** The cause of the calling thread's last failure: what failed, which object, and the remedy.
 *
 * The thread's next failure overwrites it; that failure can be one that a later wait returns. So
 * read it right after the call that failed. Each thread has its own.
 *
 * A control character, such as a newline in a name that the program gave, is written as a backslash
 * and three octal digits. A long name may be cut.
 *
 * @return one line without a newline, owned by the library; never NULL; "" before any failure
 * @note Any thread may call it. */
REAP_API const char *reap_last_error(void);

/** Sets the calling thread's last error, for a library that is built on Reap and returns statuses.
 *
 * @param status   what the library's function is about to return
 * @param message  one line, whose control characters are written as in reap_last_error(); NULL: "";
 *                 cut to 1023 bytes
 * @return `status`
 * @note Any thread may call it. */
REAP_API reap_status reap_set_last_error(reap_status status, const char *message);

/** The whole output of a device's compiler for the calling thread's last
 * REAP_ERROR_COMPILATION_FAILED.
 *
 * Each error in it begins with the kernel file's name and line: "FILE:LINE: error: ". The thread's
 * next such failure overwrites it.
 *
 * @return lines that end in newlines, owned by the library; never NULL; "" before such a failure,
 *         or if no compiler ran
 * @note Any thread may call it. */
REAP_API const char *reap_last_log(void);

/** Returns from the enclosing function with the status of a call that failed.
 *
 * The enclosing function returns a reap_status. Objects that it has created are not released.
 *
 * @code{.c}
 * static reap_status add_up(reap_queue *queue, const float *values, size_t count, double *sum)
 * {
 *     REAP_TRY(reap_parallel_for(queue, sum_up, reap_range_1d(count), .values = values,
 *                                .sum = sum));
 *     return reap_queue_wait(queue);
 * }
 * @endcode
 *
 * @param call  an expression of type reap_status */
#define REAP_TRY(call)                                                                             \
    do {                                                                                           \
        const reap_status reap_try_status_ = (call);                                               \
        if (reap_try_status_ != REAP_OK)                                                           \
            return reap_try_status_;                                                               \
    } while (0)

#endif
