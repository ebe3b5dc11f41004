/* SPDX-License-Identifier: Apache-2.0
 *
 * Each #include is replaced by the text of its file, which is read in the same way. A file is
 * repeated as often as it is included, since its own guard has an effect in the text, too. For
 * brevity two kinds are not repeated once the compiler has certainly read them: a dialect's header,
 * and a file with #pragma once (which becomes a guard). Conditions are evaluated as far as they are
 * known (macros.h), so the inclusion of a file in itself ends.
 */
#include "src/accelerator/preprocess/preprocess.h"

#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/lexer.h"
#include "src/accelerator/preprocess/lookup.h"
#include "src/accelerator/preprocess/macros.h"
#include "src/accelerator/preprocess/variable_check.h"
#include "src/core/stack.h"
#include "src/core/status.h"
#include "src/port/library.h"

#include <string.h>

/* ---- Files ------------------------------------------------------------------------------------*/

struct resolution {
    const struct reap_kernel *kernel;
    enum reap__dialect dialect;
    struct reap__string *into;
    struct reap__macros macros;
    struct reap__string line; /* the current line without comments */
    struct reap__string once; /* const char *: the texts with #pragma once */
    struct reap__string read; /* const char *: the dialect's headers that were certainly read */
    struct reap__names names;
    unsigned depth;
};

/* The file that is being read. */
struct reading {
    const char *name;
    const char *text;
    bool is_users;
    bool is_guarded; /* an #endif must end it, for its #pragma once */
    bool is_shifted; /* lines were inserted within an #if, whose branch, with the #line after them,
                        may not be compiled */
};

/* An #include: the file that it names, and its line. */
struct inclusion {
    const char *spelled;
    char open; /* " or <; 0: neither */
    const struct reap__line *line;
};

static reap_status read_file(struct resolution *resolution, const char *name, const char *text,
                             bool is_users);

/* ---- Writing ----------------------------------------------------------------------------------*/

/* NVRTC takes this byte for the end of the source, wherever it is. */
static const char ends_source = (char)0xff;

static void write_line_number(struct reap__string *into, unsigned number, const char *file)
{
    reap__string_format(into, "#line %u \"", number);
    for (; *file != '\0'; file++) {
        if (*file == '"' || *file == '\\')
            reap__string_append(into, "\\", 1);
        if ((unsigned char)*file < ' ' || *file == ends_source)
            reap__string_format(into, "\\%03o", (unsigned)(unsigned char)*file);
        else
            reap__string_append(into, file, 1);
    }
    reap__string_add(into, "\"\n");
}

/* Copies bytes, with LF for CRLF. Comments may have the byte at which NVRTC ends. */
static void write_bytes(struct reap__string *into, const char *begin, const char *end)
{
    const size_t start = into->length;
    while (begin < end) {
        const char *cut = (const char *)memchr(begin, '\r', (size_t)(end - begin));
        const bool is_pair = cut != NULL && cut + 1 < end && cut[1] == '\n';
        const char *stop = cut == NULL ? end : is_pair ? cut : cut + 1;
        reap__string_append(into, begin, (size_t)(stop - begin));
        begin = is_pair ? cut + 1 : stop;
    }
    for (size_t i = start; !into->failed && i < into->length; i++)
        if (into->bytes[i] == ends_source)
            into->bytes[i] = '_'; /* '?' could make a trigraph */
}

static void write_newlines(struct reap__string *into, unsigned count)
{
    for (; count > 0; count--)
        reap__string_append(into, "\n", 1);
}

/* Ends the last line, also if a backslash would join it to the next. */
static void finish_line(struct reap__string *into)
{
    if (into->length == 0 || into->bytes[into->length - 1] != '\n')
        reap__string_append(into, "\n", 1);
    if (into->failed)
        return;
    size_t end = into->length - 1;
    while (end > 0 && strchr(" \t\f\v\r", into->bytes[end - 1]) != NULL)
        end--;
    if (end > 0 && into->bytes[end - 1] == '\\')
        reap__string_append(into, "\n", 1);
}

