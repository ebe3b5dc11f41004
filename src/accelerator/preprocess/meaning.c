/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device's language reads otherwise than C, although its compiler accepts it, or crashes on:
 * looked for in the tokens of a kernel's text, with macros expanded and conditions decided as for
 * that language. A text that cannot be read as far as its end passes.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/status.h"

#include <stdint.h>
#include <string.h>

/* Macros that the languages' compilers define. */
static const char of_opencl[] = "#define __OPENCL_VERSION__ 120\n"
                                "#define __OPENCL_C_VERSION__ 120\n";
static const char of_cuda[] = "#define __CUDACC__ 1\n"
                              "#define __CUDACC_RTC__ 1\n"
                              "#define __NVCC__ 1\n"
                              "#define __CUDA_ARCH__ 900\n"
                              "#define __cplusplus 202002L\n";

struct reading {
    const struct reap_kernel *kernel;
    struct reap__tokens tokens;
    struct reap__string functions; /* of struct function */
    struct reap__string calls;     /* of struct call */
};

struct function {
    struct reap__function at;
    bool is_reached; /* by calls from the kernel, or from an operator */
};

/* Numbers of functions. */
struct call {
    size_t from, to;
};

static reap_status refuse(const struct reading *reading, size_t t, const char *why)
{
    const struct reap__token *token = &reap__tokens_list(&reading->tokens)[t];
    const char *characters = reading->tokens.characters.bytes;
    return reap__fail(REAP_ERROR_COMPILATION_FAILED, "kernel '%s': %s:%u: '%.*s' %s",
                      reading->kernel->name, characters + token->file, token->line,
                      (int)(token->length < 64 ? token->length : 64), characters + token->begin,
                      why);
}

/* ---- Recursion --------------------------------------------------------------------------------*/

static struct function *functions_of(const struct reading *reading)
{
    return (struct function *)(void *)reading->functions.bytes;
}

static size_t count_functions(const struct reading *reading)
{
    return reading->functions.length / sizeof(struct function);
}

/* Whether it is the kernel, or an operator. */
static bool is_entered(const struct reading *reading, size_t name)
{
    if (reap__token_begins_with(&reading->tokens, name, "REAP_OPERATOR"))
        return true;
    return reap__token_begins_with(&reading->tokens, name, "REAP_") &&
           reap__token_is(&reading->tokens, name + 2, reading->kernel->name);
}

static void find_functions(struct reading *reading)
{
    struct function function = {.at = {.end = 0}};
    while (reap__token_next_function(&reading->tokens, function.at.end, &function.at)) {
        function.is_reached = is_entered(reading, function.at.name);
        reap__string_append(&reading->functions, &function, sizeof function);
    }
}

static void find_calls_of(struct reading *reading, size_t from)
{
    const struct reap__function caller = functions_of(reading)[from].at;
    for (size_t t = caller.body; t < caller.end; t++)
        for (size_t to = 0; to < count_functions(reading); to++)
            if (reap__token_is_call(&reading->tokens, t) &&
                reap__tokens_are_same(&reading->tokens, functions_of(reading)[to].at.name, t))
                reap__string_append(&reading->calls, &(const struct call){from, to},
                                    sizeof(struct call));
}

/* Sets is_reached of all functions that are reached from one that has it. */
static void follow_calls(const struct reading *reading)
{
    const struct call *calls = (const struct call *)(const void *)reading->calls.bytes;
    const size_t count = reading->calls.length / sizeof *calls;
    struct function *functions = functions_of(reading);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t c = 0; c < count; c++)
            if (functions[calls[c].from].is_reached && !functions[calls[c].to].is_reached)
                has_changed = functions[calls[c].to].is_reached = true;
    }
}

