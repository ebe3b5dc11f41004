/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in memory: a list for each device, with the most recently used one first. Besides the
 * kernel, few properties of a layout determine the text: the members of struct
 * reap__cached_program. A plugin that is closed and opened again has other kernels, by their
 * numbers; if it is at the same address, a program of the same text is found again, so a program
 * that does so for ever needs no more memory.
 */
#include "src/accelerator/program/program.h"

#include "src/accelerator/codegen/codegen.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "src/core/config.h"
#include "src/core/kernel.h"
#include "src/core/stack.h"
#include "src/core/status.h"

#include <reap/version.h>
#include <stdio.h>
#include <string.h>

/* Two hashes of a key and its length, by which keys are equal or not. */
struct digest {
    uint64_t hashes[2];
    size_t bytes;
};

struct reap__cached_program {
    struct reap__cached_program *next;
    uint64_t kernel;                        /* its number */
    const struct reap__kernel_state *state; /* the kernel's; only compared */
    struct digest digest;                   /* of the text, and what else determines the binary */
    unsigned dimensions;
    enum reap__span_mode mode;
    bool has_local_spans, spans_are_resident;
    bool delivers_rows, has_start, has_stride, logs_items, has_lines;
    size_t threads;
    uint64_t aligned;     /* a bit for each parameter */
    uint64_t is_resident; /* a bit for each scalar */
    uint64_t least;       /* a bit for each span */
    struct reap__program program;
};

static uint64_t aligned_bits(const struct reap__layout *layout)
{
    uint64_t bits = 0;
    for (size_t p = 1; p < layout->kernel->parameter_count; p++)
        bits |= (uint64_t)layout->is_aligned[p] << p;
    return bits;
}

static uint64_t stays_bits(const struct reap__layout *layout)
{
    uint64_t bits = 0;
    for (size_t s = 0; s < layout->scalar_count; s++)
        bits |= (uint64_t)layout->scalars[s].is_resident << s;
    return bits;
}

static uint64_t least_bits(const struct reap__layout *layout)
{
    uint64_t bits = 0;
    for (size_t s = layout->span_count; s > 0; s--)
        bits = bits << 1 | (layout->spans[s - 1].least > 0);
    return bits;
}

/* Whether the program has the layout, if it is of the same kernel. */
static bool fits(const struct reap__cached_program *cached, const struct reap__layout *layout)
{
    return cached->dimensions == layout->dimensions && cached->mode == layout->mode &&
           cached->has_local_spans == layout->has_local_spans &&
           cached->spans_are_resident == layout->spans_are_resident &&
           cached->delivers_rows == layout->delivers_rows &&
           cached->has_lines == layout->has_lines && cached->has_start == layout->has_start &&
           cached->has_stride == layout->has_stride && cached->logs_items == layout->logs_items &&
           cached->threads == layout->threads && cached->aligned == aligned_bits(layout) &&
           cached->is_resident == stays_bits(layout) && cached->least == least_bits(layout);
}

/* The program for this layout, which becomes the first in the list; NULL: it is not compiled yet.
 */
static struct reap__cached_program *find(struct reap__accelerator *accelerator,
                                         const struct reap__layout *layout)
{
    const uint64_t kernel = reap__kernel_number(layout->kernel);
    for (struct reap__cached_program **at = &accelerator->programs; *at != NULL;
         at = &(*at)->next) {
        struct reap__cached_program *found = *at;
        if (found->kernel != kernel || !fits(found, layout))
            continue;
        *at = found->next;
        found->next = accelerator->programs;
        accelerator->programs = found;
        return found;
    }
    return NULL;
}

/* A failure before compilation has no log, so the last one is cleared. */
reap_status reap__program_text(const struct reap__accelerator *accelerator,
                               const struct reap__layout *layout, struct reap__string *text)
{
    const size_t start = text->length;
    reap__entry_add_prologue(layout, accelerator, text);
    reap__set_last_log("");
    const bool has_groups =
        layout->kernel->of_groups_ == NULL; /* otherwise launched over a range */
    if (!accelerator->has_warps && has_groups && reap__mentions(layout->kernel, "reap_sub_group_"))
        REAP_TRY(reap__uniformity_check(layout->kernel, accelerator->device.info.name));
    REAP_TRY(reap__flatten_source(layout->kernel, accelerator->driver->dialect, text));
    REAP_TRY(reap__meaning_check(layout->kernel, accelerator->driver->dialect));
    reap__entry_generate(layout, text);
    if (accelerator->driver->dialect == REAP__DIALECT_OPENCL && !text->failed)
        reap__rewrite_long_long(text->bytes + start);
    return text->failed ? reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                                     "kernel '%s': no memory for its text", layout->kernel->name)
                        : REAP_OK;
}

/* Begins the key of the cache on disk: everything that determines a binary, except the text, which
 * follows. */
static void add_key(struct reap__accelerator *accelerator, struct reap__string *key)
{
    reap__string_format(key, "%s\nReap %s\n", accelerator->driver->identity(accelerator),
                        reap_version());
}