/* Writes a path, without what would begin a comment or a string in an #error line. */
static void write_plain(struct reap__string *into, const char *path)
{
    for (; *path != '\0'; path++) {
        if (path[0] == '/' && path[1] == '/')
            continue;
        const bool is_comment = path[0] == '*' && into->bytes != NULL && into->length > 0 &&
                                into->bytes[into->length - 1] == '/';
        const bool is_odd =
            strchr("\"'\\", *path) != NULL || (unsigned char)*path < ' ' || *path == ends_source;
        reap__string_append(into, is_comment || is_odd ? "_" : path, 1);
    }
}

/* Writes an #error in place of an #include. */
static void write_error(struct resolution *resolution, const struct reading *file,
                        const struct inclusion *inclusion, const char *reason)
{
    struct reap__string *into = resolution->into;
    const char close = inclusion->open == '<' ? '>' : '"';
    reap__string_format(into, "#error Reap: kernel '%s': ", resolution->kernel->name);
    write_plain(into, file->name);
    reap__string_format(into, ":%u includes ", inclusion->line->directive_number);
    reap__string_append(into, &inclusion->open, inclusion->open != 0);
    write_plain(into, inclusion->spelled);
    reap__string_append(into, &close, inclusion->open != 0);
    reap__string_format(into, ", %s (docs/kernels.md)\n", reason);
    write_newlines(into, inclusion->line->count > 0 ? inclusion->line->count - 1 : 0);
}

/* ---- Lists of texts ---------------------------------------------------------------------------*/

static size_t count_texts(const struct reap__string *list)
{
    return list->length / sizeof(const char *);
}

/* The text's index in the list; the list's length if it is not there. */
static size_t find_text(const struct reap__string *list, const char *text)
{
    const char *const *texts = (const char *const *)(const void *)list->bytes;
    size_t i = 0;
    while (i < count_texts(list) && texts[i] != text)
        i++;
    return i;
}

static void put_text(struct reap__string *list, const char *text)
{
    if (find_text(list, text) == count_texts(list))
        reap__string_append(list, (const void *)&text, sizeof text);
}

/* The name of the macro that guards the text with this index in `once`. */
static void write_guard(struct reap__string *into, size_t number)
{
    reap__string_format(into, "REAP__ONCE_%zu", number);
}

/* ---- Including --------------------------------------------------------------------------------*/

