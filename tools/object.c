/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is a constant struct reap_kernel (reap/detail/kernel_table.h). Its numbers are in the
 * object as they are in memory, and its pointers are positions in it (elf.h). The members of a
 * kernel are copied one by one, and values that Reap's macros cannot produce are rejected. Its
 * functions are replaced by stand-ins. A function written in assembly returns the text of a
 * kernel's file; it refers to one position in the section of texts.
 *
 * The alternative is a sandboxed process that loads the object. Its isolation depends on the
 * operating system and the container, and it would run code of the file.
 */
#include "tools/object.h"

#include "tools/elf.h"

#include <errno.h>
#include <reap/kernel.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PARAMETERS = 63,
    MOST_LANES_LOG2 = REAP__LANES_LOG2(1),
    MOST_TEXTS = 128,
    MOST_NAME_BYTES = 4096,
    MOST_TYPE_BYTES = 1 << 20,
};

static const char kernel_section[] = "reap_kernels", source_section[] = "reap_sources",
                  text_section[] = ".rodata.reap.text";

struct cli_object_memory {
    struct cli_object_memory *next;
    max_align_t bytes[];
};

/* An object that is being read. */
struct reader {
    struct cli_elf elf;
    struct cli_object *object;
    struct cli_failure *failure;
};

static bool refuse(const struct reader *reader, const char *what)
{
    return cli_fail(reader->failure, "%s", what);
}

/* Returns zeroed memory that lives as long as the kernels. NULL and a failure: out of memory. */
static void *allocate(const struct reader *reader, size_t bytes)
{
    struct cli_object_memory *memory = calloc(1, sizeof *memory + bytes);
    if (memory == NULL) {
        refuse(reader, strerror(ENOMEM));
        return NULL;
    }
    memory->next = reader->object->memory;
    reader->object->memory = memory;
    return memory->bytes;
}

/* A copy of a text; NULL of NULL, and if memory runs out. */
static char *copy(const struct reader *reader, const char *text)
{
    const size_t bytes = text != NULL ? strlen(text) + 1 : 0;
    char *into = text != NULL ? allocate(reader, bytes) : NULL;
    if (into != NULL)
        memcpy(into, text, bytes);
    return into;
}

/* ---- Texts ------------------------------------------------------------------------------------*/

/* The library gets a text by a function without arguments, so each text needs a function. */
static const char *texts[MOST_TEXTS];
static size_t text_count;

/* Octal numbers from 0 to 127. */
#define EACH_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH_32(X, a, b, c, d) EACH_8(X, a) EACH_8(X, b) EACH_8(X, c) EACH_8(X, d)
#define EACH_64(X, n) EACH_32(X, n##0, n##1, n##2, n##3) EACH_32(X, n##4, n##5, n##6, n##7)
#define EACH_128(X) EACH_64(X, 0) EACH_64(X, 01)

#define DEFINE(number)                                                                             \
    static const char *text_##number(void)                                                         \
    {                                                                                              \
        return texts[number];                                                                      \
    }
EACH_128(DEFINE)
#define NAME(number) text_##number,
static const char *(*const text_functions[MOST_TEXTS])(void) = {EACH_128(NAME)};

/* Returns a function that returns the text; equal texts share one. NULL and a failure: too many
 * texts. */
static const char *(*make_text_function(const struct reader *reader, const char *text))(void)
{
    size_t t = 0;
    while (t < text_count && strcmp(texts[t], text) != 0)
        t++;
    if (t == MOST_TEXTS) {
        cli_fail(reader->failure, "they are from more than %d files", MOST_TEXTS);
        return NULL;
    }
    texts[t] = text;
    text_count = t == text_count ? t + 1 : text_count;
    return text_functions[t];
}

