/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages whose use is noted: whoever touches one goes on, and the first address is kept. The process
 * gets a handler for SIGSEGV with the first watch, which passes on what is not about watched pages.
 * A program that installs a handler of its own later gets the signals itself.
 */
#ifndef REAP_PORT_WATCH_H
#define REAP_PORT_WATCH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: it watches nothing. */
struct reap__watch {
    atomic_uintptr_t begin, end, touched;
    _Atomic(struct reap__watch *) next;
};

/* Watches whole pages, which are mapped, until reap__watch_end; closed at first. Any thread. */
void reap__watch_begin(struct reap__watch *watch, unsigned char *pages, size_t bytes);
void reap__watch_end(struct reap__watch *watch);

/* Opened pages may be used and nothing is noted; closed ones are watched. Pages that were touched
 * are open until they are closed again, which forgets the address. */
void reap__watch_open(const struct reap__watch *watch);
void reap__watch_close(struct reap__watch *watch);

/* The first address that was touched since the pages were closed; NULL: none was. Any thread. */
const unsigned char *reap__watch_touched(const struct reap__watch *watch);

#endif