/* Clears is_reached of all functions from which no sequence of calls is endless. */
static void leave_endless(const struct reading *reading)
{
    const struct call *calls = (const struct call *)(const void *)reading->calls.bytes;
    const size_t count = reading->calls.length / sizeof *calls;
    struct function *functions = functions_of(reading);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t f = 0; f < count_functions(reading); f++) {
            bool continues = false;
            for (size_t c = 0; c < count; c++)
                continues |= calls[c].from == f && functions[calls[c].to].is_reached;
            has_changed |= functions[f].is_reached && !continues;
            functions[f].is_reached &= continues;
        }
    }
}

/* A function that calls itself, perhaps through others; SIZE_MAX: none does. */
static size_t find_recursive(const struct reading *reading)
{
    const struct call *calls = (const struct call *)(const void *)reading->calls.bytes;
    const struct function *functions = functions_of(reading);
    size_t at = 0;
    while (at < count_functions(reading) && !functions[at].is_reached)
        at++;
    if (at == count_functions(reading))
        return SIZE_MAX;
    for (size_t steps = count_functions(reading); steps > 0; steps--) {
        size_t c = 0;
        while (calls[c].from != at || !functions[calls[c].to].is_reached)
            c++;
        at = calls[c].to;
    }
    return at;
}

static reap_status check_recursion(struct reading *reading)
{
    find_functions(reading);
    for (size_t f = 0; f < count_functions(reading) && !reading->functions.failed; f++)
        find_calls_of(reading, f);
    if (reading->functions.failed || reading->calls.failed)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                          reading->kernel->name);
    follow_calls(reading);
    leave_endless(reading);
    const size_t found = find_recursive(reading);
    return found == SIZE_MAX
               ? REAP_OK
               : refuse(reading, functions_of(reading)[found].at.name,
                        "calls itself, perhaps through other functions: OpenCL has no recursion "
                        "(docs/kernels.md)");
}

/* ---- true and false ---------------------------------------------------------------------------*/

static bool is_truth_value(const struct reading *reading, size_t t)
{
    static const char *const values[] = {"true", "false", NULL};
    return reap__token_is_any(&reading->tokens, t, values);
}

/* They are integers in C before C23; on devices they are of type bool. */
static reap_status check_truth_values(const struct reading *reading)
{
    for (size_t t = 0; t < reap__tokens_count(&reading->tokens); t++) {
        if (!reap__token_is(&reading->tokens, t, "sizeof"))
            continue;
        size_t operand = t + 1;
        while (reap__token_is(&reading->tokens, operand, "("))
            operand++;
        if (is_truth_value(reading, operand) &&
            (operand == t + 1 || reap__token_is(&reading->tokens, operand + 1, ")")))
            return refuse(reading, operand,
                          "has the size of an int on the host, and of a bool on devices: name the "
                          "type in sizeof (docs/kernels.md)");
    }
    return REAP_OK;
}

/* ---- char -------------------------------------------------------------------------------------*/

static bool is_signed_or_unsigned(const struct reading *reading, size_t t)
{
    static const char *const signs[] = {"signed", "unsigned", NULL};
    static const char *const qualifiers[] = {"const", "volatile", NULL};
    const struct reap__tokens *tokens = &reading->tokens;
    size_t before = t, after = t + 1;
    while (before > 0 && reap__token_is_any(tokens, before - 1, qualifiers))
        before--;
    while (reap__token_is_any(tokens, after, qualifiers))
        after++;
    return (before > 0 && reap__token_is_any(tokens, before - 1, signs)) ||
           reap__token_is_any(tokens, after, signs);
}

/* A char is signed on devices. On the host that depends on the processor, and on options. */
static reap_status check_char(const struct reading *reading)
{
    if ((reading->kernel->build & REAP__BUILD_UNSIGNED_CHAR) == 0)
        return REAP_OK;
    for (size_t t = 0; t < reap__tokens_count(&reading->tokens); t++)
        if (reap__token_is(&reading->tokens, t, "char") && !is_signed_or_unsigned(reading, t))
            return refuse(reading, t,
                          "is unsigned where this program was compiled, and signed on devices: "
                          "write signed char or unsigned char (docs/kernels.md)");
    return REAP_OK;
}

