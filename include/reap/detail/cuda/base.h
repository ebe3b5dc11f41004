/* SPDX-License-Identifier: Apache-2.0
 *
 * What the words of the dialect (device/words.h) and generated entry functions are made of, in CUDA
 * C++: functions, where a work-item is, how a work-group waits. There is one address space.
 */
#ifndef REAP_DETAIL_CUDA_BASE_H
#define REAP_DETAIL_CUDA_BASE_H

#define REAP_GLOBAL
#define REAP_LOCAL
#define REAP_CONSTANT

#define REAP__FUNCTION static __forceinline__
#define REAP__OUT_OF_LINE static __noinline__
#define REAP__NEVER_INLINE static __noinline__
#define REAP__BESIDE_BARRIERS REAP__FUNCTION
#define REAP__OVERLOAD_BESIDE_BARRIERS REAP__OVERLOAD
#define REAP__OVERLOAD_WITH_BRANCHES REAP__OVERLOAD
#define REAP__ASSUME_LOCAL(pointer) __builtin_assume(__isShared(pointer))
#define REAP__OVERLOAD static __forceinline__
#define REAP__OVERLOAD_DECLARED
#define REAP__BODY static __forceinline__ void
#define REAP__IS_LARGE(T) (sizeof(T) > 128)
#define REAP__REFERENCE &
#define REAP__RESTRICT __restrict__
#define REAP__UNROLL _Pragma("unroll")
#define REAP__NO_UNROLL _Pragma("unroll 1")
#define REAP__UNROLL_ROWS _Pragma("unroll 8")
#define REAP__EACH_SPACE(X, ...) X(, __VA_ARGS__)

/* Entry functions: their parameters, their local memory; what one that takes dynamic local memory
 * begins with. */
#define REAP__ENTRY(name, threads) extern "C" __global__ void __launch_bounds__(threads) name
#define REAP__ENTRY_BESIDE(name, threads, groups)                                                  \
    extern "C" __global__ void __launch_bounds__(threads, groups) name
#if __CUDA_ARCH__ >= 700 /* functions may have its address without a copy for each thread */
#define REAP__BLOCK_PARAMETER const __grid_constant__ struct reap_block
#else
#define REAP__BLOCK_PARAMETER const struct reap_block
#endif
#define REAP__MEMORY(name) , reap__uchar *name
#define REAP__DYNAMIC_PARAMETER(name)
#define REAP__DYNAMIC_MEMORY(name) extern __shared__ reap__ulong8 name[]
#define REAP__SHARED(T, name, count) __shared__ T name[count]

/* A memory, which begins where a vector may: compilers load neighbouring elements together where
 * they can see that. */
#define REAP__ALIGNED(pointer) ((reap__uchar *)__builtin_assume_aligned(pointer, 16))

/* `number`, which is a multiple of `of`. The assembly hides how it was computed and the division
 * shows the alignment again: NVRTC loses it in loops, and then loads neighbouring elements one by
 * one. */
REAP__FUNCTION reap__ulong reap__multiple(reap__ulong number, reap__uint of)
{
#if __CUDA_ARCH__ >= 700
    asm("" : "+l"(number));
#endif
    return number / of * of;
}

REAP__FUNCTION size_t reap__thread(void)
{
    return threadIdx.x;
}

REAP__FUNCTION size_t reap__group(void)
{
    return blockIdx.x;
}

REAP__FUNCTION size_t reap__groups(void)
{
    return gridDim.x;
}

/* What an entry function begins with. Cards of compute capability 9.0 start it while the one before
 * it ends (cuda/driver.c); here it waits for all that one has written. (To let the next one start
 * as early made a sum of 2^20 floats faster on an H200, and those of 2^22 to 2^25 slower.) */
