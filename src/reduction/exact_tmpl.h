/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds many values to an exact sum, for the instruction set that the including file is compiled
 * for. That file defines EXACT_FUNCTIONS, the name of the functions.
 *
 * Let the largest of some values have a magnitude below 2^e. Adding 1.5 * 2^(e + 1) to a value
 * rounds it to a multiple of 2^(e - 51), a window of 52 bits; the bits of these sums are added as
 * integers. The rest of a double is added through a second window, unless it has none: doubles
 * that were converted from floats or integers end in zeros. (Windows and splitting: Demmel and
 * Nguyen, "Parallel reproducible summation", 2015.) If the smallest value has bits below the last
 * window, the rests of all values are added in the same way again, and after MOST_ROUNDS one by
 * one.
 *
 * Doubles mostly fit the windows of the chunk before theirs. So these are tried first: a value that
 * is too large changes the exponent of its sum with the constant, and one with bits below the last
 * window leaves a rest. Then the chunk is added from the beginning.
 */
#include "src/reduction/exact.h"

#include <string.h>

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

/* As many doubles as a register holds, their bits, and as many floats. */
typedef double doubles_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t bits_vector __attribute__((vector_size(VECTOR_BYTES)));
typedef float floats_vector __attribute__((vector_size(VECTOR_BYTES / 2)));

enum {
    CHUNK = 2048, /* values; the sum of so many windows fits in 64 bits */
    VECTOR = VECTOR_BYTES / sizeof(double),
    PARALLEL = 4, /* independent operations */
    BLOCK = PARALLEL * VECTOR,
    MOST_ROUNDS = 8,
    LARGEST_EXPONENT = 2043, /* the largest exponent field of a double that has windows: with the
                                next one, the splitter plus a value may be rounded to infinity */
    CACHE_LINE = 64
};

/* The largest and the smallest magnitude of a chunk, except zeros, as exponent fields of doubles;
 * how many of the last bits of the fractions are 0 in all values; and whether all are zeros. */
struct extent {
    int largest;
    int smallest;
    int zeros;
    bool is_zero;
};

/* Floats as doubles. gcc 12 converts halves of vectors and puts them together, without these
 * functions. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
enum { MODE_OF_PROCESSOR = 4 };
#define DOUBLES_OF_float(narrow)                                                                   \
    __builtin_ia32_cvtps2pd512_mask(narrow, (doubles_vector){0}, (char)-1, MODE_OF_PROCESSOR)
#elif defined(__AVX__) && defined(__GNUC__) && !defined(__clang__)
#define DOUBLES_OF_float(narrow) __builtin_ia32_cvtps2pd256(narrow)
#else
#define DOUBLES_OF_float(narrow) __builtin_convertvector(narrow, doubles_vector)
#endif
#define DOUBLES_OF_double(wide) (wide)

/* The sums of the windows, without the constants that were added. */
struct windows {
    int64_t first;
    int64_t second;
};

/* Returns the bits of 1.5 * 2^(exponent - 1023). */
static inline uint64_t splitter(int exponent)
{
    return (uint64_t)exponent << 52 | (uint64_t)1 << 51;
}

static inline double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static inline int at_least_one(int exponent)
{
    return exponent > 1 ? exponent : 1;
}

/* The exponents of the constants of the windows, if `largest` is that of the largest value. */
static inline int first_of(int largest)
{
    return largest + 2;
}

static inline int second_of(int largest)
{
    return at_least_one(largest - 50);
}

/* Whether a chunk's windows are to be tried. After wrong guesses in succession more and more chunks
 * are added without one; so is a chunk after 64 right guesses, since a better one may be possible.
 */
static bool is_to_be_tried(struct reap__exact_guess *guess)
{
    if (guess->largest == 0)
        return false;
    if (guess->pause > 0) {
        guess->pause--;
        return false;
    }
    return true;
}

static void learn(struct reap__exact_guess *guess, bool is_right)
{
    enum { LONGEST_PAUSE = 63, RUN = 64 };
    if (is_right) {
        guess->next_pause = 0;
        guess->pause = ++guess->right % RUN == 0;
        return;
    }
    guess->pause = guess->next_pause;
    guess->next_pause =
        guess->next_pause < LONGEST_PAUSE ? 2 * guess->next_pause + 1 : LONGEST_PAUSE;
}

/* Prefetches what the next values of a block are computed from, and advances. */
static inline __attribute__((always_inline)) void fetch(struct reap__ahead *ahead)
{
    for (size_t s = 0; s < ahead->count; s++) {
        for (size_t byte = 0; byte < BLOCK * ahead->bytes[s]; byte += CACHE_LINE)
            __builtin_prefetch(ahead->at[s] + byte);
        ahead->at[s] += BLOCK * ahead->bytes[s];
    }
}

