/* SPDX-License-Identifier: Apache-2.0
 *
 * Precedes a text for NVRTC when a C++ compiler for processors compiles it (compile.c): CUDA's
 * words, and the functions that NVRTC declares by itself and Reap's texts use. It includes nothing,
 * as a text does not. What threads wait for each other with is the emulated card's (card.c).
 */
#define __CUDA_ARCH__ 600 /* newer ones have inline PTX for what they do faster */
#define __global__
#define __device__
#define __forceinline__ inline __attribute__((__always_inline__))
#define __noinline__ __attribute__((__noinline__))
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static __attribute__((__section__("fake_shared")))
#define __INTADDR__

typedef decltype(sizeof 0) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;

/* ---- The card -------------------------------------------------------------------------------- */

struct fake_index {
    unsigned x, y, z;
};

extern "C" {
extern fake_index threadIdx, blockIdx, blockDim, gridDim;
void fake_card_sync_group(void);
void fake_card_sync_warp(unsigned mask);
unsigned fake_card_shuffle(unsigned mask, unsigned value, unsigned lane);
unsigned fake_card_ballot(unsigned mask, bool is_true);
void fake_card_pause(void);
void *fake_card_dynamic_memory(void);
}

static __forceinline__ void __syncthreads()
{
    fake_card_sync_group();
}

static __forceinline__ void __syncwarp(unsigned mask = ~0u)
{
    fake_card_sync_warp(mask);
}

static __forceinline__ void __threadfence()
{
    fake_card_pause();
}

static __forceinline__ void __threadfence_block()
{
    fake_card_pause();
}

static __forceinline__ unsigned __shfl_sync(unsigned mask, unsigned value, unsigned lane)
{
    return fake_card_shuffle(mask, value, lane % 32);
}

static __forceinline__ unsigned __shfl_down_sync(unsigned mask, unsigned value, unsigned by)
{
    const unsigned lane = threadIdx.x % 32;
    return fake_card_shuffle(mask, value, lane + by < 32 ? lane + by : lane);
}

static __forceinline__ unsigned __ballot_sync(unsigned mask, int is_true)
{
    return fake_card_ballot(mask, is_true != 0);
}

/* ---- Atomics --------------------------------------------------------------------------------- */

#define FAKE_ATOMIC(name, T, result)                                                               \
    static __forceinline__ T name(T *object, T value)                                              \
    {                                                                                              \
        fake_card_pause();                                                                         \
        const T old = *(volatile T *)object;                                                       \
        *(volatile T *)object = result;                                                            \
        return old;                                                                                \
    }
#define FAKE_ATOMICS_OF_ALL(T)                                                                     \
    FAKE_ATOMIC(atomicMin, T, value < old ? value : old)                                           \
    FAKE_ATOMIC(atomicMax, T, value > old ? value : old)
#define FAKE_ATOMICS_OF_WORDS(T)                                                                   \
    FAKE_ATOMIC(atomicAdd, T, old + value)                                                         \
    FAKE_ATOMIC(atomicAnd, T, old &value)                                                          \
    FAKE_ATOMIC(atomicOr, T, old | value)                                                          \
    FAKE_ATOMIC(atomicXor, T, old ^ value)                                                         \
    FAKE_ATOMIC(atomicExch, T, value)                                                              \
    static __forceinline__ T atomicCAS(T *object, T expected, T value)                             \
    {                                                                                              \
        fake_card_pause();                                                                         \
        const T old = *(volatile T *)object;                                                       \
        if (old == expected)                                                                       \
            *(volatile T *)object = value;                                                         \
        return old;                                                                                \
    }
FAKE_ATOMICS_OF_ALL(int)
FAKE_ATOMICS_OF_ALL(unsigned)
FAKE_ATOMICS_OF_ALL(long long)
FAKE_ATOMICS_OF_ALL(unsigned long long)
FAKE_ATOMICS_OF_WORDS(unsigned)
FAKE_ATOMICS_OF_WORDS(unsigned long long)
FAKE_ATOMIC(atomicAdd, float, old + value)
FAKE_ATOMIC(atomicAdd, double, old + value)

/* ---- Functions ------------------------------------------------------------------------------- */

static __forceinline__ unsigned __float_as_uint(float value)
{
    return __builtin_bit_cast(unsigned, value);
}

static __forceinline__ float __uint_as_float(unsigned bits)
{
    return __builtin_bit_cast(float, bits);
}

