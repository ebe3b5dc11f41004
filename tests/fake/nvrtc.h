/* SPDX-License-Identifier: Apache-2.0
 *
 * What a text compiles to in the fake NVRTC. Written twice: nvrtc_text.c compiles nothing,
 * emulated/compile.c has the system's compiler do it.
 */
#ifndef TESTS_FAKE_NVRTC_H
#define TESTS_FAKE_NVRTC_H

#include <stddef.h>

/* Both of malloc. bytes is NULL where the text does not compile, and log where there is none. */
struct fake_code {
    char *bytes;
    size_t size;
    char *log;
};

void fake_compile(const char *text, struct fake_code *code);

#endif
