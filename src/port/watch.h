/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches pages: an access continues, and its address is recorded if it is the first. The first
 * watch installs a handler for SIGSEGV, which passes on signals that do not concern watched pages.
 * A program that installs its own handler later receives the signals itself.
 */
#ifndef REAP_PORT_WATCH_H
#define REAP_PORT_WATCH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing is watched. */
struct reap__watch {
    atomic_uintptr_t begin, end, touched;
    _Atomic(struct reap__watch *) next;
};

/* Watches whole mapped pages, until reap__watch_end; they begin closed. Any thread. */
void reap__watch_begin(struct reap__watch *watch, unsigned char *pages, size_t bytes);
void reap__watch_end(struct reap__watch *watch);

/* Accesses to open pages are not recorded; closed pages are watched. Pages that were accessed are
 * open until they are closed again, which clears the address. */
void reap__watch_open(const struct reap__watch *watch);
void reap__watch_close(struct reap__watch *watch);

/* The first address that was accessed since the pages were closed; NULL: none. Any thread. */
const unsigned char *reap__watch_touched(const struct reap__watch *watch);

#endif
