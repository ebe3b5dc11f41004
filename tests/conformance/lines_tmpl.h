/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of one type's kernels: included once per type by lines.c with NAME, TYPE and
 * IS_INTEGER. The results of an operator follow those of the one before it.
 */
#if IS_INTEGER
#define ARGUMENTS                                                                                  \
    .sum = RESULTS(0), .product = RESULTS(1), .least = RESULTS(2), .most = RESULTS(3),             \
    .every = RESULTS(4), .some = RESULTS(5), .odd = RESULTS(6)
#else
#define ARGUMENTS .sum = RESULTS(0), .product = RESULTS(1), .least = RESULTS(2), .most = RESULTS(3)
#endif

static reap_status NAMED(launch)(reap_queue *queue, const struct trial *trial, const void *x,
                                 void *results)
{
    const TYPE *const in = x;
    TYPE *const r = results;
    const size_t count = trial->lines.count;
    const unsigned properties = trial->initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    if (trial->are_columns)
        return LAUNCH(queue, NAMED(columns), trial->range, .x = in, ARGUMENTS);
    return LAUNCH(queue, NAMED(rows), trial->range, .x = in, ARGUMENTS);
}

#undef ARGUMENTS
#undef NAME
#undef TYPE
#undef IS_INTEGER
