/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts as objects: claims of launches, merging, finishing. Whatever can fail comes before anything
 * changes: the memory for what is added exists already, and adding a range links it.
 */
#include "src/reduction/part.h"

#include "src/core/allocate.h"
#include "src/core/arguments.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/memory/registry.h"
#include "src/port/fp_environment.h"
#include "src/port/sanitizer.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Shapes -----------------------------------------------------------------------------------*/

static const struct reap__parameter *find_reduction(const struct reap_kernel *kernel,
                                                    const char *name)
{
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (parameter->reduction != NULL && strcmp(parameter->name, name) == 0)
            return parameter;
    }
    return NULL;
}

/* Whether values are combined in the order of the items. */
static bool is_ordered(const struct reap__reduction *reduction)
{
    return reduction->location_offset == 0 && !reap__is_exact(reduction);
}

static unsigned leaf_log2_of(const struct reap__reduction *reduction)
{
    return (unsigned)reduction->lanes_log2 + REAP__ROWS_LOG2;
}

struct reap__leaves reap__leaves_of(const struct reap__launch *command)
{
    struct reap__leaves leaves = {.are_alike = true};
    for (size_t s = 0; s < command->scalar_count; s++) {
        const struct reap__reduction *reduction = command->scalars[s].reduction;
        const unsigned log2 = leaf_log2_of(reduction);
        if (!is_ordered(reduction))
            continue;
        leaves.are_alike &= !leaves.exist || log2 == leaves.longest_log2;
        if (!leaves.exist || log2 > leaves.longest_log2)
            leaves.longest_log2 = log2;
        leaves.exist = true;
    }
    return leaves;
}

bool reap__ends_in_leaf(const struct reap__launch *command, uint64_t first_item)
{
    const struct reap__leaves leaves = reap__leaves_of(command);
    const uint64_t leaf = (uint64_t)1 << leaves.longest_log2;
    return leaves.exist && !leaves.are_alike && !reap__has_groups(command->kernel) &&
           (first_item + command->items) % leaf != 0;
}

static void set_shape(struct reap__part_shape *shape, const struct reap_kernel *kernel,
                      const struct reap__parameter *parameter)
{
    const struct reap__reduction *reduction = parameter->reduction;
    shape->table = kernel;
    shape->kernel = kernel->name;
    shape->parameter = parameter;
    shape->reduction = reduction;
    shape->is_span = parameter->kind == REAP__SPAN_REDUCTION;
    shape->is_exact_span = shape->is_span && reap__is_exact_span(reduction);
    shape->is_ordered = !shape->is_span && is_ordered(reduction);
    shape->lanes_log2 = (unsigned)reduction->lanes_log2;
    shape->leaf_log2 = leaf_log2_of(reduction);
    shape->group_items = 1;
}

/* The part, its identity and its start in one allocation. */
static reap_part *allocate(const struct reap__reduction *reduction)
{
    const size_t header = reap__align(sizeof(reap_part));
    const size_t identity = reap__align(reduction->value_size);
    const size_t bytes = header + identity + reduction->result_size;
    unsigned char *memory = reap__allocate(bytes);
    if (memory == NULL)
        return NULL;
    memset(memory, 0, bytes);
    reap_part *part = (reap_part *)(void *)memory;
    part->shape.identity = memory + header;
    part->shape.start = memory + header + identity;
    atomic_init(&part->references, 1);
    pthread_mutex_init(&part->lock, NULL);
    return part;
}

static void set_start(struct reap__part_shape *shape)
{
    const struct reap__reduction *reduction = shape->reduction;
    const struct reap__target target = {
        .reduction = reduction,
        .identity = shape->has_identity ? shape->identity : NULL,
    };
    shape->has_start = reduction->has_identity || shape->has_identity;
    if (!shape->has_start)
        return;
    if (shape->is_span) {
        reap__span_start(&target, shape->start, shape->start);
        return;
    }
    memset(shape->start, 0, reduction->result_size);
    reap__identity_of(reduction, shape->start);
    if (shape->has_identity && !reap__is_exact(reduction))
        memcpy(shape->start, shape->identity, reduction->value_size);
}

void reap__part_bind(reap_part *part, const void *identity, size_t group_items, size_t count)
{
    struct reap__part_shape *shape = &part->shape;
    shape->has_identity = identity != NULL;
    if (identity != NULL && identity != shape->identity)
        memcpy(shape->identity, identity, shape->reduction->value_size);
    shape->group_items = group_items;
    shape->count = count;
    set_start(shape);
}