/* Whether it is a header of C whose contents the dialects have, so it needs no text. */
static bool is_of_c(const char *name)
{
    static const char *const names[] = {
        "assert.h",  "float.h",  "inttypes.h", "iso646.h", "limits.h", "math.h",       "stdalign.h",
        "stdbool.h", "stddef.h", "stdint.h",   "stdlib.h", "string.h", "stdnoreturn.h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The header that a device's compiler reads as <reap/kernel.h>. */
static const char *kernel_header(const struct resolution *resolution)
{
    return resolution->dialect == REAP__DIALECT_CUDA ? "reap/detail/kernel_cuda.h"
                                                     : "reap/detail/kernel_opencl.h";
}

/* Finds a dialect's header; false: it has no header of that name. */
static bool find_header(const struct resolution *resolution, const char *name,
                        struct reap__file *found)
{
    if (strcmp(name, "reap/kernel.h") == 0)
        name = kernel_header(resolution);
    *found = (struct reap__file){reap__dialect_header_name(name), reap__dialect_header(name)};
    return found->text != NULL;
}

/* Whether the compiler has certainly read this text, and would skip all of it. */
static bool is_done(const struct resolution *resolution, const char *text)
{
    const size_t number = find_text(&resolution->once, text);
    if (number == count_texts(&resolution->once))
        return find_text(&resolution->read, text) < count_texts(&resolution->read);
    struct reap__string name = {0};
    write_guard(&name, number);
    const bool is_defined = !name.failed && reap__macros_has(&resolution->macros, name.bytes,
                                                             name.length, NULL) == REAP__YES;
    reap__string_release(&name);
    return is_defined;
}

/* Whether a dialect's header is included several times. */
static bool is_template(const char *name)
{
    return strstr(name, "_tmpl.h") != NULL;
}

/* Writes the file's text in place of the #include, and the #line at which the current file
 * continues. */
static reap_status insert(struct resolution *resolution, struct reading *file,
                          const struct reap__line *line, const struct reap__file *found,
                          bool is_users)
{
    if (is_done(resolution, found->text)) {
        write_newlines(resolution->into, line->count);
        return REAP_OK;
    }
    if (resolution->depth >= REAP__MOST_INCLUDES)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': %s:%u: files include each other more than %d deep",
                          resolution->kernel->name, file->name, line->directive_number,
                          (int)REAP__MOST_INCLUDES);
    if (!is_users && !is_template(found->name) &&
        reap__macros_here(&resolution->macros) == REAP__YES)
        put_text(&resolution->read, found->text);
    const unsigned next = line->number + line->count;
    REAP_TRY(read_file(resolution, found->name, found->text, is_users));
    if (strcmp(found->name, kernel_header(resolution)) == 0)
        reap__names_set_header(&resolution->names, resolution->into->length);
    write_line_number(resolution->into, next, file->name);
    file->is_shifted = reap__macros_in_group(&resolution->macros);
    return REAP_OK;
}

/* The file that an #include means. */
enum meaning { MISSING, AMBIGUOUS, NOTHING, USERS_FILE, DIALECTS_HEADER };

static enum meaning find(const struct resolution *resolution, const struct reading *file,
                         const struct inclusion *inclusion, struct reap__file *found)
{
    static const enum meaning users[] = {MISSING, USERS_FILE, AMBIGUOUS};
    const char *spelled = inclusion->spelled;
    const bool is_quoted = inclusion->open == '"';
    enum meaning meaning = MISSING;
    if (file->is_users && is_quoted)
        meaning = users[reap__find_file(resolution->kernel, file->name, spelled, found)];
    if (meaning != MISSING)
        return meaning;
    if (find_header(resolution, spelled, found))
        return resolution->dialect == REAP__DIALECT_NONE ? NOTHING : DIALECTS_HEADER;
    if (is_of_c(spelled))
        return NOTHING;
    if (file->is_users && !is_quoted) /* "": relative to no folder */
        meaning = users[reap__find_file(resolution->kernel, "", spelled, found)];
    return meaning;
}

/* Replaces an #include by its file, by empty lines, or by an #error. */
static reap_status include(struct resolution *resolution, struct reading *file,
                           const struct inclusion *inclusion)
{
    struct reap__file found;
    const enum meaning meaning =
        inclusion->open != 0 ? find(resolution, file, inclusion, &found) : MISSING;
    const char *reason = "but devices do not have its text: that file has no line REAP_KERNEL_FILE";
    const bool is_skipped = reap__macros_here(&resolution->macros) == REAP__NO;
    if (meaning == NOTHING || (is_skipped && !file->is_users)) {
        write_newlines(resolution->into, inclusion->line->count);
        return REAP_OK;
    }
    if (inclusion->open == 0)
        reason = "but on devices the name must be in quotes or angle brackets";
    else if (is_skipped)
        reason = "in lines whose #if Reap evaluated as false";
    else if (meaning == AMBIGUOUS)
        reason = "but several files of the program have that name";
    else if (meaning != MISSING)
        return insert(resolution, file, inclusion->line, &found, meaning == USERS_FILE);
    write_error(resolution, file, inclusion, reason);
    return REAP_OK;
}

/* Reads an #include; `rest` is what follows that word. */
static reap_status take_include(struct resolution *resolution, struct reading *file,
                                const struct reap__line *line, char *rest)
{
    struct inclusion inclusion = {.spelled = rest, .line = line};
    char *end = *rest == '"' ? strchr(rest + 1, '"') : *rest == '<' ? strchr(rest + 1, '>') : NULL;
    if (end != NULL && end > rest + 1) {
        inclusion.open = *rest;
        inclusion.spelled = rest + 1;
        *end = '\0';
    }
    return include(resolution, file, &inclusion);
}

/* Replaces #pragma once by a guard around the rest of the file. Within an #if it is removed. */
static void take_once(struct resolution *resolution, struct reading *file,
                      const struct reap__line *line)
{
    struct reap__macros *macros = &resolution->macros;
    struct reap__string *into = resolution->into;
    if (reap__macros_in_group(macros)) {
        write_newlines(into, line->count);
        return;
    }
    const size_t known = count_texts(&resolution->once);
    put_text(&resolution->once, file->text);
    struct reap__string directive = {0};
    const struct reap__source_line origin = {file->name, file->text, line->number, false};
    reap__string_add(&directive, "ifndef ");
    const size_t name = directive.length;
    write_guard(&directive, find_text(&resolution->once, file->text));
    if (!directive.failed) {
        if (count_texts(&resolution->once) > known)
            reap__macros_define(macros, directive.bytes + name, directive.length - name, REAP__NO);
        reap__macros_directive(macros, directive.bytes, &origin);
        reap__macros_define(macros, directive.bytes + name, directive.length - name, REAP__YES);
        reap__string_format(into, "#%s\n#define %s\n", directive.bytes, directive.bytes + name);
    }
    into->failed |= directive.failed;
    reap__string_release(&directive);
    write_line_number(into, line->number + line->count, file->name);
    file->is_guarded = true;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

static bool is_word(const char *at, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(at, expected, length) == 0;
}

/* Copies any other directive. If it may end a branch with inserted lines, a #line follows it.
 */
static void take_other(struct resolution *resolution, struct reading *file,
                       const struct reap__line *line)
{
    struct reap__macros *macros = &resolution->macros;
    const struct reap__source_line origin = {file->name, file->text, line->directive_number,
                                             file->is_users};
    const char *word = reap__skip_blanks(line->directive);
    const bool ends_branch = word[0] == 'e'; /* #else, #elif, #endif and their like */
    if (file->is_users && is_word(word, reap__identifier_length(word), "define"))
        reap__names_defined(&resolution->names,
                            word + strlen("define") + strspn(word + strlen("define"), " \t"));
    reap__macros_directive(macros, line->directive, &origin);
    write_bytes(resolution->into, line->begin, line->end);
    if (file->is_shifted && ends_branch && line->end[-1] == '\n')
        write_line_number(resolution->into, line->number + line->count, file->name);
    file->is_shifted &= reap__macros_in_group(macros);
}

/* Refuses a line that compilers may read differently, with a trigraph in code that they skip, too,
 * and a request for other arithmetic. On the host a trigraph keeps the meaning that the compiler
 * gave it. */
static reap_status check_line(const struct resolution *resolution, const struct reading *file,
                              const struct reap__lexer *scanner, const struct reap__line *line)
{
    if (resolution->dialect != REAP__DIALECT_NONE && reap__line_has_trigraph(scanner, line))
        return reap__fail(
            REAP_ERROR_COMPILATION_FAILED,
            "kernel '%s': %s:%u: some compilers take a trigraph, two question marks "
            "and another character, for one character: leave it out (docs/kernels.md)",
            resolution->kernel->name, file->name, line->number);
    if (resolution->line.length == 0 || reap__macros_here(&resolution->macros) == REAP__NO)
        return REAP_OK;
    if (resolution->dialect != REAP__DIALECT_NONE &&
        strchr(resolution->line.bytes, ends_source) != NULL)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': %s:%u: for some devices' compilers the byte 0xff ends the "
                          "text: leave it out, or write \\xff in a literal (docs/kernels.md)",
                          resolution->kernel->name, file->name, line->number);
    const char *found = reap__inexact_find(resolution->line.bytes);
    if (found != NULL)
        return reap__fail(REAP_ERROR_INEXACT_BUILD,
                          "kernel '%s': %s:%u: '%s' asks for other arithmetic than devices have in "
                          "common: leave it out (docs/kernels.md)",
                          resolution->kernel->name, file->name, line->number, found);
    return REAP_OK;
}

static reap_status take_line(struct resolution *resolution, struct reading *file,
                             const struct reap__line *line)
{
    if (line->directive == NULL) {
        if (file->is_users && resolution->line.length > 0)
            reap__macros_declare(&resolution->macros, resolution->line.bytes);
        write_bytes(resolution->into, line->begin, line->end);
        return REAP_OK;
    }
    char *word = reap__skip_blanks(line->directive);
    const size_t length = reap__identifier_length(word);
    char *rest = reap__skip_blanks(word + length);
    if (is_word(word, length, "include"))
        return take_include(resolution, file, line, rest);
    if (is_word(word, length, "pragma") && is_word(rest, reap__identifier_length(rest), "once"))
        take_once(resolution, file, line);
    else
        take_other(resolution, file, line);
    return REAP_OK;
}

/* Whether memory ran out. */
static bool has_failed(const struct resolution *resolution)
{
    return resolution->into->failed || resolution->line.failed || resolution->once.failed ||
           resolution->read.failed || reap__macros_failed(&resolution->macros);
}

static reap_status check_size(const struct resolution *resolution)
{
    if (has_failed(resolution))
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                          resolution->kernel->name);
    if (resolution->into->length > REAP__MOST_SOURCE_BYTES)
        return reap__fail(
            REAP_ERROR_COMPILATION_FAILED,
            "kernel '%s': its text has more than %d bytes, with the files that it includes",
            resolution->kernel->name, (int)REAP__MOST_SOURCE_BYTES);
    return REAP_OK;
}

