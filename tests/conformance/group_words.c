/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of users' types of many sizes, from one template.
 */
#include "tests/conformance/words.kernels.h"

#include "tests/conformance/group.h"
#include "tests/conformance/reference_user.h"

#define NAME words_2_bytes
#define LARGEST 10000000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_12_bytes
#define LARGEST 10000000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_24_bytes
#define LARGEST 2000000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_512_bytes
#define LARGEST 40000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_5000_bytes
#define LARGEST 4000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_20000_bytes
#define LARGEST 1200
#include "tests/conformance/group_words_tmpl.h"

#ifdef REAP_TESTS_MORE_WORDS

#define NAME words_16_bytes
#define LARGEST 5000000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_40_bytes
#define LARGEST 500000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_100_bytes
#define LARGEST 200000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_200_bytes
#define LARGEST 100000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_1000_bytes
#define LARGEST 20000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_2000_bytes
#define LARGEST 8000
#include "tests/conformance/group_words_tmpl.h"

#define NAME words_4000_bytes
#define LARGEST 4000
#include "tests/conformance/group_words_tmpl.h"

#endif
