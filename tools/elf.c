/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer in an object's data is a relocation. It names a symbol, which is a position in a
 * section, and an offset from there, which is in the relocation or, on some machines, at the
 * pointer's own position. Tables are short, so they are searched linearly.
 *
 * libelf is not used: it would only read the headers, and the tool would depend on one more
 * library.
 */
#include "tools/elf.h"

#include <string.h>

typedef ElfW(Shdr) section_header;
typedef ElfW(Sym) symbol_entry;

enum { MOST_SECTION_NAME_BYTES = 4096 };

/* ---- Sections ---------------------------------------------------------------------------------*/

static bool is_within(const struct cli_elf *elf, uint64_t first, uint64_t bytes)
{
    return first <= elf->count && bytes <= elf->count - first;
}

/* Returns false if the section does not exist, or its bytes are not in the object. */
static bool read_section(const struct cli_elf *elf, size_t number, section_header *section)
{
    const uint64_t at = elf->header.e_shoff + (uint64_t)number * sizeof *section;
    if (number >= elf->header.e_shnum || !is_within(elf, at, sizeof *section))
        return false;
    memcpy(section, elf->bytes + at, sizeof *section);
    return section->sh_type != SHT_NOBITS && is_within(elf, section->sh_offset, section->sh_size);
}

const unsigned char *cli_elf_find_bytes(const struct cli_elf *elf, struct cli_elf_position position,
                                        uint64_t bytes)
{
    section_header section;
    if (!read_section(elf, position.section, &section) || position.offset > section.sh_size ||
        bytes > section.sh_size - position.offset)
        return NULL;
    return elf->bytes + section.sh_offset + position.offset;
}

const char *cli_elf_find_text(const struct cli_elf *elf, struct cli_elf_position position,
                              uint64_t most)
{
    section_header section;
    const char *text = (const char *)cli_elf_find_bytes(elf, position, 1);
    if (text == NULL || !read_section(elf, position.section, &section))
        return NULL;
    const uint64_t there = section.sh_size - position.offset;
    return memchr(text, '\0', there < most ? there : most) != NULL ? text : NULL;
}

static bool is_called(const struct cli_elf *elf, const section_header *section, const char *name)
{
    const struct cli_elf_position position = {elf->header.e_shstrndx, section->sh_name};
    const char *text = cli_elf_find_text(elf, position, MOST_SECTION_NAME_BYTES);
    return text != NULL && strcmp(text, name) == 0;
}

bool cli_elf_find_section(const struct cli_elf *elf, const char *name, size_t *number,
                          uint64_t *size)
{
    section_header section;
    for (; *number < elf->header.e_shnum; ++*number)
        if (read_section(elf, *number, &section) && is_called(elf, &section, name)) {
            *size = section.sh_size;
            return true;
        }
    return false;
}

/* ---- Relocations ------------------------------------------------------------------------------*/

/* A relocation in either format. */
struct relocation {
    uint64_t offset; /* in its section */
    size_t symbol;
    uint64_t addend;
};

static struct relocation read_relocation(const struct cli_elf *elf, const section_header *table,
                                         uint64_t number)
{
    ElfW(Rela) entry = {.r_addend = 0}; /* a Rel is a prefix of it */
    const unsigned symbol_shift = sizeof entry.r_info == sizeof(uint64_t) ? 32 : 8;
    memcpy(&entry, elf->bytes + table->sh_offset + number * table->sh_entsize, table->sh_entsize);
    return (struct relocation){entry.r_offset, (size_t)(entry.r_info >> symbol_shift),
                               (uint64_t)entry.r_addend};
}

/* Returns false if the symbol does not exist, or has no position in this object. */
static bool read_symbol(const struct cli_elf *elf, size_t table, size_t number,
                        symbol_entry *symbol)
{
    const struct cli_elf_position position = {table, (uint64_t)number * sizeof *symbol};
    const unsigned char *bytes = cli_elf_find_bytes(elf, position, sizeof *symbol);
    if (bytes == NULL)
        return false;
    memcpy(symbol, bytes, sizeof *symbol);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE;
}

