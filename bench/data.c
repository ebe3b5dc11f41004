/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of pseudo-random data. One input is held at a time.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "bench/data.h"

#include "bench/fail.h"

#include <reap/bfloat16.h>
#include <reap/half.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* An input, and arrays that hold it. */
struct held {
    enum bench_type type;
    enum bench_input input;
    size_t extent, bytes, arrays;
    uint64_t seed, number;
    void *array[2];
    uint32_t *partial[2];
};

static struct held held;

uint64_t data_draw(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

static double draw_unit(uint64_t *state)
{
    return (double)(data_draw(state) >> 11) * 0x1p-53;
}

static void put(enum bench_type type, void *x, size_t i, double value)
{
    if (type == BENCH_FLOAT)
        ((float *)x)[i] = (float)value;
    else if (type == BENCH_DOUBLE)
        ((double *)x)[i] = value;
    else if (type == BENCH_INT)
        ((int *)x)[i] = (int)value;
    else if (type == BENCH_HALF)
        ((reap_half *)x)[i] = reap_half_from_float((float)value);
    else if (type == BENCH_BFLOAT16)
        ((reap_bfloat16 *)x)[i] = reap_bfloat16_from_float((float)value);
    else
        ((uint32_t *)x)[i] = (uint32_t)value;
}

/* -1, 0 and 1, but beyond the first 2^16 mostly 0: even the sum of all squares is less than 2^24,
 * so that floats hold all partial sums and every order of additions has the same result. Halves are
 * exact to 2^11 alone, and bfloat16 to 2^8, which no partial sum of so few signs comes near. */
static void fill_signs(enum bench_type type, void *x, size_t count, uint64_t state)
{
    const size_t dense = type == BENCH_BFLOAT16 ? 1 << 12 : 1 << 16;
    const uint64_t one_in = type == BENCH_BFLOAT16 ? 1 << 17 : type == BENCH_HALF ? 4096 : 32;
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = data_draw(&state);
        const bool may_be_one = i < dense || (number >> 32) % one_in == 0;
        put(type, x, i, may_be_one ? (double)(number % 3) - 1 : 0);
    }
}

/* The conversion to the type rounds. */
static void fill_random(enum bench_type type, void *x, size_t count, uint64_t state)
{
    const double scale = type == BENCH_INT ? 0x1p31 : 1;
    for (size_t i = 0; i < count; i++)
        put(type, x, i, scale * (2 * draw_unit(&state) - 1));
}

/* Skewed is the cube of a uniform number: of 256 bins the first one gets a sixth. */
static void fill_bins(enum bench_input input, uint32_t *x, size_t count, size_t extent,
                      uint64_t state)
{
    for (size_t i = 0; i < count; i++) {
        double u = draw_unit(&state);
        u = input == BENCH_SKEWED ? u * u * u : input == BENCH_ONE ? 0.5 : u;
        x[i] = (uint32_t)(u * (double)extent);
    }
}

/* With large pages where there are any, as NumPy asks for its arrays. */
static void *allocate(size_t bytes)
{
    enum { LARGE_PAGE = 1 << 21 };
    bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, bytes);
    if (memory == NULL)
        bench_fail("not enough memory");
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

static void fill(size_t a)
{
    const uint64_t state = held.seed + a + 1;
    const size_t count = held.bytes / bench_type_bytes(held.type);
    if (held.input == BENCH_SIGNS)
        fill_signs(held.type, held.array[a], count, state);
    else if (held.input == BENCH_RANDOM || a > 0)
        fill_random(held.type, held.array[a], count, state);
    else
        fill_bins(held.input, held.array[a], count, held.extent, state);
}

/* Replaces what is held. */
static void make(const struct held *wanted)
{
    const uint64_t number = held.number + 1;
    for (int i = 0; i < 2; i++) {
        free(held.array[i]);
        free(held.partial[i]);
    }
    held = *wanted;
    held.number = number;
    for (size_t a = 0; a < held.arrays; a++) {
        held.array[a] = allocate(held.bytes);
        fill(a);
    }
    for (int i = 0; i < 2; i++)
        held.partial[i] = allocate(held.bytes / 256 + 4096);
}

static bool holds(const struct held *wanted)
{
    return held.number > 0 && held.type == wanted->type && held.input == wanted->input &&
           held.extent == wanted->extent && held.seed == wanted->seed &&
           held.bytes >= wanted->bytes && held.arrays >= wanted->arrays;
}

void data_prepare(const struct bench_case *work, struct bench_task *task, uint64_t seed)
{
    const struct bench_variant *variant = &work->variants[task->variant];
    const bool is_of_bins = variant->input >= BENCH_UNIFORM;
    const size_t calls = work->is_loop ? variant->extent : 1;
    const struct held wanted = {.type = task->type,
                                .input = variant->input,
                                .extent = is_of_bins ? variant->extent : 0,
                                .bytes = task->count * calls * work->words *
                                         bench_type_bytes(task->type),
                                .arrays = work->arrays,
                                .seed = seed};
    if (!holds(&wanted))
        make(&wanted);
    task->x = held.array[0];
    task->y = work->arrays > 1 ? held.array[1] : NULL;
    task->bytes = wanted.bytes;
    task->data = held.number;
    for (int i = 0; i < 2; i++)
        task->partial[i] = held.partial[i];
}

size_t data_most_count(const struct bench_case *work, enum bench_type type, size_t copies)
{
    const double third = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 3;
    const double element = (double)(copies * work->arrays * work->words * bench_type_bytes(type));
    return (size_t)(third / element);
}

uint32_t *data_bins(enum data_bins_of of)
{
    static uint32_t *bins[2];
    if (bins[of] == NULL)
        bins[of] = allocate(DATA_MOST_BINS * sizeof *bins[of]);
    return bins[of];
}