reap_status reap__part_make(const struct reap_kernel *kernel, const char *reduction,
                            const char *call, reap_part **part)
{
    if (kernel == NULL || reduction == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the %s is NULL", call,
                          kernel == NULL ? "kernel" : "reduction's name");
    REAP_TRY(reap__kernel_check_usable(kernel));
    const struct reap__parameter *parameter = find_reduction(kernel, reduction);
    if (parameter == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: kernel '%s' has no reduction '%s'",
                          call, kernel->name, reduction);
    if (reap__is_of_lines(parameter))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: reduction '%s' of kernel '%s' is of rows or columns, and has no "
                          "parts: those are for reduce, reduce_location and reduce_span",
                          call, reduction, kernel->name);
    reap_part *made = allocate(parameter->reduction);
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "%s: no memory for a part", call);
    set_shape(&made->shape, kernel, parameter);
    reap__part_bind(made, NULL, 1, 0);
    *part = made;
    return REAP_OK;
}

/* Whether two parameters of kernels of the same name are the same reduction. */
static bool are_alike(const struct reap__parameter *a, const struct reap__parameter *b)
{
    const struct reap__reduction *x = a->reduction, *y = b->reduction;
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind &&
           strcmp(x->operation, y->operation) == 0 && x->is_builtin == y->is_builtin &&
           x->result_size == y->result_size && x->value_size == y->value_size &&
           x->location_offset == y->location_offset && x->number == y->number &&
           x->has_identity == y->has_identity &&
           (x->is_builtin ? reap__operand(x->type) == reap__operand(y->type)
                          : strcmp(a->type, b->type) == 0);
}

static reap_status refuse_other(const struct reap__part_shape *shape, const char *kernel,
                                const struct reap__parameter *parameter)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': reduction '%s' (%s of %s) cannot use a part of kernel '%s', "
                      "reduction '%s' (%s of %s)",
                      kernel, parameter->name, parameter->reduction->operation, parameter->type,
                      shape->kernel, shape->parameter->name, shape->reduction->operation,
                      shape->parameter->type);
}

reap_status reap__part_check(const reap_part *part, const struct reap_kernel *kernel,
                             const struct reap__parameter *parameter)
{
    const struct reap__part_shape *shape = &part->shape;
    if (strcmp(shape->kernel, kernel->name) != 0 || !are_alike(shape->parameter, parameter))
        return refuse_other(shape, kernel->name, parameter);
    return REAP_OK;
}

/* Fails if a launch has another identity, size of work-groups or number of elements than the
 * part. */
static reap_status check_bound(const struct reap__part_shape *shape, const void *identity,
                               size_t group_items, size_t count)
{
    const size_t size = shape->reduction->value_size;
    const char *kernel = shape->kernel, *name = shape->parameter->name;
    if ((identity != NULL) != shape->has_identity ||
        (identity != NULL && memcmp(identity, shape->identity, size) != 0))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': the part of '%s' has items with another .identity", kernel,
                          name);
    if (group_items != shape->group_items)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': the part of '%s' has items of work-groups of %zu "
                          "work-items, and these are of %zu",
                          kernel, name, shape->group_items, group_items);
    if (count != shape->count)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': the part of '%s' has %zu elements, and .count is %zu",
                          kernel, name, shape->count, count);
    return REAP_OK;
}

/* ---- Objects ----------------------------------------------------------------------------------*/

/* Whether the part has no items, and no launch has claimed any. With the lock held. */
static bool is_empty(const reap_part *part)
{
    if (part->ranges != NULL)
        return false;
    for (const struct reap__part_claim *c = part->claims; c != NULL; c = c->next)
        if (c->end > c->begin)
            return false;
    return true;
}

static void release_ranges(struct reap__part_range *range)
{
    for (struct reap__part_range *next; range != NULL; range = next) {
        next = range->next;
        reap__part_range_release(range);
    }
}

size_t reap__part_count(const reap_part *part)
{
    return part->ranges != NULL || is_empty(part) ? part->shape.count : part->empty_count;
}

