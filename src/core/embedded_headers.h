/* SPDX-License-Identifier: Apache-2.0
 *
 * Headers whose texts are in the library, for compilers that run later: the assembler puts them one
 * after the other into a section, each as its name, a zero byte, its text and a zero byte; an empty
 * name ends them. How the section is found, and why by a numeric label within a function, is said
 * in reap/detail/host/embed.h. The build says where the headers lie.
 *
 * Each header has a statement of its own, since a compiler may limit a string's length, and paths
 * may be long. Compilers keep the order of statements in assembly language.
 */
#ifndef REAP_SRC_CORE_EMBEDDED_HEADERS_H
#define REAP_SRC_CORE_EMBEDDED_HEADERS_H

#include <reap/detail/host/embed.h>
#include <stddef.h>
#include <string.h>

/* REAP__EMBED_HEADERS(HEADERS) defines embedded_headers(), which returns the first header's name.
 * HEADERS(X) is a list of X("name"). */
#ifdef REAP__TEXT_ADDRESS
#define REAP__EMBED_HEADERS(HEADERS)                                                               \
    REAP__NEVER_INLINED static const char *embedded_headers(void)                                  \
    {                                                                                              \
        const char *text_;                                                                         \
        __asm__(REAP__CLOSE_QUOTE ".pushsection .rodata.reap.headers,\"a\",@progbits\n"            \
                                  "7710:\n.popsection");                                           \
        HEADERS(REAP__EMBED_HEADER)                                                                \
        __asm__(REAP__CLOSE_QUOTE ".pushsection .rodata.reap.headers\n.byte 0\n.popsection");      \
        __asm__ volatile(REAP__CLOSE_QUOTE REAP__TEXT_ADDRESS : "=r"(text_));                      \
        return text_;                                                                              \
    }
#define REAP__EMBED_HEADER(name)                                                                   \
    __asm__(REAP__CLOSE_QUOTE ".pushsection .rodata.reap.headers\n.asciz \"" name                  \
                              "\"\n.incbin \"" REAP__INCLUDE_DIRECTORY "/" name                    \
                              "\"\n.byte 0\n.popsection");
#else /* kernels run on the host alone, as they were compiled with the program */
#define REAP__EMBED_HEADERS(HEADERS)                                                               \
    static const char *embedded_headers(void)                                                      \
    {                                                                                              \
        return "";                                                                                 \
    }
#endif

/* The entry of the header whose name has the given length, or NULL. */
static inline const char *reap__find_header(const char *entry, const char *name, size_t length)
{
    while (*entry != '\0') {
        if (strlen(entry) == length && memcmp(entry, name, length) == 0)
            return entry;
        const char *text = entry + strlen(entry) + 1;
        entry = text + strlen(text) + 1;
    }
    return NULL;
}

/* The text of the header of an entry. */
static inline const char *reap__header_text(const char *entry)
{
    return entry + strlen(entry) + 1;
}

#endif
