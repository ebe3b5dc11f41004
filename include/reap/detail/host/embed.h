/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel file's text, embedded in the program for compilers that run later. The assembler reads
 * the file (.incbin); the text ends in two newlines, a byte 4 and a zero byte, and is in a section
 * whose equal strings the linker merges, so several translation units need only one copy. A zero
 * byte in the file would end the string, before the byte 4: so the library notices it
 * (src/accelerator/preprocess/lexer.h).
 *
 * The label is a numeric one inside a function that is never inlined or cloned: a label with a name
 * would collide, or refer to another file's text, if one file is in two translation units, two
 * files have a kernel of the same name, or link-time optimisation joins them. The first statement
 * is a basic asm, in which a percent sign in a path has no special meaning; stringifying __FILE__
 * once more escapes its quotes for the assembler.
 *
 * Under -ffile-prefix-map __FILE__ is a path that may not exist. Then define REAP_EMBED_BY_NAME,
 * and pass the kernel file's directory to the assembler (-Wa,-I,DIR): docs/building.md.
 */
#ifndef REAP_DETAIL_HOST_EMBED_H
#define REAP_DETAIL_HOST_EMBED_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/list.h>

#ifdef REAP_EMBED_BY_NAME
#define REAP__EMBEDDED_PATH __FILE_NAME__
#else
#define REAP__EMBEDDED_PATH __FILE__
#endif

#if defined(__x86_64__) /* in both syntaxes, the second for -masm=intel */
#define REAP__TEXT_ADDRESS "{leaq 7710b(%%rip), %0|lea %0, 7710b[rip]}"
#elif defined(__aarch64__)
#define REAP__TEXT_ADDRESS "adrp %0, 7710b\n\tadd %0, %0, :lo12:7710b"
#endif

/* A comment. Before an asm gcc writes a line with the source file's path in quotes, and does not
 * escape a quote within it: if that has begun a string, this ends it. */
#define REAP__CLOSE_QUOTE "# \"\n"

#ifdef __clang__
#define REAP__NEVER_INLINED __attribute__((__noinline__, __unused__))
#else
#define REAP__NEVER_INLINED __attribute__((__noinline__, __noclone__, __unused__))
#endif

/* The program does not refer to an entry of the section of sources, but needs it: the linker's
 * --gc-sections must keep it. */
#ifdef __has_attribute
#if __has_attribute(retain)
#define REAP__RETAINED __attribute__((__used__, __retain__, __section__("reap_sources")))
#endif
#endif
#ifndef REAP__RETAINED
#define REAP__RETAINED __attribute__((__used__, __section__("reap_sources")))
#endif

/* With REAP_LIST_KERNELS, each kernel has an entry in a section (reap/compile.h). */
#ifdef REAP_LIST_KERNELS
#define REAP__LIST_KERNEL(k)                                                                       \
    static const struct reap_kernel *const reap__listed_##k                                        \
        __attribute__((__used__, __section__("reap_kernels"))) = &reap_kernel_##k;
#else
#define REAP__LIST_KERNEL(k)
#endif

/* REAP__EMBED(function) defines function(), which returns the text of the file that contains it,
 * with its end. */
#if defined(REAP__TEXT_ADDRESS) && !defined(REAP__ONLY_ISA)
#define REAP__EMBED(function)                                                                      \
    REAP__NEVER_INLINED static const char *function(void)                                          \
    {                                                                                              \
        const char *text_;                                                                         \
        __asm__(REAP__CLOSE_QUOTE                                                                  \
                ".pushsection .rodata.reap.text,\"aMS\",@progbits,1\n7710:\n"                      \
                ".incbin " REAP__TEXT(REAP__EMBEDDED_PATH) "\n.byte 10,10,4,0\n.popsection");      \
        __asm__ volatile(REAP__CLOSE_QUOTE REAP__TEXT_ADDRESS : "=r"(text_));                      \
        return text_;                                                                              \
    }
#else /* kernels run on the host only, or the library has the text */
#define REAP__EMBED(function)                                                                      \
    REAP__NEVER_INLINED static const char *function(void)                                          \
    {                                                                                              \
        return (const char *)0;                                                                    \
    }
#endif

/* The files that a kernel file includes, and the macros that it declares, are found at run time
 * through a section of pointers that the linker collects, one for each program or shared library.
 */
struct reap__source {
    const char *name;          /* the file's path, or the macro's name */
    const char *(*text)(void); /* the file's text and its end; NULL for a macro */
    const char *value;         /* the macro's value; NULL for a file */
};

#define REAP__SOURCE(number, name, text, value) REAP__SOURCE_(number, name, text, value)
#define REAP__SOURCE_(number, name, text, value)                                                   \
    static const struct reap__source reap__source_##number = {name, text, value};                  \
    static const struct reap__source *const reap__registered_##number REAP__RETAINED =             \
        &reap__source_##number;

extern const struct reap__source *const __start_reap_sources[]
    __attribute__((__weak__, __visibility__("hidden")));
extern const struct reap__source *const __stop_reap_sources[]
    __attribute__((__weak__, __visibility__("hidden")));

/* REAP_KERNEL_FILE and REAP_KERNEL_MACRO */
#define REAP__SOURCE_FILE(number) REAP__SOURCE_FILE_(number)
#define REAP__SOURCE_FILE_(number)                                                                 \
    REAP__EMBED(reap__text_##number)                                                               \
    REAP__SOURCE(number, __FILE__, reap__text_##number, NULL)
#define REAP__SOURCE_MACRO(name, value, number)                                                    \
    _Static_assert(__builtin_strcmp(name, value) != 0,                                             \
                   "Reap: REAP_KERNEL_MACRO(" name "): the macro is not defined");                 \
    REAP__SOURCE(number, name, NULL, value)

#endif