/* One step in one of four streams, so that the compiler can vectorise without changing an order. */
#define LOOK(I, p)                                                                                 \
    do {                                                                                           \
        I magnitude, moved;                                                                        \
        memcpy(&magnitude, &values[(p)*quarter + i], sizeof magnitude);                            \
        magnitude &= most;                                                                         \
        any[p] |= magnitude;                                                                       \
        moved = (I)((U_OF_##I)magnitude + (U_OF_##I)most); /* 0 is the largest */                  \
        largest[p] = magnitude > largest[p] ? magnitude : largest[p];                              \
        smallest[p] = moved < smallest[p] ? moved : smallest[p];                                   \
    } while (0)
#define U_OF_int32_t uint32_t
#define U_OF_int64_t uint64_t

/* The functions for a type T. Integers of type I have its bits; V is a vector of it. `fraction`:
 * the bits of its fraction; `offset`: the difference between a double's exponent field and its own.
 * The number of values of a chunk is a multiple of BLOCK. */
#define EXACT(name, T, V, I, most_bits, fraction, offset, windows_count)                           \
    static struct extent extent_of_##name(const T *values, size_t count)                           \
    {                                                                                              \
        const size_t quarter = count / 4;                                                          \
        const I most = most_bits;                                                                  \
        I largest[4] = {0, 0, 0, 0}, smallest[4] = {most, most, most, most};                       \
        I any[4] = {0, 0, 0, 0};                                                                   \
        for (size_t i = 0; i < quarter; i++) {                                                     \
            LOOK(I, 0);                                                                            \
            LOOK(I, 1);                                                                            \
            LOOK(I, 2);                                                                            \
            LOOK(I, 3);                                                                            \
        }                                                                                          \
        for (size_t p = 1; p < 4; p++) {                                                           \
            largest[0] = largest[p] > largest[0] ? largest[p] : largest[0];                        \
            smallest[0] = smallest[p] < smallest[0] ? smallest[p] : smallest[0];                   \
            any[0] |= any[p];                                                                      \
        }                                                                                          \
        const I least = (I)((U_OF_##I)smallest[0] - (U_OF_##I)most);                               \
        const int high = (int)(largest[0] >> (fraction)), low = (int)(least >> (fraction));        \
        const bool is_finite = high < (int)(most >> (fraction));                                   \
        const uint64_t last_bits = (uint64_t)any[0] | (uint64_t)1 << (fraction);                   \
        return (struct extent){is_finite ? at_least_one(high) + (offset) : LARGEST_EXPONENT + 1,   \
                               at_least_one(low) + (offset), __builtin_ctzll(last_bits),           \
                               largest[0] == 0};                                                   \
    }                                                                                              \
    /* Whether one of the values is not -0. */                                                     \
    static bool has_other_##name(const T *values, size_t count)                                    \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            if (values[i] != 0 || __builtin_signbit(values[i]) == 0)                               \
                return true;                                                                       \
        return false;                                                                              \
    }                                                                                              \
    /* Returns false if windows for these exponents do not hold all bits of the values. */         \
    static inline __attribute__((always_inline)) bool try_windows_##name(                          \
        const T *values, size_t count, const uint64_t splits[2], int windows,                      \
        struct reap__ahead *next, struct windows *sums)                                            \
    {                                                                                              \
        struct reap__ahead ahead = *next;                                                          \
        const double split = number_of(splits[0]), second_split = number_of(splits[1]);            \
        const bits_vector split_bits = (bits_vector)(doubles_vector){0} + splits[0];               \
        bits_vector first[1] = {{0}}, second[1] = {{0}}, changed = {0}, lost = {0};                \
        uint64_t all[4] = {0, 0, 0, 0};                                                            \
        for (size_t i = 0; i < count; i += BLOCK) {                                                \
            fetch(&ahead);                                                                         \
            for (size_t p = 0; p < PARALLEL; p++) {                                                \
                V narrow;                                                                          \
                memcpy(&narrow, &values[i + p * VECTOR], sizeof narrow);                           \
                const doubles_vector a = DOUBLES_OF_##name(narrow);                                \
                const doubles_vector high = a + split, held = high - split;                        \
                first[0] += (bits_vector)high;                                                     \
                changed |= (bits_vector)high ^ split_bits;                                         \
                if (windows == 1) {                                                                \
                    lost |= (bits_vector)a ^ (bits_vector)held;                                    \
                    continue;                                                                      \
                }                                                                                  \
                const doubles_vector rest = a - held, low = rest + second_split;                   \
                second[0] += (bits_vector)low;                                                     \
                lost |= (bits_vector)rest ^ (bits_vector)(low - second_split);                     \
            }                                                                                      \
        }                                                                                          \
        *next = ahead;                                                                             \
        for (size_t l = 0; l < VECTOR; l++) {                                                      \
            all[0] += first[0][l];                                                                 \
            all[1] += second[0][l];                                                                \
            all[2] |= changed[l];                                                                  \
            all[3] |= lost[l];                                                                     \
        }                                                                                          \
        *sums = (struct windows){(int64_t)(all[0] - count * splits[0]),                            \
                                 (int64_t)(all[1] - count * splits[1])};                           \
        return all[2] >> 52 == 0 && all[3] << 1 == 0; /* -0 becomes 0 */                           \
    }                                                                                              \
    static bool try_single_##name(const T *values, size_t count, uint64_t split,                   \
                                  struct reap__ahead *next, struct windows *sums)                  \
    {                                                                                              \
        return try_windows_##name(values, count, (const uint64_t[2]){split, 0}, 1, next, sums);    \
    }                                                                                              \
    static bool try_both_##name(const T *values, size_t count, uint64_t split, uint64_t second,    \
                                struct reap__ahead *next, struct windows *sums)                    \
    {                                                                                              \
        return try_windows_##name(values, count, (const uint64_t[2]){split, second},               \
                                  windows_count, next, sums);                                      \
    }                                                                                              \
    /* With `keeps`, the rests of the values replace them. */                                      \
    static inline __attribute__((always_inline)) struct windows windows_of_##name(                 \
        T *values, size_t count, const uint64_t splits[2], int windows, bool keeps,                \
        struct reap__ahead *next)                                                                  \
    {                                                                                              \
        const uint64_t split_bits = splits[0], second_bits = splits[1];                            \
        struct reap__ahead ahead = *next;                                                          \
        const double split = number_of(split_bits), second_split = number_of(second_bits);         \
        bits_vector first[PARALLEL] = {{0}}, second[PARALLEL] = {{0}};                             \
        uint64_t sums[2] = {0, 0};                                                                 \
        for (size_t i = 0; i < count; i += BLOCK) {                                                \
            fetch(&ahead);                                                                         \
            for (size_t p = 0; p < PARALLEL; p++) {                                                \
                V narrow;                                                                          \
                memcpy(&narrow, &values[i + p * VECTOR], sizeof narrow);                           \
                const doubles_vector a = DOUBLES_OF_##name(narrow);                                \
                const doubles_vector high = a + split;                                             \
                first[p] += (bits_vector)high;                                                     \
                doubles_vector rest = a - (high - split);                                          \
                if (windows > 1) {                                                                 \
                    const doubles_vector low = rest + second_split;                                \
                    second[p] += (bits_vector)low;                                                 \
                    rest -= low - second_split;                                                    \
                }                                                                                  \
                if (keeps) {                                                                       \
                    narrow = __builtin_convertvector(rest, V);                                     \
                    memcpy(&values[i + p * VECTOR], &narrow, sizeof narrow);                       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        *next = ahead;                                                                             \
        for (size_t p = 1; p < PARALLEL; p++) {                                                    \
            first[0] += first[p];                                                                  \
            second[0] += second[p];                                                                \
        }                                                                                          \
        for (size_t l = 0; l < VECTOR; l++) {                                                      \
            sums[0] += first[0][l];                                                                \
            sums[1] += second[0][l];                                                               \
        }                                                                                          \
        return (struct windows){(int64_t)(sums[0] - count * split_bits),                           \
                                (int64_t)(sums[1] - count * second_bits)};                         \
    }                                                                                              \
    static struct windows windows_single_##name(T *values, size_t count, uint64_t split,           \
                                                struct reap__ahead *next)                          \
    {                                                                                              \
        return windows_of_##name(values, count, (const uint64_t[2]){split, 0}, 1, false, next);    \
    }                                                                                              \
    static struct windows windows_whole_##name(T *values, size_t count, uint64_t split,            \
                                               uint64_t second, struct reap__ahead *next)          \
    {                                                                                              \
        return windows_of_##name(values, count, (const uint64_t[2]){split, second}, windows_count, \
                                 false, next);                                                     \
    }                                                                                              \
    static struct windows windows_keeping_##name(T *values, size_t count, uint64_t split,          \
                                                 uint64_t second, struct reap__ahead *next)        \
    {                                                                                              \
        return windows_of_##name(values, count, (const uint64_t[2]){split, second}, windows_count, \
                                 true, next);                                                      \
    }                                                                                              \
    static void add_sums_##name(uint64_t *words, const struct windows *sums, int largest,          \
                                bool is_single)                                                    \
    {                                                                                              \
        reap__exact_add_window(sizeof(T), words, sums->first, first_of(largest) - 1);              \
        if ((windows_count) > 1 && !is_single)                                                     \
            reap__exact_add_window(sizeof(T), words, sums->second, second_of(largest) - 1);        \
    }                                                                                              \
    static bool add_as_before_##name(uint64_t *words, const T *values, size_t count,               \
                                     struct reap__ahead *next, struct reap__exact_guess *guess)    \
    {                                                                                              \
        const int largest = guess->largest;                                                        \
        const uint64_t split = splitter(first_of(largest));                                        \
        struct windows sums;                                                                       \
        if ((windows_count) == 1 || !is_to_be_tried(guess))                                        \
            return false;                                                                          \
        const bool is_right = guess->is_single                                                     \
                                  ? try_single_##name(values, count, split, next, &sums)           \
                                  : try_both_##name(values, count, split,                          \
                                                    splitter(second_of(largest)), next, &sums);    \
        if (is_right)                                                                              \
            add_sums_##name(words, &sums, largest, guess->is_single);                              \
        else                                                                                       \
            next->count = 0; /* prefetched */                                                      \
        learn(guess, is_right);                                                                    \
        return is_right;                                                                           \
    }                                                                                              \
    static void add_chunk_##name(uint64_t *words, T *values, size_t count,                         \
                                 struct reap__ahead *next, struct reap__exact_guess *guess)        \
    {                                                                                              \
        if (has_other_##name(values, count))                                                       \
            words[REAP__EXACT_DIGITS(sizeof(T)) + 3]++;                                            \
        if (add_as_before_##name(words, values, count, next, guess))                               \
            return;                                                                                \
        for (int round = 0;; round++) {                                                            \
            const struct extent extent = extent_of_##name(values, count);                          \
            if (extent.is_zero)                                                                    \
                return;                                                                            \
            if (extent.largest > LARGEST_EXPONENT || round == MOST_ROUNDS) {                       \
                reap__exact_add_each(sizeof(T), words, values, count);                             \
                return;                                                                            \
            }                                                                                      \
            const int first = first_of(extent.largest), second = second_of(extent.largest);        \
            const int last = (windows_count) > 1 ? second : first;                                 \
            const int last_bit = extent.smallest - (fraction) + extent.zeros;                      \
            const bool is_single = last_bit >= first - 52, is_whole = last_bit >= last - 52;       \
            const struct windows sums =                                                            \
                is_single ? windows_single_##name(values, count, splitter(first), next)            \
                : is_whole                                                                         \
                    ? windows_whole_##name(values, count, splitter(first), splitter(second), next) \
                    : windows_keeping_##name(values, count, splitter(first), splitter(second),     \
                                             next);                                                \
            add_sums_##name(words, &sums, extent.largest, is_single);                              \
            if (is_whole && round == 0) {                                                          \
                guess->largest = extent.largest;                                                   \
                guess->is_single = is_single;                                                      \
            }                                                                                      \
            if (is_whole)                                                                          \
                return;                                                                            \
            next->count = 0; /* prefetched in the first round */                                   \
        }                                                                                          \
    }                                                                                              \
    static void add_##name##s(uint64_t *words, T *values, size_t count,                            \
                              const struct reap__ahead *ahead, struct reap__exact_guess *guess)    \
    {                                                                                              \
        struct reap__ahead next = *ahead;                                                          \
        const size_t rest = count % BLOCK;                                                         \
        T last[BLOCK];                                                                             \
        for (size_t done = 0, n; done < count - rest; done += n) {                                 \
            n = count - rest - done < CHUNK ? count - rest - done : CHUNK;                         \
            add_chunk_##name(words, values + done, n, &next, guess);                               \
        }                                                                                          \
        if (rest == 0)                                                                             \
            return;                                                                                \
        for (size_t i = 0; i < BLOCK; i++)                                                         \
            last[i] = i < rest ? values[count - rest + i] : (T)-0.0;                               \
        add_chunk_##name(words, last, BLOCK, &next, guess);                                        \
    }
EXACT(float, float, floats_vector, int32_t, INT32_MAX, 23, 1023 - 127, 1)
EXACT(double, double, doubles_vector, int64_t, INT64_MAX, 52, 0, 2)

const struct reap__exact_functions EXACT_FUNCTIONS = {
    add_floats,           add_doubles,          store_block,          add_floats_to_plane,
    add_doubles_to_plane, add_groups_of_floats, add_groups_of_doubles};