void reap_part_release(reap_part *part)
{
    if (part == NULL)
        return;
    reap__tsan_note_release(&part->references);
    if (atomic_fetch_sub(&part->references, 1) != 1)
        return;
    reap__tsan_note_acquire(&part->references);
    release_ranges(part->ranges);
    reap__free(part->totals);
    reap__part_arrays_release(part->arrays);
    pthread_mutex_destroy(&part->lock);
    reap__free(part);
}

reap_status reap_part_create(const struct reap_kernel *kernel, const char *reduction,
                             reap_part **part)
{
    if (part == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_create: the pointer to the part is NULL");
    return reap__part_make(kernel, reduction, "reap_part_create", part);
}

void reap__part_lock(const reap_part *part)
{
    pthread_mutex_lock(&((reap_part *)part)->lock);
}

void reap__part_unlock(const reap_part *part)
{
    pthread_mutex_unlock(&((reap_part *)part)->lock);
}

reap_status reap__part_check_settled(const reap_part *part, const char *call)
{
    const struct reap__part_claim *claim = part->claims;
    if (claim == NULL)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: the launch of kernel '%s' over work-items %" PRIu64 " to %" PRIu64
                      " into the part of '%s' has not completed: wait for its queue",
                      call, part->shape.kernel, claim->begin * part->shape.group_items,
                      claim->end * part->shape.group_items - (claim->end > claim->begin),
                      part->shape.parameter->name);
}

/* ---- Spans ------------------------------------------------------------------------------------*/

unsigned char *reap__part_totals_create(const struct reap__part_shape *shape)
{
    unsigned char *totals = reap__allocate(reap__part_totals_bytes(shape));
    if (totals == NULL)
        return NULL;
    if (shape->is_exact_span)
        memset(totals, 0, reap__part_totals_bytes(shape));
    else
        reap__repeat(totals, shape->start, shape->reduction->value_size, shape->count);
    return totals;
}

/* The reduction whose results have the words of an element: an exact sum. */
static struct reap__reduction sums_of(const struct reap__reduction *reduction)
{
    struct reap__reduction sums = *reduction;
    sums.built_in = REAP__OPERATION_exact_plus;
    sums.result_size = 8 * (size_t)REAP__EXACT_WORDS(reduction->value_size);
    return sums;
}

void reap__part_totals_add(const struct reap__part_shape *shape, unsigned char *into,
                           const unsigned char *from)
{
    const struct reap__reduction sums = sums_of(shape->reduction);
    const struct reap__results to = {into, NULL}, other = {(unsigned char *)from, NULL};
    reap__combine(shape->is_exact_span ? &sums : shape->reduction, &to, &other, shape->count);
}

/* Stores an element. If only -0 was added to it, it does not change. */
static void store_exact_element(const struct reap__part_shape *shape, const uint64_t *element,
                                void *variable)
{
    const struct reap__reduction sums = sums_of(shape->reduction);
    const size_t size = sums.value_size, count = REAP__EXACT_WORDS(size);
    uint64_t words[REAP__EXACT_WORDS(8)], any = 0;
    for (size_t w = 0; w < count; w++)
        any |= words[w] = element[w];
    if (any == 0)
        return;
    words[REAP__EXACT_DIGITS(size) + 3] = 1;
    reap__exact_add_each(size, words, variable, 1);
    reap__exact_add_each(size, words, shape->start, 1);
    reap__exact_round(&sums, words, variable);
}

static void store_span(const struct reap__part_shape *shape, unsigned char *totals,
                       const struct reap__target *target)
{
    const size_t size = shape->reduction->value_size;
    _Alignas(REAP__MEMORY_ALIGNMENT) unsigned char identity[sizeof(double)];
    if (target->initialize) {
        memcpy(identity, shape->identity, size);
        if (!shape->has_identity)
            reap__identity_of(shape->reduction, identity);
        reap__repeat(target->variable, identity, size, target->count);
    }
    if (totals == NULL)
        return;
    const struct reap__results results = {totals, NULL};
    if (!shape->is_exact_span)
        reap__store_span(target, shape->start, &results, 0, target->count);
    for (size_t i = 0; shape->is_exact_span && i < target->count; i++)
        store_exact_element(
            shape, (const uint64_t *)(const void *)totals + i * (size_t)REAP__EXACT_WORDS(size),
            (char *)target->variable + i * size);
}

/* ---- Adding ranges ----------------------------------------------------------------------------*/

