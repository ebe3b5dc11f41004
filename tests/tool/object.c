/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that are read from an object are those of the program that it is linked into. An object
 * that is cut off or damaged is refused or read, and nothing outside it is looked at, which the
 * sanitizers watch.
 *
 * Usage: object FILE.o
 */
#include "tools/object.h"

#include "tests/support/check.h"
#include "tests/tool/object_unit.h"

#include <reap/kernel.h>

enum { DAMAGED = 400, MOST_CHANGES = 64 };

/* NULL: there is none. */
static bool are_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* A macro has no function, and no text where Reap has no assembler for the machine. */
static bool are_same_texts(const char *(*a)(void), const char *(*b)(void))
{
    return a == NULL || b == NULL ? a == b : are_same(a(), b());
}

/* ---- An object as it should be ----------------------------------------------------------------*/

static void check_parameter(const struct reap__parameter *read, const struct reap__parameter *there)
{
    CHECK(are_same(read->name, there->name) && are_same(read->type, there->type));
    CHECK(read->kind == there->kind && read->offset == there->offset);
    CHECK(read->size == there->size && read->alignment == there->alignment);
    CHECK((read->reduction == NULL) == (there->reduction == NULL));
    if (read->reduction == NULL || there->reduction == NULL)
        return;
    const struct reap__reduction *a = read->reduction, *b = there->reduction;
    CHECK(are_same(a->operation, b->operation) && a->is_builtin == b->is_builtin);
    CHECK(a->value_size == b->value_size && a->result_size == b->result_size);
    CHECK(a->location_offset == b->location_offset && a->number == b->number);
    CHECK(a->built_in == b->built_in && a->type == b->type && a->has_identity == b->has_identity);
}

static void check_sources(const struct reap_kernel *read, const struct reap_kernel *there)
{
    const ptrdiff_t count = there->sources_end - there->sources;
    CHECK(read->sources_end - read->sources == count);
    for (ptrdiff_t s = 0; s < count; s++) {
        const struct reap__source *a = read->sources[s], *b = there->sources[s];
        CHECK(are_same(a->name, b->name));
        CHECK(are_same_texts(a->text, b->text) && are_same(a->value, b->value));
    }
}

static void check_kernel(const struct reap_kernel *read, const struct reap_kernel *there)
{
    CHECK(read->format == there->format && read->line == there->line);
    CHECK(are_same(read->name, there->name) && are_same(read->file, there->file));
    CHECK(read->arguments_size == there->arguments_size);
    CHECK(read->options_offset == there->options_offset);
    CHECK((read->item == NULL) == (there->item == NULL));
    CHECK((read->phases[0] == NULL) == (there->phases[0] == NULL));
    CHECK(are_same_texts(read->text, there->text));
    CHECK(read->parameter_count == there->parameter_count);
    for (size_t p = 1; p < there->parameter_count && p < read->parameter_count; p++)
        check_parameter(&read->parameters[p], &there->parameters[p]);
    check_sources(read, there);
}

static void check_right(const unsigned char *bytes, size_t count)
{
    struct cli_failure failure = {""};
    struct cli_object object;
    size_t kernel_count;
    const struct reap_kernel *const *kernels = object_unit_kernels(&kernel_count);
    CHECK(kernel_count > 10);
    CHECK(cli_object_read(bytes, count, &object, &failure));
    CHECK(object.kernel_count == kernel_count);
    for (size_t k = 0; k < kernel_count && k < object.kernel_count; k++)
        check_kernel(object.kernels[k], kernels[k]);
    cli_object_release(&object);
}

/* ---- Objects that are not ---------------------------------------------------------------------*/

/* 0 without a text. */
static size_t measure_text(const char *(*function)(void))
{
    const char *text = function != NULL ? function() : NULL;
    return text != NULL ? strlen(text) : 0;
}

/* All that is read, looked at. */
static size_t measure(const struct cli_object *object)
{
    size_t bytes = 0;
    for (size_t k = 0; k < object->kernel_count; k++) {
        const struct reap_kernel *kernel = object->kernels[k];
        bytes += strlen(kernel->name) + strlen(kernel->file) + measure_text(kernel->text);
        for (size_t p = 1; p < kernel->parameter_count; p++)
            bytes += strlen(kernel->parameters[p].name) + strlen(kernel->parameters[p].type) +
                     (kernel->parameters[p].reduction != NULL
                          ? strlen(kernel->parameters[p].reduction->operation)
                          : 0);
        for (const struct reap__source *const *s = kernel->sources; s != kernel->sources_end; s++)
            bytes += strlen((*s)->name) + measure_text((*s)->text);
    }
    return bytes;
}

/* Returns whether the object was read. The bytes are copied, so that the sanitizers see their end.
 */
static bool try_object(const unsigned char *bytes, size_t count)
{
    struct cli_failure failure = {""};
    struct cli_object object;
    unsigned char *copy = malloc(count + 1);
    if (copy == NULL)
        exit(1);
    memcpy(copy, bytes, count);
    const bool is_read = cli_object_read(copy, count, &object, &failure);
    CHECK(is_read == (failure.text[0] == '\0'));
    free(copy);
    CHECK(!is_read || measure(&object) != SIZE_MAX);
    cli_object_release(&object);
    return is_read;
}

static void check_damaged(unsigned char *bytes, size_t count)
{
    uint64_t seed = check_seed();
    unsigned long read = 0;
    for (size_t cut = 0; cut < count; cut += 1 + cut / 4)
        try_object(bytes, cut);
    for (int i = 0; i < DAMAGED; i++) {
        size_t places[MOST_CHANGES];
        unsigned char before[MOST_CHANGES];
        for (int c = 0; c < MOST_CHANGES; c++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            places[c] = (size_t)(seed >> 33) % count;
            before[c] = bytes[places[c]];
            bytes[places[c]] = (unsigned char)(seed >> 24);
        }
        read += try_object(bytes, count);
        for (int c = MOST_CHANGES; c-- > 0;)
            bytes[places[c]] = before[c];
    }
    CHECK(read > 0 && read < DAMAGED);
    CHECK(try_object(bytes, count));
}

int main(int argc, char **argv)
{
    enum { MOST_BYTES = 64 << 20 };
    unsigned char *bytes = malloc(MOST_BYTES);
    FILE *stream = argc == 2 && bytes != NULL ? fopen(argv[1], "rb") : NULL;
    if (stream == NULL) {
        fprintf(stderr, "usage: object FILE.o\n");
        free(bytes);
        return 2;
    }
    const size_t count = fread(bytes, 1, MOST_BYTES, stream);
    fclose(stream);
    CHECK(count > 0 && count < MOST_BYTES);
    check_right(bytes, count);
    check_damaged(bytes, count);
    free(bytes);
    return check_finish();
}
