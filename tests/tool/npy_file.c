/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes .npy files.
 */
#include "tests/tool/npy_file.h"

#include <math.h>
#include <reap/half.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 256 };

static size_t count_elements(const struct npy_file *file)
{
    size_t count = 1;
    for (unsigned d = 0; d < file->dimensions; d++)
        count *= file->shape[d];
    return count;
}

static void write_header(FILE *stream, const struct npy_file *file)
{
    char text[HEADER_BYTES], shape[64] = "";
    for (unsigned d = 0; d < file->dimensions; d++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu,%s", file->shape[d],
                 d + 1 < file->dimensions ? " " : "");
    snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': %s, 'shape': (%s), }",
             file->bytes == 1      ? '|'
             : file->is_big_endian ? '>'
                                   : '<',
             file->kind, file->bytes, file->is_fortran ? "True" : "False", shape);
    const unsigned prefix = file->version == 1 ? 10 : 12;
    const unsigned length = (prefix + (unsigned)strlen(text) + 1 + 63) / 64 * 64 - prefix;
    const unsigned char start[] = {0x93,
                                   'N',
                                   'U',
                                   'M',
                                   'P',
                                   'Y',
                                   (unsigned char)file->version,
                                   0,
                                   (unsigned char)length,
                                   (unsigned char)(length >> 8),
                                   0,
                                   0};
    fwrite(start, 1, prefix, stream);
    fprintf(stream, "%-*s\n", (int)length - 1, text);
}

static uint64_t float_bits(unsigned bytes, long double value)
{
    const float single = (float)value;
    const double wide = (double)value;
    uint32_t single_bits;
    uint64_t wide_bits;
    memcpy(&single_bits, &single, sizeof single);
    memcpy(&wide_bits, &wide, sizeof wide);
    return bytes == 2 ? reap_half_from_float(single).bits : bytes == 4 ? single_bits : wide_bits;
}

static uint64_t value_bits(char kind, unsigned bytes, long double value)
{
    if (kind == 'f')
        return float_bits(bytes, value);
    return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

void npy_file_write(const struct npy_file *file, const long double *values)
{
    FILE *stream = fopen(file->name, "wb");
    const size_t count = count_elements(file);
    if (stream == NULL) {
        perror(file->name);
        exit(1);
    }
    write_header(stream, file);
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = value_bits(file->kind, file->bytes, values[i]);
        for (unsigned b = 0; b < file->bytes; b++)
            putc((int)(bits >> 8 * (file->is_big_endian ? file->bytes - 1 - b : b) & 0xff), stream);
    }
    if (fclose(stream) != 0) {
        perror(file->name);
        exit(1);
    }
}

long double npy_file_round(char kind, unsigned bytes, long double value)
{
    if (kind != 'f')
        return roundl(value);
    return bytes == 2   ? reap_half_to_float(reap_half_from_float((float)value))
           : bytes == 4 ? (float)value
                        : (double)value;
}