/* Refuses the text of a file that has a zero byte. */
static reap_status check_end(const struct resolution *resolution, const char *name,
                             const char *text)
{
    const size_t length = strlen(text), end = sizeof REAP__TEXT_END - 1;
    unsigned line = 1;
    if (length >= end && memcmp(text + length - end, REAP__TEXT_END, end) == 0)
        return REAP_OK;
    for (const char *at = text; *at != '\0'; at++)
        line += *at == '\n';
    return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                      "kernel '%s': %s:%u: the line has a zero byte, at which a text ends for "
                      "devices' compilers: leave it out (docs/kernels.md)",
                      resolution->kernel->name, name, line);
}

static reap_status read_file(struct resolution *resolution, const char *name, const char *text,
                             bool is_users)
{
    if (is_users)
        REAP_TRY(check_end(resolution, name, text));
    struct reading file = {.name = name, .text = text, .is_users = is_users};
    struct reap__lexer scanner = reap__lexer_start(text, &resolution->line);
    struct reap__line line;
    const size_t base = reap__macros_enter(&resolution->macros);
    resolution->depth++;
    write_line_number(resolution->into, 1, name);
    while (reap__lexer_next_line(&scanner, &line)) {
        if (is_users)
            REAP_TRY(check_line(resolution, &file, &scanner, &line));
        REAP_TRY(take_line(resolution, &file, &line));
        REAP_TRY(check_size(resolution));
    }
    finish_line(resolution->into);
    if (file.is_guarded)
        reap__string_add(resolution->into, "#endif\n");
    resolution->depth--;
    reap__macros_leave(&resolution->macros, base);
    return REAP_OK;
}

