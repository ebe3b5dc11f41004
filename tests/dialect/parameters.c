/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel has any number of parameters up to 63, of every kind and of any C type.
 */
#include "tests/support/check_status.h"

#include <reap/reap.h>

#include "parameters.kernels.h"

enum { COUNT = 40 };

#define SEVEN(p, v)                                                                                \
    .p##0 = (v), .p##1 = (v), .p##2 = (v), .p##3 = (v), .p##4 = (v), .p##5 = (v), .p##6 = (v)
#define SIXTEEN(p, v)                                                                              \
    SEVEN(p, v), .p##7 = (v), .p##8 = (v), .p##9 = (v), .p##a = (v), .p##b = (v), .p##c = (v),     \
                 .p##d = (v), .p##e = (v), .p##f = (v)

static void check_counts(reap_queue *queue)
{
    const reap_range range = reap_range_1d(COUNT);
    int sum = 0;
    CHECK_STATUS(reap_parallel_for(queue, of_none, range), REAP_OK);
    CHECK(reap_parallel_for(queue, of_one, range, .sum = {.variable = &sum}) == REAP_OK);
    CHECK_EQ(sum, COUNT);
    sum = 0;
    CHECK(reap_parallel_for(queue, of_16, range, SEVEN(x, 1), SEVEN(y, 2), .z = 3,
                            .sum = {.variable = &sum}) == REAP_OK);
    CHECK_EQ(sum, COUNT * (7 + 100 * 14 + 10000 * 3));
    sum = 0;
    CHECK(reap_parallel_for(queue, of_17, range, SIXTEEN(x, 5), .sum = {.variable = &sum}) ==
          REAP_OK);
    CHECK_EQ(sum, COUNT * 16 * 5);
    sum = 0;
    CHECK(reap_parallel_for(queue, of_40, range, SIXTEEN(x, 1), .sum = {.variable = &sum},
                            SIXTEEN(y, 1), SEVEN(z, 1)) == REAP_OK);
    CHECK_EQ(sum, COUNT * (16 + 1600 + 70000));
    CHECK_EQ(reap_kernel_of_none.parameter_count, 1);
    CHECK_EQ(reap_kernel_of_17.parameter_count, 18);
    CHECK_EQ(reap_kernel_of_63.parameter_count, 64);
    CHECK_STR(reap_kernel_of_63.parameters[63].name, "last");
}

static void check_63(reap_queue *queue)
{
    int a[COUNT], b[COUNT], c[COUNT], bins[2] = {0, 0}, sum = 0, most = -1, wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = 2;
    }
    CHECK(reap_parallel_for(queue, of_63, reap_range_1d(COUNT), SIXTEEN(w, 1), SIXTEEN(x, 2),
                            SIXTEEN(y, 3), SEVEN(z, 4), .v = 5, .a = a, .b = b, .c = c, .last = 9,
                            .sum = {.variable = &sum}, .most = {.variable = &most},
                            .bins = {.variable = bins, .count = 2}) == REAP_OK);
    for (int i = 0; i < COUNT; i++)
        wrong += b[i] != 2 + i || c[i] != 9;
    CHECK(wrong == 0 && most == COUNT - 1 && bins[0] == COUNT / 2 && bins[1] == COUNT / 2);
    CHECK_EQ(sum, COUNT * (16 + 32 + 48 + 28 + 5 + 9));
}

static void check_every_kind(reap_queue *queue)
{
    double x[COUNT], doubled[COUNT], kept[COUNT], least = 1000, sum = 0.5;
    unsigned bins[3] = {1, 0, 0};
    long latest[2] = {-1, 1000}, last = -1;
    uint64_t at = 0;
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (double)((i * 7 + 3) % COUNT);
        kept[i] = 1;
    }
    CHECK(reap_parallel_for(queue, of_every_kind, reap_range_1d(COUNT), .x = x, .doubled = doubled,
                            .kept = kept, .factor = 2, .sum = {.variable = &sum},
                            .least = {.variable = &least, .location = &at},
                            .bins = {.variable = bins, .count = 3}, .last = {.variable = &last},
                            .latest = {.variable = latest, .count = 2}) == REAP_OK);
    for (int i = 0; i < COUNT; i++)
        wrong += doubled[i] != 2 * x[i] || kept[i] != 1 + x[i];
    CHECK_EQ(wrong, 0);
    CHECK(sum == 0.5 + 0.5 * COUNT * (COUNT - 1) && least == 0 && x[at] == 0);
    CHECK(bins[0] == 15 && bins[1] == 13 && bins[2] == 13);
    CHECK(last == COUNT - 1 && latest[0] == COUNT - 2 && latest[1] == 1000);
}

