/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program has rights that its caller does not have.
 */
#ifndef REAP_PORT_RIGHTS_H
#define REAP_PORT_RIGHTS_H

#include <stdbool.h>

/* True for a program that was started as another user or group (set-user-ID), with file
 * capabilities, or with more rights by decision of a security module, and for one that has changed
 * its effective user or group since: its environment must not select files. */
bool reap__rights_are_raised(void);

#endif
