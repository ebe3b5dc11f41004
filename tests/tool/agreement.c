/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap describe` on random arrays of every type, byte order, version and shape, against the
 * reference; and the same text for every number of threads and every instruction set. Or, of types
 * whose first letters are KINDS, the same text on the device that REAP_DEVICE names, which may use
 * little memory; with SHARE=n of the environment of one type in n, chosen by the seed, without a
 * device of one in two.
 *
 * Usage: agreement TOOL DIRECTORY [KINDS]
 */
#include "tests/support/check.h"
#include "tests/tool/block.h"
#include "tests/tool/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct type {
    char kind;
    unsigned bytes;
} types[] = {{'b', 1}, {'i', 1}, {'i', 2}, {'i', 4}, {'i', 8}, {'u', 1},
             {'u', 2}, {'u', 4}, {'u', 8}, {'f', 2}, {'f', 4}, {'f', 8}};

/* The last ones, which cost the most, are for a part of the contents. */
static const struct shape {
    unsigned dimensions;
    size_t size[NPY_FILE_MOST_DIMENSIONS];
} shapes[] = {
    {0, {0}},      {1, {0}},          {1, {1}},          {1, {2}},     {1, {3}},    {1, {31}},
    {1, {32}},     {1, {33}},         {2, {7, 5}},       {2, {5, 0}},  {2, {1, 9}}, {3, {3, 4, 5}},
    {1, {2048}},   {2, {64, 65}},     {3, {17, 1, 241}}, {1, {40003}},
#ifndef REAP_TESTS_SMALL
    {1, {300007}}, {2, {101, 10903}},
#endif
};

enum {
    TYPE_COUNT = sizeof types / sizeof *types,
    SHAPE_COUNT = sizeof shapes / sizeof *shapes,
    SMALL_SHAPE_COUNT = 16,
    MOST_ELEMENTS = 101 * 10903,
    NAME_BYTES = 32,
    HOST_SHARE = 2,
};

enum content {
    ANY,
    TIES,
    NANS,
    INFINITIES,
    CONSTANT,
    ALL_NAN,
    OFFSET,
    HUGE_NUMBERS,
    TINY_NUMBERS,
    CONTENT_COUNT
};

/* ---- Values -----------------------------------------------------------------------------------*/

static long double uniform(uint64_t *state)
{
    return (long double)(check_random(state) >> 11) * 0x1p-53L;
}

/* Any integer of the type, or one of those nearest the type's end. */
static long double draw_integer(struct type type, enum content content, uint64_t *state)
{
    const uint64_t bits = check_random(state) >> (64 - 8 * type.bytes);
    const long double value = (long double)bits;
    if (type.kind == 'b')
        return (long double)(bits & 1);
    if (content == OFFSET)
        return type.kind == 'i' ? (long double)(bits % 100) - powl(2, 8 * type.bytes - 1)
                                : powl(2, 8 * type.bytes) - 1 - (long double)(bits % 100);
    return type.kind == 'i' && bits >> (8 * type.bytes - 1) != 0 ? value - powl(2, 8 * type.bytes)
                                                                 : value;
}

static long double draw_float(struct type type, enum content content, uint64_t *state)
{
    const long double largest = type.bytes == 2 ? 65504 : type.bytes == 4 ? 3e38L : 1e150L;
    const long double value = (uniform(state) - 0.5L) * 2000;
    const unsigned chance = (unsigned)(check_random(state) % 10);
    if (content == ALL_NAN || (chance == 0 && (content == NANS || content == INFINITIES)))
        return NAN;
    if (content == INFINITIES && chance == 1)
        return check_random(state) % 4 == 0 ? -INFINITY : INFINITY;
    if (content == OFFSET)
        return (type.bytes == 2 ? 1000 : type.bytes == 4 ? 1e6L : 1e12L) + value / 1000;
    if (content == TINY_NUMBERS) /* whose cubes no double holds, of the largest type */
        return value / (type.bytes == 2 ? 1000 : type.bytes == 4 ? 1e38L : 1e150L);
    return content == HUGE_NUMBERS ? (uniform(state) - 0.5L) * 2 * largest : value;
}

static long double draw(struct type type, enum content content, uint64_t *state)
{
    if (content == TIES)
        return (long double)(check_random(state) % (type.kind == 'b' ? 2 : 5));
    if (content == CONSTANT)
        return type.kind == 'b' ? 1 : npy_file_round(type.kind, type.bytes, 0.1L + 100);
    return type.kind == 'f'
               ? npy_file_round(type.kind, type.bytes, draw_float(type, content, state))
               : draw_integer(type, content, state);
}

/* ---- Runs -------------------------------------------------------------------------------------*/

/* The files of one run, their names and what should be found in them. */
static struct npy_file files[SHAPE_COUNT];
static char names[SHAPE_COUNT][NAME_BYTES];
static struct reference expected[SHAPE_COUNT];
static long double values[MOST_ELEMENTS];
static size_t file_count;

static void make_file(size_t s, struct type type, enum content content, bool is_big_endian,
                      uint64_t *state)
{
    const struct shape *shape = &shapes[s];
    size_t count = 1;
    files[s] = (struct npy_file){.name = names[s],
                                 .kind = type.kind,
                                 .bytes = type.bytes,
                                 .is_big_endian = is_big_endian,
                                 .is_fortran = check_random(state) % 2 == 0,
                                 .version = 1 + (unsigned)(check_random(state) % 3),
                                 .dimensions = shape->dimensions};
    for (unsigned d = 0; d < shape->dimensions; d++)
        count *= files[s].shape[d] = shape->size[d];
    for (size_t i = 0; i < count; i++)
        values[i] = draw(type, content, state);
    snprintf(names[s], NAME_BYTES, "case_%zu.npy", s);
    npy_file_write(&files[s], values);
    reference_describe(values, count, &expected[s]);
}

/* On that device; NULL: the default one. */
static void describe(const char *tool, const char *device, struct tool_run *run)
{
    const char *arguments[SHAPE_COUNT + 6] = {"describe"};
    size_t count = 1;
    if (device != NULL) {
        arguments[count++] = "--device";
        arguments[count++] = device;
        arguments[count++] = "--device-memory";
        arguments[count++] = "4M"; /* of every type a task in each of two batches */
    }
    for (size_t s = 0; s < file_count; s++)
        arguments[count++] = names[s];
    tool_run(tool, arguments, run);
}

static void check_blocks(const char *text)
{
    for (size_t s = 0; s < file_count; s++) {
        CHECK(block_matches(text, &files[s], &expected[s]));
        const char *end = strstr(text, "\n\n");
        CHECK((end == NULL) == (s + 1 == file_count));
        if (end == NULL)
            return;
        text = end + 2;
    }
}

/* The same files once more, with something set in the environment: the same text. */
static void check_same_text(const char *tool, const char *name, const char *value,
                            const struct tool_run *before)
{
    static struct tool_run run;
    setenv(name, value, 1);
    describe(tool, NULL, &run);
    unsetenv(name);
    if (strstr(run.errors, "this processor does not support") != NULL)
        return;
    CHECK(run.status == 0 && strcmp(run.output, before->output) == 0);
}

static void check_on_host(const char *tool, enum content content, struct tool_run *run)
{
    setenv("REAP_NUM_THREADS", "1", 1);
    describe(tool, NULL, run);
    CHECK(run->status == 0 && run->errors[0] == '\0');
    check_blocks(run->output);
    check_same_text(tool, "REAP_NUM_THREADS", "3", run);
    if (content == ANY || content == NANS) {
        check_same_text(tool, "REAP_HOST_ISA", "baseline", run);
        check_same_text(tool, "REAP_HOST_ISA", "x86-64-v3", run);
    }
}

/* What the host makes of such arrays is another run's subject. */
static void check_on_device(const char *tool, const char *device, struct tool_run *run)
{
    static struct tool_run on_host;
    describe(tool, "host", &on_host);
    describe(tool, device, run);
    CHECK(on_host.status == 0 && run->status == 0);
    CHECK(strcmp(on_host.output, run->output) == 0);
}

static void check_case(const char *tool, const char *device, struct type type, enum content content,
                       bool is_big_endian, uint64_t *state)
{
    static struct tool_run run;
    const unsigned long failures = check_failures;
    file_count = content == ANY || content == NANS ? SHAPE_COUNT : SMALL_SHAPE_COUNT;
    for (size_t s = 0; s < file_count; s++)
        make_file(s, type, content, is_big_endian, state);
    if (device == NULL)
        check_on_host(tool, content, &run);
    else
        check_on_device(tool, device, &run);
    if (check_failures > failures)
        fprintf(stderr, "with %c%u, content %d, %s-endian\n%s", type.kind, type.bytes, (int)content,
                is_big_endian ? "big" : "little", run.errors);
}

/* On a device, where starting takes long, one of the two byte orders. */
static void check_type(const char *tool, const char *device, struct type type, uint64_t *state)
{
    for (int content = 0; content < CONTENT_COUNT; content++) {
        const bool is_of_floats = content >= NANS && content != CONSTANT && content != OFFSET;
        const int drawn = (int)(check_random(state) % 2);
        for (int order = 0; order < (type.bytes > 1 ? 2 : 1); order++)
            if ((type.kind == 'f' || !is_of_floats) &&
                (device == NULL || type.bytes == 1 || order == drawn))
                check_case(tool, device, type, (enum content)content, order == 1, state);
    }
}

static size_t count_types(const char *kinds)
{
    size_t count = 0;
    for (size_t t = 0; t < TYPE_COUNT; t++)
        count += strchr(kinds, types[t].kind) != NULL;
    return count;
}

int main(int argc, char **argv)
{
    const char *device = argc == 4 ? getenv("REAP_DEVICE") : NULL;
    const char *kinds = argc == 4 ? argv[3] : "biuf";
    if (argc < 3 || argc > 4 || (argc == 4 && device == NULL) || chdir(argv[2]) != 0) {
        fprintf(stderr, "usage: agreement TOOL DIRECTORY [KINDS]\n");
        return 2;
    }
    uint64_t state = check_seed();
    const char *share = getenv("SHARE");
    const size_t asked = share != NULL ? strtoul(share, NULL, 10) : 0, count = count_types(kinds);
    const size_t given = device == NULL && asked > HOST_SHARE ? HOST_SHARE : asked;
    const size_t every = given == 0 ? 1 : given < count ? given : count; /* one at least */
    size_t turn = check_random(&state) % every;
    for (size_t t = 0; t < TYPE_COUNT; t++)
        if (strchr(kinds, types[t].kind) != NULL && turn++ % every == 0)
            check_type(argv[1], device, types[t], &state);
    return check_finish();
}
