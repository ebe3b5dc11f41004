/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a .npy header. The dictionary in it is Python's text for one, of which exactly this is
 * taken:
 *
 *     { 'descr': STRING, 'fortran_order': True or False, 'shape': (N, ...), }
 *
 * with the keys in any order, each once, either kind of quotes, and white space anywhere between
 * words. Every byte is read by peek(), which checks the end of the header.
 */
#include "tools/read/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reader {
    const unsigned char *bytes;
    size_t at, end;
    struct cli_npy *npy;
    struct cli_npy_error *error;
};

enum { END_OF_HEADER = -1, MAGIC_BYTES = 6, VERSION_AT = MAGIC_BYTES };

/* Records an error at a position; returns false, for the caller to return. */
static bool fail(const struct reader *reader, size_t position, const char *format, ...)
{
    va_list arguments;
    reader->error->position = position;
    va_start(arguments, format);
    vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Words ------------------------------------------------------------------------------------*/

static int peek(const struct reader *reader)
{
    return reader->at < reader->end ? reader->bytes[reader->at] : END_OF_HEADER;
}

static int peek_word(struct reader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\n' || peek(reader) == '\t')
        reader->at++;
    return peek(reader);
}

static bool fail_expecting(struct reader *reader, const char *what)
{
    const int found = peek_word(reader);
    if (found == END_OF_HEADER)
        return fail(reader, reader->at, "%s is missing where the header ends", what);
    if (found > ' ' && found <= '~')
        return fail(reader, reader->at, "%s is missing before '%c'", what, found);
    return fail(reader, reader->at, "%s is missing before byte 0x%02x", what, (unsigned)found);
}

/* Skips a punctuation mark if it is the next character. */
static bool take(struct reader *reader, char mark)
{
    if (peek_word(reader) != mark)
        return false;
    reader->at++;
    return true;
}

static bool expect(struct reader *reader, char mark)
{
    const char what[] = {'\'', mark, '\'', '\0'};
    return take(reader, mark) || fail_expecting(reader, what);
}

/* A quoted string of printable characters without a backslash. */
static bool read_string(struct reader *reader, const char *what, char *text, size_t size)
{
    const int quote = peek_word(reader);
    if (quote != '\'' && quote != '"')
        return fail_expecting(reader, what);
    const size_t begin = ++reader->at;
    for (; peek(reader) != quote; reader->at++)
        if (peek(reader) < ' ' || peek(reader) > '~' || peek(reader) == '\\')
            return fail_expecting(reader, "a closing quote");
    const size_t length = reader->at++ - begin;
    if (length >= size)
        return fail(reader, begin, "%s is longer than %zu characters", what, size - 1);
    memcpy(text, reader->bytes + begin, length);
    text[length] = '\0';
    return true;
}

/* Letters, digits and underscores. */
static bool take_name(struct reader *reader, const char *name)
{
    const size_t length = strlen(name);
    peek_word(reader);
    if (reader->end - reader->at < length || memcmp(reader->bytes + reader->at, name, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static bool read_number(struct reader *reader, uint64_t *number)
{
    const uint64_t most = INT64_MAX;
    peek_word(reader);
    const size_t position = reader->at;
    if (peek(reader) == '-')
        return fail(reader, position, "a dimension is negative");
    if (peek(reader) < '0' || peek(reader) > '9')
        return fail_expecting(reader, "a dimension");
    for (*number = 0; peek(reader) >= '0' && peek(reader) <= '9'; reader->at++) {
        const uint64_t digit = (uint64_t)(peek(reader) - '0');
        if (*number > (most - digit) / 10)
            return fail(reader, position, "a dimension is larger than 2^63 - 1");
        *number = *number * 10 + digit;
    }
    if (reader->bytes[position] == '0' && reader->at - position > 1)
        return fail(reader, position, "a dimension begins with a zero");
    /* Python 2 wrote long integers so; NumPy accepts that in versions 1 and 2. */
    if (peek(reader) == 'L' && reader->bytes[VERSION_AT] < 3)
        reader->at++;
    return true;
}

/* ---- The three values -------------------------------------------------------------------------*/

static bool fail_type(struct reader *reader, size_t position, const char *text)
{
    switch (text[0] != '\0' ? text[1] : '\0') {
    case 'O':
        return fail(reader, position, "'%s': an array of Python objects has no numbers", text);
    case 'S':
    case 'U':
    case 'V':
        reader->error->is_of_type = true;
        return fail(reader, position, "'%s': elements are text or bytes, not numbers", text);
    case 'm':
    case 'M':
        return fail(reader, position, "'%s': elements are times, not numbers", text);
    default:
        return fail(reader, position, "'%s' is not a supported element type", text);
    }
}

/* "<f8": byte order, kind, size. */
static bool read_type(struct reader *reader)
{
    char text[32];
    struct cli_element *element = &reader->npy->layout.element;
    reader->error->is_of_type = peek_word(reader) == '[';
    if (reader->error->is_of_type)
        return fail(reader, reader->at, "structured elements are not supported");
    const size_t position = reader->at;
    if (!read_string(reader, "an element type", text, sizeof text))
        return false;
    const size_t length = strlen(text);
    uint64_t bytes = 0;
    if (length == 3)
        bytes = (uint64_t)(text[2] - '0');
    else if (strcmp(text + (length > 2 ? 2 : length), "16") == 0)
        bytes = 16;
    if (length < 3 || strchr("<>|", text[0]) == NULL ||
        !cli_element_find_kind(text[1], bytes, &element->type))
        return fail_type(reader, position, text);
    if (text[0] == '|' && bytes > 1)
        return fail(reader, position, "'%s' does not say the order of its bytes", text);
    element->is_big_endian = text[0] == '>';
    return true;
}

static bool read_order(struct reader *reader)
{
    if (take_name(reader, "True"))
        reader->npy->layout.is_fortran = true;
    else if (take_name(reader, "False"))
        reader->npy->layout.is_fortran = false;
    else
        return fail_expecting(reader, "True or False");
    return true;
}

static bool read_shape(struct reader *reader)
{
    struct cli_layout *layout = &reader->npy->layout;
    layout->dimensions = 0;
    if (!expect(reader, '('))
        return false;
    while (!take(reader, ')')) {
        if (layout->dimensions == CLI_MOST_DIMENSIONS)
            return fail(reader, reader->at, "there are more than %d dimensions",
                        CLI_MOST_DIMENSIONS);
        if (!read_number(reader, &layout->shape[layout->dimensions++]))
            return false;
        if (take(reader, ','))
            continue;
        /* Without a comma, (3) is a number in Python. */
        if (layout->dimensions == 1 || peek_word(reader) != ')')
            return fail_expecting(reader, "','");
    }
    return true;
}

/* ---- The dictionary ---------------------------------------------------------------------------*/

static const struct {
    const char *key;
    bool (*read)(struct reader *reader);
} values[] = {
    {"descr", read_type},
    {"fortran_order", read_order},
    {"shape", read_shape},
};

enum { VALUE_COUNT = sizeof values / sizeof *values };

/* Reads one key and its value; stores the value's position. */
static bool read_item(struct reader *reader, size_t positions[VALUE_COUNT])
{
    char key[32];
    peek_word(reader);
    const size_t position = reader->at;
    if (!read_string(reader, "a key", key, sizeof key))
        return false;
    for (int v = 0; v < VALUE_COUNT; v++)
        if (strcmp(key, values[v].key) == 0) {
            if (positions[v] != 0)
                return fail(reader, position, "'%s' is there twice", key);
            if (!expect(reader, ':'))
                return false;
            peek_word(reader);
            positions[v] = reader->at;
            return values[v].read(reader);
        }
    return fail(reader, position, "'%s' is not a key of a .npy header", key);
}

static bool read_dictionary(struct reader *reader, size_t positions[VALUE_COUNT])
{
    const size_t begin = reader->at;
    if (!take(reader, '{'))
        return fail(reader, begin, "the header is not a dictionary");
    while (!take(reader, '}')) {
        if (!read_item(reader, positions))
            return false;
        if (!take(reader, ',') && peek_word(reader) != '}')
            return fail_expecting(reader, "',' or '}'");
    }
    for (int v = 0; v < VALUE_COUNT; v++)
        if (positions[v] == 0)
            return fail(reader, begin, "the header has no '%s'", values[v].key);
    if (peek_word(reader) != END_OF_HEADER)
        return fail(reader, reader->at, "something follows the header's dictionary");
    return true;
}

/* ---- The file's first bytes -------------------------------------------------------------------*/

/* NumPy does not support an array that is empty, but too large without its dimensions of zero. */
static bool count_elements(const struct reader *reader, size_t position)
{
    struct cli_layout *layout = &reader->npy->layout;
    const uint64_t most = INT64_MAX / cli_element_bytes(layout->element.type);
    bool is_empty = false;
    layout->count = 1;
    for (unsigned d = 0; d < layout->dimensions; d++) {
        if (layout->shape[d] > most / layout->count)
            return fail(reader, position, "the shape has more bytes than a file can hold");
        if (layout->shape[d] == 0)
            is_empty = true;
        else
            layout->count *= layout->shape[d];
    }
    if (is_empty)
        layout->count = 0;
    return true;
}

static uint64_t little_endian(const unsigned char *bytes, size_t count)
{
    uint64_t number = 0;
    while (count-- > 0)
        number = number << 8 | bytes[count];
    return number;
}

/* The dictionary is between reader->at and reader->end. */
static bool find_dictionary(struct reader *reader, size_t count)
{
    const unsigned char *bytes = reader->bytes;
    const unsigned char *version = bytes + VERSION_AT;
    const size_t length_at = VERSION_AT + 2;
    if (count < MAGIC_BYTES || memcmp(bytes, "\x93NUMPY", MAGIC_BYTES) != 0)
        return fail(reader, 0, "not a .npy file (for raw numbers give their type: --type f32)");
    if (count < length_at)
        return fail(reader, count, "the file ends before its format version");
    if (version[0] < 1 || version[0] > 3 || version[1] != 0)
        return fail(reader, VERSION_AT, "format version %u.%u is none of 1.0, 2.0, 3.0", version[0],
                    version[1]);
    const size_t length_bytes = version[0] == 1 ? 2 : 4;
    if (count < length_at + length_bytes)
        return fail(reader, count, "the file ends before its header's length");
    const uint64_t length = little_endian(bytes + length_at, length_bytes);
    reader->at = length_at + length_bytes;
    if (length > count - reader->at && count < CLI_NPY_PREFIX_BYTES)
        return fail(reader, length_at, "header length %llu goes past the end of the file",
                    (unsigned long long)length);
    if (length > count - reader->at || length > CLI_NPY_MOST_HEADER_BYTES)
        return fail(reader, length_at, "header length %llu is more than the %d that are supported",
                    (unsigned long long)length, CLI_NPY_MOST_HEADER_BYTES);
    reader->end = reader->at + length;
    return true;
}

size_t cli_npy_prefix_bytes(const unsigned char *bytes, size_t count)
{
    if (count < CLI_NPY_FIRST_BYTES)
        return CLI_NPY_FIRST_BYTES;
    const bool is_first_version = bytes[VERSION_AT] == 1;
    const uint64_t length = little_endian(bytes + VERSION_AT + 2, is_first_version ? 2 : 4);
    const uint64_t all = length + (is_first_version ? 10 : 12);
    return all < CLI_NPY_PREFIX_BYTES ? (size_t)all : CLI_NPY_PREFIX_BYTES;
}

bool cli_npy_parse(const unsigned char *bytes, size_t count, struct cli_npy *npy,
                   struct cli_npy_error *error)
{
    struct reader reader = {.bytes = bytes, .npy = npy, .error = error};
    size_t positions[VALUE_COUNT] = {0};
    memset(npy, 0, sizeof *npy);
    error->is_of_type = false;
    if (!find_dictionary(&reader, count) || !read_dictionary(&reader, positions) ||
        !count_elements(&reader, positions[VALUE_COUNT - 1]))
        return false;
    npy->data_offset = reader.end;
    return true;
}
