/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of users' types of many sizes, a kernel for each from one template. So large that the
 * reduction shape's table is visited line by line, the last one twice.
 */
#include "tests/conformance/group.h"
#include "tests/conformance/reference_user.h"

#include <reap/kernel.h>

#define NAME words_2_bytes
#define WORDS 1
#define LARGEST 10000000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_12_bytes
#define WORDS 6
#define LARGEST 10000000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_24_bytes
#define WORDS 12
#define LARGEST 2000000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_512_bytes
#define WORDS 256
#define LARGEST 40000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_5000_bytes
#define WORDS 2500
#define LARGEST 4000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_20000_bytes
#define WORDS 10000
#define LARGEST 1200
#include "tests/conformance/words.kernels_tmpl.h"

#ifndef REAP_TESTS_SMALL

#define NAME words_16_bytes
#define WORDS 8
#define LARGEST 5000000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_40_bytes
#define WORDS 20
#define LARGEST 500000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_100_bytes
#define WORDS 50
#define LARGEST 200000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_200_bytes
#define WORDS 100
#define LARGEST 100000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_1000_bytes
#define WORDS 500
#define LARGEST 20000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_2000_bytes
#define WORDS 1000
#define LARGEST 8000
#include "tests/conformance/words.kernels_tmpl.h"

#define NAME words_4000_bytes
#define WORDS 2000
#define LARGEST 4000
#include "tests/conformance/words.kernels_tmpl.h"

#endif
