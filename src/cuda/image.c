/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks at the tables of an ELF file. Anything else is taken for PTX, which begins with a comment
 * or a directive, so that bytes at random do not pass.
 */
#include "src/cuda/image.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

static bool lies_within(uint64_t offset, uint64_t bytes, size_t size)
{
    return offset <= size && bytes <= size - offset;
}

static bool sections_lie_within(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
    if (header->e_shentsize != sizeof(Elf64_Shdr) ||
        !lies_within(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), size))
        return false;
    for (size_t s = 0; s < header->e_shnum; s++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + header->e_shoff + s * sizeof section, sizeof section);
        if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS &&
            !lies_within(section.sh_offset, section.sh_size, size))
            return false;
    }
    return true;
}

static bool segments_lie_within(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
    if (header->e_phnum == 0)
        return true;
    if (header->e_phentsize != sizeof(Elf64_Phdr) ||
        !lies_within(header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), size))
        return false;
    for (size_t p = 0; p < header->e_phnum; p++) {
        Elf64_Phdr segment;
        memcpy(&segment, bytes + header->e_phoff + p * sizeof segment, sizeof segment);
        if (!lies_within(segment.p_offset, segment.p_filesz, size))
            return false;
    }
    return true;
}

bool reap__cuda_image_is_whole(const void *bytes, size_t size)
{
    const unsigned char *image = bytes;
    Elf64_Ehdr header;
    if (size > sizeof header && memcmp(image, ELFMAG, SELFMAG) == 0) {
        memcpy(&header, image, sizeof header);
        return header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shnum > 0 &&
               sections_lie_within(image, size, &header) &&
               segments_lie_within(image, size, &header);
    }
    return size > 0 && (image[0] == '/' || image[0] == '.') && image[size - 1] == '\0';
}