/* Adds a range to the part, and joins it with adjacent ones. With the lock held, and the library's
 * floating-point environment. */
static void add_range(reap_part *part, struct reap__part_range *range)
{
    struct reap__part_range *before = NULL, *after = part->ranges;
    while (after != NULL && after->begin < range->begin) {
        before = after;
        after = after->next;
    }
    if (after != NULL && after->begin == range->end) {
        struct reap__part_range *const rest = after->next;
        reap__part_range_append(&part->shape, range, after);
        after = rest;
    }
    range->next = after;
    if (before != NULL && before->end == range->begin) {
        before->next = after;
        reap__part_range_append(&part->shape, before, range);
    } else if (before != NULL) {
        before->next = range;
    } else {
        part->ranges = range;
    }
}

static reap_status refuse_overlap(const struct reap__part_shape *shape, uint64_t begin,
                                  uint64_t end, uint64_t other_begin, uint64_t other_end,
                                  const char *what)
{
    const uint64_t items = shape->group_items;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': work-items %" PRIu64 " to %" PRIu64
                      " overlap work-items %" PRIu64 " to %" PRIu64 ", which the part of '%s' %s",
                      shape->kernel, begin * items, end * items - 1, other_begin * items,
                      other_end * items - 1, shape->parameter->name, what);
}

/* Fails if the part has some of the items, or a launch has claimed them. With the lock held. */
static reap_status check_free(const reap_part *part, uint64_t begin, uint64_t end)
{
    if (begin == end)
        return REAP_OK;
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next)
        if (begin < r->end && r->begin < end)
            return refuse_overlap(&part->shape, begin, end, r->begin, r->end, "already has");
    for (const struct reap__part_claim *c = part->claims; c != NULL; c = c->next)
        if (c->begin < c->end && begin < c->end && c->begin < end)
            return refuse_overlap(&part->shape, begin, end, c->begin, c->end,
                                  "receives from another launch");
    return REAP_OK;
}

/* ---- Claims -----------------------------------------------------------------------------------*/

static const struct reap__target *target_at(const struct reap__launch *command, size_t t)
{
    return t < command->scalar_count ? &command->scalars[t]
                                     : &command->spans[t - command->scalar_count];
}

static size_t group_items_of(const struct reap__launch *command)
{
    const size_t *group = command->range->group;
    size_t items = 1;
    for (unsigned d = 0;
         d < command->range->dimensions && reap__has_groups(command->kernel) && command->items > 0;
         d++)
        items *= group[d];
    return items;
}

/* Claims the items of a launch in a part. With the lock held. */
static reap_status take(reap_part *part, const struct reap__target *target, size_t group_items,
                        struct reap__part_claim *claim)
{
    const size_t count = part->shape.is_span ? target->count : 0;
    const bool has_items = claim->end > claim->begin; /* else it has no size of work-groups */
    if (has_items && is_empty(part)) {
        part->empty_count = part->shape.count;
        reap__part_bind(part, target->identity, group_items, count);
    }
    if (has_items)
        REAP_TRY(check_bound(&part->shape, target->identity, group_items, count));
    REAP_TRY(check_free(part, claim->begin, claim->end));
    claim->part = part;
    claim->next = part->claims;
    part->claims = claim;
    atomic_fetch_add(&part->references, 1);
    return REAP_OK;
}

static reap_status check_first(const struct reap__launch *command, uint64_t first_item,
                               size_t group_items)
{
    if (first_item % group_items != 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': .launch.first_item is %" PRIu64
                          ", not a multiple of the work-group's %zu work-items",
                          command->kernel->name, first_item, group_items);
    if (command->items > UINT64_MAX - first_item)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': .launch.first_item is %" PRIu64
                          ", and %zu work-items from there on go beyond 2^64",
                          command->kernel->name, first_item, command->items);
    return REAP_OK;
}

reap_status reap__part_claim(const struct reap__launch *command, uint64_t first_item,
                             struct reap__part_claims **claims)
{
    const size_t count = command->scalar_count + command->span_count;
    const size_t group_items = group_items_of(command);
    REAP_TRY(check_first(command, first_item, group_items));
    struct reap__part_claims *made =
        reap__allocate(sizeof *made + count * sizeof(struct reap__part_claim));
    if (made == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its parts",
                          command->kernel->name);
    made->count = count;
    memset(made->claims, 0, count * sizeof(struct reap__part_claim));
    reap_status status = REAP_OK;
    for (size_t t = 0; t < count && status == REAP_OK; t++) {
        const struct reap__target *target = target_at(command, t);
        struct reap__part_claim *claim = &made->claims[t];
        claim->begin = first_item / group_items;
        claim->end = claim->begin + command->items / group_items;
        reap__part_lock(target->part);
        status = take(target->part, target, group_items, claim);
        reap__part_unlock(target->part);
    }
    if (status == REAP_OK)
        *claims = made;
    else
        reap__part_unclaim(made);
    return status;
}

