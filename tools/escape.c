/* SPDX-License-Identifier: Apache-2.0
 *
 * Text is escaped one character at a time; a byte that is not part of a character is treated as
 * one.
 */
#include "tools/escape.h"

#include "tools/terminal.h"

#include <stdlib.h>
#include <string.h>

enum { ESCAPED_BYTES = 4 }; /* the most bytes that one byte becomes */

uint32_t cli_read_character(const char *at, size_t *bytes)
{
    const unsigned char *byte = (const unsigned char *)at;
    const size_t count = byte[0] < 0x80 ? 1 : byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
    const unsigned char least = byte[0] == 0xe0 ? 0xa0 : byte[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = byte[0] == 0xed ? 0x9f : byte[0] == 0xf4 ? 0x8f : 0xbf;
    uint32_t character = count == 1 ? byte[0] : byte[0] & (0x7fu >> count);
    *bytes = 1;
    if (byte[0] > 0xf4 || (byte[0] >= 0x80 && byte[0] < 0xc2) ||
        (count > 1 && (byte[1] < least || byte[1] > most)))
        return CLI_NO_CHARACTER;
    for (size_t b = 1; b < count; b++) {
        if (byte[b] < 0x80 || byte[b] > 0xbf)
            return CLI_NO_CHARACTER;
        character = character << 6 | (byte[b] & 0x3fu);
    }
    *bytes = count;
    return character;
}

bool cli_is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character <= 0x9f) || character == 0x61c ||
           character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* Escapes the character at *at, and moves *at to its end. Returns the number of bytes written. */
static size_t escape(const char **at, const char *kept, bool is_utf8,
                     char into[4 * ESCAPED_BYTES + 1])
{
    size_t bytes, written = 0;
    const uint32_t character = cli_read_character(*at, &bytes);
    const bool is_kept = strchr(kept, **at) != NULL;
    const bool is_control = cli_is_control(character) && !is_kept;
    const bool has_controls = character == CLI_NO_CHARACTER || !is_utf8;
    for (size_t b = 0; b < bytes; b++) {
        const unsigned char byte = (unsigned char)(*at)[b];
        if (is_control || (has_controls && byte >= 0x80 && byte <= 0x9f))
            written += (size_t)snprintf(into + written, ESCAPED_BYTES + 1, "\\%03o", byte);
        else
            into[written++] = (char)byte;
    }
    *at += bytes;
    return written;
}

void cli_print_escaped(FILE *stream, const char *text, const char *kept)
{
    char escaped[4 * ESCAPED_BYTES + 1];
    const bool is_utf8 = cli_terminal_is_utf8();
    while (*text != '\0') {
        const size_t count = escape(&text, kept, is_utf8, escaped);
        fwrite(escaped, 1, count, stream);
    }
}

char *cli_escape(const char *text)
{
    char *copy = malloc(ESCAPED_BYTES * strlen(text) + 1), *to = copy;
    const bool is_utf8 = cli_terminal_is_utf8();
    if (copy == NULL)
        return NULL;
    while (*text != '\0')
        to += escape(&text, "", is_utf8, to);
    *to = '\0';
    return copy;
}
