/* SPDX-License-Identifier: Apache-2.0
 *
 * The file consists of the dialect's headers, the tokens of the kernel's file up to the kernel,
 * without other kernels, and the kernel's body as loops. The macros of the file have been expanded.
 * Macros that the program or its compiler defines elsewhere are not known here: if a condition
 * reads one, the kernel is refused.
 */
#include "src/host/compiled/text.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "src/host/compiled/body.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- Macros in conditions ---------------------------------------------------------------------*/

/* Whether a macro is one that no C compiler for the host defines. */
static bool is_of_other_languages(const char *name)
{
    static const char *const names[] = {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__", "__CUDACC__",
                                        "__CUDACC_RTC__",     "__CUDA_ARCH__",        "__NVCC__",
                                        "__cplusplus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Whether the file declares the macro, so that the text has the program's definition of it. */
static bool is_declared(const char *name, const char *text)
{
    char word[128];
    const int length = snprintf(word, sizeof word, "REAP_KERNEL_MACRO(%s)", name);
    return length > 0 && (size_t)length < sizeof word && strstr(text, word) != NULL;
}

/* Whether a condition reads a macro whose definition is not known. */
static bool asks_compiler(const struct reap__tokens *tokens, const char *text)
{
    for (size_t at = 0; at < tokens->asked.length;) {
        const char *name = tokens->asked.bytes + at;
        if (!is_of_other_languages(name) && !is_declared(name, text))
            return true;
        at += strlen(name) + 1;
    }
    return false;
}

/* ---- Where work-items wait --------------------------------------------------------------------*/

/* Whether a kernel begins at t: REAP_KERNEL ( ... ), or another kind. */
static bool begins_kernel(const struct body *body, size_t t)
{
    return reap__is_one_of(body, t,
                           "REAP_KERNEL REAP_ND_KERNEL REAP_ANY_KERNEL REAP_GROUP_KERNEL") &&
           reap__is(body, t + 1, "(");
}

/* Refuses kernels whose work-items wait elsewhere than at barriers of the body itself. */
static void check_waits(struct body *body)
{
    struct reap__wait found;
    for (size_t t = body->range.begin; body->problem == NULL; t = found.place + 1) {
        if (!reap__wait_find(&body->tokens, t, body->range.end, &found))
            reap__refuse(body, "no memory for its text");
        else if (found.place == SIZE_MAX)
            return;
        else if (found.place != found.word)
            reap__refuse(body, "work-items wait in a helper function");
        else if (!reap__is(body, found.word, "reap_barrier"))
            reap__refuse(body, "it has group algorithms");
    }
}

/* Whether the file has names whose meaning depends on the file, the line, or the function that they
 * are in. */
static bool depends_on_place(const struct body *body)
{
    for (size_t t = 0; t < body->range.end; t++)
        if (reap__is_one_of(body, t,
                            "__LINE__ __FILE__ __FILE_NAME__ __BASE_FILE__ __INCLUDE_LEVEL__ "
                            "__COUNTER__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ __DATE__ "
                            "__TIME__ __TIMESTAMP__ _Pragma"))
            return true;
    return false;
}

/* ---- The file ---------------------------------------------------------------------------------*/

/* Writes what precedes the kernel, without the keywords that the library reads in sources. */
static void write_declarations(const struct body *body, struct reap__string *into)
{
    for (size_t t = 0; t + 2 < body->parameters.begin;) {
        if (begins_kernel(body, t))
            t = reap__past_brackets(body, reap__past_brackets(body, t + 1));
        else if (reap__is(body, t, "REAP_KERNEL_FILE"))
            t++;
        else if (reap__is(body, t, "REAP_KERNEL_MACRO"))
            t = reap__past_brackets(body, t + 1);
        else
            reap__token_write(body, t++, into);
    }
}

static void write_file(struct body *body, unsigned dimensions, enum reap__isa isa,
                       struct reap__string *into)
{
    reap__string_format(into, "#define REAP__ONLY_ISA %d\n#define REAP__DIMENSIONS %u\n", (int)isa,
                        dimensions);
    reap__string_add(into, "#include <limits.h>\n#include <math.h>\n#include <stdlib.h>\n");
    reap__host_dialect_write(into);
    write_declarations(body, into);
    reap__body_write(body, into);
}

/* Reads the tokens of the kernel's file and finds the kernel. Returns NULL, or the problem. */
static const char *read_kernel(const struct reap_kernel *kernel, struct body *body)
{
    struct reap__string text = {0};
    const char *problem = NULL;
    if (reap__flatten_source(kernel, REAP__DIALECT_NONE, &text) != REAP_OK || text.failed)
        problem = "a file that it includes is missing";
    if (problem == NULL)
        reap__tokens_read(text.bytes, NULL, &body->tokens);
    body->list = reap__tokens_list(&body->tokens);
    body->count = reap__tokens_count(&body->tokens);
    if (problem == NULL &&
        (body->tokens.is_incomplete || body->tokens.has_error || body->count == 0))
        problem = "its file has a line that is not supported";
    if (problem == NULL && body->tokens.has_trigraph)
        problem = "its file has a trigraph";
    if (problem == NULL && asks_compiler(&body->tokens, text.bytes))
        problem = "its file tests macros of a compiler";
    if (problem == NULL && !reap__body_find(body))
        problem = "it is not found in its file";
    reap__string_release(&text);
    return problem;
}

static const char *make(struct body *body)
{
    body->variable = reap__allocate(body->count * sizeof *body->variable);
    body->segment = reap__allocate(body->count * sizeof *body->segment);
    if (body->variable == NULL || body->segment == NULL)
        return "no memory for its text";
    for (size_t t = 0; t < body->count; t++)
        body->variable[t] = body->segment[t] = NOWHERE;
    if (depends_on_place(body))
        return "its file uses __LINE__, __FILE__ or similar names";
    check_waits(body);
    reap__body_parse(body);
    if (body->problem == NULL)
        reap__body_classify(body);
    return body->problem;
}

const char *reap__compiled_text(const struct reap_kernel *kernel, unsigned dimensions,
                                enum reap__isa isa, struct reap__string *into)
{
    struct body *body = reap__allocate(sizeof *body);
    if (body == NULL)
        return "no memory for its text";
    memset(body, 0, sizeof *body);
    body->kernel_name = kernel->name;
    const char *problem =
        kernel->text() == NULL ? "the program does not have its source text" : NULL;
    if (problem == NULL)
        problem = read_kernel(kernel, body);
    if (problem == NULL)
        problem = make(body);
    if (problem == NULL)
        write_file(body, dimensions, isa, into);
    if (problem == NULL && into->failed)
        problem = "no memory for its text";
    reap__free(body->variable);
    reap__free(body->segment);
    reap__tokens_release(&body->tokens);
    reap__free(body);
    return problem;
}
