/* SPDX-License-Identifier: Apache-2.0
 *
 * Failing: a status, a message of one line, and perhaps a compiler's log, kept for the calling
 * thread.
 */
#ifndef REAP_CORE_STATUS_H
#define REAP_CORE_STATUS_H

#include <reap/status.h>

enum { REAP__MESSAGE_BYTES = 1024 };

/* Sets this thread's message, with control characters escaped and cut to REAP__MESSAGE_BYTES, and
 * returns the status. A text of the program of any length is cut to 80 bytes in the format, so that
 * what follows it is in the message. The function is cold, so that compilers lay out what checks
 * for the case without failures. */
reap_status reap__fail(reap_status status, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Sets this thread's log, for reap_last_log; "": none. Without memory for it the log is empty. */
void reap__set_last_log(const char *log);

#endif