/* Returns a copy of the text that a pointer points to; NULL and a failure. */
static const char *copy_text(const struct reader *reader, struct cli_elf_position from,
                             size_t member)
{
    struct cli_elf_position position;
    const char *text = cli_elf_follow(&reader->elf, from, member, &position)
                           ? cli_elf_find_text(&reader->elf, position, MOST_NAME_BYTES)
                           : NULL;
    const char *copied = copy(reader, text);
    if (copied == NULL)
        refuse(reader, "a name is missing, or longer than 4095 bytes");
    return copied;
}

static const char *no_text(void)
{
    return NULL;
}

/* Returns a function that returns the text of the object's function that a pointer points to. NULL
 * and a failure. */
static const char *(*read_text(const struct reader *reader, struct cli_elf_position from,
                               size_t member))(void)
{
    struct cli_elf_position function, position;
    if (!cli_elf_follow(&reader->elf, from, member, &function) ||
        !cli_elf_find_reference(&reader->elf, function, text_section, &position))
        return no_text; /* as on processors for which Reap has no assembly */
    const char *text = copy(reader, cli_elf_find_text(&reader->elf, position, UINT64_MAX));
    if (text != NULL)
        return make_text_function(reader, text);
    refuse(reader, "the text of a file is incomplete");
    return NULL;
}

/* ---- Sources ----------------------------------------------------------------------------------*/

/* A macro has a value, a file does not. */
static bool read_source(const struct reader *reader, struct cli_elf_position from,
                        struct reap__source *source)
{
    struct cli_elf_position unused;
    const size_t value = offsetof(struct reap__source, value);
    const bool is_macro = cli_elf_follow(&reader->elf, from, value, &unused);
    source->name = copy_text(reader, from, offsetof(struct reap__source, name));
    if (is_macro)
        source->value = copy_text(reader, from, value);
    else
        source->text = read_text(reader, from, offsetof(struct reap__source, text));
    return source->name != NULL && (source->value != NULL || source->text != NULL);
}

/* Calls `read` for the target of each pointer in the sections with this name. */
static bool read_listed(const struct reader *reader, const char *name,
                        bool (*read)(const struct reader *reader, struct cli_elf_position position,
                                     void *data),
                        void *data)
{
    uint64_t bytes;
    for (size_t s = 0; cli_elf_find_section(&reader->elf, name, &s, &bytes); s++)
        for (uint64_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
            struct cli_elf_position position;
            if (cli_elf_follow(&reader->elf, (struct cli_elf_position){s, at}, 0, &position) &&
                !read(reader, position, data))
                return false;
        }
    return true;
}

/* A growing array of pointers. */
struct list {
    const void **entries;
    size_t count, capacity;
};

static bool append(const struct reader *reader, struct list *list, const void *entry)
{
    if (list->count == list->capacity) {
        const size_t capacity = 2 * list->capacity + 16;
        const void **entries = allocate(reader, capacity * sizeof *entries);
        if (entries == NULL)
            return false;
        if (list->count > 0)
            memcpy(entries, list->entries, list->count * sizeof *entries);
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->count++] = entry;
    return true;
}

static bool add_source(const struct reader *reader, struct cli_elf_position position, void *list)
{
    struct reap__source *source = allocate(reader, sizeof *source);
    return source != NULL && read_source(reader, position, source) && append(reader, list, source);
}

/* ---- Kernels ----------------------------------------------------------------------------------*/

/* Stand-ins: the tool compiles kernels and never runs them. */
static void no_item(const struct reap__work *work, size_t i, size_t j, size_t k, size_t linear)
{
    (void)work;
    (void)i;
    (void)j;
    (void)k;
    (void)linear;
}

static enum reap__isa no_phases(const struct reap__work *work)
{
    (void)work;
    return REAP__ISA_PLAIN;
}

static bool is_size(size_t bytes)
{
    return bytes > 0 && bytes <= MOST_TYPE_BYTES;
}