/* The error of a keyword that needs a work-group, in a helper of a REAP_KERNEL or in the body of a
 * REAP_ANY_KERNEL over a range. The host's message is the same. */
static reap_status refuse_misplaced(const struct reap__layout *layout, const char *word)
{
    reap__set_last_log("");
    if (layout->kernel->of_groups_ != NULL)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': %s needs a work-group, and the range has none: launch it "
                          "over an nd_range (docs/groups.md)",
                          layout->kernel->name, word);
    return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                      "kernel '%s': %s in a helper needs a work-group, and a REAP_KERNEL has none: "
                      "make the kernel a REAP_ND_KERNEL (docs/groups.md)",
                      layout->kernel->name, word);
}

/* Whether a log has this mark of REAP__SAME_LAYOUT for parameter p. */
static bool has_mark(const char *log, const char *word, size_t p, const char *what)
{
    char mark[64];
    snprintf(mark, sizeof mark, "reap__%s_%zu_%s.", word, p, what);
    return strstr(log, mark) != NULL;
}

/* The size of parameter p's type on the device. */
static size_t find_size(const char *log, size_t p)
{
    size_t size = 0;
    for (unsigned bit = 0; bit < 24; bit++) {
        char what[16];
        snprintf(what, sizeof what, "bit_%u", bit);
        if (has_mark(log, "size", p, what))
            size |= (size_t)1 << bit;
    }
    return size;
}

/* The error of a type that the device lays out otherwise; REAP_OK: the log has none. */
static reap_status describe_layout(const struct reap__accelerator *accelerator,
                                   const struct reap_kernel *kernel, const char *log)
{
    for (size_t p = 1; log != NULL && p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        const char *device = accelerator->device.info.name;
        if (has_mark(log, "size", p, "differs"))
            return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                              "kernel '%s': parameter '%s' of type '%s' has %zu bytes on the host, "
                              "and %zu on device '%s' (docs/kernels.md)",
                              kernel->name, parameter->name, parameter->type, parameter->size,
                              find_size(log, p), device);
        if (has_mark(log, "alignment", p, "differs"))
            return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                              "kernel '%s': parameter '%s' of type '%s' is aligned to %zu bytes on "
                              "the host, and otherwise on device '%s' (docs/kernels.md)",
                              kernel->name, parameter->name, parameter->type, parameter->alignment,
                              device);
    }
    return REAP_OK;
}

/* The error of a log. A linker's message, which has no position, may contain the name of such a
 * keyword. */
static reap_status describe_failure(const struct reap__accelerator *accelerator,
                                    const struct reap__layout *layout, const char *text,
                                    const char *log)
{
    char line[REAP__MESSAGE_BYTES / 2];
    char word[64];
    struct reap__string lines = {0};
    reap__diagnostics_first_error(log, text, line, sizeof line);
    if (log != NULL && strstr(line, ": error: ") == NULL &&
        reap__misplaced_find(log, strlen(log), word, sizeof word))
        return refuse_misplaced(layout, word);
    REAP_TRY(describe_layout(accelerator, layout->kernel, log));
    reap__diagnostics_add_advice(line, sizeof line, text);
    reap__diagnostics_add_lines(log, text, &lines);
    reap__set_last_log(lines.length > 0 && !lines.failed ? lines.bytes : "");
    reap__string_release(&lines);
    return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                      "kernel '%s' does not compile for device '%s': "
                      "%s",
                      layout->kernel->name, accelerator->device.info.name, line);
}

static reap_status compile(struct reap__accelerator *accelerator, const struct reap__layout *layout,
                           const char *text, struct reap__binary *binary)
{
    const struct reap__config *config;
    char *log = NULL;
    char word[64];
    REAP_TRY(reap__config_get(&config));
    reap_status status = accelerator->driver->compile(accelerator, text, binary, &log);
    if (config->dump != NULL) {
        const struct reap__dump dump = {accelerator, layout->kernel->name, text, log,
                                        status == REAP_OK ? binary : NULL};
        const reap_status dumped = reap__dump(&dump);
        if (status == REAP_OK && dumped != REAP_OK) {
            reap__free(binary->bytes);
            status = dumped;
        }
    }
    if (status == REAP_ERROR_COMPILATION_FAILED) {
        status = describe_failure(accelerator, layout, text, log);
    } else if (status == REAP_OK && !layout->has_groups &&
               reap__misplaced_find(binary->bytes, binary->size, word, sizeof word)) {
        reap__free(binary->bytes);
        status = refuse_misplaced(layout, word);
    }
    reap__free(log);
    return status;
}