/* ---- Macros -----------------------------------------------------------------------------------*/

/* Another value with which a file of the program defines the macro, or NULL. */
static const char *other_value(const struct reap_kernel *kernel, const struct reap__source *macro)
{
    for (const struct reap__source *const *entry = kernel->sources; entry != kernel->sources_end;
         entry++)
        if (*entry != NULL && (*entry)->value != NULL && strcmp((*entry)->name, macro->name) == 0 &&
            strcmp((*entry)->value, macro->value) != 0)
            return (*entry)->value;
    return NULL;
}

static void write_macros(struct resolution *resolution)
{
    const struct reap_kernel *kernel = resolution->kernel;
    for (const struct reap__source *const *entry = kernel->sources; entry != kernel->sources_end;
         entry++) {
        const struct reap__source *macro = *entry;
        if (macro == NULL || macro->value == NULL ||
            reap__macros_has(&resolution->macros, macro->name, strlen(macro->name), NULL) ==
                REAP__YES)
            continue;
        const bool is_clear = other_value(kernel, macro) == NULL;
        reap__macros_define(&resolution->macros, macro->name, strlen(macro->name),
                            is_clear ? REAP__YES : REAP__PERHAPS);
        if (is_clear)
            reap__string_format(resolution->into, "#define %s %s\n", macro->name, macro->value);
    }
}

