/* SPDX-License-Identifier: Apache-2.0
 *
 * Relocatable ELF objects in memory: sections by name, and the targets of pointers in their data.
 * An object may contain any bytes, since its author may be hostile: these functions read only
 * inside the object.
 */
#ifndef CLI_ELF_H
#define CLI_ELF_H

#include "tools/failure.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct cli_elf {
    const unsigned char *bytes; /* not owned */
    size_t count;
    ElfW(Ehdr) header;
};

/* A position in a section. */
struct cli_elf_position {
    size_t section;
    uint64_t offset;
};

/* Returns false and the failure if the bytes are not a relocatable object for this kind of machine:
 * its pointer size and byte order. */
bool cli_elf_open(struct cli_elf *elf, const unsigned char *bytes, size_t count,
                  struct cli_failure *failure);

/* Finds a section with this name, from section *number on, and its size; false: not found. */
bool cli_elf_find_section(const struct cli_elf *elf, const char *name, size_t *number,
                          uint64_t *size);

/* Returns the bytes at a position; NULL: the section has fewer. */
const unsigned char *cli_elf_find_bytes(const struct cli_elf *elf, struct cli_elf_position position,
                                        uint64_t bytes);

/* Returns the text at a position, shorter than `most` bytes; NULL: not a text. */
const char *cli_elf_find_text(const struct cli_elf *elf, struct cli_elf_position position,
                              uint64_t most);

/* Finds the target of the pointer that is `member` bytes after a position; false: it is NULL, or
 * points outside the object. */
bool cli_elf_follow(const struct cli_elf *elf, struct cli_elf_position from, size_t member,
                    struct cli_elf_position *target);

/* Finds the first position in a section with this name that the code of the function at a position
 * refers to; false: not found. */
bool cli_elf_find_reference(const struct cli_elf *elf, struct cli_elf_position function,
                            const char *name, struct cli_elf_position *target);

#endif
