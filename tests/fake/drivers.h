/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts the fake libraries in the vendors' place: the linker has Reap call our dlopen and dlsym
 * (--wrap), so that no library of the machine's own is ever opened, and any library, or function of
 * one, can be missing.
 */
#ifndef TESTS_FAKE_DRIVERS_H
#define TESTS_FAKE_DRIVERS_H

/* From now on libraries and functions whose names begin so are missing; NULL: none. */
void drivers_hide(const char *name);

/* From now on the library whose name begins so is a file that is none; NULL: none is. */
void drivers_break(const char *name);

#endif
