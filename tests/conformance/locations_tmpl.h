/* SPDX-License-Identifier: Apache-2.0
 *
 * What one type's kernel must give: included once per type by locations.c with NAME, TYPE, INPUT,
 * LOWEST, LARGEST and LESS(a, b).
 */
/* A value and the number of its item; the better of two, and of two equal ones the lower number. */
typedef struct {
    TYPE value;
    uint64_t at;
} FOUND;

static bool NAMED(better)(const FOUND *a, const FOUND *b, bool largest)
{
    if (LESS(a->value, b->value))
        return !largest;
    if (LESS(b->value, a->value))
        return largest;
    return IS_NUMBER(a->value) && a->at < b->at;
}

static FOUND NAMED(search)(const struct location_inputs *inputs, bool largest, FOUND found)
{
    const TYPE *x = inputs->x;
    for (size_t i = 0; i < inputs->count; i++)
        for (unsigned k = 0; k < inputs->times[i] && k < inputs->most_times; k++) {
            const FOUND item = {x[2 * i + k], i};
            if (NAMED(better)(&item, &found, largest))
                found = item;
        }
    return found;
}

/* The items' result from an identity on, and then the variable, where its value is included. */
static FOUND NAMED(expect)(const struct location_inputs *inputs, bool largest,
                           const FOUND *identity, const FOUND *variable)
{
    const FOUND result = NAMED(search)(inputs, largest, *identity);
    if (variable == NULL || NAMED(better)(&result, variable, largest))
        return result;
    return *variable;
}

static void NAMED(check_launches)(reap_queue *const *queues, const struct location_inputs *inputs,
                                  const FOUND *start, bool initialize)
{
    const bool given = inputs->count % 2 == 0; /* an identity, with no location */
    const FOUND no_least = {given ? ORDINARY : LARGEST, UINT64_MAX};
    const FOUND no_most = {given ? ORDINARY : LOWEST, UINT64_MAX};
    const FOUND least = NAMED(expect)(inputs, false, &no_least, initialize ? NULL : start);
    const FOUND most = NAMED(expect)(inputs, true, &no_most, initialize ? NULL : start);
    const unsigned properties = initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    for (size_t q = 0; q < queue_count; q++) {
        FOUND low = *start, high = *start;
        uint64_t combined = 0;
        if (inputs->most_times == 1)
            CHECK_LAUNCH(GROUP_LAUNCH(queues[q], NAMED(locate_alone), inputs->range,
                                      .times = inputs->times, .x = inputs->x,
                                      .least = LOCATED(low, no_least),
                                      .most = LOCATED(high, no_most)),
                         queues[q]);
        else
            CHECK_LAUNCH(
                GROUP_LAUNCH(queues[q], NAMED(locate), inputs->range, .times = inputs->times,
                             .x = inputs->x, .least = LOCATED(low, no_least),
                             .combined = {.variable = &combined}, .most = LOCATED(high, no_most)),
                queues[q]);
        const struct location_result results[] = {
            {GROUP_TEXT(NAME), sizeof(TYPE), &low.value, &least.value, low.at, least.at},
            {GROUP_TEXT(NAME), sizeof(TYPE), &high.value, &most.value, high.at, most.at},
        };
        check_location(&results[0], inputs, queue_threads[q]);
        check_location(&results[1], inputs, queue_threads[q]);
        CHECK(inputs->most_times == 1 || combined == inputs->combined);
    }
}

/* By both kernels. */
static void NAMED(check_kernels)(reap_queue *const *queues, struct location_inputs *inputs,
                                 const FOUND *start, bool initialize)
{
    for (inputs->most_times = 1; inputs->most_times <= 2; inputs->most_times++)
        NAMED(check_launches)(queues, inputs, start, initialize);
}

static void NAMED(check)(reap_queue *const *queues, struct location_inputs *inputs,
                         uint64_t *random)
{
    for (unsigned flavour = 0; flavour < LOCATION_FLAVOURS; flavour++) {
        FOUND start = {ORDINARY, 1000};
        location_fill(INPUT, flavour, inputs, random);
        for (size_t i = 0; flavour == LOCATION_FLAVOURS - 1 && i < 2 * inputs->count; i++)
            ((TYPE *)inputs->x)[i] = inputs->count % 2 == 0 ? ORDINARY : LOWEST; /* an identity */
        NAMED(check_kernels)(queues, inputs, &start, false);
        NAMED(check_kernels)(queues, inputs, &start, true);
        if (inputs->count == 0)
            continue;
        start.value = ((const TYPE *)inputs->x)[check_random(random) % inputs->count];
        start.at = check_random(random) % 2 == 0 ? 0 : UINT64_MAX;
        if (IS_NUMBER(start.value))
            NAMED(check_kernels)(queues, inputs, &start, false);
    }
}

#undef NAME
#undef TYPE
#undef INPUT
#undef LOWEST
#undef LARGEST
#undef LESS
#undef IS_NUMBER
#undef ORDINARY
