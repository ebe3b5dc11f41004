/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of every accelerator, and compiling ahead of launches: for the layouts that
 * launches of a kernel most likely have. Arrays are assumed to be aligned. If the length of spans
 * changes the layout, programs for short and for long spans are compiled.
 */
#include "src/accelerator/program/program.h"
#include "src/accelerator/runtime/accelerator.h"
#include "src/accelerator/runtime/runtime.h"
#include "src/core/status.h"
#include "src/reduction/tree.h"

/* Numbers of elements: all shorter spans have the layout of SHORT, all longer ones that of LONG.
 * (The bytes of LONG elements fit in size_t.) */
enum { SHORT = 256, LONG = 1 << 30 };

/* A kernel to be compiled. */
struct job {
    struct reap__accelerator *accelerator;
    const struct reap_kernel *kernel;
    reap_range range;
    bool is_kept; /* in the device's list of programs; otherwise it is discarded */
};

/* A command without items, with spans of so many elements. Only members that layouts read are set.
 */
static void make_command(const struct job *job, size_t elements, struct reap__targets *targets,
                         struct reap__launch *command)
{
    *command = (struct reap__launch){.kernel = job->kernel,
                                     .range = &job->range,
                                     .scalars = targets->scalars,
                                     .spans = targets->spans};
    for (size_t p = 1; p < job->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &job->kernel->parameters[p];
        if (reap__is_of_lines(parameter)) {
            command->has_lines = true;
            command->lines.are_columns = parameter->kind == REAP__COLUMN_REDUCTION;
        }
        if (parameter->kind == REAP__SPAN_REDUCTION)
            command->spans[command->span_count++] = (struct reap__target){
                .parameter = parameter, .reduction = parameter->reduction, .count = elements};
    }
}

static void make_layout(const struct job *job, size_t elements, struct reap__layout *layout)
{
    struct reap__launch command;
    struct reap__targets targets;
    make_command(job, elements, &targets, &command);
    reap__layout_make(layout, job->accelerator, &command);
    reap__layout_place_spans(layout, job->accelerator, &command);
    reap__layout_copy_spans(layout);
    for (size_t s = 0; s < layout->scalar_count && layout->has_lines; s++)
        reap__layout_keep(layout, s);
    for (size_t p = 1; p < job->kernel->parameter_count; p++)
        layout->is_aligned[p] = reap__is_array(&job->kernel->parameters[p]);
}

/* With the lock held if job->is_kept. */
static reap_status compile_layout(const struct job *job, const struct reap__layout *layout)
{
    struct reap__program *program;
    return job->is_kept ? reap__program_get(job->accelerator, layout, &program)
                        : reap__program_check(job->accelerator, layout);
}

static reap_status compile(const struct job *job)
{
    struct reap__layout layout;
    make_layout(job, SHORT, &layout);
    REAP_TRY(compile_layout(job, &layout));
    const size_t threads = layout.threads;
    const bool is_local = layout.has_local_spans;
    make_layout(job, LONG, &layout);
    return layout.threads == threads && layout.has_local_spans == is_local
               ? REAP_OK
               : compile_layout(job, &layout);
}

static reap_status compile_ahead(const reap_device *device, const struct reap_kernel *kernel,
                                 unsigned dimensions)
{
    const struct job job = {
        .accelerator = reap__accelerator_of(device),
        .kernel = kernel,
        .range = {.dimensions = dimensions},
        .is_kept = true,
    };
    REAP_TRY(reap__accelerator_enter(job.accelerator));
    return reap__accelerator_leave(job.accelerator, compile(&job));
}

reap_status reap__device_check(struct reap__accelerator *accelerator,
                               const struct reap_kernel *kernel)
{
    const struct job job = {
        .accelerator = accelerator,
        .kernel = kernel,
        .range = {.dimensions = 1},
    };
    return compile(&job);
}

const struct reap__device_functions reap__accelerator_functions = {
    .run = reap__device_run,
    .log_items = reap__device_log_items,
    .wait = reap__device_wait,
    .reach = reap__device_reach,
    .measure = reap__device_measure,
    .stop_measuring = reap__device_stop_measuring,
    .compile = compile_ahead,
    .allocate = reap__device_allocate,
    .release = reap__device_release,
    .write = reap__device_write,
    .read = reap__device_read,
    .copy = reap__device_copy,
    .fill = reap__device_fill,
    .follow = reap__device_follow,
    .settle = reap__device_settle,
    .share = reap__device_share,
    .prefetch = reap__device_prefetch,
    .native = &reap__device_native,
};
