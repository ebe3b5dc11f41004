/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler puts the headers one after the other into a section, each as its name, a zero byte,
 * its text and a zero byte; an empty name ends them. How the section is found, and why by a numeric
 * label within a function, is said in reap/host/embed.h. The build says where the headers lie, and
 * how many it found, so that none is forgotten here.
 */
#include "src/accelerator/preprocess/embedded_headers.h"

#include <reap/host/embed.h>
#include <stddef.h>
#include <string.h>

#define HEADERS(X)                                                                                 \
    X("reap/cuda/atomics.h")                                                                       \
    X("reap/cuda/base.h")                                                                          \
    X("reap/cuda/enumerations.h")                                                                  \
    X("reap/cuda/math.h")                                                                          \
    X("reap/cuda/names.h")                                                                         \
    X("reap/cuda/names_functions.h")                                                               \
    X("reap/cuda/standard.h")                                                                      \
    X("reap/device/collectives.h")                                                                 \
    X("reap/device/constants.h")                                                                   \
    X("reap/device/joint.h")                                                                       \
    X("reap/device/math_names.h")                                                                  \
    X("reap/device/operators.h")                                                                   \
    X("reap/device/parameters.h")                                                                  \
    X("reap/device/reduction_tmpl.h")                                                              \
    X("reap/device/spans.h")                                                                       \
    X("reap/device/range_words.h")                                                                 \
    X("reap/device/words.h")                                                                       \
    X("reap/half.h")                                                                               \
    X("reap/host/list.h")                                                                          \
    X("reap/kernel_cuda.h")                                                                        \
    X("reap/kernel_opencl.h")                                                                      \
    X("reap/opencl/atomics.h")                                                                     \
    X("reap/opencl/base.h")                                                                        \
    X("reap/opencl/math.h")                                                                        \
    X("reap/opencl/names.h")                                                                       \
    X("reap/opencl/names_functions.h")                                                             \
    X("reap/opencl/names_memory.h")                                                                \
    X("reap/opencl/standard.h")

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