static void check_types(reap_queue *queue)
{
    static const float table[2] = {1, 2};
    float row[2] = {3, 4}, *rows[2] = {row, row};
    const point points[2] = {{1, 2}, {3, 4}};
    const struct tagged tag = {{1, 2, 3}, "abcd"}, tags[2] = {tag, tag};
    enum colour colours[2] = {RED, GREEN};
    const uint8_t bytes[2] = {10, 20};
    long long unsigned results[2] = {0, 0};
    bool flags[2] = {true, false};
    CHECK(reap_parallel_for(queue, of_types, reap_range_1d(2), .a = 255, .b = 1, .c = 1ull << 40,
                            .d = 1, .e = 1, .f = 1, .g = 1, .h = 1, .i = {1, 1}, .j = tag,
                            .k = GREEN, .l = GREEN, .m = 5, .n = true, .table = table,
                            .other = table, .text = "A", .o = {.number = 1}, .p = {1}, .u = {3},
                            .q = 1, .r = NULL, .s = 1, .t = 1, .points = points, .tags = tags,
                            .rows = rows, .colours = colours, .flags = flags, .bytes = bytes,
                            .results = results) == REAP_OK);
    const long long unsigned common = 255 + 1 + (1ull << 40) + 1 + 1 + 1 + 1 + 1 + 2 + 3 + 0 +
                                      1000 + 1000 + 1 + 1 + 2 + 1 + 'A' + 1 + 1 + 1 + 1 + 1 + 1 +
                                      2 + 4;
    CHECK(results[0] == common + 3 + 2 + 10 && results[1] == common + 3 + 4 + 20);
    CHECK(!flags[0] && flags[1] && colours[0] == RED && colours[1] == RED);

    const struct reap__parameter *parameters = reap_kernel_of_types.parameters;
    CHECK(strcmp(parameters[1].type, "unsigned char") == 0 && parameters[1].size == 1);
    CHECK_STR(parameters[10].type, "struct tagged");
    CHECK(parameters[10].size == sizeof(struct tagged) && parameters[10].alignment == 8);
    CHECK(strcmp(parameters[15].type, "const float *") == 0 && parameters[15].kind == REAP__VALUE);
}

static void check_reduced_types(reap_queue *queue)
{
    unsigned char a = 0;
    long long unsigned b = 0;
    short int c = 0;
    signed long d = 0;
    byte e = 0;
    unsigned f = 0;
    bool g = false, h = true, i = true;
    size_t j = 0;
    int64_t k = 1;
    char l = 0;
    reap_half m = reap_known_identity(minimum, reap_half);
    paint n = RED;
    uint16_t o[4] = {0, 0, 0, 0};
    signed char p = 0;
    reap_bfloat16 q = {0};
    uint64_t at = 0;
    CHECK(reap_parallel_for(queue, of_reduced_types, reap_range_1d(1000), .a = {.variable = &a},
                            .b = {.variable = &b}, .c = {.variable = &c}, .d = {.variable = &d},
                            .e = {.variable = &e}, .f = {.variable = &f}, .g = {.variable = &g},
                            .h = {.variable = &h}, .i = {.variable = &i}, .j = {.variable = &j},
                            .k = {.variable = &k}, .l = {.variable = &l}, .m = {.variable = &m},
                            .n = {.variable = &n}, .o = {.variable = o, .count = 4},
                            .p = {.variable = &p, .location = &at},
                            .q = {.variable = &q}) == REAP_OK);
    CHECK(a == 1000 % 256 && b == 499500 && c == 999 && d == -999 && e == 0xff && f == 0xffffffffu);
    CHECK(g && h && !i && j == 499500 && k == 1024 && l == (char)1000);
    CHECK(reap_half_to_float(m) == -999 && n == 1000 * GREEN && p == 99 && at == 99);
    CHECK_EQ(reap_bfloat16_to_float(q), 1000); /* the nearest to 999 */
    CHECK(o[0] == (uint16_t)124500 && o[3] == (uint16_t)125250);
}

int main(void)
{
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    check_counts(queue);
    check_63(queue);
    check_every_kind(queue);
    check_types(queue);
    check_reduced_types(queue);
    reap_queue_release(queue);
    return check_finish();
}
