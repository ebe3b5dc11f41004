/* SPDX-License-Identifier: Apache-2.0
 *
 * Decodes as much of an instruction as its length needs: prefixes, the opcode, and from a table of
 * opcodes which operands follow. Instructions of the operating system with operands of their own
 * form (moves of control registers) and those of later processors (REX2) are unknown. Encodings:
 * Intel 64 and IA-32 manual, volume 2, chapter 2 and appendix A; XOP: AMD64 manual, volume 6.
 */
#include "src/port/instruction.h"

#include <stdbool.h>
#include <string.h>

enum {
    MOST_BYTES = 15, /* of an instruction */
    ESCAPE = 0x0f,
    EVEX = 0x62,
    XOP = 0x8f,
    VEX_3_BYTES = 0xc4,
    VEX_2_BYTES = 0xc5
};

/* What follows an opcode. M: the ModRM byte and what it says. b: an immediate byte; w: two, e:
 * three, d: four, z: four or (with prefix 66) two, q: as z or eight, o: an address. B, Z: M and b,
 * M and z. g, G: B and Z for two of the eight instructions, M for the others. x: no instruction, or
 * a prefix. */
static const char one_byte[] = "MMMMbzxxMMMMbzxx" /* 00 */
                               "MMMMbzxxMMMMbzxx"
                               "MMMMbzxxMMMMbzxx"
                               "MMMMbzxxMMMMbzxx"
                               "xxxxxxxxxxxxxxxx" /* 40 */
                               "................"
                               "xxxMxxxxzZbB...."
                               "bbbbbbbbbbbbbbbb"
                               "BZxBMMMMMMMMMMMM" /* 80 */
                               "..........x....."
                               "oooo....bz......"
                               "bbbbbbbbqqqqqqqq"
                               "BBw.xxBZe.w..bx." /* c0 */
                               "MMMMxxx.MMMMMMMM"
                               "bbbbbbbbddxb...."
                               "x.xx..gG......MM";
/* After 0f. */
static const char two_bytes[] = "MMMMx.....x.xM.B" /* 00 */
                                "MMMMMMMMMMMMMMMM"
                                "xxxxxxxxMMMMMMMM"
                                "......x.xxxxxxxx"
                                "MMMMMMMMMMMMMMMM" /* 40 */
                                "MMMMMMMMMMMMMMMM"
                                "MMMMMMMMMMMMMMMM"
                                "BBBBMMM.xMxxMMMM"
                                "dddddddddddddddd" /* 80 */
                                "MMMMMMMMMMMMMMMM"
                                "...MBMxx...MBMMM"
                                "MMMMMMMMMMBMMMMM"
                                "MMBMBBBM........" /* c0 */
                                "MMMMMMMMMMMMMMMM"
                                "MMMMMMMMMMMMMMMM"
                                "MMMMMMMMMMMMMMMM";

struct decoder {
    unsigned char code[2 * MOST_BYTES + 2]; /* zeros after the end */
    size_t at;                              /* the bytes decoded so far */
    bool has_66, has_67, is_wide;           /* is_wide: REX.W */
};

static void skip_prefixes(struct decoder *d)
{
    static const unsigned char prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                             0x66, 0x67, 0xf0, 0xf2, 0xf3};
    while (d->at < MOST_BYTES) {
        const unsigned char byte = d->code[d->at];
        const bool is_rex = (byte & 0xf0) == 0x40;
        if (!is_rex && memchr(prefixes, byte, sizeof prefixes) == NULL)
            return;
        d->has_66 |= byte == 0x66;
        d->has_67 |= byte == 0x67;
        d->is_wide = is_rex && (byte & 8) != 0; /* before another prefix REX is ignored */
        d->at++;
    }
}

/* Opcodes after VEX, EVEX and XOP, of the map that these name. */
static char form_in_map(unsigned map, unsigned char opcode)
{
    switch (map) {
    case 1:
        if (opcode == 0x77) /* vzeroupper */
            return '.';
        return two_bytes[opcode] == 'B' ? 'B' : 'M';
    case 2:
    case 5:
    case 6:
    case 9:
        return 'M';
    case 3:
    case 8:
        return 'B';
    case 10:
        return 'Z';
    default:
        return 'x';
    }
}

static unsigned char next(struct decoder *d)
{
    return d->code[d->at++];
}

/* Decodes the opcode, and returns its form. */
static char opcode_form(struct decoder *d)
{
    const unsigned char byte = next(d);
    unsigned map = 1;
    if (byte == ESCAPE) {
        const unsigned char second = next(d);
        if (second != 0x38 && second != 0x3a)
            return two_bytes[second];
        d->at++;
        return second == 0x38 ? 'M' : 'B';
    }
    const bool is_xop = byte == XOP && (d->code[d->at] & 0x1f) >= 8; /* else it is pop */
    if (byte != EVEX && byte != VEX_3_BYTES && byte != VEX_2_BYTES && !is_xop)
        return one_byte[byte];
    if (byte != VEX_2_BYTES)
        map = d->code[d->at] & (byte == EVEX ? 7 : 0x1f);
    d->at += byte == EVEX ? 3 : byte == VEX_2_BYTES ? 1 : 2;
    d->has_66 = false;
    return form_in_map(map, next(d));
}

static void skip_memory_operand(struct decoder *d)
{
    const unsigned char byte = next(d);
    const unsigned mode = byte >> 6;
    unsigned base = byte & 7;
    if (mode == 3)
        return;
    if (base == 4)
        base = next(d) & 7;
    if (mode == 1)
        d->at += 1;
    else if (mode == 2 || base == 5)
        d->at += 4;
}

/* The form of instructions whose operands depend on the ModRM byte, or on prefixes. */
static char plain_form(const struct decoder *d, char form)
{
    const bool has_immediate = (d->code[d->at] & 0x30) == 0;
    switch (form) {
    case 'g':
        return has_immediate ? 'B' : 'M';
    case 'G':
        return has_immediate ? 'Z' : 'M';
    case 'q':
        return d->is_wide ? '8' : 'z';
    case 'o':
        return d->has_67 ? 'd' : '8';
    default:
        return form;
    }
}

static size_t immediate_bytes(const struct decoder *d, char form)
{
    switch (form) {
    case 'b':
    case 'B':
        return 1;
    case 'w':
        return 2;
    case 'e':
        return 3;
    case 'd':
        return 4;
    case 'z':
    case 'Z':
        return d->has_66 && !d->is_wide ? 2 : 4;
    case '8':
        return 8;
    default:
        return 0;
    }
}

size_t reap__instruction_length(const unsigned char *begin, const unsigned char *end,
                                size_t *opcode)
{
    const size_t left = (size_t)(end - begin);
    const size_t most = left < MOST_BYTES ? left : MOST_BYTES;
    struct decoder d = {.at = 0};
    memcpy(d.code, begin, most);
    skip_prefixes(&d);
    *opcode = d.at;
    const char form = plain_form(&d, opcode_form(&d));
    if (form == 'x')
        return 0;
    if (form == 'M' || form == 'B' || form == 'Z')
        skip_memory_operand(&d);
    d.at += immediate_bytes(&d, form);
    return d.at <= most ? d.at : 0;
}
