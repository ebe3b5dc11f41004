/* SPDX-License-Identifier: Apache-2.0
 *
 * HDF5 types. Elements of the tool's types are used unchanged; integers of other widths, and
 * floating-point numbers that a double represents exactly, are converted.
 */
#include "tools/read/hdf5_type.h"

#include <stdio.h>
#include <string.h>

static void set_text(struct cli_hdf5_type *found, enum cli_hdf5_kind kind, const char *text)
{
    found->kind = kind;
    snprintf(found->text, sizeof found->text, "%s", text);
}

static bool has_plain_bits(hid_t type)
{
    const H5T_order_t order = H5Tget_order(type);
    return (order == H5T_ORDER_LE || order == H5T_ORDER_BE) && H5Tget_offset(type) == 0 &&
           H5Tget_precision(type) == 8 * H5Tget_size(type);
}

static void find_integer(hid_t type, struct cli_hdf5_type *found)
{
    const char kind = H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i';
    const size_t bytes = H5Tget_size(type);
    size_t wide = 1;
    while (wide < bytes)
        wide *= 2;
    if (wide > 8) {
        snprintf(found->text, sizeof found->text, "integers of %zu bytes", bytes);
        found->kind = CLI_HDF5_REFUSED;
        return;
    }
    cli_element_find_kind(kind, wide, &found->element.type);
    found->element.is_big_endian = H5Tget_order(type) == H5T_ORDER_BE;
    found->is_converted = wide != bytes || !has_plain_bits(type);
}

struct float_form {
    size_t bytes, sign, exponent, exponent_bits, mantissa, mantissa_bits, bias;
    H5T_norm_t norm;
};