static void commit(reap_part *part, struct reap__part_claim *claim)
{
    if (claim->range != NULL)
        add_range(part, claim->range);
    claim->range = NULL;
    if (claim->totals != NULL && part->totals == NULL) {
        part->totals = claim->totals;
        claim->totals = NULL;
    } else if (claim->totals != NULL) {
        reap__part_totals_add(&part->shape, part->totals, claim->totals);
    }
}

void reap__part_commit(struct reap__part_claims *claims)
{
    const reap__fp_environment before = reap__fp_enter();
    for (size_t c = 0; c < claims->count; c++) {
        reap_part *part = claims->claims[c].part;
        reap__part_lock(part);
        commit(part, &claims->claims[c]);
        reap__part_unlock(part);
        reap__part_array_give_back(&claims->claims[c]);
    }
    reap__fp_leave(before);
}

static void unclaim(struct reap__part_claim *claim)
{
    reap_part *part = claim->part;
    if (part == NULL)
        return;
    reap__part_lock(part);
    struct reap__part_claim **at = &part->claims;
    while (*at != claim)
        at = &(*at)->next;
    *at = claim->next;
    if (claim->end > claim->begin && is_empty(part)) /* the launch failed, and adds nothing */
        reap__part_bind(part, NULL, 1, part->empty_count);
    reap__part_unlock(part);
    reap_part_release(part);
}

void reap__part_unclaim(struct reap__part_claims *claims)
{
    for (size_t c = 0; claims != NULL && c < claims->count; c++) {
        reap__part_range_release(claims->claims[c].range);
        reap__free(claims->claims[c].totals);
        if (claims->claims[c].array != NULL)
            reap__part_array_give_back(&claims->claims[c]);
        unclaim(&claims->claims[c]);
    }
    reap__free(claims);
}

/* ---- Copies -----------------------------------------------------------------------------------*/

static reap_status no_memory(const char *call)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "%s: no memory for a part", call);
}

/* Copies the contents of a part. With the lock held. */
static reap_status copy_contents(const reap_part *part, const char *call,
                                 struct reap__part_range **ranges, unsigned char **totals)
{
    struct reap__part_range **at = ranges;
    *ranges = NULL;
    *totals = NULL;
    REAP_TRY(reap__part_check_settled(part, call));
    REAP_TRY(reap__part_gather_all(part));
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next) {
        *at = reap__part_range_copy(&part->shape, r);
        if (*at == NULL) {
            release_ranges(*ranges);
            return no_memory(call);
        }
        at = &(*at)->next;
    }
    if (part->totals == NULL)
        return REAP_OK;
    const size_t bytes = reap__part_totals_bytes(&part->shape);
    *totals = reap__allocate(bytes);
    if (*totals == NULL) {
        release_ranges(*ranges);
        return no_memory(call);
    }
    memcpy(*totals, part->totals, bytes);
    return REAP_OK;
}

static void copy_shape(const struct reap__part_shape *from, reap_part *into)
{
    struct reap__part_shape *shape = &into->shape;
    unsigned char *const identity = shape->identity, *const start = shape->start;
    *shape = *from;
    shape->identity = identity;
    shape->start = start;
    reap__part_bind(into, from->has_identity ? from->identity : NULL, from->group_items,
                    from->count);
}

reap_part *reap__part_create_alike(const reap_part *part)
{
    reap_part *made = allocate(part->shape.reduction);
    if (made == NULL)
        return NULL;
    reap__part_lock(part);
    copy_shape(&part->shape, made);
    reap__part_unlock(part);
    return made;
}

