/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices' dialects: their headers, whose texts are in the library; group functions that a
 * kernel without work-groups calls.
 *
 * REAP__DIALECT_HEADERS is the number of headers that the build found, so HEADERS is complete.
 */
#include "src/accelerator/preprocess/preprocess.h"

#include "src/core/embedded_headers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define HEADERS(X)                                                                                 \
    X("reap/detail/atomic_arguments.h")                                                            \
    X("reap/detail/cuda/atomic_orders.h")                                                          \
    X("reap/detail/cuda/atomics.h")                                                                \
    X("reap/detail/cuda/base.h")                                                                   \
    X("reap/detail/cuda/enumerations.h")                                                           \
    X("reap/detail/cuda/math.h")                                                                   \
    X("reap/detail/cuda/standard.h")                                                               \
    X("reap/detail/cuda/sub_groups.h")                                                             \
    X("reap/detail/device/collectives.h")                                                          \
    X("reap/detail/device/constants.h")                                                            \
    X("reap/detail/device/exact.h")                                                                \
    X("reap/detail/device/exact_round.h")                                                          \
    X("reap/detail/device/exact_spans.h")                                                          \
    X("reap/detail/device/exact_tmpl.h")                                                           \
    X("reap/detail/device/integers.h")                                                             \
    X("reap/detail/device/joint.h")                                                                \
    X("reap/detail/device/math.h")                                                                 \
    X("reap/detail/device/math_names.h")                                                           \
    X("reap/detail/device/operators.h")                                                            \
    X("reap/detail/device/parameters.h")                                                           \
    X("reap/detail/device/reduction_tmpl.h")                                                       \
    X("reap/detail/device/sort.h")                                                                 \
    X("reap/detail/device/span_fold_tmpl.h")                                                       \
    X("reap/detail/device/span_log.h")                                                             \
    X("reap/detail/device/spans.h")                                                                \
    X("reap/detail/device/sub_groups.h")                                                           \
    X("reap/detail/device/range_words.h")                                                          \
    X("reap/detail/device/words.h")                                                                \
    X("reap/bfloat16.h")                                                                           \
    X("reap/half.h")                                                                               \
    X("reap/version.h")                                                                            \
    X("reap/detail/narrow_types.h")                                                                \
    X("reap/detail/list.h")                                                                        \
    X("reap/detail/kernel_cuda.h")                                                                 \
    X("reap/detail/kernel_opencl.h")                                                               \
    X("reap/detail/opencl/atomic_orders.h")                                                        \
    X("reap/detail/opencl/atomics.h")                                                              \
    X("reap/detail/opencl/base.h")                                                                 \
    X("reap/detail/opencl/math.h")                                                                 \
    X("reap/detail/opencl/standard.h")                                                             \
    X("reap/detail/opencl/sub_groups.h")

#define COUNT(name) +1
_Static_assert((0 HEADERS(COUNT)) == REAP__DIALECT_HEADERS,
               "a header of the dialects for devices is missing in HEADERS above");

REAP__EMBED_HEADERS(HEADERS)

const char *reap__dialect_header_name(const char *name)
{
    return reap__find_header(embedded_headers(), name, strlen(name));
}

const char *reap__dialect_header(const char *name)
{
    const char *entry = reap__dialect_header_name(name);
    return entry != NULL ? reap__header_text(entry) : NULL;
}

/* ---- Group functions --------------------------------------------------------------------------*/

static bool is_of_word(char character)
{
    return character == '_' || (character >= 'a' && character <= 'z');
}

/* The begin of the name that ends here; NULL: not a name of Reap. */
static const char *find_begin(const char *bytes, const char *end)
{
    static const char prefix[] = "reap_";
    const size_t length = sizeof prefix - 1;
    const char *found = NULL;
    for (const char *at = end; at > bytes && is_of_word(at[-1]);) {
        at--;
        if ((size_t)(end - at) > length && memcmp(at, prefix, length) == 0)
            found = at;
    }
    return found;
}

bool reap__misplaced_find(const char *bytes, size_t count, char *word, size_t word_bytes)
{
    static const char suffix[] = "_needs_a_kernel_with_work_groups";
    const size_t length = sizeof suffix - 1;
    const char *const end = bytes + count;
    for (const char *at = bytes; (size_t)(end - at) >= length; at++) {
        at = memchr(at, *suffix, (size_t)(end - at) - length + 1);
        if (at == NULL)
            return false;
        const char *begin = memcmp(at, suffix, length) == 0 ? find_begin(bytes, at) : NULL;
        if (begin == NULL)
            continue;
        snprintf(word, word_bytes, "%.*s", (int)(at - begin), begin);
        return true;
    }
    return false;
}
