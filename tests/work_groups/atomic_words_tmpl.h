/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of one type's atomic words: included once per type by atomic_words_32.c and
 * others with NAME, TYPE, and UNSIGNED, the unsigned type of an integer.
 */
#ifdef UNSIGNED
#define STEPS INTEGER_STEPS
#define SUM(a, b) ((TYPE)((UNSIGNED)(a) + (UNSIGNED)(b)))
#define DIFFERENCE(a, b) ((TYPE)((UNSIGNED)(a) - (UNSIGNED)(b)))
#define IS_NAN(x) false
#else
#define STEPS NUMBER_STEPS
#define SUM(a, b) ((a) + (b))
#define DIFFERENCE(a, b) ((a) - (b))
#define IS_NAN(x) isnan(x)
#endif

/* In their bits. */
static bool NAMED(are_equal)(TYPE a, TYPE b)
{
    unsigned char bytes[2][sizeof(TYPE)];
    memcpy(bytes[0], &a, sizeof a);
    memcpy(bytes[1], &b, sizeof b);
    return memcmp(bytes[0], bytes[1], sizeof a) == 0;
}

/* What is expected of the step that comes next. */
struct NAMED(expectation) {
    TYPE *old, *after;
};

static void NAMED(expect)(struct NAMED(expectation) * next, size_t times, TYPE old, TYPE after)
{
    for (size_t i = 0; i < times; i++) {
        *next->old = old;
        *next->after = after;
        next->old += ITEMS;
        next->after += ITEMS;
    }
}

static void NAMED(expect_tries)(struct NAMED(expectation) * next, TYPE x, TYPE v, TYPE expected)
{
    const bool is_set = NAMED(are_equal)(x, expected);
    for (size_t i = 0; i < (size_t)2 * WAYS_OF_SWAP; i++) {
        NAMED(expect)(next, 1, x, is_set ? v : x);
        NAMED(expect)(next, 1, (TYPE)is_set, 0);
    }
}

/* The steps of one item, in the order of the kernel. */
static void NAMED(refer)(struct NAMED(expectation) next, TYPE x, TYPE v, TYPE expected)
{
    NAMED(expect)(&next, WAYS_OF_ACCESS, x, x);
    NAMED(expect)(&next, WAYS_OF_ACCESS, 0, v);
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, v);
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, SUM(x, v));
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, DIFFERENCE(x, v));
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, v < x ? v : x);
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, v > x ? v : x);
    NAMED(expect)(&next, WAYS_OF_SWAP, x, NAMED(are_equal)(x, expected) ? v : x);
    NAMED(expect_tries)(&next, x, v, expected);
#ifdef UNSIGNED
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, x & v);
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, x | v);
    NAMED(expect)(&next, WAYS_OF_CHANGE, x, x ^ v);
#endif
}

/* Bits; but sums that are NaN have any. */
static void NAMED(compare)(const TYPE *got, const TYPE *expected, const char *what)
{
    for (size_t i = 0; i < (size_t)STEPS * ITEMS; i++) {
        const bool is_right =
            NAMED(are_equal)(got[i], expected[i]) || (IS_NAN(got[i]) && IS_NAN(expected[i]));
        CHECK(is_right);
        if (!is_right)
            fprintf(stderr, "  " NAME_TEXT ": %s of step %zu, item %zu: %.17g, not %.17g\n", what,
                    i / ITEMS, i % ITEMS, (double)got[i], (double)expected[i]);
    }
}

