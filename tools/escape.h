/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes text from files and drivers safe for a terminal: control characters, which control the
 * terminal, and marks that change the direction of writing, which disguise names, become a
 * backslash and three octal digits for each byte.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_NO_CHARACTER UINT32_MAX

/* Reads the character at a position in UTF-8 (RFC 3629, section 4), and its number of bytes; for a
 * byte that is not part of a character it returns CLI_NO_CHARACTER, and 1. */
uint32_t cli_read_character(const char *at, size_t *bytes);

/* Whether it is a control character (U+0000 to U+001F, U+007F to U+009F) or a mark of direction
 * (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). */
bool cli_is_control(uint32_t character);

/* Prints the text escaped, except the characters of `kept`. If the locale's character set is not
 * UTF-8, bytes from 128 to 159 are always control characters. Any thread. */
void cli_print_escaped(FILE *stream, const char *text, const char *kept);

/* The same as a new text, which the caller frees; NULL: out of memory. */
char *cli_escape(const char *text);

#endif
