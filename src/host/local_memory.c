/* SPDX-License-Identifier: Apache-2.0
 *
 * All local parameters share one allocation. With guards between them, writes outside are found:
 * AddressSanitizer and Valgrind forbid accesses to the guards; without these, in checked execution,
 * the guards hold a pattern, which is compared after each group.
 */
#include "src/host/group.h"

#include "src/host/run.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"

#include <string.h>

enum { GUARD_BYTES = 64, GUARD = 0xdb, UNINITIALISED = 0xa5 };

/* ---- Memory -----------------------------------------------------------------------------------*/

static bool has_guards(const struct reap__host_group *group)
{
    return group->run->is_checked || reap__can_forbid();
}

/* The bytes from the begin of a parameter's memory to the next one's, with guards. */
static size_t stride(const struct reap__host_local *local, bool guarded)
{
    const size_t all = local->bytes + (guarded ? 2 * GUARD_BYTES : 0);
    return (all + REAP__MEMORY_ALIGNMENT - 1) & ~(size_t)(REAP__MEMORY_ALIGNMENT - 1);
}

static void find_locals(struct reap__host_group *group)
{
    const struct reap__launch *command = group->run->command;
    const bool guarded = has_guards(group);
    group->local_count = group->local_bytes = 0;
    for (size_t p = 1; p < command->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &command->kernel->parameters[p];
        if (!reap__is_local(parameter))
            continue;
        const size_t count = reap__local_count(command, parameter);
        struct reap__host_local *local = &group->local_list[group->local_count++];
        *local =
            (struct reap__host_local){.parameter = parameter, .bytes = count * parameter->size};
        group->local_bytes += stride(local, guarded);
    }
}

static void place_locals(struct reap__host_group *group)
{
    const bool guarded = has_guards(group);
    unsigned char *at = group->local_memory;
    for (size_t i = 0; i < group->local_count; i++) {
        struct reap__host_local *local = &group->local_list[i];
        local->memory = at + (guarded ? GUARD_BYTES : 0);
        group->locals[i] = local->memory;
        at += stride(local, guarded);
    }
    if (!reap__can_forbid() || group->local_bytes == 0)
        return;
    reap__forbid(group->local_memory, group->local_bytes);
    for (size_t i = 0; i < group->local_count; i++)
        reap__allow(group->local_list[i].memory, group->local_list[i].bytes);
}

/* Takes the memory. If work-items or groups are threads to ThreadSanitizer, it is pages of its own,
 * so that it can be mapped again for each group, without recorded accesses. */
static unsigned char *take_memory(const struct reap__host_group *group,
                                  struct reap__scratch *scratch)
{
    return group->has_contexts ? reap__pages_map(group->local_bytes)
                               : reap__scratch_take(scratch, group->local_bytes, 1);
}

reap_status reap__local_memory_take(struct reap__host_group *group, struct reap__scratch *scratch)
{
    const size_t parameters = group->run->kernel->parameter_count;
    group->locals = reap__scratch_take(scratch, parameters, sizeof *group->locals);
    group->local_list = reap__scratch_take(scratch, parameters, sizeof *group->local_list);
    REAP_TRY(reap__scratch_check(scratch));
    find_locals(group);
    if (group->local_bytes == 0)
        return REAP_OK;
    group->local_memory = take_memory(group, scratch);
    if (group->local_memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of local memory",
                          group->local_bytes);
    place_locals(group);
    return REAP_OK;
}

void reap__local_memory_return(const struct reap__host_group *group)
{
    if (group->local_memory == NULL)
        return;
    if (reap__can_forbid())
        reap__allow(group->local_memory, group->local_bytes);
    if (group->has_contexts)
        reap__pages_unmap(group->local_memory, group->local_bytes);
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static void fill(const struct reap__host_group *group)
{
    const bool is_checked = group->run->is_checked;
    if (is_checked && !reap__can_forbid())
        memset(group->local_memory, GUARD, group->local_bytes);
    for (size_t i = 0; i < group->local_count; i++) {
        const struct reap__host_local *local = &group->local_list[i];
        if (is_checked)
            memset(local->memory, UNINITIALISED, local->bytes);
        reap__valgrind_undefined(local->memory, local->bytes);
    }
}

void reap__local_memory_begin(const struct reap__host_group *group)
{
    if (group->local_bytes == 0)
        return;
    if (!group->has_contexts) {
        fill(group);
        return;
    }
    void *thread = reap__tsan_current();
    reap__tsan_switch(group->clean_context);
    reap__pages_renew(group->local_memory, group->local_bytes);
    fill(group); /* items are ordered after this context, not after the thread's */
    reap__tsan_switch(thread);
}

static bool is_guard(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != GUARD)
            return false;
    return true;
}

static void check(const struct reap__host_group *group, const struct reap__host_local *local)
{
    const size_t *id = group->group.id_, bytes = local->bytes;
    const size_t after = stride(local, true) - GUARD_BYTES - bytes;
    const bool before_is_right = is_guard(local->memory - GUARD_BYTES, GUARD_BYTES);
    if (before_is_right && is_guard(local->memory + bytes, after))
        return;
    reap__host_run_fail(
        group->run, REAP_ERROR_INDEX_OUT_OF_RANGE,
        "kernel '%s': group (%zu, %zu, %zu) wrote %s the %zu elements of local memory "
        "'%s'",
        group->run->kernel->name, id[0], id[1], id[2], before_is_right ? "after" : "before",
        bytes / local->parameter->size, local->parameter->name);
}

void reap__local_memory_check(const struct reap__host_group *group)
{
    if (!group->run->is_checked || reap__can_forbid())
        return;
    for (size_t i = 0; i < group->local_count; i++)
        check(group, &group->local_list[i]);
}
