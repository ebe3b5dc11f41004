/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's files as one text for a device's compiler, and checks of that text. Any thread.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_PREPROCESS_H
#define REAP_ACCELERATOR_PREPROCESS_PREPROCESS_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <reap/detail/kernel_table.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- One text (flatten.c) ---------------------------------------------------------------------*/

/* Comments and conditions stay; #line states the user's file and line. A file that cannot be
 * included becomes an #error, since the compiler might skip it. */

/* How deep files include each other, and how long the text may become. */
enum { REAP__MOST_INCLUDES = 64, REAP__MOST_SOURCE_BYTES = 16 << 20 };

/* Appends the #define of each REAP_KERNEL_MACRO of the kernel's program, then the text. Fails with
 * REAP_ERROR_COMPILATION_FAILED where that cannot be right on a device, for instance where an #if
 * asks for the value of a macro that was not declared; some of the text may have been appended. Any
 * thread. */
reap_status reap__flatten_source(const struct reap_kernel *kernel, enum reap__dialect dialect,
                                 struct reap__string *into);

/* Fails with REAP_ERROR_COMPILATION_FAILED, as that does for every device, where the kernel's file
 * has a variable that lives longer than a work-item: for the host, which would take it. A kernel
 * whose text is not there as a whole passes, and, where the calling thread has little stack, any.
 * Looks once at a kernel that passes. Any thread. */
reap_status reap__sources_check_variables(const struct reap_kernel *kernel);

/* ---- Code between phases (phase_check.c) ------------------------------------------------------*/

/* The host runs it once for a group, other devices once for each work-item, with the same meaning:
 * it may compute with its own variables, but not write to memory, and a phase may not assign to
 * them, nor wait (docs/groups.md). The names are the kernel's own, so the text is checked, not
 * compiled. */

/* Fails with REAP_ERROR_COMPILATION_FAILED where a kernel in phases does what depends on the
 * device; the message has the line and the remedy. Other kernels, and those whose text is not there
 * as a whole, which devices refuse, pass. Looks once at a kernel that passes. Any thread. */
reap_status reap__phases_check(const struct reap_kernel *kernel);

/* Whether what is between phases reads memory that phases write: then a phase must not begin
 * before the whole group has done so. */
bool reap__phases_read_between(const struct reap_kernel *kernel);

/* ---- Words that wait (waiting_words.c) --------------------------------------------------------*/

struct reap__tokens;

/* Tokens; SIZE_MAX: there is none. */
struct reap__wait {
    size_t place; /* a barrier, a group algorithm or their like, or the call of a function that
                     contains one */
    size_t word;  /* it, or the first one in that function */
};

/* The first place from token `begin` to before `end` where work-items wait for each other; false:
 * memory ran out. Any thread. */
bool reap__waiting_find(const struct reap__tokens *tokens, size_t begin, size_t end,
                        struct reap__wait *found);

/* Whether the token looks like such a word that is of sub-groups; the text may define a function of
 * that name. */
bool reap__waiting_is_of_sub_groups(const struct reap__tokens *tokens, size_t t);

/* ---- Sub-groups by barriers of the group (uniformity.c) ---------------------------------------*/

/* For a device on which words of sub-groups are barriers of the whole group. Fails with
 * REAP_ERROR_COMPILATION_FAILED where the kernel's text does not show that all work-items of a
 * group reach the same ones; the message has the first such word's line. Any thread. */
reap_status reap__uniformity_check(const struct reap_kernel *kernel, const char *device);

/* ---- Dialects (dialect.c) ---------------------------------------------------------------------*/

/* The text of a header, "reap/half.h"; NULL where there is none of that name. Lives for ever. */
const char *reap__dialect_header(const char *name);

/* Its name, as a string that lives for ever; NULL where there is none. */
const char *reap__dialect_header_name(const char *name);

/* In the C text, `long long` becomes `long` and the suffixes LL, ULL and their like become those of
 * long, each with a blank for what is missing, so that everything stays where it is. */
void reap__rewrite_long_long(char *text);

/* ---- Group functions in a kernel without groups (dialect.c) -----------------------------------*/

/* Only a compiler finds which helpers a REAP_KERNEL calls. So each group function calls one that
 * does not exist (reap/detail/device/range_words.h): its name is in the log, or in code that cannot
 * be linked. */

/* The first such word in a compiler's log or in the code that it made, cut to `room` bytes; false:
 * there is none. Any thread. */
bool reap__misplaced_find(const char *bytes, size_t count, char *word, size_t room);

/* ---- Names that devices' compilers have and C does not (names.c) ------------------------------*/

/* All zero except the dialect: the dialect's header has not come yet. */
struct reap__names {
    enum reap__dialect dialect;
    size_t header_end;             /* where in the text the header ends */
    struct reap__string undefined; /* lines for names that the user's files define */
};

/* The header ends here; the first one counts. */
void reap__names_set_header(struct reap__names *names, size_t end);

/* After it a user's file has a #define: `name` is what follows that word. */
void reap__names_defined(struct reap__names *names, const char *name);

/* When the text is whole: puts lines after the header that make an ordinary name of each of those
 * that is a word of the text after it, or of all where the text's macros may paste words together.
 * One that a user's file defines is undefined, so that its #ifndef is taken. */
void reap__names_insert(const struct reap__names *names, struct reap__string *text);

#endif
