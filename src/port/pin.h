/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the library's code loaded. The shared library is linked with nodelete; the static one may
 * be part of a plugin, which a program can close while threads of the library run.
 */
#ifndef REAP_PORT_PIN_H
#define REAP_PORT_PIN_H

#include <stdbool.h>

/* Keeps the shared object with this code loaded forever; does nothing in the main program. Call it
 * without locks and not by pthread_once: it waits for a dlopen of another thread, whose
 * constructors may call Reap. */
void reap__pin(void);

/* Keeps the object with this address loaded until the handle is released; NULL for the program
 * itself. Returns false if the object is not loaded any more. Without locks, too. */
bool reap__object_hold(const void *address, void **handle);
void reap__object_release(void *handle);

#endif
