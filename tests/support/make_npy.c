/* SPDX-License-Identifier: Apache-2.0
 *
 * make_npy TYPE SHAPE FILE [SEED] writes a .npy file of random numbers, for tests and for
 * `make demo`: the same file for the same arguments. TYPE is bool, i8 to i64, u8 to u64, f16, f32
 * or f64, after '>' where it is to be big-endian; SHAPE is numbers with commas ('1000,2000').
 * Integers are any of their type, f32 and f64 lie between -1000 and 1000, f16 are finite. It is not
 * a part of Reap, and is compiled from this one file.
 */
#include "tests/support/check.h"

#include <string.h>

enum { BUFFER_BYTES = 1 << 20, HEADER_BYTES = 128, HEADER_TEXT_AT = 10 };

/* Elements as .npy describes them: '<' or '>' or '|', 'b', 'i', 'u' or 'f', and the size. */
struct element {
    char order, kind;
    unsigned bytes;
};

static int refuse(const char *what, const char *argument)
{
    fprintf(stderr, "make_npy: %s '%s'\n", what, argument);
    return 1;
}

static bool find_element(const char *type, struct element *element)
{
    const bool is_big = type[0] == '>';
    const char *name = type + is_big;
    const long bits = strcmp(name, "bool") == 0 ? 8 : strtol(name + (name[0] != '\0'), NULL, 10);
    if (name[0] == '\0' || strchr("biuf", name[0]) == NULL || bits % 8 != 0 || bits > 64 ||
        bits < (name[0] == 'f' ? 16 : 8) || (bits & (bits - 1)) != 0)
        return false;
    *element = (struct element){bits == 8 ? '|' : is_big ? '>' : '<', name[0], (unsigned)bits / 8};
    return true;
}

/* The product of the numbers; 0 for an invalid or an empty shape. */
static uint64_t count_elements(const char *shape)
{
    uint64_t count = 1;
    for (const char *at = shape; *at != '\0';) {
        char *end;
        count *= strtoull(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0'))
            return 0;
        at = *end == ',' ? end + 1 : end;
    }
    return count;
}

static bool write_header(FILE *file, struct element element, const char *shape)
{
    char header[HEADER_BYTES];
    char *text = header + HEADER_TEXT_AT;
    const size_t most = sizeof header - HEADER_TEXT_AT;
    const int length =
        snprintf(text, most, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%s,), }",
                 element.order, element.kind, element.bytes, shape);
    if (length < 0 || (size_t)length >= most)
        return false;
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)most;
    header[9] = 0;
    memset(text + length, ' ', most - (size_t)length);
    header[sizeof header - 1] = '\n';
    return fwrite(header, 1, sizeof header, file) == sizeof header;
}

/* The bits of a random element. */
static uint64_t draw(struct element element, uint64_t *state)
{
    const uint64_t random = check_random(state);
    const double uniform = ((double)(random >> 11) * 0x1p-53 - 0.5) * 2000.0;
    const float single = (float)uniform;
    uint32_t single_bits;
    uint64_t bits;
    memcpy(&single_bits, &single, sizeof single);
    memcpy(&bits, &uniform, sizeof bits);
    if (element.kind != 'f')
        return element.kind == 'b' ? random & 1 : random;
    if (element.bytes == 2) /* the exponent is never all ones */
        return (random & 0x7c00u) == 0x7c00u ? random & ~(uint64_t)0x4000u : random;
    return element.bytes == 4 ? single_bits : bits;
}

static bool write_elements(FILE *file, struct element element, uint64_t count, uint64_t seed)
{
    static unsigned char buffer[BUFFER_BYTES];
    const unsigned bytes = element.bytes;
    const size_t per_buffer = BUFFER_BYTES / bytes;
    uint64_t state = seed;
    while (count > 0) {
        const size_t n = count < per_buffer ? (size_t)count : per_buffer;
        for (size_t i = 0; i < n; i++) {
            const uint64_t bits = draw(element, &state);
            for (unsigned b = 0; b < bytes; b++)
                buffer[i * bytes + b] =
                    (unsigned char)(bits >> 8 * (element.order == '>' ? bytes - 1 - b : b));
        }
        if (fwrite(buffer, bytes, n, file) != n)
            return false;
        count -= n;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct element element;
    if (argc < 4 || argc > 5) {
        fputs("usage: make_npy TYPE SHAPE FILE [SEED]\n", stderr);
        return 2;
    }
    const char *type = argv[1], *shape = argv[2], *name = argv[3];
    const uint64_t count = count_elements(shape);
    const uint64_t seed = argc == 5 ? strtoull(argv[4], NULL, 10) : 1;
    if (!find_element(type, &element))
        return refuse("not a type:", type);
    if (count == 0)
        return refuse("this is not a shape:", shape);
    FILE *file = fopen(name, "wb");
    if (file == NULL)
        return refuse("cannot create", name);
    bool is_fine = write_header(file, element, shape) && write_elements(file, element, count, seed);
    is_fine &= fclose(file) == 0;
    return is_fine ? 0 : refuse("cannot write", name);
}
