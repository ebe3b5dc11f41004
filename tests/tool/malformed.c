/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are wrong, byte by byte: each gets its one line on standard error, status 1, and
 * nothing on standard output. The first table is of the dictionaries of headers that are right
 * otherwise; the second is of whole files.
 *
 * Usage: malformed TOOL DIRECTORY
 */
#include "tests/support/check.h"
#include "tests/tool/tool.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define DICTIONARY(descr, order, shape)                                                            \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"
#define TYPE(descr) DICTIONARY(descr, "False", "(2,)")
#define SHAPE(shape) DICTIONARY("'|u1'", "False", shape)

/* The dictionary starts at byte 10, a type at byte 20, a shape at byte 60. Two bytes of data. */
static const struct dictionary {
    const char *text;
    const char *complaint; /* NULL: the file is fine */
} dictionaries[] = {
    {TYPE("'|u1'"), NULL},
    {TYPE("\"|u1\""), NULL},
    {TYPE("'<u1'"), NULL},
    {TYPE("'>i1'"), NULL},
    {TYPE("'|b1'"), NULL},
    {SHAPE("(1, 2)"), NULL},
    {SHAPE("(2,1,)"), NULL},
    {SHAPE("( 2 , )"), NULL},
    {SHAPE("(2L,)"), NULL},
    {SHAPE("(2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
           "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
     NULL},
    {"{'shape':(2,),'descr':'|u1','fortran_order':True}", NULL},
    {" {\t'shape' : (2,),\n 'descr' : '|u1', 'fortran_order':True }  \n", NULL},

    {TYPE("'|O'"), "byte 20: '|O': an array of Python objects has no numbers"},
    {TYPE("'O'"), "byte 20: 'O' is not a supported element type"},
    {TYPE("'<c8'"), "byte 70: the file ends 14 bytes before its array does"},
    {TYPE("'<c16'"), "byte 71: the file ends 30 bytes before its array does"},
    {TYPE("'<c4'"), "byte 20: '<c4' is not a supported element type"},
    {TYPE("'<c32'"), "byte 20: '<c32' is not a supported element type"},
    {TYPE("'<i16'"), "byte 20: '<i16' is not a supported element type"},
    {TYPE("'|S5'"), "byte 20: '|S5': elements are text or bytes, not numbers"},
    {TYPE("'<U7'"), "byte 20: '<U7': elements are text or bytes, not numbers"},
    {TYPE("'|V2'"), "byte 20: '|V2': elements are text or bytes, not numbers"},
    {TYPE("'<M8[ns]'"), "byte 20: '<M8[ns]': elements are times, not numbers"},
    {TYPE("'<f3'"), "byte 20: '<f3' is not a supported element type"},
    {TYPE("'<f16'"), "byte 20: '<f16' is not a supported element type"},
    {TYPE("'<f1'"), "byte 20: '<f1' is not a supported element type"},
    {TYPE("'<b2'"), "byte 20: '<b2' is not a supported element type"},
    {TYPE("'<i9'"), "byte 20: '<i9' is not a supported element type"},
    {TYPE("'<i-1'"), "byte 20: '<i-1' is not a supported element type"},
    {TYPE("'<i'"), "byte 20: '<i' is not a supported element type"},
    {TYPE("'u1'"), "byte 20: 'u1' is not a supported element type"},
    {TYPE("'='"), "byte 20: '=' is not a supported element type"},
    {TYPE("''"), "byte 20: '' is not a supported element type"},
    {TYPE("'|f4'"), "byte 20: '|f4' does not say the order of its bytes"},
    {TYPE("[('a', '<f4'), ('b', '<i2')]"), "byte 20: structured elements are not supported"},
    {TYPE("('<f4', (3,))"), "byte 20: an element type is missing before '('"},
    {TYPE("'<f4"), "byte 20: '<f4, ' is not a supported element type"},
    {TYPE("\"<f4"), "byte 67: a closing quote is missing where the header ends"},
    {TYPE("'\\x3cf4'"), "byte 21: a closing quote is missing before '\\'"},
    {TYPE("'\xc3\xa9'"), "byte 21: a closing quote is missing before byte 0xc3"},
    {TYPE("'12345678901234567890123456789012'"),
     "byte 21: an element type is longer than 31 characters"},
    {TYPE("None"), "byte 20: an element type is missing before 'N'"},

    {DICTIONARY("'|u1'", "0", "(2,)"), "byte 44: True or False is missing before '0'"},
    {DICTIONARY("'|u1'", "true", "(2,)"), "byte 44: True or False is missing before 't'"},
    {DICTIONARY("'|u1'", "Falsehood", "(2,)"), "byte 49: ',' or '}' is missing before 'h'"},

    {SHAPE("2"), "byte 60: '(' is missing before '2'"},
    {SHAPE("[2]"), "byte 60: '(' is missing before '['"},
    {SHAPE("(2)"), "byte 62: ',' is missing before ')'"},
    {SHAPE("(1 2)"), "byte 63: ',' is missing before '2'"},
    {SHAPE("(,)"), "byte 61: a dimension is missing before ','"},
    {SHAPE("(2,,)"), "byte 63: a dimension is missing before ','"},
    {SHAPE("(+2,)"), "byte 61: a dimension is missing before '+'"},
    {SHAPE("(0x2,)"), "byte 62: ',' is missing before 'x'"},
    {SHAPE("(002,)"), "byte 61: a dimension begins with a zero"},
    {SHAPE("(2, 01)"), "byte 64: a dimension begins with a zero"},
    {SHAPE("(00, 3)"), "byte 61: a dimension begins with a zero"},
    {SHAPE("(2LL,)"), "byte 63: ',' is missing before 'L'"},
    {SHAPE("(2.0,)"), "byte 62: ',' is missing before '.'"},
    {SHAPE("(-2,)"), "byte 61: a dimension is negative"},
    {SHAPE("(2, -1)"), "byte 64: a dimension is negative"},
    {SHAPE("(9223372036854775808,)"), "byte 61: a dimension is larger than 2^63 - 1"},
    {SHAPE("(99999999999999999999999999,)"), "byte 61: a dimension is larger than 2^63 - 1"},
    {SHAPE("(9223372036854775807, 2)"), "byte 60: the shape has more bytes than a file can hold"},
    {SHAPE("(4294967296, 4294967296)"), "byte 60: the shape has more bytes than a file can hold"},
    {SHAPE("(0, 9223372036854775807, 9223372036854775807)"),
     "byte 60: the shape has more bytes than a file can hold"},
    {SHAPE("(4294967296, 4294967296, 0)"),
     "byte 60: the shape has more bytes than a file can hold"},
    {SHAPE("(0, 9223372036854775807)"), "byte 88: the array is followed by 2 bytes"},
    {DICTIONARY("'<f8'", "False", "(2305843009213693952,)"),
     "byte 60: the shape has more bytes than a file can hold"},
    {SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
           "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
     "byte 189: there are more than 64 dimensions"},
    {SHAPE("(9223372036854775807,)"),
     "byte 88: the file ends 9223372036854775805 bytes before its array does"},
    {SHAPE("(3,)"), "byte 70: the file ends 1 byte before its array does"},
    {SHAPE("(1,)"), "byte 69: the array is followed by 1 byte"},
    {SHAPE("(0, 7)"), "byte 70: the array is followed by 2 bytes"},
    {SHAPE("()"), "byte 67: the array is followed by 1 byte"},

    {"", "byte 10: the header is not a dictionary"},
    {"   ", "byte 10: the header is not a dictionary"},
    {"[1, 2]", "byte 10: the header is not a dictionary"},
    {"{}", "byte 10: the header has no 'descr'"},
    {"{'descr': '|u1', 'shape': (2,)}", "byte 10: the header has no 'fortran_order'"},
    {"{'descr': '|u1', 'fortran_order': False}", "byte 10: the header has no 'shape'"},
    {"{'descr': '|u1', 'descr': '|u1'}", "byte 27: 'descr' is there twice"},
    {"{'color': 'red'}", "byte 11: 'color' is not a key of a .npy header"},
    {"{descr: '|u1'}", "byte 11: a key is missing before 'd'"},
    {"{'descr' '|u1'}", "byte 19: ':' is missing before '''"},
    {"{'descr': '|u1' 'shape': (2,)}", "byte 26: ',' or '}' is missing before '''"},
    {"{'descr': '|u1', , 'shape': (2,)}", "byte 27: a key is missing before ','"},
    {"{'descr", "byte 18: a closing quote is missing where the header ends"},
    {"{'descr': ", "byte 21: an element type is missing where the header ends"},
    {"{'descr': '|u1', 'shape': (2,", "byte 40: a dimension is missing where the header ends"},
    {TYPE("'|u1'") " # a comment", "byte 68: something follows the header's dictionary"},
    {TYPE("'|u1'") "{}", "byte 67: something follows the header's dictionary"},
};

#define FILE_OF(literal) literal, sizeof literal - 1
#define PREFIX "\x93NUMPY"

static const struct whole {
    const char *bytes;
    size_t size;
    const char *complaint;
} wholes[] = {
    {FILE_OF(""), "is empty"},
    {FILE_OF("\x93NUMP"), "has no numbers"},
    {FILE_OF("\x93NUMPZ\1\0"), "unknown file format (for raw numbers give their type: --type f32)"},
    {FILE_OF(PREFIX), "byte 6: the file ends before its format version"},
    {FILE_OF(PREFIX "\1"), "byte 7: the file ends before its format version"},
    {FILE_OF(PREFIX "\0\0\2\0{}"), "byte 6: format version 0.0 is none of 1.0, 2.0, 3.0"},
    {FILE_OF(PREFIX "\4\0\2\0{}"), "byte 6: format version 4.0 is none of 1.0, 2.0, 3.0"},
    {FILE_OF(PREFIX "\1\1\2\0{}"), "byte 6: format version 1.1 is none of 1.0, 2.0, 3.0"},
    {FILE_OF(PREFIX "\1\0"), "byte 8: the file ends before its header's length"},
    {FILE_OF(PREFIX "\1\0\2"), "byte 9: the file ends before its header's length"},
    {FILE_OF(PREFIX "\2\0\2\0\0"), "byte 11: the file ends before its header's length"},
    {FILE_OF(PREFIX "\1\0\3\0{}"), "byte 8: header length 3 goes past the end of the file"},
    {FILE_OF(PREFIX "\2\0\x70\x11\1\0{}"),
     "byte 8: header length 70000 goes past the end of the file"},
    {FILE_OF(PREFIX "\3\0\xff\xff\xff\xff{}"),
     "byte 8: header length 4294967295 goes past the end of the file"},
    {FILE_OF(PREFIX "\3\0\x3b\0\0\0" DICTIONARY("'|u1'", "False", "(2L,)") "\1\2"),
     "byte 64: ',' is missing before 'L'"},
    {FILE_OF(PREFIX "\1\0\0\0"), "byte 10: the header is not a dictionary"},
    {FILE_OF(PREFIX "\1\0\4\0{\0'a"), "byte 11: a key is missing before byte 0x00"},
};

/* ---- Running ----------------------------------------------------------------------------------*/

static const char name[] = "bad.npy";

static void write_file(const void *first, size_t first_bytes, const void *then, size_t then_bytes)
{
    FILE *file = fopen(name, "wb");
    bool is_fine = file != NULL;
    is_fine = is_fine && fwrite(first, 1, first_bytes, file) == first_bytes;
    is_fine = is_fine && fwrite(then, 1, then_bytes, file) == then_bytes;
    if (!is_fine || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

static void check_complaint(const char *tool, const char *complaint, const char *what)
{
    static struct tool_run run;
    char line[256] = "";
    const char *const arguments[] = {"describe", name, NULL};
    tool_run(tool, arguments, &run);
    if (complaint != NULL)
        snprintf(line, sizeof line, "reap: %s: %s\n", name, complaint);
    const bool is_right = strcmp(run.errors, line) == 0 &&
                          run.status == (complaint == NULL ? 0 : 1) &&
                          (run.output[0] == '\0') == (complaint != NULL);
    CHECK(is_right);
    if (!is_right)
        fprintf(stderr, "of %s\nexpected: %ssaid:     %sstatus %d, output %s\n", what, line,
                run.errors, run.status, run.output);
}

/* Version 1, the dictionary and a newline, two bytes of data. */
static void check_dictionary(const char *tool, const struct dictionary *dictionary)
{
    char bytes[1024] = PREFIX "\1";
    const size_t length = strlen(dictionary->text) + 1;
    bytes[8] = (char)length;
    bytes[9] = (char)(length >> 8);
    snprintf(bytes + 10, sizeof bytes - 10, "%s\n", dictionary->text);
    write_file(bytes, 10 + length, "\1\2", 2);
    check_complaint(tool, dictionary->complaint, dictionary->text);
}

/* A header of that length, in spaces, of a version that allows it. */
static void check_long_header(const char *tool, size_t length, const char *complaint)
{
    static const char text[] = SHAPE("(2,)");
    const unsigned char start[] = {0x93,
                                   'N',
                                   'U',
                                   'M',
                                   'P',
                                   'Y',
                                   2,
                                   0,
                                   (unsigned char)length,
                                   (unsigned char)(length >> 8),
                                   (unsigned char)(length >> 16),
                                   0};
    char *spaces = malloc(length + 2);
    if (spaces == NULL)
        exit(1);
    memset(spaces, ' ', length + 2);
    memcpy(spaces, text, strlen(text));
    write_file(start, sizeof start, spaces, length + 2);
    free(spaces);
    check_complaint(tool, complaint, "a long header");
}

int main(int argc, char **argv)
{
    if (argc != 3 || chdir(argv[2]) != 0) {
        fprintf(stderr, "usage: malformed TOOL DIRECTORY\n");
        return 2;
    }
    for (size_t d = 0; d < sizeof dictionaries / sizeof *dictionaries; d++)
        check_dictionary(argv[1], &dictionaries[d]);
    for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
        write_file(wholes[w].bytes, wholes[w].size, "", 0);
        check_complaint(argv[1], wholes[w].complaint, "a whole file");
    }
    check_long_header(argv[1], 65535, NULL);
    check_long_header(argv[1], 65536,
                      "byte 8: header length 65536 is more than the 65535 that are supported");
    return check_finish();
}
