/* SPDX-License-Identifier: Apache-2.0
 *
 * The element types of files: their names, and how a single element is read and written. Kernels
 * read all elements.
 */
#ifndef CLI_ELEMENT_H
#define CLI_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, kind, bytes) */
#define CLI_ELEMENT_TYPES(X)                                                                       \
    X(boolean, 'b', 1)                                                                             \
    X(i8, 'i', 1)                                                                                  \
    X(i16, 'i', 2)                                                                                 \
    X(i32, 'i', 4)                                                                                 \
    X(i64, 'i', 8)                                                                                 \
    X(u8, 'u', 1)                                                                                  \
    X(u16, 'u', 2)                                                                                 \
    X(u32, 'u', 4)                                                                                 \
    X(u64, 'u', 8)                                                                                 \
    X(f16, 'f', 2)                                                                                 \
    X(f32, 'f', 4)                                                                                 \
    X(f64, 'f', 8)                                                                                 \
    X(c64, 'c', 8)                                                                                 \
    X(c128, 'c', 16)

enum cli_element_type {
#define CLI_ELEMENT_TYPE(name, kind, bytes) CLI_ELEMENT_##name,
    CLI_ELEMENT_TYPES(CLI_ELEMENT_TYPE)
#undef CLI_ELEMENT_TYPE
        CLI_ELEMENT_TYPE_COUNT
};

/* An element's type and the order of its bytes. */
struct cli_element {
    enum cli_element_type type;
    bool is_big_endian;
};

/* Longer than any number written by cli_element_write. */
enum { CLI_NUMBER_BYTES = 48 };

/* The type's name, as --type takes it: "f32", "bool". */
const char *cli_element_name(enum cli_element_type type);

/* 'b' for bool, 'i', 'u', 'f', and 'c' for complex, as the .npy format has them. */
char cli_element_kind(enum cli_element_type type);
size_t cli_element_bytes(enum cli_element_type type);

/* Finds a type by its name, or by kind and size. Returns false if it does not exist. */
bool cli_element_find(const char *name, enum cli_element_type *type);
bool cli_element_find_kind(char kind, uint64_t bytes, enum cli_element_type *type);

/* The type of the parts of a complex number; for any other type the type itself. */
enum cli_element_type cli_element_part(enum cli_element_type type);

/* An element in this machine's byte order. */
struct cli_element cli_element_native(enum cli_element_type type);

/* Whether the element's bytes are in the other byte order than this machine's. */
bool cli_element_is_swapped(struct cli_element element);

/* For an element that is not complex: the value at `bytes` as a key that has the order of the
 * values (tools/kernels/describe_part.h); returns false for a NaN. */
bool cli_element_key(struct cli_element element, const unsigned char *bytes, uint64_t *key);

/* For such an element: writes the value at `bytes` as the shortest decimal number that is read as
 * the same value. */
void cli_element_write(struct cli_element element, const unsigned char *bytes,
                       char text[CLI_NUMBER_BYTES]);

/* Writes a double in the same way, or "inf", "-inf" or "nan". */
void cli_double_write(double value, char text[CLI_NUMBER_BYTES]);

#endif