static const struct reap__reduction *read_reduction(const struct reader *reader,
                                                    struct cli_elf_position from)
{
    struct reap__reduction there, *reduction = allocate(reader, sizeof *reduction);
    const unsigned char *bytes = cli_elf_find_bytes(&reader->elf, from, sizeof there);
    if (reduction == NULL || bytes == NULL)
        return NULL;
    memcpy(&there, bytes, sizeof there);
    reduction->operation = copy_text(reader, from, offsetof(struct reap__reduction, operation));
    reduction->is_builtin = there.is_builtin;
    reduction->built_in = there.built_in;
    reduction->type = there.type;
    reduction->has_identity = there.has_identity;
    reduction->lanes_log2 = there.lanes_log2;
    reduction->result_size = there.result_size;
    reduction->value_size = there.value_size;
    reduction->location_offset = there.location_offset;
    reduction->number = there.number;
    const bool is_right = reduction->operation != NULL && there.lanes_log2 >= 0 &&
                          there.lanes_log2 <= MOST_LANES_LOG2 && is_size(there.result_size) &&
                          is_size(there.value_size) && there.location_offset < there.result_size &&
                          (unsigned)there.number <= REAP__IS_BFLOAT16 &&
                          (unsigned)there.built_in < REAP__OPERATION_COUNT &&
                          (unsigned)there.type < REAP__TYPE_COUNT;
    return is_right ? reduction : NULL;
}

static bool read_parameter(const struct reader *reader, struct cli_elf_position from,
                           struct reap__parameter *parameter)
{
    struct cli_elf_position position;
    struct reap__parameter there;
    const unsigned char *bytes = cli_elf_find_bytes(&reader->elf, from, sizeof there);
    if (bytes == NULL)
        return false;
    memcpy(&there, bytes, sizeof there);
    parameter->name = copy_text(reader, from, offsetof(struct reap__parameter, name));
    parameter->type = copy_text(reader, from, offsetof(struct reap__parameter, type));
    parameter->kind = there.kind;
    parameter->offset = there.offset;
    parameter->size = there.size;
    parameter->alignment = there.alignment;
    if (parameter->name == NULL || parameter->type == NULL ||
        (unsigned)there.kind > REAP__COLUMN_REDUCTION || !is_size(there.size) ||
        (there.alignment & (there.alignment - 1)) != 0)
        return false;
    if (there.kind != REAP__SCALAR_REDUCTION && there.kind != REAP__SPAN_REDUCTION &&
        there.kind != REAP__ROW_REDUCTION && there.kind != REAP__COLUMN_REDUCTION)
        return true;
    if (cli_elf_follow(&reader->elf, from, offsetof(struct reap__parameter, reduction), &position))
        parameter->reduction = read_reduction(reader, position);
    return parameter->reduction != NULL;
}

/* The first parameter is empty. */
static bool read_parameters(const struct reader *reader, struct cli_elf_position from,
                            struct reap_kernel *kernel)
{
    struct cli_elf_position position;
    if (kernel->parameter_count < 1 || kernel->parameter_count > MOST_PARAMETERS + 1 ||
        !cli_elf_follow(&reader->elf, from, offsetof(struct reap_kernel, parameters), &position))
        return refuse(reader, "it has no list of parameters");
    struct reap__parameter *parameters =
        allocate(reader, kernel->parameter_count * sizeof *parameters);
    if (parameters == NULL)
        return false;
    kernel->parameters = parameters;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        position.offset += sizeof *parameters;
        if (!read_parameter(reader, position, &parameters[p]))
            return refuse(reader, "a parameter is not valid");
    }
    return true;
}

/* Sets stand-ins for the functions that the kernel has, which show whether it has work-groups. */
static void read_functions(const struct reader *reader, struct cli_elf_position from,
                           struct reap_kernel *kernel)
{
    struct cli_elf_position unused;
    if (cli_elf_follow(&reader->elf, from, offsetof(struct reap_kernel, item), &unused))
        kernel->item = no_item;
    for (int i = 0; i < REAP__ISA_COUNT; i++)
        if (cli_elf_follow(&reader->elf, from,
                           offsetof(struct reap_kernel, phases) + (size_t)i * sizeof(void *),
                           &unused))
            kernel->phases[i] = no_phases;
}