reap_status reap_part_copy(const reap_part *part, reap_part **copy)
{
    if (part == NULL || copy == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_copy: the %s is NULL",
                          part == NULL ? "part" : "pointer to the copy");
    reap_part *made = allocate(part->shape.reduction);
    if (made == NULL)
        return no_memory("reap_part_copy");
    reap__part_lock(part);
    const reap_status status = copy_contents(part, "reap_part_copy", &made->ranges, &made->totals);
    copy_shape(&part->shape, made);
    reap__part_unlock(part);
    if (status == REAP_OK) {
        *copy = made;
    } else {
        pthread_mutex_destroy(&made->lock);
        reap__free(made);
    }
    return status;
}

/* ---- Merging ----------------------------------------------------------------------------------*/

static reap_status check_mergeable(const reap_part *into, const reap_part *from)
{
    const struct reap__part_shape *shape = &from->shape;
    REAP_TRY(reap__part_check_settled(into, "reap_part_merge"));
    if (is_empty(into) || is_empty(from))
        return REAP_OK;
    REAP_TRY(check_bound(&into->shape, shape->has_identity ? shape->identity : NULL,
                         shape->group_items, shape->count));
    for (const struct reap__part_range *r = from->ranges; r != NULL; r = r->next)
        REAP_TRY(check_free(into, r->begin, r->end));
    return REAP_OK;
}

/* Moves the contents of another part into this one. With the lock held. */
static void merge(reap_part *into, const struct reap__part_shape *shape,
                  struct reap__part_range *ranges, unsigned char *totals)
{
    if (is_empty(into))
        reap__part_bind(into, shape->has_identity ? shape->identity : NULL, shape->group_items,
                        shape->count);
    for (struct reap__part_range *range = ranges, *next; range != NULL; range = next) {
        next = range->next;
        range->next = NULL;
        add_range(into, range);
    }
    if (totals != NULL && into->totals != NULL)
        reap__part_totals_add(&into->shape, into->totals, totals);
    if (totals == NULL || into->totals != NULL)
        reap__free(totals);
    else
        into->totals = totals;
}

/* Merges a copy that only the calling thread uses. */
static reap_status merge_copy(reap_part *into, reap_part *copy)
{
    reap__part_lock(into);
    const reap_status status = check_mergeable(into, copy);
    if (status == REAP_OK && !is_empty(copy)) {
        const reap__fp_environment before = reap__fp_enter();
        merge(into, &copy->shape, copy->ranges, copy->totals);
        copy->ranges = NULL;
        copy->totals = NULL;
        reap__fp_leave(before);
    }
    reap__part_unlock(into);
    return status;
}

reap_status reap_part_merge(reap_part *into, const reap_part *from)
{
    reap_part *copy = NULL;
    if (into == NULL || from == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_merge: the part that %s is NULL",
                          into == NULL ? "receives" : "is merged");
    if (into == from)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_merge: a part cannot be merged with itself");
    if (strcmp(into->shape.kernel, from->shape.kernel) != 0 ||
        !are_alike(into->shape.parameter, from->shape.parameter))
        return refuse_other(&from->shape, into->shape.kernel, into->shape.parameter);
    reap_status status = reap_part_copy(from, &copy);
    if (copy != NULL)
        status = merge_copy(into, copy);
    reap_part_release(copy);
    return status;
}

/* ---- Swapping ---------------------------------------------------------------------------------*/

static void swap_bytes(unsigned char *a, unsigned char *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

/* Exchanges the contents of two parts. With both locks held. */
static void swap(reap_part *a, reap_part *b)
{
    struct reap__part_shape *const x = &a->shape, *const y = &b->shape;
    struct reap__part_range *const ranges = a->ranges;
    unsigned char *const totals = a->totals;
    struct reap__part_array *const arrays = a->arrays;
    const struct reap__part_shape shape = *x;
    a->ranges = b->ranges;
    b->ranges = ranges;
    a->totals = b->totals;
    b->totals = totals;
    a->arrays = b->arrays;
    b->arrays = arrays;
    x->group_items = y->group_items;
    x->count = y->count;
    x->has_identity = y->has_identity;
    x->has_start = y->has_start;
    y->group_items = shape.group_items;
    y->count = shape.count;
    y->has_identity = shape.has_identity;
    y->has_start = shape.has_start;
    swap_bytes(x->identity, y->identity, x->reduction->value_size);
    swap_bytes(x->start, y->start, x->reduction->result_size);
}

reap_status reap_part_swap(reap_part *a, reap_part *b)
{
    if (a == NULL || b == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_swap: a part is NULL");
    if (strcmp(a->shape.kernel, b->shape.kernel) != 0 ||
        !are_alike(a->shape.parameter, b->shape.parameter))
        return refuse_other(&b->shape, a->shape.kernel, a->shape.parameter);
    if (a == b)
        return REAP_OK;
    const bool is_in_order = (uintptr_t)a < (uintptr_t)b; /* the order of the locks */
    reap_part *const first = is_in_order ? a : b, *const second = is_in_order ? b : a;
    reap__part_lock(first);
    reap__part_lock(second);
    reap_status status = reap__part_check_settled(a, "reap_part_swap");
    if (status == REAP_OK)
        status = reap__part_check_settled(b, "reap_part_swap");
    if (status == REAP_OK)
        swap(a, b);
    reap__part_unlock(second);
    reap__part_unlock(first);
    return status;
}

/* ---- Finishing --------------------------------------------------------------------------------*/

static reap_status refuse(const reap_part *part, const char *what)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "reap_part_finish: kernel '%s', reduction '%s': %s", part->shape.kernel,
                      part->shape.parameter->name, what);
}

