/* SPDX-License-Identifier: Apache-2.0
 *
 * Relocatable ELF objects, in memory: sections by name, and what the pointers in their data point
 * to. An object may hold anything, since whoever wrote it may be hostile: no function here looks
 * outside its bytes.
 */
#ifndef CLI_ELF_H
#define CLI_ELF_H

#include "src/cli/failure.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct cli_elf {
    const unsigned char *bytes; /* not owned */
    size_t count;
    ElfW(Ehdr) header;
};

/* A place in a section. */
struct cli_elf_place {
    size_t section;
    uint64_t offset;
};

/* Gives false and the failure where the bytes are not a relocatable object of this kind of machine:
 * of its size of pointers and its order of bytes. */
bool cli_elf_open(struct cli_elf *elf, const unsigned char *bytes, size_t count,
                  struct cli_failure *failure);

/* Finds a section with this name, from section *number on, and its size; false: there is none. */
bool cli_elf_find_section(const struct cli_elf *elf, const char *name, size_t *number,
                          uint64_t *size);

/* The bytes at a place; NULL where there are fewer of them in the section. */
const unsigned char *cli_elf_find_bytes(const struct cli_elf *elf, struct cli_elf_place place,
                                        uint64_t bytes);

/* The text at a place, shorter than `most` bytes; NULL: there is none. */
const char *cli_elf_find_text(const struct cli_elf *elf, struct cli_elf_place place, uint64_t most);

/* Where the pointer `member` bytes behind a place points to; false: it is NULL, or points out of
 * the object. */
bool cli_elf_follow(const struct cli_elf *elf, struct cli_elf_place from, size_t member,
                    struct cli_elf_place *target);

/* The first place in a section with this name that the code of the function at a place refers to;
 * false: there is none. */
bool cli_elf_find_reference(const struct cli_elf *elf, struct cli_elf_place function,
                            const char *name, struct cli_elf_place *target);

#endif