/* Finds a table of the relocations of a section, from section *number on; false: not found. */
static bool find_table(const struct cli_elf *elf, size_t of, size_t *number, section_header *table)
{
    for (; *number < elf->header.e_shnum; ++*number)
        if (read_section(elf, *number, table) && table->sh_info == of &&
            ((table->sh_type == SHT_RELA && table->sh_entsize == sizeof(ElfW(Rela))) ||
             (table->sh_type == SHT_REL && table->sh_entsize == sizeof(ElfW(Rel)))))
            return true;
    return false;
}

/* Finds the target of the first relocation, of `bytes` bytes from a position on, that is in a
 * section with this name (NULL: in any); false: not found. */
static bool find_target(const struct cli_elf *elf, struct cli_elf_position from, uint64_t bytes,
                        const char *name, struct cli_elf_position *target)
{
    section_header table, section;
    symbol_entry symbol;
    for (size_t t = 0; find_table(elf, from.section, &t, &table); t++)
        for (uint64_t r = 0; r < table.sh_size / table.sh_entsize; r++) {
            const struct relocation relocation = read_relocation(elf, &table, r);
            if (relocation.offset < from.offset || relocation.offset - from.offset >= bytes ||
                !read_symbol(elf, table.sh_link, relocation.symbol, &symbol) ||
                !read_section(elf, symbol.st_shndx, &section))
                continue;
            *target =
                (struct cli_elf_position){symbol.st_shndx, symbol.st_value + relocation.addend};
            if (name == NULL || is_called(elf, &section, name))
                return true;
        }
    return false;
}

bool cli_elf_follow(const struct cli_elf *elf, struct cli_elf_position from, size_t member,
                    struct cli_elf_position *target)
{
    section_header table;
    size_t t = 0;
    uintptr_t addend = 0;
    from.offset += member;
    if (!find_target(elf, from, 1, NULL, target) || !find_table(elf, from.section, &t, &table))
        return false;
    const unsigned char *bytes = cli_elf_find_bytes(elf, from, sizeof addend);
    if (bytes != NULL && table.sh_type == SHT_REL)
        memcpy(&addend, bytes, sizeof addend);
    target->offset += addend;
    return true;
}

/* ---- Functions --------------------------------------------------------------------------------*/

/* Returns the size of the function at a position; 0: not a function. */
static uint64_t measure_function(const struct cli_elf *elf, struct cli_elf_position position)
{
    section_header table;
    symbol_entry symbol;
    for (size_t s = 0; s < elf->header.e_shnum; s++) {
        if (!read_section(elf, s, &table) || table.sh_type != SHT_SYMTAB)
            continue;
        for (size_t i = 0; i < table.sh_size / sizeof symbol; i++)
            if (read_symbol(elf, s, i, &symbol) && symbol.st_shndx == position.section &&
                symbol.st_value == position.offset && (symbol.st_info & 0xf) == STT_FUNC)
                return symbol.st_size;
    }
    return 0;
}

bool cli_elf_find_reference(const struct cli_elf *elf, struct cli_elf_position function,
                            const char *name, struct cli_elf_position *target)
{
    const uint64_t bytes = measure_function(elf, function);
    if (!find_target(elf, function, bytes, name, target))
        return false;
    /* x86-64 counts from the end of the four bytes that contain the offset. */
    target->offset += elf->header.e_machine == EM_X86_64 ? 4 : 0;
    return true;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

bool cli_elf_open(struct cli_elf *elf, const unsigned char *bytes, size_t count,
                  struct cli_failure *failure)
{
    const uint16_t probe = 1;
    const unsigned char order = *(const unsigned char *)&probe == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    ElfW(Ehdr) *header = &elf->header;
    elf->bytes = bytes;
    elf->count = count;
    if (count < sizeof *header || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return cli_fail(failure, "the compiler's output is not an ELF object");
    memcpy(header, bytes, sizeof *header);
    if (header->e_ident[EI_CLASS] != class || header->e_ident[EI_DATA] != order)
        return cli_fail(failure, "the object is for another kind of machine");
    return (header->e_type == ET_REL && header->e_shentsize == sizeof(section_header)) ||
           cli_fail(failure, "the compiler's output is not a relocatable object");
}
