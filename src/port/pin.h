/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the library's code loaded. The shared library is linked with nodelete; the static one may
 * be part of a plugin, which a program can close while threads of the library run.
 */
#ifndef REAP_PORT_PIN_H
#define REAP_PORT_PIN_H

/* Keeps the shared object with this code loaded forever; does nothing in the main program. Call it
 * without locks and not by pthread_once: it waits for a dlopen of another thread, whose
 * constructors may call Reap. */
void reap__pin(void);

#endif
