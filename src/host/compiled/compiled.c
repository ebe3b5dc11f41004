/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's state points to a record for each number of dimensions. One thread at a time
 * compiles. First it looks into the cache on disk, which costs little; later it runs the compiler,
 * which takes a fraction of a second on another processor.
 */
#include "src/host/compiled/compiled.h"

#include "src/accelerator/program/program.h"
#include "src/core/allocate.h"
#include "src/core/config.h"
#include "src/core/fork.h"
#include "src/host/compiled/compiler.h"
#include "src/host/compiled/text.h"
#include "src/host/isa.h"
#include "src/port/library.h"
#include "src/port/pin.h"
#include "src/port/sanitizer.h"
#include "src/port/thread.h"

#include <pthread.h>
#include <reap/version.h>
#include <stdio.h>
#include <string.h>

/* The time on fibers before the compiler runs is configured (compile_microseconds). */
enum {
    LOOK_PART = 16, /* the cache is read after this fraction of that time */
    STACK_BYTES = 1 << 20
};

enum stage {
    STAGE_NEW,
    STAGE_UNDER_WAY, /* a thread compiles it, or waits for the lock */
    STAGE_ABSENT,    /* not in the cache; the compiler has not run yet */
    STAGE_DONE
};

struct record {
    const struct reap_kernel *kernel;
    unsigned dimensions;
    atomic_uint forks; /* the number of forks when its thread was started; a forked child does not
                          have that thread */
    atomic_bool compiles;                  /* the compiler may run; relaxed */
    atomic_int stage;                      /* ABSENT and DONE: stored with release */
    uint64_t unloads;                      /* reap__library_unloads when its thread was started */
    const struct reap__compiled *compiled; /* once DONE */
    char problem[96];                      /* once DONE; "": none */
};

/* Written before the first launch, constant afterwards. */
static const char *compiler;
static enum reap__isa best_isa;
static unsigned compile_microseconds; /* on fibers, before the compiler runs */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one thread at a time compiles */
static struct reap__string version;                      /* of the compiler; under the lock */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void renew_lock(void)
{
    pthread_mutex_init(&lock, NULL);
}

static void install_fork_handler(void)
{
    pthread_atfork(NULL, NULL, renew_lock);
}

void reap__compiled_configure(const struct reap__config *config, enum reap__isa isa)
{
    compiler = config->compiler;
    compile_microseconds = config->compiler_after * 1000;
    best_isa = isa;
}

/* ---- Whether a kernel can be compiled ---------------------------------------------------------*/

static const char *find_reason(const struct reap_kernel *kernel)
{
    if (compiler == NULL)
        return "no compiler is configured";
    if (reap__tsan_is_here() || reap__can_forbid() ||
        (kernel->build & REAP__BUILD_SANITIZED) != 0 ||
        reap__library_symbol(NULL, "__ubsan_handle_type_mismatch_v1") != NULL)
        return "the program runs under a sanitizer or Valgrind";
    if ((kernel->build & REAP__BUILD_UNOPTIMISED) != 0)
        return "it is compiled without optimisation";
    return NULL;
}

static bool are_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_reduction(const struct reap__reduction *a, const struct reap__reduction *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return are_same(a->operation, b->operation) && a->lanes_log2 == b->lanes_log2 &&
           a->result_size == b->result_size && a->value_size == b->value_size &&
           a->location_offset == b->location_offset && a->is_builtin == b->is_builtin &&
           a->built_in == b->built_in && a->type == b->type && a->number == b->number &&
           a->has_identity == b->has_identity;
}

static bool is_same_parameter(const struct reap__parameter *a, const struct reap__parameter *b)
{
    return are_same(a->name, b->name) && a->kind == b->kind && a->offset == b->offset &&
           a->size == b->size && a->alignment == b->alignment &&
           is_same_reduction(a->reduction, b->reduction);
}

/* Whether two tables are of the same kernel, with the same layout of its arguments. Which
 * instructions there are does not matter. */
static bool is_same_kernel(const struct reap_kernel *a, const struct reap_kernel *b)
{
    const unsigned unlike = a->build ^ b->build;
    bool is_same = a->format == b->format && are_same(a->name, b->name) &&
                   a->arguments_size == b->arguments_size &&
                   a->options_offset == b->options_offset &&
                   (unlike & ~(unsigned)REAP__BUILD_INSTRUCTIONS) == 0 &&
                   a->parameter_count == b->parameter_count;
    for (size_t p = 1; p < a->parameter_count && is_same; p++)
        is_same = is_same_parameter(&a->parameters[p], &b->parameters[p]);
    return is_same;
}

