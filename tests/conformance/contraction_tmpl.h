/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of one type must give: included once per type by contraction.c with TYPE and
 * NAME. The expectations go through volatile variables.
 */
static TYPE NAMED(product)(TYPE a, TYPE b)
{
    volatile TYPE product = a * b;
    return product;
}

static void NAMED(check_one)(TYPE result, TYPE expected, const char *form)
{
    CHECK_BITS(&result, &expected, sizeof expected, form, 1, 0);
}

static void NAMED(check_stores)(reap_queue *queue, const TYPE *a, const TYPE *b, const TYPE *c,
                                size_t count)
{
    TYPE (*const times)(TYPE, TYPE) = NAMED(product);
    void (*const check)(TYPE, TYPE, const char *) = NAMED(check_one);
    TYPE *y[4];
    for (unsigned k = 0; k < 4; k++)
        y[k] = test_allocate(2 * count * sizeof *y[k]);
    CHECK_LAUNCH(GROUP_LAUNCH(queue, NAMED(stores), reap_range_1d(count), .a = a, .b = b, .c = c,
                              .sums = y[0], .differences = y[1], .pairs = y[2], .products = y[3]),
                 queue);
    for (size_t i = 0; i < count; i++) {
        const size_t re = 2 * i, im = 2 * i + 1;
        check(y[0][i], times(a[i], b[i]) + c[i], "a * b + c");
        check(y[1][i], c[i] - times(a[i], b[i]), "c - a * b");
        check(y[2][re], times(a[re], b[re]) - c[re], "left of a pair");
        check(y[2][im], times(a[im], b[im]) + c[im], "right of a pair");
        check(y[3][re], times(a[re], b[re]) - times(a[im], b[im]), "real part of a product");
        check(y[3][im], times(a[re], b[im]) + times(a[im], b[re]), "imaginary part of a product");
    }
    for (unsigned k = 0; k < 4; k++)
        free(y[k]);
}

static size_t NAMED(products)(void *context, size_t item, const void **first)
{
    TYPE *const *arrays = context;
    *arrays[3] = NAMED(product)(arrays[0][item], arrays[1][item]);
    *first = arrays[3];
    return 1;
}

static size_t NAMED(differences)(void *context, size_t item, const void **first)
{
    TYPE *const *arrays = context;
    *arrays[3] = NAMED(product)(arrays[0][item], arrays[1][item]) - arrays[2][item];
    *first = arrays[3];
    return 1;
}

static void NAMED(check_contraction)(reap_queue *queue, enum input_type input, uint64_t *random)
{
    const size_t count = 5000;
    const struct reference_launch plain = {NULL, false};
    TYPE sum = 0, most = 0, expected_sum = 0, expected_most = 0, value;
    TYPE *arrays[4] = {NULL, NULL, NULL, &value};
    for (unsigned k = 0; k < 3; k++) {
        arrays[k] = test_allocate(2 * count * sizeof *arrays[k]);
        input_fill(input, 0, 2 * count, random, arrays[k]);
    }
    NAMED(check_stores)(queue, arrays[0], arrays[1], arrays[2], count);
    const struct reference_items products = {count, NAMED(products), arrays};
    const struct reference_items differences = {count, NAMED(differences), arrays};
    reference_reduce(&NAMED(reference)[REFERENCE_PLUS], &products, &plain, &expected_sum);
    reference_reduce(&NAMED(reference)[REFERENCE_MAXIMUM], &differences, &plain, &expected_most);
    CHECK_LAUNCH(GROUP_LAUNCH(queue, NAMED(combines), reap_range_1d(count), .a = arrays[0],
                              .b = arrays[1], .c = arrays[2], .sum = {.variable = &sum},
                              .most = {.variable = &most}),
                 queue);
    CHECK_BITS(&sum, &expected_sum, sizeof sum, "combined a * b", count, 1);
    CHECK_BITS(&most, &expected_most, sizeof most, "combined a * b - c", count, 1);
    for (unsigned k = 0; k < 3; k++)
        free(arrays[k]);
}

#undef NAME
#undef TYPE
