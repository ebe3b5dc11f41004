/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch for one type of numbers; included once for each, with NAME and TYPE, by launch.c.
 */
static reap_status DESCRIBE_PASTE(describe_as_, NAME)(reap_queue *queue,
                                                      const struct numbers *numbers)
{
    const size_t per_run = DESCRIBE_RUN_BYTES / sizeof(TYPE);
    const size_t runs = (numbers->count + per_run - 1) / per_run;
    return EXPAND_AND_LAUNCH(queue, DESCRIBE_PASTE(describe_, NAME), reap_range_1d(runs),
                             .elements = (const TYPE *)numbers->memory, .count = numbers->count,
                             .parts = numbers->parts);
}

#undef NAME
#undef TYPE
