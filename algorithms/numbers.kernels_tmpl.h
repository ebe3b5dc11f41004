/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of several types as values of one type, and operations on these: included by a kernel
 * file with WORK, the type, KIND, its kind (numbers.kernels.h), and NAME, the suffix of names.
 *
 * Integers are computed as int64_t or int32_t: sums and products modulo 2^64 or 2^32, which
 * narrower and unsigned types share; extremes of uint64_t as NUMBER_ORDERED. With int32_t the
 * elements read and written have at most 32 bits, and uint32_t has no extremes. Half and bfloat16
 * are computed as float. Minimum and maximum are NaN if an operand is NaN, and the first one of
 * equal operands. A NaN is stored as one canonical NaN.
 */
REAP_KERNEL_FILE

#if KIND <= WORK_INTEGER
#define PLUS(a, b) ((WORK)((uint64_t)(a) + (uint64_t)(b)))
#define TIMES(a, b) ((WORK)((uint64_t)(a) * (uint64_t)(b)))
#define IS_LESS(a, b) ((a) < (b))
#define IS_MORE(a, b) ((a) > (b))
#define NOTHING 0
#define LARGEST ((WORK)(UINT64_MAX >> (65 - 8 * sizeof(WORK))))
#define LOWEST (-LARGEST - 1)
#else
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define IS_LESS(a, b) ((a) < (b) || (a) != (a))
#define IS_MORE(a, b) ((a) > (b) || (a) != (a))
#define NOTHING ((WORK)-0.0) /* 0 + -0 is 0, and -0 + -0 is -0 */
#define LARGEST ((WORK)INFINITY)
#define LOWEST (-(WORK)INFINITY)
#endif

#define ELEMENT(T) (((const REAP_GLOBAL T *)(const REAP_GLOBAL void *)x)[i])

/* Reads element i. */
static inline WORK NAMED(number)(const REAP_GLOBAL uint8_t *x, int type, size_t i)
{
    switch (type) {
#if KIND <= WORK_INTEGER
    case NUMBER_INT8:
        return ELEMENT(int8_t);
    case NUMBER_INT16:
        return ELEMENT(int16_t);
    case NUMBER_UINT16:
        return ELEMENT(uint16_t);
    case NUMBER_INT32:
        return ELEMENT(int32_t);
    case NUMBER_UINT32:
        return (WORK)ELEMENT(uint32_t);
#if KIND == WORK_INTEGER
    case NUMBER_INT64:
    case NUMBER_UINT64:
        return ELEMENT(int64_t);
    case NUMBER_ORDERED:
        return (int64_t)(ELEMENT(uint64_t) ^ (uint64_t)1 << 63);
#endif
    default:
        return ELEMENT(uint8_t);
#elif KIND == WORK_SINGLE
    case NUMBER_HALF:
        return reap_half_to_float(ELEMENT(reap_half));
    case NUMBER_BFLOAT16:
        return reap_bfloat16_to_float(ELEMENT(reap_bfloat16));
    default:
        return ELEMENT(float);
#else
    default:
        return ELEMENT(double);
#endif
    }
}

#undef ELEMENT
#define ELEMENT(T) (((REAP_GLOBAL T *)(REAP_GLOBAL void *)x)[i])

/* Writes element i; integers modulo 2^n for a type of n bits. */
static inline void NAMED(put)(REAP_GLOBAL uint8_t *x, int type, size_t i, WORK v)
{
    switch (type) {
#if KIND <= WORK_INTEGER
    case NUMBER_INT16:
    case NUMBER_UINT16:
        ELEMENT(uint16_t) = (uint16_t)v;
        break;
    case NUMBER_INT32:
    case NUMBER_UINT32:
        ELEMENT(uint32_t) = (uint32_t)v;
        break;
#if KIND == WORK_INTEGER
    case NUMBER_INT64:
    case NUMBER_UINT64:
        ELEMENT(uint64_t) = (uint64_t)v;
        break;
    case NUMBER_ORDERED:
        ELEMENT(uint64_t) = (uint64_t)v ^ (uint64_t)1 << 63;
        break;
#endif
    default:
        ELEMENT(uint8_t) = (uint8_t)v;
#elif KIND == WORK_SINGLE
    case NUMBER_HALF:
        ELEMENT(reap_half) = reap_half_from_float(v != v ? NAN : v);
        break;
    case NUMBER_BFLOAT16:
        ELEMENT(reap_bfloat16) = reap_bfloat16_from_float(v != v ? NAN : v);
        break;
    default:
        ELEMENT(float) = v != v ? NAN : v;
#else
    default:
        ELEMENT(double) = v != v ? (double)NAN : v;
#endif
    }
}

#undef ELEMENT

/* Copies `count` elements from element `first` on to memory of the work-item, and back. `type` is a
 * constant in each call below, so each loop is compiled without a switch. */
static inline void NAMED(read_as)(const REAP_GLOBAL uint8_t *x, int type, size_t first,
                                  size_t count, WORK *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAMED(number)(x, type, first + i);
}

