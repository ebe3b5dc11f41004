/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum and maximum with location, of one type: included once per type by locations.c with NAME,
 * TYPE, INPUT, LOWEST, LARGEST and LESS(a, b). An item combines as often as an array says.
 */
REAP_KERNEL(GROUP_JOIN(locate, NAME), in(unsigned char, times), in(TYPE, x),
            reduce_location(minimum, TYPE, least), reduce(plus, uint64_t, combined),
            reduce_location(maximum, TYPE, most))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(least, x[2 * i + k]);
        reap_combine(combined, 1);
        reap_combine(most, x[2 * i + k]);
    }
}

/* A value and the number of its item; the better of two, and of two equal ones the lower number. */
struct GROUP_JOIN(found, NAME) {
    TYPE value;
    uint64_t at;
};

static bool GROUP_JOIN(better, NAME)(const struct GROUP_JOIN(found, NAME) * a,
                                     const struct GROUP_JOIN(found, NAME) * b, bool largest)
{
    if (LESS(a->value, b->value))
        return !largest;
    if (LESS(b->value, a->value))
        return largest;
    return IS_NUMBER(a->value) && a->at < b->at;
}

static struct GROUP_JOIN(found, NAME)
    GROUP_JOIN(search, NAME)(const struct location_inputs *inputs, bool largest,
                             struct GROUP_JOIN(found, NAME) found)
{
    const TYPE *x = inputs->x;
    for (size_t i = 0; i < inputs->count; i++)
        for (unsigned k = 0; k < inputs->times[i]; k++) {
            const struct GROUP_JOIN(found, NAME) item = {x[2 * i + k], i};
            if (GROUP_JOIN(better, NAME)(&item, &found, largest))
                found = item;
        }
    return found;
}

static void GROUP_JOIN(check_launches,
                       NAME)(reap_queue *const *queues, const struct location_inputs *inputs,
                             const struct GROUP_JOIN(found, NAME) * start, bool initialize)
{
    const struct GROUP_JOIN(found, NAME) no_least = {LARGEST, UINT64_MAX};
    const struct GROUP_JOIN(found, NAME) no_most = {LOWEST, UINT64_MAX};
    const struct GROUP_JOIN(found, NAME) least =
        GROUP_JOIN(search, NAME)(inputs, false, initialize ? no_least : *start);
    const struct GROUP_JOIN(found, NAME) most =
        GROUP_JOIN(search, NAME)(inputs, true, initialize ? no_most : *start);
    const unsigned properties = initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    const bool given = initialize && inputs->count % 2 == 0; /* as what they are anyway */
    for (size_t q = 0; q < QUEUES; q++) {
        struct GROUP_JOIN(found, NAME) low = *start, high = *start;
        uint64_t combined = 0;
        check_launch(GROUP_LAUNCH(queues[q], GROUP_JOIN(locate, NAME), inputs->range,
                                  .times = inputs->times, .x = inputs->x,
                                  .least = {.variable = &low.value,
                                            .location = &low.at,
                                            .identity = given ? &no_least.value : NULL,
                                            .properties = properties},
                                  .combined = {.variable = &combined},
                                  .most = {.variable = &high.value,
                                           .location = &high.at,
                                           .identity = given ? &no_most.value : NULL,
                                           .properties = properties}),
                     queues[q]);
        const struct location_result results[] = {
            {GROUP_TEXT(NAME), sizeof(TYPE), &low.value, &least.value, low.at, least.at},
            {GROUP_TEXT(NAME), sizeof(TYPE), &high.value, &most.value, high.at, most.at},
        };
        check_location(&results[0], inputs, queue_threads[q]);
        check_location(&results[1], inputs, queue_threads[q]);
        CHECK(combined == inputs->combined);
    }
}

static void GROUP_JOIN(check, NAME)(reap_queue *const *queues, struct location_inputs *inputs,
                                    uint64_t *random)
{
    for (unsigned flavour = 0; flavour < LOCATION_FLAVOURS; flavour++) {
        struct GROUP_JOIN(found, NAME) start = {ORDINARY, 1000};
        location_fill(INPUT, flavour, inputs, random);
        GROUP_JOIN(check_launches, NAME)(queues, inputs, &start, false);
        GROUP_JOIN(check_launches, NAME)(queues, inputs, &start, true);
        if (inputs->count == 0)
            continue;
        start.value = ((const TYPE *)inputs->x)[check_random(random) % inputs->count];
        start.at = check_random(random) % 2 == 0 ? 0 : UINT64_MAX;
        if (IS_NUMBER(start.value))
            GROUP_JOIN(check_launches, NAME)(queues, inputs, &start, false);
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
