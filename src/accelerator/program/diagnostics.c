/* SPDX-License-Identifier: Apache-2.0
 *
 * Compilers write errors as
 *
 *   clang     FILE:LINE:COLUMN: error: MESSAGE, also with "fatal error", or without a column
 *   PoCL      error: FILE:LINE:COLUMN: MESSAGE
 *   NVIDIA    <kernel>:LINE:COLUMN: error: MESSAGE, in OpenCL: a line of the text, despite #line
 *   NVRTC     FILE(LINE): error: MESSAGE, also with "catastrophic error" or a number, error #20:
 *   ptxas     ptxas error   : MESSAGE
 *
 * A file name that is in no #line directive is the compiler's name for the text, unless it is a
 * header's. In a whole log each line with an error and its position is translated like a log of one
 * line; other lines, such as code and notes, are copied.
 */
#include "src/accelerator/program/program.h"

#include "src/accelerator/preprocess/lexer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- Advice -----------------------------------------------------------------------------------*/

/* The begin of the name that an error reports as undeclared; NULL: another error, or a name of
 * Reap. */
static const char *find_unknown(const char *line)
{
    static const char *const before[] = {"use of undeclared identifier '",
                                         "implicit declaration of function '",
                                         "Cannot find symbol "};
    const char *name = strstr(line, "identifier \"");
    if (name != NULL && strstr(name, "\" is undefined") != NULL)
        name += strlen("identifier \"");
    else
        name = NULL;
    for (size_t i = 0; i < sizeof before / sizeof *before && name == NULL; i++) {
        name = strstr(line, before[i]);
        name = name != NULL ? name + strlen(before[i]) : NULL;
    }
    return name != NULL && strncmp(name, "reap_", 5) != 0 ? name : NULL;
}

static bool is_called(const char *text, const char *name, size_t length)
{
    for (const char *at = text; (at = strchr(at, *name)) != NULL; at++) {
        const bool begins = at == text || reap__identifier_length(at - 1) == 0;
        if (begins && reap__identifier_length(at) == length && strncmp(at, name, length) == 0 &&
            at[length + strspn(at + length, " \t")] == '(')
            return true;
    }
    return false;
}

/* What to write instead of what C has and the device's language does not, in an error of clang,
 * NVRTC or gcc; NULL: another error. */
static const char *find_remedy(const char *line)
{
    static const char jumps[] = "CUDA's language has no jump past the initialised declaration of a "
                                "variable: declare that before, or put braces around the "
                                "statements that use it";
    static const struct {
        const char *part, *remedy;
    } cases[] = {
        {"where floating point type is not allowed",
         "the condition of ?: is an integer in OpenCL, such as x != 0"},
        {"transfer of control bypasses initialization", jumps},
        {"jump to label", jumps},
        {"jump to case label", jumps},
        {"max_align_t", "devices do not have max_align_t: write the type that it represents"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strstr(line, cases[i].part) != NULL)
            return cases[i].remedy;
    return NULL;
}

void reap__diagnostics_add_advice(char *line, size_t size, const char *text)
{
    char name[64];
    const char *remedy = find_remedy(line);
    const char *unknown = find_unknown(line);
    const size_t length = unknown != NULL ? reap__identifier_length(unknown) : 0;
    const size_t used = strlen(line);
    if (remedy != NULL)
        snprintf(line + used, size - used, " (%s: docs/kernels.md)", remedy);
    if (remedy != NULL || length == 0 || length >= sizeof name)
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, unknown);
    if (is_called(text, name, length))
        snprintf(line + used, size - used,
                 " ('%s': kernels call functions of the kernel file and of what it includes, and "
                 "those of <math.h>: docs/kernels.md)",
                 name);
    else
        snprintf(line + used, size - used,
                 " (a macro of the program needs REAP_KERNEL_MACRO(%s), and a variable of the "
                 "program is passed as a parameter: docs/kernels.md)",
                 name);
}

/* ---- Log --------------------------------------------------------------------------------------*/

/* A part of a log, of a text or of the line that is written. */
struct slice {
    const char *begin, *end;
};

/* A position in a source file; line 0: unknown. Names from #line directives have escapes. */
struct place {
    struct slice file;
    bool is_escaped;
    unsigned long line;
};

