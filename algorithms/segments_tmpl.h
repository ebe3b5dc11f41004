/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of reductions of segments that compute in one type: included by segments.c with NAME
 * and WORK as in segments.kernels.h, and HAS_EXACT if sums may be exact.
 */
#define LAUNCH(kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

static reap_status NAMED(reduce_on_host)(reap_queue *queue, const struct segments *segments)
{
    reap_event *event = NULL;
    return reap__finish(LAUNCH(NAMED(segments_shares), reap_nd_range_1d(segments->work.items, 1),
                               .x = segments->x, .offsets = segments->offsets,
                               .results = segments->results, .work = segments->work,
                               .launch = {.event = reap__event_for(queue, &event)}),
                        &event);
}

static reap_status NAMED(reduce_on_device)(reap_queue *queue, const struct segments *segments)
{
    reap_event *events[2] = {NULL, NULL}; /* the launches are not ordered */
    const bool has_middle = segments->middle_count > 0;
    const size_t groups = (segments->work.segments - 1) / LANES + 1;
    reap_status status =
        LAUNCH(NAMED(segments_short), reap_nd_range_1d(groups * LANES, LANES), .x = segments->x,
               .offsets = segments->offsets, .results = segments->results, .work = segments->work,
               .launch = {.event = reap__event_for(queue, &events[0])});
    if (status == REAP_OK && has_middle)
        status =
            LAUNCH(NAMED(segments_middle),
                   reap_nd_range_1d(segments->middle_count * segments->group, segments->group),
                   .x = segments->x, .offsets = segments->offsets, .list = segments->middle,
                   .results = segments->results, .work = segments->work, .lanes = segments->group,
                   .launch = {.event = reap__event_for(queue, &events[1])});
    return reap__finish(reap__finish(status, &events[0]), &events[1]);
}

/* On a device, a group for each segment. */
static reap_status NAMED(reduce_by_groups)(reap_queue *queue, const struct segments *segments)
{
    reap_event *event = NULL;
    return reap__finish(
        LAUNCH(NAMED(segments_groups),
               reap_nd_range_1d(segments->work.segments * segments->group, segments->group),
               .x = segments->x, .offsets = segments->offsets, .results = segments->results,
               .work = segments->work, .lanes = segments->group,
               .launch = {.event = reap__event_for(queue, &event)}),
        &event);
}

/* The same, with the check in the same kernel. */
static reap_status NAMED(reduce_checked)(reap_queue *queue, const struct segments *segments,
                                         size_t count, bool takes_empty)
{
    reap_event *event = NULL;
    return reap__finish(
        LAUNCH(NAMED(segments_groups_checked),
               reap_nd_range_1d(segments->work.segments * segments->group, segments->group),
               .x = segments->x, .offsets = segments->offsets, .results = segments->results,
               .old = segments->old, .found = segments->report, .work = segments->work,
               .count = count, .takes_empty = takes_empty, .lanes = segments->group,
               .launch = {.event = reap__event_for(queue, &event)}),
        &event);
}

#ifdef HAS_EXACT
static reap_status NAMED(add_exactly)(reap_queue *queue, const struct segments *segments)
{
    const WORK nothing = (WORK)-0.0;
    const size_t count = segments->end - segments->begin;
    reap_event *event = NULL;
    REAP_TRY(reap__finish(LAUNCH(NAMED(segments_exact),
                                 reap_range_1d(count / EXACT_ITEMS + (count % EXACT_ITEMS != 0)),
                                 .x = segments->x, .offsets = segments->offsets,
                                 .work = segments->work, .end = segments->end,
                                 .sums = {.result = (WORK *)segments->results,
                                          .count = segments->work.segments,
                                          .identity = &nothing},
                                 .launch = {.event = reap__event_for(queue, &event)}),
                          &event));
    event = NULL;
    return reap__finish(LAUNCH(NAMED(segments_empty), reap_range_1d(segments->work.segments),
                               .offsets = segments->offsets, .work = segments->work,
                               .sums = (WORK *)segments->results,
                               .launch = {.event = reap__event_for(queue, &event)}),
                        &event);
}
#endif

#undef LAUNCH
#undef NAME
#undef WORK