/* Fails if the part does not have all items from 0 on. With the lock held. */
static reap_status check_complete(const reap_part *part)
{
    const struct reap__part_range *range = part->ranges;
    const uint64_t items = part->shape.group_items;
    char what[256];
    REAP_TRY(reap__part_check_settled(part, "reap_part_finish"));
    if (range == NULL || (range->begin == 0 && range->next == NULL))
        return REAP_OK;
    if (range->begin > 0)
        snprintf(what, sizeof what,
                 "the part begins with work-items %" PRIu64 " to %" PRIu64
                 ", and work-items 0 to %" PRIu64 " are missing",
                 range->begin * items, range->end * items - 1, range->begin * items - 1);
    else
        snprintf(what, sizeof what,
                 "the part has work-items %" PRIu64 " to %" PRIu64 " and %" PRIu64 " to %" PRIu64
                 ", and those between are missing",
                 range->begin * items, range->end * items - 1, range->next->begin * items,
                 range->next->end * items - 1);
    return refuse(part, what);
}

static bool is_aligned(const void *pointer, size_t alignment)
{
    return ((uintptr_t)pointer & (alignment - 1)) == 0;
}

static bool is_out_of_reach(const void *memory, size_t bytes)
{
    const reap_buffer *buffer = reap__registry_find(memory, bytes);
    return buffer != NULL && buffer->device != NULL && buffer->kind == REAP_MEMORY_DEVICE;
}

static reap_status check_target(const reap_part *part, const struct reap__target *target,
                                unsigned properties)
{
    const struct reap__part_shape *shape = &part->shape;
    if (!is_aligned(target->variable, shape->parameter->alignment) ||
        !is_aligned(target->location, sizeof *target->location))
        return refuse(part, "a pointer is not aligned to its type");
    if (is_out_of_reach(target->variable, target->count * shape->parameter->size) ||
        (target->location != NULL && is_out_of_reach(target->location, sizeof *target->location)))
        return refuse(part, "the variable is in memory of a device");
    if ((shape->reduction->location_offset > 0) != (target->location != NULL))
        return refuse(part, target->location != NULL
                                ? "the reduction has no location, and .location is given"
                                : "the reduction has a location: give .location");
    if ((properties & ~(unsigned)REAP_INITIALIZE_TO_IDENTITY) != 0)
        return refuse(part, ".properties has an unknown bit");
    if (target->initialize && !shape->has_start)
        return refuse(part, "it is to be initialised to the identity, and its operator has none");
    return REAP_OK;
}

/* Determines the number of elements: that of launches, or if there was none, `count`. With the lock
 * held. */
static reap_status check_count(const reap_part *part, struct reap__target *target, size_t count)
{
    const struct reap__part_shape *shape = &part->shape;
    char what[128];
    if (!shape->is_span && count == 0)
        return REAP_OK;
    if (!shape->is_span)
        return refuse(part, "it is not a span, and .count is given");
    target->count = shape->count > 0 ? shape->count : count;
    if (target->count == 0)
        return refuse(part, "no launch has set its number of elements: give .count");
    if (count == 0 || count == target->count)
        return REAP_OK;
    snprintf(what, sizeof what, "it has %zu elements, and .count is %zu", target->count, count);
    return refuse(part, what);
}

