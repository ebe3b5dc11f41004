/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers of a REAP_KERNEL that come to a local id, a barrier or a group algorithm. Only a compiler
 * knows what a kernel comes to. So each such word calls a function that is not there
 * (reap/detail/device/range_words.h), and its name is in what a compiler says, or in the code that
 * it makes where it does not link.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_MISPLACED_H
#define REAP_ACCELERATOR_PREPROCESS_MISPLACED_H

#include <stdbool.h>
#include <stddef.h>

/* The first such word in a compiler's log or in the code that it made, cut to `room` bytes; false:
 * there is none. Any thread. */
bool reap__misplaced_find(const char *bytes, size_t count, char *word, size_t room);

#endif
