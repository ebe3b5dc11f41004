/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call returns (SYCL 2020, section 4.13, has exceptions in its place). Every Reap function
 * that can fail returns a reap_status and writes its outputs on success only; the cause of a
 * failure is one line of text in reap_last_error(). Nothing in Reap prints, exits or aborts.
 */
#ifndef REAP_STATUS_H
#define REAP_STATUS_H

#include <reap/api.h>

/* Each status with the sentence that says what it means to the caller. */
#define REAP_STATUS_LIST(X)                                                                        \
    X(REAP_OK, "the call did what it says")                                                        \
    X(REAP_ERROR_INVALID_ARGUMENT, "an argument is wrong; nothing was run or changed")             \
    X(REAP_ERROR_OUT_OF_MEMORY, "memory ran out; reduction variables kept their values")           \
    X(REAP_ERROR_INDEX_OUT_OF_RANGE,                                                               \
      "a kernel used an element that its span, or a work-item that its group lacks")               \
    X(REAP_ERROR_NO_DEVICE, "there is no such device, or it lacks what was asked of it")           \
    X(REAP_ERROR_INEXACT_BUILD, "the kernel was compiled so that its results would differ")        \
    X(REAP_ERROR_DEPENDENCY_FAILED, "a command that this one depends on has failed")               \
    X(REAP_ERROR_DIVERGENT_BARRIER, "work-items of a group did not come to the same barriers")     \
    X(REAP_ERROR_COMPILATION_FAILED, "a device's compiler does not take the kernel's text")        \
    X(REAP_ERROR_DEVICE_FAILED,                                                                    \
      "a device or its driver failed; what the command wrote is undefined")

/* How a call or a command ended. */
typedef enum reap_status {
#define REAP__STATUS_VALUE(name, meaning) name,
    REAP_STATUS_LIST(REAP__STATUS_VALUE)
#undef REAP__STATUS_VALUE
} reap_status;

/* The status's name as it is written here, "REAP_ERROR_INVALID_ARGUMENT"; "unknown status" for a
 * number that is none. The string lives for ever. Any thread. */
REAP_API const char *reap_status_name(reap_status status);

/* What went wrong in this thread's last failed call: one line without a newline (which argument of
 * which object, and what to do), never NULL, "" while nothing has failed. It is overwritten by the
 * thread's next failure, which may be one that a later wait returns; so read it after a call that
 * failed. Other threads have their own. The string is the library's. */
REAP_API const char *reap_last_error(void);

/* What a device's compiler wrote when this thread's last COMPILATION_FAILED came about, whole:
 * lines that end in newlines, in which errors begin with the kernel file's name and line,
 * "FILE:LINE: error: ". Never NULL, "" where nothing has failed so, or no compiler was asked;
 * overwritten by the thread's next such failure. The string is the library's. */
REAP_API const char *reap_last_log(void);

/* Returns a status that is not REAP_OK from the function that it stands in, which returns a
 * reap_status. What the function has made until then it does not release.
 *
 *     static reap_status add_up(reap_queue *queue, const float *values, size_t count, double *sum)
 *     {
 *         REAP_TRY(reap_parallel_for(queue, sum_up, reap_range_1d(count), .values = values,
 *                                    .sum = sum));
 *         return reap_queue_wait(queue);
 *     }
 */
#define REAP_TRY(call)                                                                             \
    do {                                                                                           \
        const reap_status reap_try_status_ = (call);                                               \
        if (reap_try_status_ != REAP_OK)                                                           \
            return reap_try_status_;                                                               \
    } while (0)

#endif
