/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' types of many sizes and a kernel for each, from one template. So large that the reduction
 * shape's table is visited line by line, the last one twice. (A template takes a macro's value for
 * a name where Reap's words take the name as it is written.)
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes another name of OpenCL's function. */
#undef mix

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)
#define MAKE_OPERATOR(...) REAP_OPERATOR(__VA_ARGS__)
#define MAKE_OPERATOR_NO_IDENTITY(...) REAP_OPERATOR_NO_IDENTITY(__VA_ARGS__)

#define NAME words_2_bytes
#define WORDS 1
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_12_bytes
#define WORDS 6
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_24_bytes
#define WORDS 12
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_512_bytes
#define WORDS 256
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_5000_bytes
#define WORDS 2500
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_20000_bytes
#define WORDS 10000
#include "tests/conformance/words.kernels_tmpl.h"

/* Types of more sizes, of the tests that take longer to compile. */
#ifdef REAP_TESTS_MORE_WORDS

REAP_KERNEL_MACRO(REAP_TESTS_MORE_WORDS)

#define NAME words_16_bytes
#define WORDS 8
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_40_bytes
#define WORDS 20
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_100_bytes
#define WORDS 50
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_200_bytes
#define WORDS 100
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_1000_bytes
#define WORDS 500
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_2000_bytes
#define WORDS 1000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_4000_bytes
#define WORDS 2000
#include "tests/conformance/words.kernels_tmpl.h"

#endif
