/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels as in words.kernels.h, for users' types of more sizes.
 */
#include "tests/conformance/words.kernels.h"

REAP_KERNEL_FILE

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
