/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the library's code where it is. The shared library is linked with nodelete; the static one
 * may be part of a plugin, which a program closes while our threads still run in it.
 */
#ifndef REAP_PORT_PIN_H
#define REAP_PORT_PIN_H

/* Makes the shared object that has this code stay loaded for ever; of the main program nothing is
 * needed. To be called with no lock held, and not by pthread_once: it waits for a dlopen of another
 * thread, whose constructors may call Reap. */
void reap__pin(void);

#endif
