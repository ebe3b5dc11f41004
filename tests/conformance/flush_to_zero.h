/* SPDX-License-Identifier: Apache-2.0
 *
 * The one function of a library whose being linked is what matters.
 */
#ifndef TESTS_CONFORMANCE_FLUSH_TO_ZERO_H
#define TESTS_CONFORMANCE_FLUSH_TO_ZERO_H

#include <stdbool.h>

/* Whether denormal numbers are zero here and now. */
bool flush_to_zero_happens(void);

#endif
