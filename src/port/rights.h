/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program has rights that its caller does not have.
 */
#ifndef REAP_PORT_RIGHTS_H
#define REAP_PORT_RIGHTS_H

#include <stdbool.h>

/* It was started as another user or group (set-user-ID), with capabilities of its file's, or as a
 * security module has decided: its environment must not choose files. Also where it has changed its
 * effective user or group since. */
bool reap__rights_are_raised(void);

#endif