/* A REAP_ANY_KERNEL has a second kernel table for nd_ranges, which differs only in its functions.
 */
static bool add_groups(const struct reader *reader, struct cli_elf_position from,
                       struct reap_kernel *kernel)
{
    struct cli_elf_position unused;
    if (!cli_elf_follow(&reader->elf, from, offsetof(struct reap_kernel, of_groups_), &unused))
        return true;
    struct reap_kernel *groups = allocate(reader, sizeof *groups);
    struct reap__kernel_state *state = allocate(reader, sizeof *state);
    if (groups == NULL || state == NULL)
        return false;
    *groups = *kernel;
    groups->item = no_item;
    groups->state = state;
    kernel->of_groups_ = groups;
    return true;
}

/* The state needed to add a kernel. */
struct kernels {
    struct list list;
    const struct list *sources;
};

static bool add_kernel(const struct reader *reader, struct cli_elf_position position, void *data)
{
    struct kernels *kernels = data;
    struct reap_kernel there, *kernel = allocate(reader, sizeof *kernel);
    struct reap__kernel_state *state = allocate(reader, sizeof *state);
    const unsigned char *bytes = cli_elf_find_bytes(&reader->elf, position, sizeof there);
    if (kernel == NULL || state == NULL)
        return false;
    if (bytes == NULL)
        return refuse(reader, "the object file ends within a kernel");
    memcpy(&there, bytes, sizeof there);
    if (there.format != REAP__KERNEL_FORMAT)
        return refuse(reader, "it was compiled with the headers of another version of Reap");
    kernel->format = there.format;
    kernel->line = there.line;
    kernel->arguments_size = there.arguments_size;
    kernel->options_offset = there.options_offset;
    kernel->parameter_count = there.parameter_count;
    kernel->state = state;
    kernel->sources = (const struct reap__source *const *)kernels->sources->entries;
    kernel->sources_end = kernel->sources;
    if (kernels->sources->count > 0)
        kernel->sources_end += kernels->sources->count;
    kernel->name = copy_text(reader, position, offsetof(struct reap_kernel, name));
    kernel->file = copy_text(reader, position, offsetof(struct reap_kernel, file));
    kernel->text = read_text(reader, position, offsetof(struct reap_kernel, text));
    if (kernel->name == NULL || kernel->file == NULL ||
        !read_parameters(reader, position, kernel) || kernel->text == NULL)
        return false;
    read_functions(reader, position, kernel);
    return add_groups(reader, position, kernel) && append(reader, &kernels->list, kernel);
}

/* ---- The object -------------------------------------------------------------------------------*/

bool cli_object_read(const unsigned char *bytes, size_t count, struct cli_object *object,
                     struct cli_failure *failure)
{
    struct reader reader = {.object = object, .failure = failure};
    struct list sources = {.count = 0};
    struct kernels kernels = {.sources = &sources};
    *object = (struct cli_object){.kernels = NULL};
    text_count = 0;
    if (!cli_elf_open(&reader.elf, bytes, count, failure) ||
        !read_listed(&reader, source_section, add_source, &sources) ||
        !read_listed(&reader, kernel_section, add_kernel, &kernels)) {
        cli_object_release(object);
        return false;
    }
    object->kernels = (const struct reap_kernel **)kernels.list.entries;
    object->kernel_count = kernels.list.count;
    return true;
}

void cli_object_release(struct cli_object *object)
{
    while (object->memory != NULL) {
        struct cli_object_memory *next = object->memory->next;
        free(object->memory);
        object->memory = next;
    }
    *object = (struct cli_object){.kernels = NULL};
}
