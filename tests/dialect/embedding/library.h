/* SPDX-License-Identifier: Apache-2.0
 *
 * What a shared library of embedding.sh has: kernels of the program's names, and this.
 */
#ifndef TESTS_DIALECT_EMBEDDING_LIBRARY_H
#define TESTS_DIALECT_EMBEDDING_LIBRARY_H

/* Runs the library's kernels and checks their text; returns the number of failed checks. */
__attribute__((visibility("default"))) int check_library(const char *folder);

#endif