/* ---- Sizes in C++ -----------------------------------------------------------------------------*/

static bool is_character(const struct reading *reading, size_t t)
{
    return reap__token_begins_with(&reading->tokens, t, "'");
}

/* Whether the expression from `begin` to before `end` has, or may have, another type in C++: bool
 * or char for int, an array for a pointer. */
static bool is_of_another_type(const struct reading *reading, size_t begin, size_t end)
{
    static const char *const operators[] = {
        "==", "!=", "<", ">", "<=", ">=", "&&", "||", "?", ",", NULL};
    const struct reap__tokens *tokens = &reading->tokens;
    while (reap__token_is(tokens, begin, "(") && reap__token_past_brackets(tokens, begin) == end) {
        begin++;
        end--;
    }
    return reap__token_is(tokens, begin, "!") ||
           (end == begin + 1 && is_character(reading, begin)) ||
           reap__token_find(tokens, begin, end, operators) < end;
}

/* Whether the sizeof at t has such an operand. */
static bool has_another_size(const struct reading *reading, size_t t)
{
    static const char *const continuing[] = {"[", ".", "->", "(", "++", "--", NULL};
    const struct reap__tokens *tokens = &reading->tokens;
    if (!reap__token_is(tokens, t + 1, "("))
        return reap__token_is(tokens, t + 1, "!") || is_character(reading, t + 1);
    const size_t end = reap__token_past_brackets(tokens, t + 1);
    return !reap__token_is_any(tokens, end, continuing) &&
           is_of_another_type(reading, t + 2, end - 1);
}

/* Whether the struct or union at t is defined without members. */
static bool is_empty(const struct reading *reading, size_t t)
{
    const struct reap__tokens *tokens = &reading->tokens;
    for (t++; reap__token_is_word(tokens, t) || reap__token_is(tokens, t, "(");)
        t = reap__token_is(tokens, t, "(") ? reap__token_past_brackets(tokens, t) : t + 1;
    return reap__token_is(tokens, t, "{") && reap__token_is(tokens, t + 1, "}");
}

/* ---- Tags -------------------------------------------------------------------------------------*/

static const char *const kinds[] = {"struct", "union", "enum", NULL};

/* A tag: in C++ it is a name like others, which hides those of outer blocks, and in a struct it
 * belongs to that. */
struct tag {
    size_t name;
    size_t body_end;   /* the token after its members */
    size_t begin, end; /* the brackets of the block, or of the struct, that it is in */
};

/* The ) or } that closes the brackets around t; the count of tokens: there are none. */
static size_t enclosing_end(const struct reap__tokens *tokens, size_t t)
{
    static const char *const closing[] = {"}", ")", "]", NULL};
    return reap__token_find(tokens, t, reap__tokens_count(tokens), closing);
}

/* The } of the block or struct around t; the count of tokens: it is outside of all. */
static size_t block_end(const struct reap__tokens *tokens, size_t t)
{
    do
        t = enclosing_end(tokens, t) + 1;
    while (reap__token_is(tokens, t - 1, ")") || reap__token_is(tokens, t - 1, "]"));
    return t - 1;
}

/* Reads a struct, union or enumeration with a tag and members, in a block or a struct; false: it is
 * not one. */
static bool read_tag(const struct reap__tokens *tokens, size_t t, struct tag *tag)
{
    for (t++; reap__token_is(tokens, t, "__attribute__");)
        t = reap__token_past_brackets(tokens, t + 1);
    if (!reap__token_is_word(tokens, t) || !reap__token_is(tokens, t + 1, "{"))
        return false;
    tag->name = t;
    tag->body_end = reap__token_past_brackets(tokens, t + 1);
    tag->end = block_end(tokens, t);
    tag->begin = reap__token_opening(tokens, tag->end, 0);
    return tag->end < reap__tokens_count(tokens);
}

/* Whether token t has the tag's name. */
static bool is_namesake(const struct reap__tokens *tokens, size_t t, const struct tag *tag)
{
    return reap__tokens_are_same(tokens, t, tag->name);
}

