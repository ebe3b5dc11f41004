/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that comes from files and drivers, made fit for a terminal: control characters, which
 * terminals obey, and marks that change the direction of writing, which show a name as another one,
 * become a backslash and three octal digits for each byte.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_NO_CHARACTER UINT32_MAX

/* Reads the character at a place in UTF-8 (RFC 3629, section 4), and how many bytes it has; of a
 * byte that does not belong to one it gives CLI_NO_CHARACTER, and 1. */
uint32_t cli_read_character(const char *at, size_t *bytes);

/* Whether it is a control character (U+0000 to U+001F, U+007F to U+009F) or a mark of direction
 * (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). */
bool cli_is_control(uint32_t character);

/* Prints the text, but leaves the characters of `kept` as they are. Where the locale's character
 * set is not UTF-8, bytes from 128 to 159 are control characters wherever they stand. Any thread.
 */
void cli_print_escaped(FILE *stream, const char *text, const char *kept);

/* The same as a text of its own, which the caller frees; NULL: there is no memory. */
char *cli_escape(const char *text);

#endif
