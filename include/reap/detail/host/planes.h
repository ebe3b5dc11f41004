/* SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of a struct, held as planes: one array for each member, with that member of all lanes.
 * A loop over lanes then works on each plane by vector instructions without shuffling members.
 *
 * The headers do not know a struct's members, so a plane is what one number of the struct's
 * alignment takes, and a struct is held as planes only if all of its members are such numbers
 * (reap__is_uniform). Neither compiler takes a smaller member out of a plane in registers: {double;
 * int} held so took 5 times as long (gcc 12) as lanes held one after the other.
 */
#ifndef REAP_DETAIL_HOST_PLANES_H
#define REAP_DETAIL_HOST_PLANES_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/operators.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { REAP__MOST_PLANES = 8 };

/* Planes have a floating-point type, also for integers, which they only hold: with integer planes
 * gcc turns selections between floats into selections between integers, and min and max
 * instructions into comparisons and blends. Leaves are accessed through the second type, which
 * aliases all others. */
typedef float __attribute__((__may_alias__)) reap__any_float;
typedef double __attribute__((__may_alias__)) reap__any_double;
#define REAP__PLANE_TYPE(T)                                                                        \
    __typeof__(_Generic((char(*)[_Alignof(T)])0, char(*)[8] : 0.0, default : 0.0f))
#define REAP__IN_LEAF_TYPE(T)                                                                      \
    __typeof__(*_Generic((char(*)[_Alignof(T)])0, char(*)[8]                                       \
                         : (reap__any_double *)0, default                                          \
                         : (reap__any_float *)0))
#define REAP__PLANES(T)                                                                            \
    (sizeof(T) <= REAP__MOST_PLANES * sizeof(REAP__PLANE_TYPE(T)) &&                               \
             sizeof(T) >= sizeof(REAP__PLANE_TYPE(T))                                              \
         ? sizeof(T) / sizeof(REAP__PLANE_TYPE(T))                                                 \
         : 1)

/* For a value whose members are all -2: whether word `index` of it is one member of that size. */
REAP__INLINE bool reap__is_one_member(const void *value, size_t size, size_t word, size_t index)
{
    uint32_t half;
    uint64_t whole;
    if (index * word >= size)
        return true;
    memcpy(&half, (const char *)value + index * word, sizeof half);
    if (word == sizeof half)
        return half == (uint32_t)-2 || half == 0xc0000000u;
    memcpy(&whole, (const char *)value + index * word, sizeof whole);
    return whole == (uint64_t)-2 || whole == 0xc000000000000000u;
}

/* For the same value, of type T: whether all its members are numbers of `word` bytes, T's
 * alignment. The compiler computes it. */
REAP__INLINE bool reap__is_uniform(const void *value, size_t size, size_t word)
{
    return (word == sizeof(float) || word == sizeof(double)) && size <= REAP__MOST_PLANES * word &&
           reap__is_one_member(value, size, word, 0) && reap__is_one_member(value, size, word, 1) &&
           reap__is_one_member(value, size, word, 2) && reap__is_one_member(value, size, word, 3) &&
           reap__is_one_member(value, size, word, 4) && reap__is_one_member(value, size, word, 5) &&
           reap__is_one_member(value, size, word, 6) && reap__is_one_member(value, size, word, 7);
}

/* Defines reap_is_uniform_NAME for an operator's type T. If T has fewer members than there are
 * initialisers, the array after it takes the others. */
#ifdef __clang__
#define REAP__QUIET_BEGIN                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")
#define REAP__QUIET_END _Pragma("clang diagnostic pop")
#else
#define REAP__QUIET_BEGIN                                                                          \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wint-conversion\"")          \
        _Pragma("GCC diagnostic ignored \"-Wmissing-braces\"")                                     \
            _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                     \
                _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")                            \
                    _Pragma("GCC diagnostic ignored \"-Woverflow\"")
#define REAP__QUIET_END _Pragma("GCC diagnostic pop")
#endif
#define REAP__DEFINE_IS_UNIFORM(name, T)                                                           \
    REAP__QUIET_BEGIN                                                                              \
    REAP__INLINE bool reap_is_uniform_##name(void)                                                 \
    {                                                                                              \
        const struct {                                                                             \
            T value_;                                                                              \
            double rest_[REAP__MOST_PLANES];                                                       \
        } all_ = {-2, -2, -2, -2, -2, -2, -2, -2};                                                 \
        return reap__is_uniform(&all_.value_, sizeof all_.value_, _Alignof(T));                    \
    }                                                                                              \
    REAP__QUIET_END

/* Copies of the lanes of a leaf to planes and back; of one lane from its planes and back. Planes
 * have `strip` elements; the pointers are to the first lane of a strip. */
#define REAP__LEAF_TO_PLANES(T, planes, leaf, strip)                                               \
    for (size_t l_ = 0; l_ < (strip); l_++) {                                                      \
        REAP__UNROLL                                                                               \
        for (size_t p_ = 0; p_ < REAP__PLANES(T); p_++)                                            \
            (planes)[p_][l_] = ((const REAP__IN_LEAF_TYPE(T) *)((leaf) + l_))[p_];                 \
    }
#define REAP__PLANES_TO_LEAF(T, planes, leaf, strip)                                               \
    for (size_t l_ = 0; l_ < (strip); l_++) {                                                      \
        REAP__UNROLL                                                                               \
        for (size_t p_ = 0; p_ < REAP__PLANES(T); p_++)                                            \
            ((REAP__IN_LEAF_TYPE(T) *)((leaf) + l_))[p_] = (planes)[p_][l_];                       \
    }
#define REAP__COPY_PLANES(T, to, to_lane, from, from_lane, lanes)                                  \
    REAP__UNROLL                                                                                   \
    for (size_t p_ = 0; p_ < REAP__PLANES(T); p_++)                                                \
        for (size_t l_ = 0; l_ < (lanes); l_++)                                                    \
            (to)[p_][(to_lane) + l_] = (from)[p_][(from_lane) + l_];
#define REAP__PLANES_TO_LANE(T, planes, lane)                                                      \
    REAP__UNROLL                                                                                   \
    for (size_t p_ = 0; p_ < REAP__PLANES(T); p_++) {                                              \
        const REAP__PLANE_TYPE(T) member_ = (planes)[p_][l_];                                      \
        memcpy((char *)&(lane) + p_ * sizeof member_, &member_, sizeof member_);                   \
    }
#define REAP__LANE_TO_PLANES(T, planes, lane)                                                      \
    REAP__UNROLL                                                                                   \
    for (size_t p_ = 0; p_ < REAP__PLANES(T); p_++) {                                              \
        REAP__PLANE_TYPE(T) member_;                                                               \
        memcpy(&member_, (char *)&(lane) + p_ * sizeof member_, sizeof member_);                   \
        (planes)[p_][l_] = member_;                                                                \
    }

#endif