/* Loads a program from the cache on disk, or compiles it. The key contains the text. */
static reap_status make(struct reap__accelerator *accelerator, const struct reap__layout *layout,
                        const struct reap__string *key, struct reap__program *program)
{
    const struct reap__driver *driver = accelerator->driver;
    const char *names[REAP__MOST_ENTRIES + 1];
    const char *text = strstr(strchr(key->bytes, '\n') + 1, "\n") + 1;
    struct reap__binary binary;
    reap__entry_names(layout, names);
    if (reap__cache_find(key->bytes, key->length, &binary)) {
        const reap_status loaded = driver->load(accelerator, &binary, names, program);
        reap__free(binary.bytes);
        if (loaded == REAP_OK)
            return REAP_OK;
    }
    REAP_TRY(compile(accelerator, layout, text, &binary));
    const reap_status status = driver->load(accelerator, &binary, names, program);
    if (status == REAP_OK)
        reap__cache_store(key->bytes, key->length, &binary);
    reap__free(binary.bytes);
    return status;
}

static struct digest digest_of(const struct reap__string *key)
{
    return (struct digest){
        .hashes = {reap__hash(1, key->bytes, key->length), reap__hash(2, key->bytes, key->length)},
        .bytes = key->length};
}

static bool is_same_digest(const struct digest *a, const struct digest *b)
{
    return a->hashes[0] == b->hashes[0] && a->hashes[1] == b->hashes[1] && a->bytes == b->bytes;
}

/* Finds the program of a kernel that was unloaded, for the layout's kernel, which is in its place
 * and has the same text; from now on it is this kernel's. The other kernel is known to be gone,
 * since its state has another number. NULL: none has this text. */
static struct reap__cached_program *take_over(struct reap__accelerator *accelerator,
                                              const struct reap__layout *layout,
                                              const struct digest *digest)
{
    const uint64_t kernel = reap__kernel_number(layout->kernel);
    for (struct reap__cached_program *at = accelerator->programs; at != NULL; at = at->next) {
        if (at->state != layout->kernel->state || at->kernel == kernel || !fits(at, layout) ||
            !is_same_digest(&at->digest, digest))
            continue;
        at->kernel = kernel;
        return at;
    }
    return NULL;
}

/* Makes the program, and adds it to the list. */
static reap_status add(struct reap__accelerator *accelerator, const struct reap__layout *layout,
                       const struct reap__string *key, struct reap__cached_program **added)
{
    struct reap__cached_program made = {
        .next = accelerator->programs,
        .kernel = reap__kernel_number(layout->kernel),
        .state = layout->kernel->state,
        .digest = digest_of(key),
        .dimensions = layout->dimensions,
        .mode = layout->mode,
        .delivers_rows = layout->delivers_rows,
        .has_lines = layout->has_lines,
        .has_start = layout->has_start,
        .has_stride = layout->has_stride,
        .logs_items = layout->logs_items,
        .has_local_spans = layout->has_local_spans,
        .spans_are_resident = layout->spans_are_resident,
        .threads = layout->threads,
        .aligned = aligned_bits(layout),
        .is_resident = stays_bits(layout),
        .least = least_bits(layout),
    };
    REAP_TRY(make(accelerator, layout, key, &made.program));
    for (size_t s = 0; s < layout->span_count; s++)
        made.program.slots[s] = 1;
    struct reap__cached_program *cached = reap__allocate(sizeof *cached);
    if (cached == NULL) {
        accelerator->driver->unload(accelerator, &made.program);
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its program",
                          layout->kernel->name);
    }
    *cached = made;
    accelerator->programs = cached;
    *added = cached;
    return REAP_OK;
}

static reap_status find_or_add(struct reap__accelerator *accelerator,
                               const struct reap__layout *layout,
                               struct reap__cached_program **found)
{
    struct reap__string key = {0};
    REAP_TRY(reap__stack_check(REAP__STACK_FOR_COMPILER, "kernel", layout->kernel->name));
    add_key(accelerator, &key);
    reap_status status = reap__program_text(accelerator, layout, &key);
    if (status == REAP_OK) {
        const struct digest digest = digest_of(&key);
        *found = take_over(accelerator, layout, &digest);
        if (*found == NULL)
            status = add(accelerator, layout, &key, found);
    }
    reap__string_release(&key);
    return status;
}

reap_status reap__program_get(struct reap__accelerator *accelerator,
                              const struct reap__layout *layout, struct reap__program **program)
{
    struct reap__cached_program *cached = find(accelerator, layout);
    if (cached == NULL)
        REAP_TRY(find_or_add(accelerator, layout, &cached));
    *program = &cached->program;
    return REAP_OK;
}

reap_status reap__program_check(struct reap__accelerator *accelerator,
                                const struct reap__layout *layout)
{
    struct reap__string text = {0};
    struct reap__binary binary;
    REAP_TRY(reap__stack_check(REAP__STACK_FOR_COMPILER, "kernel", layout->kernel->name));
    reap_status status = reap__program_text(accelerator, layout, &text);
    if (status == REAP_OK)
        status = compile(accelerator, layout, text.bytes, &binary);
    if (status == REAP_OK)
        reap__free(binary.bytes);
    reap__string_release(&text);
    return status;
}