/* The bytes of two rows and a further result. */
static size_t store_bytes(const struct reap__part_shape *shape)
{
    const size_t lanes = shape->is_ordered ? (size_t)1 << shape->lanes_log2 : 1;
    return 2 * (reap__align(reap__part_row_bytes(shape)) + reap__align(lanes)) +
           reap__align(shape->reduction->result_size);
}

static void store_scalar(const reap_part *part, const struct reap__target *target,
                         unsigned char *memory)
{
    const struct reap__part_shape *shape = &part->shape;
    const size_t lanes = shape->is_ordered ? (size_t)1 << shape->lanes_log2 : 1;
    const size_t row = reap__align(reap__part_row_bytes(shape)), flags = reap__align(lanes);
    const bool has_flags = !shape->reduction->has_identity;
    const struct reap__results rows[2] = {
        {memory, has_flags ? memory + 2 * row : NULL},
        {memory + row, has_flags ? memory + 2 * row + flags : NULL}};
    struct reap__results result;
    reap__part_range_fold(shape, part->ranges, rows, &result);
    reap__store_scalar(target, &result, memory + 2 * (row + flags));
}

reap_status reap__parts_store(reap_part *const *parts, const struct reap__target *const *targets,
                              size_t count)
{
    size_t bytes = 0;
    for (size_t t = 0; t < count; t++)
        if (!parts[t]->shape.is_span && store_bytes(&parts[t]->shape) > bytes)
            bytes = store_bytes(&parts[t]->shape);
    unsigned char *memory = bytes > 0 ? reap__allocate(bytes) : NULL;
    if (bytes > 0 && memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the result of a part");
    const reap__fp_environment before = reap__fp_enter();
    for (size_t t = 0; t < count; t++)
        if (parts[t]->shape.is_span)
            store_span(&parts[t]->shape, parts[t]->totals, targets[t]);
        else
            store_scalar(parts[t], targets[t], memory);
    reap__fp_leave(before);
    reap__free(memory);
    return REAP_OK;
}

/* Checks the part and stores its result. With the lock held. */
static reap_status finish(const reap_part *part, struct reap__target *target,
                          const reap_part_finish_options *options)
{
    REAP_TRY(check_count(part, target, options->count));
    REAP_TRY(check_target(part, target, options->properties));
    REAP_TRY(check_complete(part));
    REAP_TRY(reap__part_gather_all(part));
    reap_part *const parts[] = {(reap_part *)part}; /* it is only read */
    const struct reap__target *const targets[] = {target};
    return reap__parts_store(parts, targets, 1);
}

reap_status reap_part_finish(const reap_part *part, void *variable,
                             const reap_part_finish_options *options)
{
    static const reap_part_finish_options none = {.location = NULL};
    options = options != NULL ? options : &none;
    if (part == NULL || variable == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_finish: the %s is NULL",
                          part == NULL ? "part" : "variable");
    struct reap__target target = {
        .parameter = part->shape.parameter,
        .reduction = part->shape.reduction,
        .variable = variable,
        .location = options->location,
        .initialize = (options->properties & REAP_INITIALIZE_TO_IDENTITY) != 0,
        .count = 1,
    };
    reap__part_lock(part);
    target.identity = part->shape.has_identity ? part->shape.identity : NULL;
    const reap_status status = finish(part, &target, options);
    reap__part_unlock(part);
    return status;
}

/* ---- Ranges -----------------------------------------------------------------------------------*/

size_t reap_part_range_count(const reap_part *part)
{
    size_t count = 0;
    if (part == NULL)
        return 0;
    reap__part_lock(part);
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next)
        count++;
    reap__part_unlock(part);
    return count;
}

reap_status reap_part_get_range(const reap_part *part, size_t number, reap_part_range *range)
{
    if (part == NULL || range == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_get_range: the %s is NULL",
                          part == NULL ? "part" : "pointer to the range");
    size_t before = number;
    reap__part_lock(part);
    const struct reap__part_range *r = part->ranges;
    for (; r != NULL && before > 0; before--)
        r = r->next;
    if (r != NULL)
        *range = (reap_part_range){.first = r->begin * part->shape.group_items,
                                   .end = r->end * part->shape.group_items};
    reap__part_unlock(part);
    if (r == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_get_range: the part has no range number %zu", number);
    return REAP_OK;
}