/* Whether a text contains the identifier `word`. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *begin = text; (text = strstr(text, word)) != NULL; text++) {
        const bool begins = text == begin || reap__identifier_length(text - 1) == 0;
        if (begins && reap__identifier_length(text) == length)
            return true;
    }
    return false;
}

/* A macro of the program that asks for other arithmetic is an error if the kernel's text, from
 * `start` on, contains its name. */
static reap_status check_values(const struct resolution *resolution, size_t start)
{
    const struct reap_kernel *kernel = resolution->kernel;
    for (const struct reap__source *const *entry = kernel->sources; entry != kernel->sources_end;
         entry++) {
        if (*entry == NULL || (*entry)->value == NULL)
            continue;
        const char *found = reap__inexact_find((*entry)->value);
        if (found != NULL && has_word(resolution->into->bytes + start, (*entry)->name))
            return reap__fail(REAP_ERROR_INEXACT_BUILD,
                              "kernel '%s': macro '%s' has '%s', which asks for other arithmetic "
                              "than devices have in common (docs/kernels.md)",
                              kernel->name, (*entry)->name, found);
    }
    return REAP_OK;
}

/* Reads the text without a dialect's headers, with macros expanded. A text that cannot be read
 * passes: devices refuse it, and the host has compiled code. */
static reap_status check_variables(const struct reap_kernel *kernel)
{
    struct reap__string text = {0};
    struct reap__tokens tokens = {.is_incomplete = false};
    size_t name = 0;
    reap_status status = reap__flatten_source(kernel, REAP__DIALECT_NONE, &text);
    if (status == REAP_OK)
        reap__tokens_read(text.bytes, NULL, &tokens);
    const bool has_memory =
        !tokens.characters.failed && !tokens.list.failed && !tokens.asked.failed;
    if (status == REAP_ERROR_COMPILATION_FAILED) {
        status = REAP_OK;
    } else if (status == REAP_OK && !has_memory) {
        status = reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                            kernel->name);
    } else if (status == REAP_OK && reap__variables_find(&tokens, &name)) {
        const struct reap__token *found = &reap__tokens_list(&tokens)[name];
        const char *characters = tokens.characters.bytes;
        status = reap__fail(
            REAP_ERROR_COMPILATION_FAILED,
            "kernel '%s': %s:%u: devices cannot access variable '%.*s' of the program: make it a "
            "parameter of the kernel, or static REAP_CONSTANT const (docs/kernels.md)",
            kernel->name, characters + found->file, found->line,
            found->length < 64 ? (int)found->length : 64, characters + found->begin);
    }
    reap__tokens_release(&tokens);
    reap__string_release(&text);
    return status;
}

