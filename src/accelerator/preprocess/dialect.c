/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler puts the headers one after the other into a section, each as its name, a zero byte,
 * its text and a zero byte; an empty name ends them. How the section is found, and why by a numeric
 * label within a function, is said in reap/detail/host/embed.h. The build says where the headers
 * lie, and how many it found, so that none is forgotten here.
 */
#include "src/accelerator/preprocess/dialect.h"

#include <reap/detail/host/embed.h>
#include <stddef.h>
#include <string.h>

#define HEADERS(X)                                                                                 \
    X("reap/detail/cuda/atomics.h")                                                                \
    X("reap/detail/cuda/base.h")                                                                   \
    X("reap/detail/cuda/enumerations.h")                                                           \
    X("reap/detail/cuda/math.h")                                                                   \
    X("reap/detail/cuda/names.h")                                                                  \
    X("reap/detail/cuda/names_functions.h")                                                        \
    X("reap/detail/cuda/standard.h")                                                               \
    X("reap/detail/device/collectives.h")                                                          \
    X("reap/detail/device/constants.h")                                                            \
    X("reap/detail/device/joint.h")                                                                \
    X("reap/detail/device/math_names.h")                                                           \
    X("reap/detail/device/operators.h")                                                            \
    X("reap/detail/device/parameters.h")                                                           \
    X("reap/detail/device/reduction_tmpl.h")                                                       \
    X("reap/detail/device/spans.h")                                                                \
    X("reap/detail/device/range_words.h")                                                          \
    X("reap/detail/device/words.h")                                                                \
    X("reap/half.h")                                                                               \
    X("reap/detail/list.h")                                                                        \
    X("reap/detail/kernel_cuda.h")                                                                 \
    X("reap/detail/kernel_opencl.h")                                                               \
    X("reap/detail/opencl/atomics.h")                                                              \
    X("reap/detail/opencl/base.h")                                                                 \
    X("reap/detail/opencl/math.h")                                                                 \
    X("reap/detail/opencl/names.h")                                                                \
    X("reap/detail/opencl/names_functions.h")                                                      \
    X("reap/detail/opencl/names_memory.h")                                                         \
    X("reap/detail/opencl/standard.h")

#define COUNT(name) +1
_Static_assert((0 HEADERS(COUNT)) == REAP__DIALECT_HEADERS,
               "a header of the dialects for devices is missing in HEADERS above");

#ifdef REAP__TEXT_ADDRESS
#define EMBED(name)                                                                                \
    ".asciz \"" name "\"\n.incbin \"" REAP__INCLUDE_DIRECTORY "/" name "\"\n.byte 0\n"

REAP__NEVER_INLINED static const char *embedded_headers(void)
{
    const char *text_;
    __asm__(REAP__CLOSE_QUOTE ".pushsection .rodata.reap.headers,\"a\",@progbits\n"
                              "7710:\n" HEADERS(EMBED) ".byte 0\n.popsection");
    __asm__ volatile(REAP__CLOSE_QUOTE REAP__TEXT_ADDRESS : "=r"(text_));
    return text_;
}
#else /* kernels run on the host alone */
static const char *embedded_headers(void)
{
    return "";
}
#endif

const char *reap__dialect_header_name(const char *name)
{
    for (const char *entry = embedded_headers(); *entry != '\0';) {
        if (strcmp(entry, name) == 0)
            return entry;
        const char *text = entry + strlen(entry) + 1;
        entry = text + strlen(text) + 1;
    }
    return NULL;
}

const char *reap__dialect_header(const char *name)
{
    const char *entry = reap__dialect_header_name(name);
    return entry != NULL ? entry + strlen(entry) + 1 : NULL;
}