#define __builtin_assume(condition) ((void)0)
#define __isShared(pointer) true

static __forceinline__ long long __double_as_longlong(double value)
{
    return __builtin_bit_cast(long long, value);
}

static __forceinline__ double __longlong_as_double(long long bits)
{
    return __builtin_bit_cast(double, bits);
}

#define FAKE_MATH(result, name, typed, untyped)                                                    \
    static __forceinline__ result name typed                                                       \
    {                                                                                              \
        return __builtin_##name untyped;                                                           \
    }
#define FAKE_MATH_FLOAT(result, name, typed, untyped)                                              \
    static __forceinline__ result name typed                                                       \
    {                                                                                              \
        return __builtin_##name##f untyped;                                                        \
    }
#define FAKE_MATH_1_TO(result, T, name, X) X(result, name, (T x), (x))
#define FAKE_MATH_1(name)                                                                          \
    FAKE_MATH_FLOAT(float, name, (float x), (x))                                                   \
    FAKE_MATH(double, name, (double x), (x))
#define FAKE_MATH_2(name)                                                                          \
    FAKE_MATH_FLOAT(float, name, (float x, float y), (x, y))                                       \
    FAKE_MATH(double, name, (double x, double y), (x, y))
#define FAKE_MATH_WITH(name, T)                                                                    \
    FAKE_MATH_FLOAT(float, name, (float x, T y), (x, y))                                           \
    FAKE_MATH(double, name, (double x, T y), (x, y))
#define FAKE_MATH_TO(T, name)                                                                      \
    FAKE_MATH_FLOAT(T, name, (float x), (x))                                                       \
    FAKE_MATH(T, name, (double x), (x))

FAKE_MATH_1(acos)
FAKE_MATH_1(acosh)
FAKE_MATH_1(asin)
FAKE_MATH_1(asinh)
FAKE_MATH_1(atan)
FAKE_MATH_1(atanh)
FAKE_MATH_1(cbrt)
FAKE_MATH_1(ceil)
FAKE_MATH_1(cos)
FAKE_MATH_1(cosh)
FAKE_MATH_1(erf)
FAKE_MATH_1(erfc)
FAKE_MATH_1(exp)
FAKE_MATH_1(exp2)
FAKE_MATH_1(expm1)
FAKE_MATH_1(fabs)
FAKE_MATH_1(floor)
FAKE_MATH_1(lgamma)
FAKE_MATH_1(log)
FAKE_MATH_1(log10)
FAKE_MATH_1(log1p)
FAKE_MATH_1(log2)
FAKE_MATH_1(logb)
FAKE_MATH_1(nearbyint)
FAKE_MATH_1(rint)
FAKE_MATH_1(round)
FAKE_MATH_1(sin)
FAKE_MATH_1(sinh)
FAKE_MATH_1(sqrt)
FAKE_MATH_1(tan)
FAKE_MATH_1(tanh)
FAKE_MATH_1(tgamma)
FAKE_MATH_1(trunc)
FAKE_MATH_2(atan2)
FAKE_MATH_2(copysign)
FAKE_MATH_2(fdim)
FAKE_MATH_2(fmax)
FAKE_MATH_2(fmin)
FAKE_MATH_2(fmod)
FAKE_MATH_2(hypot)
FAKE_MATH_2(nextafter)
FAKE_MATH_2(pow)
FAKE_MATH_2(remainder)
FAKE_MATH_WITH(ldexp, int)
FAKE_MATH_WITH(scalbn, int)
FAKE_MATH_WITH(scalbln, long)
FAKE_MATH_WITH(frexp, int *)
FAKE_MATH_TO(int, ilogb)
FAKE_MATH_TO(long, lrint)
FAKE_MATH_TO(long, lround)
FAKE_MATH_TO(long long, llrint)
FAKE_MATH_TO(long long, llround)
FAKE_MATH_FLOAT(float, fma, (float x, float y, float z), (x, y, z))
FAKE_MATH(double, fma, (double x, double y, double z), (x, y, z))
FAKE_MATH(float, modff, (float x, float *whole), (x, whole))
FAKE_MATH(double, modf, (double x, double *whole), (x, whole))
FAKE_MATH(float, remquof, (float x, float y, int *quotient), (x, y, quotient))
FAKE_MATH(double, remquo, (double x, double y, int *quotient), (x, y, quotient))
FAKE_MATH(bool, signbit, (float x), (x))
FAKE_MATH(bool, signbit, (double x), (x))