/* A macro with two values is an error only if the kernel's text contains its name. */
static reap_status check_macros(const struct resolution *resolution, size_t start)
{
    const struct reap_kernel *kernel = resolution->kernel;
    const char *name;
    const struct reap__macro_use *use = reap__macros_unknown(&resolution->macros, &name);
    if (use != NULL && reap__macros_are_of_dialect(name, strlen(name)))
        return reap__fail(
            REAP_ERROR_COMPILATION_FAILED,
            "kernel '%s': %s:%u: macro '%s' is defined on devices by <reap/kernel.h>: "
            "include that before this line (docs/kernels.md)",
            kernel->name, use->file, use->line, name);
    if (use != NULL)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': %s:%u: macro '%s' is not defined on devices: add "
                          "REAP_KERNEL_MACRO(%s) to the kernel file (docs/kernels.md)",
                          kernel->name, use->file, use->line, name, name);
    for (const struct reap__source *const *entry = kernel->sources; entry != kernel->sources_end;
         entry++) {
        if (*entry == NULL || (*entry)->value == NULL)
            continue;
        const char *other = other_value(kernel, *entry);
        if (other != NULL && has_word(resolution->into->bytes + start, (*entry)->name))
            return reap__fail(
                REAP_ERROR_COMPILATION_FAILED,
                "kernel '%s': macro '%s' has the value '%s' in one source file of the program and "
                "'%s' in another, and devices take one value (REAP_KERNEL_MACRO, docs/kernels.md)",
                kernel->name, (*entry)->name, (*entry)->value, other);
    }
    return REAP_OK;
}

static reap_status resolve(struct resolution *resolution, const struct reap__file *root)
{
    write_macros(resolution);
    const size_t start = resolution->into->length;
    REAP_TRY(read_file(resolution, root->name, root->text, true));
    reap__names_insert(&resolution->names, resolution->into);
    REAP_TRY(check_size(resolution));
    REAP_TRY(check_values(resolution, start));
    if (resolution->dialect == REAP__DIALECT_NONE)
        return REAP_OK;
    REAP_TRY(check_variables(resolution->kernel));
    return check_macros(resolution, start);
}

static reap_status resolve_root(struct resolution *resolution)
{
    struct reap__file root;
    REAP_TRY(reap__find_root(resolution->kernel, &root));
    const reap_status status = resolve(resolution, &root);
    reap__macros_release(&resolution->macros);
    reap__string_release(&resolution->line);
    reap__string_release(&resolution->once);
    reap__string_release(&resolution->read);
    reap__string_release(&resolution->names.undefined);
    return status;
}

reap_status reap__flatten_source(const struct reap_kernel *kernel, enum reap__dialect dialect,
                                 struct reap__string *into)
{
    struct resolution resolution = {
        .kernel = kernel, .dialect = dialect, .into = into, .names = {.dialect = dialect}};
    return resolve_root(&resolution);
}

/* ---- On the host ------------------------------------------------------------------------------*/

/* A bit of a kernel's state: its file has no such variables. */
#define PASSED (1u << 30)

static bool lacks_stack(void)
{
    return reap__stack_may_lack(REAP__STACK_FOR_DEVICE) &&
           reap__stack_left() < REAP__STACK_FOR_DEVICE;
}

/* Which file a text is: its address, and how many objects were unloaded, since another plugin may
 * be where one was. In one word, by a multiplier that keeps sums of the two apart (2^64 divided by
 * the golden ratio). */
static uint64_t identify(const char *text)
{
    return (uintptr_t)text + reap__library_unloads() * UINT64_C(0x9e3779b97f4a7c15);
}

/* Not inlined into the check of the state, which each launch makes. */
REAP__APART static reap_status check_for_variables(const struct reap_kernel *kernel)
{
    static _Atomic(uint64_t) last_passed; /* a file often has several kernels */
    const char *text = kernel->text();
    const uint64_t file = text != NULL ? identify(text) : 0;
    if (text != NULL && file != atomic_load_explicit(&last_passed, memory_order_relaxed)) {
        if (lacks_stack())
            return REAP_OK;
        REAP_TRY(check_variables(kernel));
        atomic_store_explicit(&last_passed, file, memory_order_relaxed);
    }
    atomic_fetch_or_explicit(&kernel->state->probed, PASSED, memory_order_relaxed);
    return REAP_OK;
}

reap_status reap__sources_check_variables(const struct reap_kernel *kernel)
{
    const unsigned state = atomic_load_explicit(&kernel->state->probed, memory_order_relaxed);
    return (state & PASSED) != 0 ? REAP_OK : check_for_variables(kernel);
}