static inline void NAMED(write_as)(REAP_GLOBAL uint8_t *x, int type, size_t first, size_t count,
                                   const WORK *values)
{
    for (size_t i = 0; i < count; i++)
        NAMED(put)(x, type, first + i, values[i]);
}

/* The same for elements that are `stride` apart, with `left` elements from the first one to the
 * end. The number of iterations is constant, so all loads are in flight at once. */
static inline void NAMED(read_apart_as)(const REAP_GLOBAL uint8_t *x, int type, size_t first,
                                        size_t stride, size_t count, size_t left, WORK *values)
{
    for (size_t i = 0; i < count; i++)
        if (i * stride < left)
            values[i] = NAMED(number)(x, type, first + i * stride);
}

static inline void NAMED(write_apart_as)(REAP_GLOBAL uint8_t *x, int type, size_t first,
                                         size_t stride, size_t count, size_t left,
                                         const WORK *values)
{
    for (size_t i = 0; i < count; i++)
        if (i * stride < left)
            NAMED(put)(x, type, first + i * stride, values[i]);
}

#define FOR_TYPE(type)                                                                             \
    case type:                                                                                     \
        NAMED(MOVE)(x, type, RANGE, values);                                                       \
        break;
#if KIND <= WORK_INTEGER
#define FOR_32_BITS                                                                                \
    FOR_TYPE(NUMBER_INT8)                                                                          \
    FOR_TYPE(NUMBER_INT16)                                                                         \
    FOR_TYPE(NUMBER_UINT16)                                                                        \
    FOR_TYPE(NUMBER_INT32)                                                                         \
    FOR_TYPE(NUMBER_UINT32)
#if KIND == WORK_INTEGER
#define FOR_TYPES                                                                                  \
    FOR_32_BITS                                                                                    \
    FOR_TYPE(NUMBER_INT64)                                                                         \
    FOR_TYPE(NUMBER_UINT64)                                                                        \
    FOR_TYPE(NUMBER_ORDERED)
#else
#define FOR_TYPES FOR_32_BITS
#endif
#define OTHER_TYPE NUMBER_UINT8
#elif KIND == WORK_SINGLE
#define FOR_TYPES                                                                                  \
    FOR_TYPE(NUMBER_HALF)                                                                          \
    FOR_TYPE(NUMBER_BFLOAT16)
#define OTHER_TYPE NUMBER_FLOAT
#else
#define FOR_TYPES
#define OTHER_TYPE NUMBER_DOUBLE
#endif

#define RANGE first, count
#define MOVE read_as
static inline void NAMED(read)(const REAP_GLOBAL uint8_t *x, int type, size_t first, size_t count,
                               WORK *values)
{
    switch (type) {
        FOR_TYPES
    default:
        NAMED(MOVE)(x, OTHER_TYPE, RANGE, values);
    }
}
#undef MOVE

#define MOVE write_as
static inline void NAMED(write)(REAP_GLOBAL uint8_t *x, int type, size_t first, size_t count,
                                const WORK *values)
{
    switch (type) {
        FOR_TYPES
    default:
        NAMED(MOVE)(x, OTHER_TYPE, RANGE, values);
    }
}
#undef MOVE
#undef RANGE

#define RANGE first, stride, count, left
#define MOVE read_apart_as
static inline void NAMED(read_apart)(const REAP_GLOBAL uint8_t *x, int type, size_t first,
                                     size_t stride, size_t count, size_t left, WORK *values)
{
    switch (type) {
        FOR_TYPES
    default:
        NAMED(MOVE)(x, OTHER_TYPE, RANGE, values);
    }
}
#undef MOVE

#define MOVE write_apart_as
static inline void NAMED(write_apart)(REAP_GLOBAL uint8_t *x, int type, size_t first, size_t stride,
                                      size_t count, size_t left, const WORK *values)
{
    switch (type) {
        FOR_TYPES
    default:
        NAMED(MOVE)(x, OTHER_TYPE, RANGE, values);
    }
}
#undef MOVE
#undef RANGE
#undef FOR_TYPE
#undef FOR_TYPES
#undef FOR_32_BITS
#undef OTHER_TYPE

static inline WORK NAMED(operate)(int operation, WORK a, WORK b)
{
    switch (operation) {
    case OPERATION_SUM:
        return PLUS(a, b);
    case OPERATION_PRODUCT:
        return TIMES(a, b);
    case OPERATION_MINIMUM:
        return IS_LESS(b, a) ? b : a;
    default:
        return IS_MORE(b, a) ? b : a;
    }
}

/* The identity of an operation. */
static inline WORK NAMED(identity_of)(int operation)
{
    return operation == OPERATION_SUM       ? NOTHING
           : operation == OPERATION_PRODUCT ? (WORK)1
           : operation == OPERATION_MINIMUM ? LARGEST
                                            : LOWEST;
}

#undef PLUS
#undef TIMES
#undef IS_LESS
#undef IS_MORE
#undef NOTHING
#undef LARGEST
#undef LOWEST