/* Whether t, after a comma, is declared there: the statement, or what `for` has in brackets, begins
 * with a type. */
static bool is_later_declared(const struct reap__tokens *tokens, size_t t)
{
    static const char *const qualifiers[] = {"const", "static", "volatile", NULL};
    static const char *const begins[] = {";", "{", "}", NULL};
    static const char *const others[] = {"return", "goto", "case", "else", "do", NULL};
    size_t first = t;
    while (first > 0 && !reap__token_is_any(tokens, first - 1, begins) &&
           !reap__token_is(tokens, first - 1, "("))
        first = reap__token_is(tokens, first - 1, ")") || reap__token_is(tokens, first - 1, "]")
                    ? reap__token_opening(tokens, first - 1, 0)
                    : first - 1;
    if (first > 1 && reap__token_is(tokens, first - 1, "(") &&
        !reap__token_is(tokens, first - 2, "for"))
        return false;
    while (reap__token_is_any(tokens, first, qualifiers))
        first++;
    if (reap__token_is_word(tokens, first) && reap__token_is_word(tokens, first + 1))
        return !reap__token_is_any(tokens, first, others);
    return reap__token_is_type(tokens, first);
}

/* Whether it is a label, or what `goto` names. */
static bool is_label(const struct reap__tokens *tokens, size_t t)
{
    static const char *const before[] = {";", "{", "}", NULL};
    return reap__token_is(tokens, t - 1, "goto") ||
           (reap__token_is(tokens, t + 1, ":") && reap__token_is_any(tokens, t - 1, before));
}

/* Whether t, which has the tag's name, is declared there as something else. What may be an
 * expression is not. */
static bool is_declared(const struct reap__tokens *tokens, size_t t, const struct tag *tag)
{
    static const char *const after[] = {"=", ";", ",", "[", ")", NULL};
    static const char *const others[] = {"return", "sizeof", "case",     "else",
                                         "do",     "goto",   "_Alignof", NULL};
    size_t type = t - 1;
    while (reap__token_is(tokens, type, "*"))
        type--;
    if (!reap__token_is_any(tokens, t + 1, after) || reap__token_is_any(tokens, type, others))
        return false;
    if (type == tag->body_end - 1 || reap__token_is_any(tokens, type - 1, kinds))
        return true;
    if (reap__token_is(tokens, type, ","))
        return is_later_declared(tokens, type);
    return type == t - 1 ? reap__token_is_word(tokens, t - 1) : reap__token_is_type(tokens, type);
}

/* The first token in the block that names something else which the tag hides in C++; SIZE_MAX:
 * there is none. */
static size_t find_hidden(const struct reap__tokens *tokens, const struct tag *tag)
{
    for (size_t t = tag->begin + 1; t < tag->end; t++) {
        if (t == tag->name || !is_namesake(tokens, t, tag) || reap__token_is_member(tokens, t) ||
            reap__token_is_any(tokens, t - 1, kinds) || is_label(tokens, t))
            continue;
        const bool is_before = t < tag->name;
        if (!is_declared(tokens, t, tag)) {
            if (!is_before)
                return t;
            continue;
        }
        const size_t end = enclosing_end(tokens, t);
        if (end == tag->end)
            return SIZE_MAX;
        if (!is_before)
            t = reap__token_is(tokens, end, ")") ? reap__token_past_statement(tokens, end + 1) - 1
                                                 : end;
    }
    return SIZE_MAX;
}

/* Where the tag is used outside of the struct that it is in; SIZE_MAX: nowhere. */
static size_t find_outside(const struct reap__tokens *tokens, const struct tag *tag)
{
    if (tag->begin < 2 || (!reap__token_is_any(tokens, tag->begin - 1, kinds) &&
                           !reap__token_is_any(tokens, tag->begin - 2, kinds)))
        return SIZE_MAX;
    const size_t end = block_end(tokens, tag->end + 1);
    for (size_t t = tag->end + 1; t < end; t++)
        if (is_namesake(tokens, t, tag) && reap__token_is_any(tokens, t - 1, kinds))
            return t;
    return SIZE_MAX;
}