static bool is_ieee(hid_t type, const struct float_form *form)
{
    static const struct float_form forms[] = {
        {2, 15, 10, 5, 0, 10, 15, H5T_NORM_IMPLIED},
        {4, 31, 23, 8, 0, 23, 127, H5T_NORM_IMPLIED},
        {8, 63, 52, 11, 0, 52, 1023, H5T_NORM_IMPLIED},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (form->bytes == forms[f].bytes && form->sign == forms[f].sign &&
            form->exponent == forms[f].exponent && form->exponent_bits == forms[f].exponent_bits &&
            form->mantissa == forms[f].mantissa && form->mantissa_bits == forms[f].mantissa_bits &&
            form->bias == forms[f].bias && form->norm == forms[f].norm)
            return has_plain_bits(type);
    return false;
}

static void find_float(hid_t type, struct cli_hdf5_type *found)
{
    enum { DOUBLE_EXPONENT = 11, DOUBLE_MANTISSA = 52 };
    struct float_form form = {
        .bytes = H5Tget_size(type), .bias = H5Tget_ebias(type), .norm = H5Tget_norm(type)};
    const bool has_fields = H5Tget_fields(type, &form.sign, &form.exponent, &form.exponent_bits,
                                          &form.mantissa, &form.mantissa_bits) >= 0;
    if (has_fields && is_ieee(type, &form)) {
        cli_element_find_kind('f', form.bytes, &found->element.type);
        found->element.is_big_endian = H5Tget_order(type) == H5T_ORDER_BE;
    } else if (has_fields && form.bytes <= 8 && form.exponent_bits <= DOUBLE_EXPONENT &&
               form.mantissa_bits <= DOUBLE_MANTISSA) {
        found->element.type = CLI_ELEMENT_f64;
        found->is_converted = true;
    } else {
        snprintf(found->text, sizeof found->text, "floating-point numbers of %zu bytes",
                 form.bytes);
        found->kind = CLI_HDF5_REFUSED;
    }
}

static bool has_member(hid_t type, unsigned member, const char *name)
{
    char *called = H5Tget_member_name(type, member);
    const bool is_so = called != NULL && strcmp(called, name) == 0;
    H5free_memory(called);
    return is_so;
}

/* An enumeration is read as its integers; h5py's enumeration of FALSE and TRUE as bools. */
static void find_enumeration(hid_t type, struct cli_hdf5_type *found)
{
    signed char values[2] = {-1, -1};
    const hid_t base = H5Tget_super(type);
    find_integer(base, found);
    if (found->kind == CLI_HDF5_NUMBERS && found->element.type == CLI_ELEMENT_i8 &&
        H5Tget_nmembers(type) == 2 && has_member(type, 0, "FALSE") && has_member(type, 1, "TRUE") &&
        H5Tget_member_value(type, 0, &values[0]) >= 0 &&
        H5Tget_member_value(type, 1, &values[1]) >= 0 && values[0] == 0 && values[1] == 1)
        found->element.type = CLI_ELEMENT_boolean;
    if (found->is_converted)
        set_text(found, CLI_HDF5_REFUSED, "an enumeration of integers in an unusual form");
    H5Tclose(base);
}

/* Reads h5py's complex numbers, of two parts; other compounds are not numbers. */
static void find_compound(hid_t type, struct cli_hdf5_type *found)
{
    struct cli_hdf5_type parts[2] = {{.kind = CLI_HDF5_OTHER}, {.kind = CLI_HDF5_OTHER}};
    set_text(found, CLI_HDF5_OTHER, "a compound");
    if (H5Tget_nmembers(type) != 2 || !has_member(type, 0, "r") || !has_member(type, 1, "i"))
        return;
    for (unsigned m = 0; m < 2; m++) {
        const hid_t member = H5Tget_member_type(type, m);
        if (H5Tget_class(member) == H5T_FLOAT)
            cli_hdf5_find_type(member, &parts[m]);
        H5Tclose(member);
        if (parts[m].kind != CLI_HDF5_NUMBERS || parts[m].is_converted)
            return;
    }
    const struct cli_element part = parts[0].element;
    const size_t bytes = cli_element_bytes(part.type);
    if (part.type != parts[1].element.type ||
        part.is_big_endian != parts[1].element.is_big_endian || part.type == CLI_ELEMENT_f16 ||
        H5Tget_member_offset(type, 0) != 0 || H5Tget_member_offset(type, 1) != bytes ||
        H5Tget_size(type) != 2 * bytes)
        return;
    *found = parts[0];
    found->element.type = part.type == CLI_ELEMENT_f32 ? CLI_ELEMENT_c64 : CLI_ELEMENT_c128;
}

void cli_hdf5_find_type(hid_t type, struct cli_hdf5_type *found)
{
    *found = (struct cli_hdf5_type){.kind = CLI_HDF5_NUMBERS};
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        find_integer(type, found);
        break;
    case H5T_FLOAT:
        find_float(type, found);
        break;
    case H5T_ENUM:
        find_enumeration(type, found);
        break;
    case H5T_COMPOUND:
        find_compound(type, found);
        break;
    case H5T_STRING:
        set_text(found, CLI_HDF5_OTHER, "text");
        break;
    case H5T_REFERENCE:
        set_text(found, CLI_HDF5_OTHER, "references");
        break;
    case H5T_VLEN:
        set_text(found, CLI_HDF5_OTHER, "sequences of variable length");
        break;
    case H5T_ARRAY:
        set_text(found, CLI_HDF5_OTHER, "arrays");
        break;
    default:
        set_text(found, CLI_HDF5_OTHER, "no numbers");
        break;
    }
    if (found->kind == CLI_HDF5_NUMBERS && found->is_converted)
        found->element = cli_element_native(found->element.type);
}

hid_t cli_hdf5_native(enum cli_element_type type)
{
    switch (type) {
    case CLI_ELEMENT_i8:
        return H5T_NATIVE_INT8;
    case CLI_ELEMENT_i16:
        return H5T_NATIVE_INT16;
    case CLI_ELEMENT_i32:
        return H5T_NATIVE_INT32;
    case CLI_ELEMENT_i64:
        return H5T_NATIVE_INT64;
    case CLI_ELEMENT_u8:
        return H5T_NATIVE_UINT8;
    case CLI_ELEMENT_u16:
        return H5T_NATIVE_UINT16;
    case CLI_ELEMENT_u32:
        return H5T_NATIVE_UINT32;
    case CLI_ELEMENT_u64:
        return H5T_NATIVE_UINT64;
    case CLI_ELEMENT_f32:
        return H5T_NATIVE_FLOAT;
    default:
        return H5T_NATIVE_DOUBLE;
    }
}

/* The innermost function that failed has the most specific text. */
static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *of)
{
    char *text = of;
    if (n == 0 && error->desc != NULL)
        snprintf(text, 256, "%s", error->desc);
    return 0;
}

bool cli_hdf5_fail(const char *what, struct cli_failure *failure)
{
    char words[256] = "no reason given";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, words);
    H5Eclear2(H5E_DEFAULT);
    for (char *c = words; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    return cli_fail(failure, "%s: libhdf5: %s", what, words);
}