static void NAMED(draw)(uint64_t *random, TYPE *x, TYPE *v, TYPE *expected)
{
#ifdef UNSIGNED
    const int input = sizeof(TYPE) == 4 ? INPUT_BITS_32 : INPUT_BITS_64;
    input_fill(input, 0, ITEMS, random, x);
    input_fill(input, 0, ITEMS, random, v);
    const TYPE special[] = {0, 1, (TYPE)-1, (TYPE)((UNSIGNED)-1 >> 1),
                            (TYPE)(((UNSIGNED)-1 >> 1) + 1)};
#else
    for (size_t i = 0; i < ITEMS; i++) {
        x[i] = (TYPE)(check_random(random) % 2001) / 16 - 60;
        v[i] = (TYPE)(check_random(random) % 2001) / 16 - 60;
    }
    const TYPE special[] = {0, -(TYPE)0, (TYPE)INFINITY, -(TYPE)INFINITY, (TYPE)NAN};
#endif
    for (size_t i = 0; i < 25; i++) {
        x[i] = special[i / 5];
        v[i] = special[i % 5];
    }
    for (size_t i = 0; i < ITEMS; i++)
        expected[i] = i % 2 == 0 ? x[i] : v[i];
}

static void NAMED(check_words)(reap_queue *queue, uint64_t *random)
{
    const size_t count = (size_t)STEPS * ITEMS;
    TYPE inputs[3 * ITEMS], cells[ITEMS];
    TYPE *const x = inputs, *const v = inputs + ITEMS, *const expected = inputs + (size_t)2 * ITEMS;
    TYPE *got = test_allocate(4 * count * sizeof *got);
    TYPE *const old = got, *const after = got + count;
    TYPE *const old_expected = got + 2 * count, *const after_expected = got + 3 * count;
    TEST_SHARE(inputs);
    TEST_SHARE(cells);
    NAMED(draw)(random, x, v, expected);
    for (size_t i = 0; i < ITEMS; i++)
        NAMED(refer)
    ((struct NAMED(expectation)){old_expected + i, after_expected + i}, x[i], v[i], expected[i]);
    for (int is_local = 0; is_local < 2; is_local++) {
        memset(got, 0xa5, 2 * count * sizeof *got);
        if (is_local)
            CHECK_LAUNCH(PARALLEL_FOR(queue, NAMED(words_local), reap_nd_range_1d(ITEMS, GROUP),
                                      .inputs = inputs, .cells = GROUP, .results = got),
                         queue);
        else
            CHECK_LAUNCH(PARALLEL_FOR(queue, NAMED(words), reap_range_1d(ITEMS), .inputs = inputs,
                                      .cells = cells, .results = got),
                         queue);
        NAMED(compare)(old, old_expected, "the result");
        NAMED(compare)(after, after_expected, "the cell");
    }
    free(got);
}

/* Sums of small whole numbers, which are exact in any order. */
static void NAMED(check_contention)(reap_queue *queue, uint64_t *random)
{
    TYPE *v = test_allocate(CONTENDERS * sizeof *v);
    TYPE shared[SHARED] = {0}, expected[SHARED] = {0};
    TEST_SHARE(shared);
    shared[SHARED_LEAST] = expected[SHARED_LEAST] = 100;
    for (size_t i = 0; i < CONTENDERS; i++) {
        v[i] = (TYPE)(check_random(random) % 99);
        expected[SHARED_SUM] += v[i];
        expected[SHARED_REST] -= v[i];
        expected[SHARED_LEAST] = v[i] < expected[SHARED_LEAST] ? v[i] : expected[SHARED_LEAST];
        expected[SHARED_MOST] = v[i] > expected[SHARED_MOST] ? v[i] : expected[SHARED_MOST];
    }
    expected[SHARED_WEAK] = expected[SHARED_STRONG] = expected[SHARED_SUM];
    CHECK_LAUNCH(
        PARALLEL_FOR(queue, NAMED(contend), reap_range_1d(CONTENDERS), .v = v, .shared = shared),
        queue);
    CHECK_BITS(shared, expected, sizeof expected, NAME_TEXT, CONTENDERS, 0);
    free(v);
}

static void NAMED(check)(reap_queue *queue, uint64_t *random)
{
    NAMED(check_words)(queue, random);
    NAMED(check_contention)(queue, random);
}

#undef STEPS
#undef SUM
#undef DIFFERENCE
#undef IS_NAN
#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef UNSIGNED
