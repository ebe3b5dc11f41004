/* SPDX-License-Identifier: Apache-2.0
 *
 * The preprocessor: flattens a kernel's files into one text for a device's compiler, and checks
 * that text. All functions may be called by any thread.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_PREPROCESS_H
#define REAP_ACCELERATOR_PREPROCESS_PREPROCESS_H

#include "src/accelerator/driver.h"
#include "src/accelerator/string_builder.h"

#include <reap/detail/kernel_table.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__tokens;

/* ---- One text (flatten.c) ---------------------------------------------------------------------*/

/* Comments and conditions stay; #line states the user's file and line. A file that cannot be
 * included becomes an #error, since the compiler might skip it. */

/* The most levels of #include, and the most bytes of the text. */
enum { REAP__MOST_INCLUDES = 64, REAP__MOST_SOURCE_BYTES = 16 << 20 };

/* Appends the #define of each REAP_KERNEL_MACRO of the kernel's program, then the text. Fails with
 * REAP_ERROR_COMPILATION_FAILED if the text could mean something else on a device, for instance if
 * an #if uses a macro that was not declared, and with REAP_ERROR_INEXACT_BUILD if it asks for other
 * arithmetic; some of the text may have been appended. */
reap_status reap__flatten_source(const struct reap_kernel *kernel, enum reap__dialect dialect,
                                 struct reap__string *into);

/* Fails with REAP_ERROR_COMPILATION_FAILED if the kernel's file has a variable that lives longer
 * than a work-item, and with REAP_ERROR_INEXACT_BUILD if its text asks for other arithmetic.
 * reap__flatten_source refuses these, too; this check is for the host, whose compiler accepts them.
 * A kernel whose text is incomplete passes; if the calling thread has little stack, every kernel
 * passes. A kernel that has passed is not checked again. */
reap_status reap__sources_check_variables(const struct reap_kernel *kernel);

/* What in a line, without comments, asks a compiler for other arithmetic (inexact.c), such as
 * "FP_CONTRACT"; NULL: nothing. */
const char *reap__inexact_find(const char *line);

/* ---- Code between phases (phase_check.c) ------------------------------------------------------*/

/* The host runs code between phases once for each group, other devices once for each work-item,
 * with the same meaning: it may compute with its own variables, but may not write to memory, and a
 * phase may not assign to these variables, nor wait (docs/groups.md). The text is checked without
 * compiling it. */

/* Fails with REAP_ERROR_COMPILATION_FAILED if a kernel in phases breaks these rules; the message
 * has the line and the remedy. Other kernels pass, and those whose text is incomplete, which
 * devices refuse. A kernel that has passed is not checked again. */
reap_status reap__phases_check(const struct reap_kernel *kernel);

/* Whether code between phases reads memory that phases write: then the next phase must not begin
 * before the whole group has run that code. */
bool reap__phases_read_between(const struct reap_kernel *kernel);

/* ---- Keywords that wait (waiting_words.c) -----------------------------------------------------*/

/* Numbers of tokens; SIZE_MAX: none. */
struct reap__wait {
    size_t place; /* a barrier, a group algorithm or a similar keyword, or the call of a function
                     that contains one */
    size_t word;  /* the keyword itself, perhaps in that function */
};

/* Finds the first place among the tokens from `begin` to before `end` where work-items wait for
 * each other. Returns false if memory ran out. */
bool reap__wait_find(const struct reap__tokens *tokens, size_t begin, size_t end,
                     struct reap__wait *found);

/* Whether the token is a keyword of sub-groups that waits; the text may also define a function of
 * that name. */
bool reap__waiting_is_of_sub_groups(const struct reap__tokens *tokens, size_t t);

/* ---- Sub-groups by barriers of the group (uniformity.c) ---------------------------------------*/

/* For a device on which keywords of sub-groups are barriers of the whole group. Fails with
 * REAP_ERROR_COMPILATION_FAILED if the analysis of the kernel's text cannot prove that all
 * work-items of a group reach the same ones; the message has the line of the first such keyword. */
reap_status reap__uniformity_check(const struct reap_kernel *kernel, const char *device);

/* ---- Dialects (dialect.c) ---------------------------------------------------------------------*/

/* Returns the text of a header, such as "reap/half.h". NULL: not embedded. Never freed. */
const char *reap__dialect_header(const char *name);

/* Returns its name as a string that is never freed. NULL: not embedded. */
const char *reap__dialect_header_name(const char *name);

/* ---- Meanings that differ (meaning.c, long_long.c) --------------------------------------------*/

/* Fails with REAP_ERROR_COMPILATION_FAILED if the kernel's text has something that the device's
 * language reads otherwise than C, or that its compilers crash on; the message has the line. */
reap_status reap__meaning_check(const struct reap_kernel *kernel, enum reap__dialect dialect);

/* Replaces `long long` by `long`, and the suffixes LL, ULL and similar ones by those of long, in a
 * C text; blanks keep all other characters in their positions. */
void reap__rewrite_long_long(char *text);

/* Fails with REAP_ERROR_COMPILATION_FAILED if that does not suffice for a kernel's text, because
 * macros make a `long long` of their parts, or if it changes something else. The tokens are the
 * text's. */
reap_status reap__long_long_check(const struct reap_kernel *kernel, const char *text,
                                  const struct reap__tokens *tokens);

/* ---- Group functions in a kernel without groups (dialect.c) -----------------------------------*/

/* Only a compiler finds which helpers a REAP_KERNEL calls. So in a kernel without groups each group
 * function calls a function that does not exist (reap/detail/device/range_words.h), whose name is
 * then in the compiler's log, or in code that cannot be linked. */

/* Finds the first group function of which a compiler's log, or its output, has that name; copies
 * its name to `word`, cut to `word_bytes`. Returns false if there is none. */
bool reap__misplaced_find(const char *bytes, size_t count, char *word, size_t word_bytes);

/* ---- Names that devices' compilers have and C does not (names.c) ------------------------------*/

/* Initially all zero except the dialect. */
struct reap__names {
    enum reap__dialect dialect;
    size_t header_end;             /* where in the text the header ends */
    struct reap__string undefined; /* lines for names that the user's files define */
};

/* The dialect's header ends at offset `end` of the text. Later calls have no effect. */
void reap__names_set_header(struct reap__names *names, size_t end);

/* A user's file has a #define; `name` begins with the macro's name. */
void reap__names_defined(struct reap__names *names, const char *name);

/* Called with the complete text: inserts lines after the header that rename each name of the
 * device's compiler which occurs in the text after it; all names, if the text's macros may paste
 * tokens. A name that a user's file defines is undefined, so an #ifndef of it is true. */
void reap__names_insert(const struct reap__names *names, struct reap__string *text);

#endif