static reap_status check_tag(const struct reading *reading, size_t t)
{
    struct tag tag;
    if (!read_tag(&reading->tokens, t, &tag))
        return REAP_OK;
    const size_t hidden = find_hidden(&reading->tokens, &tag);
    if (hidden != SIZE_MAX)
        return refuse(reading, hidden,
                      "is hidden by the struct, union or enumeration of that name in C++, which is "
                      "CUDA's language: give it another name (docs/kernels.md)");
    const size_t outside = find_outside(&reading->tokens, &tag);
    return outside == SIZE_MAX
               ? REAP_OK
               : refuse(reading, outside,
                        "is declared within another struct or union, which C++, CUDA's language, "
                        "does not see here: declare it outside (docs/kernels.md)");
}

/* ---- C++ --------------------------------------------------------------------------------------*/

static reap_status check_cplusplus(const struct reading *reading)
{
    static const char *const structs[] = {"struct", "union", NULL};
    const struct reap__tokens *tokens = &reading->tokens;
    for (size_t t = 0; t < reap__tokens_count(tokens); t++) {
        if (reap__token_is_any(tokens, t, structs) && is_empty(reading, t))
            return refuse(
                reading, t,
                "without members has a byte in C++, which is CUDA's language, and none in "
                "C: give it a member, or leave it out (docs/kernels.md)");
        if (reap__token_is(tokens, t, "sizeof") && has_another_size(reading, t))
            return refuse(reading, t,
                          "of a comparison, a logical operation, a character, `,` or `?:` may "
                          "differ in C++, which is CUDA's language: name the type "
                          "(docs/kernels.md)");
        if (reap__token_is_any(tokens, t, kinds))
            REAP_TRY(check_tag(reading, t));
    }
    return REAP_OK;
}

/* ---- Names of functions -----------------------------------------------------------------------*/

static reap_status check_function_names(const struct reading *reading)
{
    static const char *const names[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", NULL};
    for (size_t t = 0; t < reap__tokens_count(&reading->tokens); t++)
        if (reap__token_is_any(&reading->tokens, t, names))
            return refuse(reading, t,
                          "is not the same on devices, where functions have other names: leave it "
                          "out (docs/kernels.md)");
    return REAP_OK;
}

/* ---- All of it --------------------------------------------------------------------------------*/

static reap_status check_text(struct reading *reading, enum reap__dialect dialect, const char *text)
{
    reap__tokens_read(text, NULL, &reading->tokens);
    if (reading->tokens.characters.failed || reading->tokens.list.failed)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                          reading->kernel->name);
    if (reading->tokens.is_incomplete)
        return REAP_OK;
    REAP_TRY(check_char(reading));
    REAP_TRY(check_truth_values(reading));
    REAP_TRY(check_function_names(reading));
    if (dialect == REAP__DIALECT_CUDA)
        return check_cplusplus(reading);
    REAP_TRY(reap__long_long_check(reading->kernel, text, &reading->tokens));
    return check_recursion(reading);
}

reap_status reap__meaning_check(const struct reap_kernel *kernel, enum reap__dialect dialect)
{
    struct reap__string text = {0};
    struct reading reading = {.kernel = kernel};
    reap__string_add(&text, dialect == REAP__DIALECT_CUDA ? of_cuda : of_opencl);
    reap_status status = reap__flatten_source(kernel, REAP__DIALECT_NONE, &text);
    if (status == REAP_OK && text.failed)
        status = reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                            kernel->name);
    if (status == REAP_OK)
        status = check_text(&reading, dialect, text.bytes);
    reap__string_release(&text);
    reap__string_release(&reading.functions);
    reap__string_release(&reading.calls);
    reap__tokens_release(&reading.tokens);
    return status;
}
