/* SPDX-License-Identifier: Apache-2.0
 *
 * CHECK_STATUS(call, expected): a status of Reap. If it is another one, both names are printed, and
 * what reap_last_error says.
 */
#ifndef TESTS_SUPPORT_CHECK_STATUS_H
#define TESTS_SUPPORT_CHECK_STATUS_H

#include "tests/support/check.h"

#include <reap/status.h>

static inline bool check_status(reap_status got, reap_status expected, const char *text,
                                const char *file, int line)
{
    return check_report(got == expected, file, line, "%s: %s, expected %s; last error: %s", text,
                        reap_status_name(got), reap_status_name(expected), reap_last_error());
}

#define CHECK_STATUS(call, expected) check_status(call, expected, #call, __FILE__, __LINE__)

#endif