REAP__FUNCTION void reap__begin(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

REAP__FUNCTION void reap__sync(void)
{
    __syncthreads();
}

REAP__FUNCTION void reap__sync_spaces(int spaces)
{
    (void)spaces;
    __syncthreads();
}

/* A thread that sees a later atomic operation of this work-item also sees its earlier writes; and
 * this work-item those of a thread whose atomic operation it has seen. */
REAP__FUNCTION void reap__fence(void)
{
#if __CUDA_ARCH__ >= 700 /* __threadfence is a stronger one, and slower */
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
    __threadfence();
#endif
}

/* What the thread of the warp so many further has, and what its first one has; of any type. */
template <typename T> REAP__FUNCTION T reap__shuffle_down(T v, reap__uint by)
{
    union either {
        T value;
        reap__uint words[(sizeof(T) + 3) / 4];
    } words;
    words.value = v;
    REAP__UNROLL
    for (int w = 0; w < (int)((sizeof(T) + 3) / 4); w++)
        words.words[w] = __shfl_down_sync(~0u, words.words[w], by);
    return words.value;
}

REAP__FUNCTION reap__uint reap__shuffle_first(reap__uint v)
{
    __syncwarp(); /* which orders memory, too */
    return __shfl_sync(~0u, v, 0);
}

REAP__FUNCTION void reap__sync_warp(void)
{
    __syncwarp();
}

/* *to = *from, which compilers take apart: where a value is larger than registers hold, that takes
 * them minutes, so it is copied by a loop, out of line. */
template <typename T, typename W> REAP__OUT_OF_LINE void reap__copy_words(T *to, const T *from)
{
    _Pragma("unroll 4") for (size_t w = 0; w < sizeof(T) / sizeof(W); w++)((W *)to)[w] =
        ((const W *)from)[w];
}

template <size_t alignment> struct reap__word {
    typedef reap__ulong2 type;
};
template <> struct reap__word<1> {
    typedef reap__uchar type;
};
template <> struct reap__word<2> {
    typedef reap__ushort type;
};
template <> struct reap__word<4> {
    typedef reap__uint type;
};
template <> struct reap__word<8> {
    typedef reap__ulong type;
};

template <typename T> REAP__FUNCTION void reap__copy(T *to, const T *from)
{
    if constexpr (REAP__IS_LARGE(T))
        reap__copy_words<T, typename reap__word<alignof(T)>::type>(to, from);
    else
        *to = *from;
}
#define REAP__COPY(T, to, from) reap__copy<T>(to, from)

/* What an operator takes and gives: a large value is taken where it is, and given by such a copy.
 */
template <typename T> struct reap__by_copy {
    T value;
    __forceinline__ reap__by_copy(const T &from)
    {
        reap__copy(&value, &from);
    }
    reap__by_copy(const reap__by_copy &from) = delete;
    __forceinline__ operator const T &() const
    {
        return value;
    }
};
template <typename T, bool is_large = REAP__IS_LARGE(T)> struct reap__operand {
    typedef T type, result;
};
template <typename T> struct reap__operand<T, true> {
    typedef T &type;
    typedef reap__by_copy<T> result;
};
#define REAP__OPERAND(T) reap__operand<T>::type
#define REAP__OPERATED(T) reap__operand<T>::result

/* `name` points to the value of type T in that memory, or to room for a copy. */
#define REAP__VALUE_AT(T, name, memory) T *const name = (T *)(memory)

/* The bits of a float, for narrow_types.h. */
REAP__FUNCTION reap__uint reap__bits_of_float(float value)
{
    return __float_as_uint(value);
}

REAP__FUNCTION float reap__float_of_bits(reap__uint bits)
{
    return __uint_as_float(bits);
}

REAP__FUNCTION reap__ulong reap__bits_of_double(double value)
{
    return (reap__ulong)__double_as_longlong(value);
}

REAP__FUNCTION double reap__double_of_bits(reap__ulong bits)
{
    return __longlong_as_double((long long)bits);
}

/* A value of a struct type from its members' values. `struct tag{...}` would define a type. */
template <typename T> using reap__same = T;
#define reap_value(T, ...) (reap__same<T>{__VA_ARGS__})

/* The value of another work-item of the group, of any type. */
#define REAP__GROUP_FROM(T, v, item) reap__fetch<T>(reap_item_, v, item)

#endif