/* ---- Steps ------------------------------------------------------------------------------------*/

static const char changes_results[] = "the compiler changes floating-point results";

static const char *find_fault(const struct record *record, const struct reap__compiled *found)
{
    if (!is_same_kernel(record->kernel, found->kernel))
        return "the program was compiled with options that are not supported";
    if (!reap__isa_is_exact(found->kernel))
        return changes_results;
    return NULL;
}

static const char *load(struct record *record, const struct reap__binary *binary)
{
    void *handle;
    const struct reap__compiled *found =
        reap__binary_load(binary, "reap__compiled_kernel", &handle);
    if (found == NULL)
        return "the compiled code cannot be loaded";
    const char *problem = find_fault(record, found);
    if (problem == NULL)
        record->compiled = found;
    else
        reap__object_release(handle);
    return problem;
}

/* Writes all that determines the binary, except the text, which the caller appends. */
static bool write_key(struct reap__string *key)
{
    if (version.length == 0 && !reap__compiler_version(compiler, &version))
        return false;
    reap__string_format(key, "host %s %s\n%s\n%s\n", compiler, reap_version(),
                        reap__compiler_options(), version.bytes);
    return !key->failed;
}

/* Loads the binary from the cache, or else compiles it, if `compiles`. Returns NULL, or the
 * problem. *is_absent: it is not in the cache, and the compiler has not run. */
static const char *obtain(struct record *record, const struct reap__string *key,
                          const struct reap__string *text, bool compiles, bool *is_absent)
{
    struct reap__binary binary;
    if (reap__cache_find(key->bytes, key->length, &binary)) {
        const char *problem = load(record, &binary);
        reap__free(binary.bytes);
        if (problem == NULL || problem == changes_results)
            return problem;
    }
    *is_absent = !compiles;
    const char *problem = compiles ? reap__compiler_run(compiler, text, &binary) : NULL;
    if (!compiles || problem != NULL)
        return problem;
    problem = load(record, &binary);
    if (problem == NULL || problem == changes_results)
        reap__cache_store(key->bytes, key->length, &binary);
    reap__free(binary.bytes);
    return problem;
}

static const char *take_step_for(enum reap__isa isa, struct record *record, bool compiles,
                                 bool *is_absent)
{
    struct reap__string text = {0}, key = {0};
    const char *problem = find_reason(record->kernel);
    if (problem == NULL)
        problem = reap__compiled_text(record->kernel, record->dimensions, isa, &text);
    if (problem == NULL && !write_key(&key))
        problem = "the compiler cannot be run";
    if (problem == NULL) {
        reap__string_append(&key, text.bytes, text.length);
        problem = key.failed ? "no memory for its text"
                             : obtain(record, &key, &text, compiles, is_absent);
    }
    reap__string_release(&text);
    reap__string_release(&key);
    return problem;
}

/* Code for the baseline has no instructions that change results (isa.h). */
static const char *take_step(struct record *record, bool compiles, bool *is_absent)
{
    const char *problem = take_step_for(best_isa, record, compiles, is_absent);
    if (problem == changes_results && best_isa != REAP__ISA_PLAIN)
        problem = take_step_for(REAP__ISA_PLAIN, record, compiles, is_absent);
    return problem;
}