/* ---- Slices -----------------------------------------------------------------------------------*/

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\r';
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static bool is_letter(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

static size_t length_of(struct slice slice)
{
    return (size_t)(slice.end - slice.begin);
}

static bool starts_with(struct slice slice, const char *word)
{
    const size_t length = strlen(word);
    return length_of(slice) >= length && memcmp(slice.begin, word, length) == 0;
}

/* The rest of the slice, from the first occurrence of the word on; empty if there is none. */
static struct slice find_word(struct slice slice, const char *word)
{
    while (slice.begin < slice.end && !starts_with(slice, word))
        slice.begin++;
    return slice;
}

static bool has_word(struct slice slice, const char *word)
{
    return length_of(find_word(slice, word)) > 0;
}

static struct slice trim(struct slice slice)
{
    while (slice.begin < slice.end && is_blank(*slice.begin))
        slice.begin++;
    while (slice.begin < slice.end && is_blank(slice.end[-1]))
        slice.end--;
    return slice;
}

/* Sets *line to the line at *rest, without blanks at its ends, and moves *rest to the next line.
 * False at the end. */
static bool next_line(const char **rest, struct slice *line)
{
    if (**rest == '\0')
        return false;
    line->begin = *rest;
    line->end = *rest + strcspn(*rest, "\n");
    *rest = line->end + (*line->end == '\n');
    *line = trim(*line);
    return true;
}

/* Removes the number at the begin of the slice; 0: none, or too large. */
static unsigned long take_number(struct slice *slice)
{
    unsigned long number = 0;
    while (slice->begin < slice->end && is_digit(*slice->begin) && number < 100000000)
        number = number * 10 + (unsigned long)(*slice->begin++ - '0');
    return slice->begin < slice->end && is_digit(*slice->begin) ? 0 : number;
}

/* Removes the number at the end of the slice. */
static unsigned long take_last_number(struct slice *slice)
{
    struct slice digits = {slice->end, slice->end};
    while (digits.begin > slice->begin && is_digit(digits.begin[-1]))
        digits.begin--;
    slice->end = digits.begin;
    return take_number(&digits);
}

static bool take_last(struct slice *slice, char character)
{
    const bool is_there = slice->begin < slice->end && slice->end[-1] == character;
    slice->end -= is_there;
    return is_there;
}

/* ---- Errors in a log --------------------------------------------------------------------------*/

struct error {
    struct place place;
    struct slice message;
};

/* The text after "error:", "fatal:" or "error #N:" at the begin of the slice; NULL: it begins
 * otherwise. */
static const char *skip_mark(struct slice slice)
{
    if (!starts_with(slice, "error") && !starts_with(slice, "fatal"))
        return NULL;
    const char *at = slice.begin + strlen("error");
    while (at < slice.end && is_blank(*at))
        at++;
    if (at < slice.end && *at == '#')
        while (at < slice.end && *at != ':' && !is_blank(*at))
            at++;
    return at < slice.end && *at == ':' ? at + 1 : NULL;
}

/* Splits a line at its "error:", of any kind. False: it has none, or is a warning or a note. */
static bool split(struct slice line, struct slice *before, struct slice *message)
{
    if (starts_with(line, "warning") || has_word(line, ": warning") || has_word(line, ": note:"))
        return false;
    for (struct slice rest = line; rest.begin < rest.end; rest.begin++) {
        const bool begins = rest.begin == line.begin || is_blank(rest.begin[-1]);
        const char *after = begins ? skip_mark(rest) : NULL;
        if (after == NULL)
            continue;
        *before = (struct slice){line.begin, rest.begin};
        *message = trim((struct slice){after, line.end});
        return true;
    }
    return false;
}

/* The position before "error:": FILE:LINE:COLUMN: or FILE:LINE: or FILE(LINE):, perhaps with a word
 * such as "fatal". */
static struct place read_place_before(struct slice before)
{
    const struct place none = {.line = 0};
    while (before.end > before.begin && (is_blank(before.end[-1]) || is_letter(before.end[-1])))
        before.end--;
    if (!take_last(&before, ':'))
        return none;
    const bool is_nvrtc = take_last(&before, ')');
    unsigned long line = take_last_number(&before);
    if (is_nvrtc)
        return line > 0 && take_last(&before, '(') ? (struct place){before, false, line} : none;
    if (line == 0 || !take_last(&before, ':'))
        return none;
    struct slice shorter = before; /* if the number was a column */
    const unsigned long other = take_last_number(&shorter);
    if (other > 0 && take_last(&shorter, ':'))
        return (struct place){shorter, false, other};
    return (struct place){before, false, line};
}

/* Removes the position FILE:LINE:COLUMN: at the begin of a message. PoCL adds the position of a
 * macro's definition: FILE:LINE:COLUMN <Spelling=...>: MESSAGE. */
static struct place read_place_within(struct slice *message)
{
    for (struct slice at = *message; at.begin < at.end; at.begin++) {
        struct slice rest = {at.begin + 1, at.end};
        const unsigned long line = *at.begin == ':' ? take_number(&rest) : 0;
        if (line == 0 || !starts_with(rest, ":"))
            continue;
        rest.begin++;
        const struct slice end = find_word(rest, ": ");
        if (take_number(&rest) == 0 || length_of(end) == 0)
            continue;
        const struct slice file = {message->begin, at.begin};
        message->begin = end.begin + 2;
        *message = trim(*message);
        return (struct place){file, false, line};
    }
    return (struct place){.line = 0};
}

static bool read_error(struct slice line, struct error *error)
{
    struct slice before;
    if (!split(line, &before, &error->message))
        return false;
    error->place = read_place_before(before);
    if (error->place.line == 0 && length_of(before) == 0)
        error->place = read_place_within(&error->message);
    return true;
}

/* ---- Lines of the text ------------------------------------------------------------------------*/

/* Reads a #line directive: its number, and its file, if it has one. */
static bool read_directive(struct slice line, struct place *place)
{
    if (!starts_with(line, "#line "))
        return false;
    line = trim((struct slice){line.begin + strlen("#line "), line.end});
    place->line = take_number(&line);
    line = trim(line);
    if (length_of(line) < 2 || *line.begin != '"' || line.end[-1] != '"')
        return true;
    place->file = (struct slice){line.begin + 1, line.end - 1};
    place->is_escaped = true;
    return true;
}

/* Removes the next character of a file's name, which flatten.c may have escaped. */
static char next_character(struct slice *name, bool is_escaped)
{
    const char first = *name->begin++;
    if (!is_escaped || first != '\\' || name->begin == name->end)
        return first;
    if (!is_digit(*name->begin))
        return *name->begin++;
    unsigned octal = 0;
    for (int i = 0; i < 3 && name->begin < name->end && is_digit(*name->begin); i++)
        octal = octal * 8 + (unsigned)(*name->begin++ - '0');
    return (char)octal;
}

static bool is_name(struct slice escaped, struct slice plain)
{
    while (escaped.begin < escaped.end) {
        const char character = next_character(&escaped, true);
        if (plain.begin == plain.end || *plain.begin++ != character)
            return false;
    }
    return plain.begin == plain.end;
}

static bool has_name(const char *text, struct slice name)
{
    struct slice line;
    while (next_line(&text, &line)) {
        struct place place = {.line = 0};
        if (read_directive(line, &place) && place.is_escaped && is_name(place.file, name))
            return true;
    }
    return false;
}

/* Whether it may be a compiler's name for the text: not the name of a header, nor a name such as
 * <built-in>. */
static bool may_be_text(struct slice name)
{
    static const char *const others[] = {"<built-in>", "<command line>", "<scratch space>"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (starts_with(name, others[i]))
            return false;
    return length_of(name) < 2 || memcmp(name.end - 2, ".h", 2) != 0;
}

/* The position in a file of a line of the text, counted from 1. Lines before the first directive
 * are generated by Reap. */
static struct place find_place(const char *text, unsigned long number)
{
    static const char own[] = "reap: the kernel's macros";
    struct place place = {{own, own + sizeof own - 1}, false, 1};
    struct slice line = {NULL, NULL};
    for (unsigned long i = 1; i < number; i++) {
        if (!next_line(&text, &line))
            return (struct place){.line = 0};
        if (!read_directive(line, &place))
            place.line++;
    }
    return place;
}

static struct place translate(const char *text, struct place place)
{
    if (has_name(text, place.file) || !may_be_text(place.file))
        return place;
    const struct place found = find_place(text, place.line);
    return found.line > 0 ? found : place;
}

/* ---- Writing ----------------------------------------------------------------------------------*/

/* The line that is written; `size` includes the zero byte. */
struct output {
    char *line;
    size_t size, length;
};

/* Appends a character. Control characters become blanks, and several blanks become one. */
static void put(struct output *output, char character)
{
    if ((unsigned char)character <= ' ' || character == 0x7f)
        character = ' ';
    const bool is_double =
        character == ' ' && (output->length == 0 || output->line[output->length - 1] == ' ');
    if (!is_double && output->length + 1 < output->size)
        output->line[output->length++] = character;
    output->line[output->length] = '\0';
}

/* Appends a name of a file, or a part of a log without what preprocess/names.c puts before names.
 */
static void put_slice(struct output *output, struct slice slice, bool is_escaped)
{
    static const char renamed[] = "reap__name_";
    while (slice.begin < slice.end)
        if (!is_escaped && starts_with(slice, renamed))
            slice.begin += strlen(renamed);
        else
            put(output, next_character(&slice, is_escaped));
}

static void put_string(struct output *output, const char *string)
{
    put_slice(output, (struct slice){string, string + strlen(string)}, false);
}

static void put_number(struct output *output, unsigned long number)
{
    if (number > 9)
        put_number(output, number / 10);
    put(output, (char)('0' + number % 10));
}

static void put_error(struct output *output, const struct error *error)
{
    put_slice(output, error->place.file, error->place.is_escaped);
    put(output, ':');
    put_number(output, error->place.line);
    put_string(output, ": error: ");
    put_slice(output, error->message, false);
}

/* Appends a line unchanged; if it ends in a colon, the next one, too. */
static void put_lines(struct output *output, struct slice line, const char *rest)
{
    put_slice(output, line, false);
    if (line.begin == line.end || line.end[-1] != ':' || !next_line(&rest, &line))
        return;
    put(output, ' ');
    put_slice(output, line, false);
}

/* ---- Describing -------------------------------------------------------------------------------*/

/* How informative a line without a position is: 3 an error, 2 it mentions errors, 1 other text, 0
 * empty. */
static int rank(struct slice line)
{
    struct error error;
    if (read_error(line, &error))
        return 3;
    if (has_word(line, "error") && !starts_with(line, "warning") && !has_word(line, ": warning"))
        return 2;
    return length_of(line) > 0;
}

/* Appends the first of the most informative lines. */
static void describe_other(const char *log, struct output *output)
{
    struct slice line;
    struct slice best = {NULL, NULL};
    const char *after = log;
    int most = 0;
    for (const char *rest = log; next_line(&rest, &line);)
        if (rank(line) > most) {
            most = rank(line);
            best = line;
            after = rest;
        }
    if (most > 0)
        put_lines(output, best, after);
    else
        put_string(output, "the compiler wrote no message");
}

void reap__diagnostics_first_error(const char *log, const char *text, char *line, size_t size)
{
    struct output output = {line, size, 0};
    struct slice at;
    struct error error;
    *line = '\0';
    if (log == NULL)
        log = "";
    for (const char *rest = log; next_line(&rest, &at);)
        if (read_error(at, &error) && error.place.line > 0) {
            error.place = translate(text, error.place);
            put_error(&output, &error);
            return;
        }
    describe_other(log, &output);
}

/* ---- Log lines --------------------------------------------------------------------------------*/

enum { LINE_BYTES = 2048 };

static void add_line(const char *line, size_t length, const char *text, struct reap__string *into)
{
    char copy[LINE_BYTES];
    char described[LINE_BYTES];
    if (length < sizeof copy) {
        memcpy(copy, line, length);
        copy[length] = '\0';
        reap__diagnostics_first_error(copy, text, described, sizeof described);
        const size_t before = strlen(described);
        reap__diagnostics_add_advice(described, sizeof described, text);
        if (strstr(described, ": error: ") != NULL || strlen(described) > before) {
            line = described;
            length = strlen(described);
        }
    }
    reap__string_append(into, line, length);
    reap__string_append(into, "\n", 1);
}

void reap__diagnostics_add_lines(const char *log, const char *text, struct reap__string *into)
{
    while (log != NULL && *log != '\0') {
        const size_t length = strcspn(log, "\n");
        add_line(log, length, text, into);
        log += length + (log[length] == '\n');
    }
}
