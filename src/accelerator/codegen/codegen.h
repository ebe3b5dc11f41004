/* SPDX-License-Identifier: Apache-2.0
 *
 * The entries of a kernel, generated from its parameters in the words of the dialect headers
 * (include/reap/detail/opencl/base.h, cuda/base.h).
 */
#ifndef REAP_ACCELERATOR_CODEGEN_CODEGEN_H
#define REAP_ACCELERATOR_CODEGEN_CODEGEN_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/string_builder.h"

/* Their names, ending in NULL: the entry; reap_commit where spans stay on the device; reap_fold
 * where work-groups' values are combined; reap_finish where no last group makes the end. */
void reap__entry_names(const struct reap__layout *layout,
                       const char *names[REAP__MOST_ENTRIES + 1]);

/* Whether a word is in the kernel's file, or in one that kernels of the program include. */
bool reap__mentions(const struct reap_kernel *kernel, const char *word);

/* What precedes the dialect's header: which parts of it the text needs. */
void reap__entry_add_prologue(const struct reap__layout *layout,
                              const struct reap__accelerator *accelerator,
                              struct reap__string *into);

/* What follows the kernel's file: reap_entry, which runs the work-items and leaves a node for
 * each tile of each reduction, and what makes a result of them. */
void reap__entry_generate(const struct reap__layout *layout, struct reap__string *into);

/* How many groups a multiprocessor has at a time that stay and take tile after tile; 0: not
 * measured. */
size_t reap__entry_groups_beside(const struct reap__layout *layout);

#endif