static void *work(void *data)
{
    struct record *record = data;
    bool is_absent = false;
    pthread_mutex_lock(&lock);
    if (atomic_load_explicit(&record->stage, memory_order_acquire) != STAGE_DONE) {
        const bool compiles = atomic_load_explicit(&record->compiles, memory_order_relaxed);
        const char *problem = take_step(record, compiles, &is_absent);
        if (problem != NULL)
            snprintf(record->problem, sizeof record->problem, "fibers: %s", problem);
        atomic_store_explicit(&record->stage, is_absent ? STAGE_ABSENT : STAGE_DONE,
                              memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Leaves the work to a later launch, unless another thread has done it. */
static void put_off(struct record *record)
{
    int stage = STAGE_UNDER_WAY;
    atomic_compare_exchange_strong_explicit(&record->stage, &stage, STAGE_ABSENT,
                                            memory_order_release, memory_order_relaxed);
}

/* On a thread of the library: holds the object of the kernel, which the program might unload at the
 * same time. If an object was unloaded since the launch, it may have been that one, and another one
 * be in its place. */
static void *work_apart(void *data)
{
    struct record *record = data;
    void *handle;
    const bool is_held = reap__object_hold(record->kernel, &handle);
    if (is_held && reap__library_unloads() == record->unloads)
        work(record);
    else
        put_off(record);
    if (is_held)
        reap__object_release(handle);
    return NULL;
}

/* ---- Records ----------------------------------------------------------------------------------*/

/* What a kernel's state points to. */
static struct record *as_record(const void *pointer)
{
    struct record *record;
    memcpy(&record, &pointer, sizeof record);
    return record;
}

static struct record *record_of(const struct reap_kernel *kernel, unsigned dimensions)
{
    return as_record(
        atomic_load_explicit(&kernel->state->compiled[dimensions - 1], memory_order_acquire));
}

/* Returns the kernel's record, creates it if there is none; NULL without memory. Records are never
 * freed. */
static struct record *take_record(const struct reap_kernel *kernel, unsigned dimensions)
{
    struct record *record = record_of(kernel, dimensions);
    if (record != NULL)
        return record;
    record = reap__allocate(sizeof *record);
    if (record == NULL)
        return NULL;
    *record = (struct record){.kernel = kernel, .dimensions = dimensions};
    atomic_init(&record->stage, STAGE_NEW);
    const void *before = NULL;
    if (atomic_compare_exchange_strong_explicit(&kernel->state->compiled[dimensions - 1], &before,
                                                record, memory_order_acq_rel, memory_order_acquire))
        return record;
    reap__free(record);
    return as_record(before);
}

static bool is_under_way(const struct record *record, int stage)
{
    return stage == STAGE_UNDER_WAY &&
           atomic_load_explicit(&record->forks, memory_order_relaxed) == reap__fork_generation();
}

static void start(struct record *record, int stage, bool compiles)
{
    pthread_once(&once, install_fork_handler);
    atomic_store_explicit(&record->forks, reap__fork_generation(), memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&record->stage, &stage, STAGE_UNDER_WAY,
                                                 memory_order_acquire, memory_order_relaxed))
        return;
    if (compiles)
        atomic_store_explicit(&record->compiles, true, memory_order_relaxed);
    record->unloads = reap__library_unloads();
    reap__pin();
    if (reap__threads_start(1, work_apart, record) == 0)
        put_off(record);
}

void reap__compiled_note(const struct reap_kernel *kernel, unsigned dimensions,
                         uint64_t nanoseconds)
{
    if (compiler == NULL)
        return;
    const unsigned part = nanoseconds < 1000000000 ? (unsigned)(nanoseconds / 1000) : 1000000;
    const unsigned before =
        atomic_load_explicit(&kernel->state->fiber_microseconds, memory_order_relaxed);
    const unsigned all = before < 1000000000 ? before + part : before;
    atomic_store_explicit(&kernel->state->fiber_microseconds, all, memory_order_relaxed);
    if (all < compile_microseconds / LOOK_PART)
        return;
    struct record *record = take_record(kernel, dimensions);
    if (record == NULL)
        return;
    const int stage = atomic_load_explicit(&record->stage, memory_order_relaxed);
    if (stage == STAGE_DONE || is_under_way(record, stage))
        return;
    if (all >= compile_microseconds || stage != STAGE_ABSENT)
        start(record, stage, all >= compile_microseconds);
}

void reap__compiled_make(const struct reap_kernel *kernel, unsigned dimensions)
{
    struct record *record = take_record(kernel, dimensions);
    if (record == NULL)
        return;
    pthread_once(&once, install_fork_handler);
    atomic_store_explicit(&record->compiles, true, memory_order_relaxed);
    if (atomic_load_explicit(&record->stage, memory_order_acquire) != STAGE_DONE)
        (void)reap__thread_run(STACK_BYTES, work, record);
}

const char *reap__compiled_describe(const struct reap_kernel *kernel, unsigned dimensions)
{
    const struct record *record = record_of(kernel, dimensions);
    if (compiler == NULL)
        return "fibers: no compiler is configured";
    if (record == NULL || atomic_load_explicit(&record->stage, memory_order_acquire) != STAGE_DONE)
        return "fibers: it is not compiled yet";
    return record->problem[0] == '\0' ? "compiled at run time" : record->problem;
}

const struct reap__compiled *reap__compiled_find(const struct reap_kernel *kernel,
                                                 unsigned dimensions)
{
    const struct record *record = record_of(kernel, dimensions);
    if (compile_microseconds == 0 && compiler != NULL) {
        reap__compiled_make(kernel, dimensions);
        record = record_of(kernel, dimensions);
    }
    if (record == NULL || atomic_load_explicit(&record->stage, memory_order_acquire) != STAGE_DONE)
        return NULL;
    return record->compiled;
}
