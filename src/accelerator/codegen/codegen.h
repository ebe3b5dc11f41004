/* SPDX-License-Identifier: Apache-2.0
 *
 * Code generation: the entries of a kernel, generated from its kernel table in the dialect of
 * include/reap/detail/device. All functions here may be called by any thread; into->failed reports
 * a lack of memory (string_builder.h).
 */
#ifndef REAP_ACCELERATOR_CODEGEN_CODEGEN_H
#define REAP_ACCELERATOR_CODEGEN_CODEGEN_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/string_builder.h"

/* The names of the entries, ending in NULL: reap_entry; reap_commit if spans stay on the device;
 * those that sort and fold a log, if spans are logged; reap_fold if values of work-groups are
 * combined; reap_finish if the last group does not finish the reduction. */
void reap__entry_names(const struct reap__layout *layout,
                       const char *names[REAP__MOST_ENTRIES + 1]);

/* Whether `has` is true of the text of the kernel's file, or of a file that kernels of the program
 * include. Calls it for each. */
bool reap__any_text_has(const struct reap_kernel *kernel,
                        bool (*has)(const char *text, void *context), void *context);

/* Whether the text `word` occurs in the kernel's file, or in a file that kernels of the program
 * include. */
bool reap__mentions(const struct reap_kernel *kernel, const char *word);

/* Whether the text may have words by which work-items exchange values through local memory:
 * algorithms of groups and, on devices without warps, sub-groups, also as names that are pasted,
 * continued on the next line, or macros of the program. Looks at the text once. */
bool reap__may_exchange(const struct reap_kernel *kernel, bool has_warps);

/* Appends what precedes the dialect's header: macros that select the parts of it that are needed.
 */
void reap__entry_add_prologue(const struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              struct reap__string *into);

/* Appends what follows the kernel's file: reap_entry, which runs the work-items and reduces each
 * tile to a node, for each reduction; and the entries that combine the nodes to results. */
void reap__entry_generate(const struct reap__layout *layout, struct reap__string *into);

/* The number of groups that a multiprocessor must be able to run at a time, which limits the
 * registers of a thread; 0: any number. */
size_t reap__entry_groups_beside(const struct reap__layout *layout);

#endif
