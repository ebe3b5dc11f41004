/* SPDX-License-Identifier: Apache-2.0
 *
 * Keywords of C++ that C does not have, and names that NVRTC declares before a text begins, become
 * ordinary names: a kernel may use them for a variable, a parameter, a function, a type or a
 * member. names_functions.h does the same for most functions; math_names.h gives C's own names
 * their meaning. This is the last of the dialect's headers. Macros of the other headers, which
 * expand after it, use none of these names.
 */
#ifndef REAP_DETAIL_CUDA_NAMES_H
#define REAP_DETAIL_CUDA_NAMES_H

#include <reap/detail/cuda/names_functions.h>
#include <reap/detail/device/math_names.h>

/* Keywords of C++. static_assert, alignas and alignof have C's meaning. */
#undef asm
#define asm reap__name_asm
#undef catch
#define catch reap__name_catch
#undef class
#define class reap__name_class
#undef concept
#define concept reap__name_concept
#undef consteval
#define consteval reap__name_consteval
#undef constexpr
#define constexpr reap__name_constexpr
#undef constinit
#define constinit reap__name_constinit
#undef const_cast
#define const_cast reap__name_const_cast
#undef co_await
#define co_await reap__name_co_await
#undef co_return
#define co_return reap__name_co_return
#undef co_yield
#define co_yield reap__name_co_yield
#undef decltype
#define decltype reap__name_decltype
#undef delete
#define delete reap__name_delete
#undef dynamic_cast
#define dynamic_cast reap__name_dynamic_cast
#undef explicit
#define explicit reap__name_explicit
#undef export
#define export reap__name_export
#undef final
#define final reap__name_final
#undef friend
#define friend reap__name_friend
#undef import
#define import reap__name_import
#undef module
#define module reap__name_module
#undef mutable
#define mutable reap__name_mutable
#undef namespace
#define namespace reap__name_namespace
#undef new
#define new reap__name_new
#undef noexcept
#define noexcept reap__name_noexcept
#undef nullptr
#define nullptr reap__name_nullptr
#undef operator
#define operator reap__name_operator
#undef override
#define override reap__name_override
#undef private
#define private reap__name_private
#undef protected
#define protected reap__name_protected
#undef public
#define public reap__name_public
#undef reinterpret_cast
#define reinterpret_cast reap__name_reinterpret_cast
#undef requires
#define requires reap__name_requires
#undef static_cast
#define static_cast reap__name_static_cast
#undef template
#define template reap__name_template
#undef this
#define this reap__name_this
#undef thread_local
#define thread_local reap__name_thread_local
#undef throw
#define throw reap__name_throw
#undef try
#define try reap__name_try
#undef typeid
#define typeid reap__name_typeid
#undef typename
#define typename reap__name_typename
#undef using
#define using reap__name_using
#undef virtual
#define virtual reap__name_virtual
#undef char8_t
#define char8_t reap__name_char8_t
#undef char16_t
#define char16_t reap__name_char16_t
#undef char32_t
#define char32_t reap__name_char32_t
#undef std
#define std reap__name_std

/* Other spellings of operators, which NVRTC accepts as names of macros. */
#undef and
#define and reap__name_and
#undef and_eq
#define and_eq reap__name_and_eq
#undef bitand
#define bitand reap__name_bitand
#undef bitor
#define bitor reap__name_bitor
#undef compl
#define compl reap__name_compl
#undef not
#define not reap__name_not
#undef not_eq
#define not_eq reap__name_not_eq
#undef or
#define or reap__name_or
#undef or_eq
#define or_eq reap__name_or_eq
#undef xor
#define xor reap__name_xor
#undef xor_eq
#define xor_eq reap__name_xor_eq

/* Variables and types */
#undef threadIdx
#define threadIdx reap__name_threadIdx
#undef blockIdx
#define blockIdx reap__name_blockIdx
#undef blockDim
#define blockDim reap__name_blockDim
#undef gridDim
#define gridDim reap__name_gridDim
#undef warpSize
#define warpSize reap__name_warpSize
#undef dim3
#define dim3 reap__name_dim3

/* Vector types */
#undef char1
#define char1 reap__name_char1
#undef char2
#define char2 reap__name_char2
#undef char3
#define char3 reap__name_char3
#undef char4
#define char4 reap__name_char4
#undef uchar1
#define uchar1 reap__name_uchar1
#undef uchar2
#define uchar2 reap__name_uchar2
#undef uchar3
#define uchar3 reap__name_uchar3
#undef uchar4
#define uchar4 reap__name_uchar4
#undef short1
#define short1 reap__name_short1
#undef short2
#define short2 reap__name_short2
#undef short3
#define short3 reap__name_short3
#undef short4
#define short4 reap__name_short4
#undef ushort1
#define ushort1 reap__name_ushort1
#undef ushort2
#define ushort2 reap__name_ushort2
#undef ushort3
#define ushort3 reap__name_ushort3
#undef ushort4
#define ushort4 reap__name_ushort4
#undef int1
#define int1 reap__name_int1
#undef int2
#define int2 reap__name_int2
#undef int3
#define int3 reap__name_int3
#undef int4
#define int4 reap__name_int4
#undef uint1
#define uint1 reap__name_uint1
#undef uint2
#define uint2 reap__name_uint2
#undef uint3
#define uint3 reap__name_uint3
#undef uint4
#define uint4 reap__name_uint4
#undef long1
#define long1 reap__name_long1
#undef long2
#define long2 reap__name_long2
#undef long3
#define long3 reap__name_long3
#undef long4
#define long4 reap__name_long4
#undef ulong1
#define ulong1 reap__name_ulong1
#undef ulong2
#define ulong2 reap__name_ulong2
#undef ulong3
#define ulong3 reap__name_ulong3
#undef ulong4
#define ulong4 reap__name_ulong4
#undef longlong1
#define longlong1 reap__name_longlong1
#undef longlong2
#define longlong2 reap__name_longlong2
#undef longlong3
#define longlong3 reap__name_longlong3
#undef longlong4
#define longlong4 reap__name_longlong4
#undef ulonglong1
#define ulonglong1 reap__name_ulonglong1
#undef ulonglong2
#define ulonglong2 reap__name_ulonglong2
#undef ulonglong3
#define ulonglong3 reap__name_ulonglong3
#undef ulonglong4
#define ulonglong4 reap__name_ulonglong4
#undef float1
#define float1 reap__name_float1
#undef float2
#define float2 reap__name_float2
#undef float3
#define float3 reap__name_float3
#undef float4
#define float4 reap__name_float4
#undef double1
#define double1 reap__name_double1
#undef double2
#define double2 reap__name_double2
#undef double3
#define double3 reap__name_double3
#undef double4
#define double4 reap__name_double4
#undef long4_16a
#define long4_16a reap__name_long4_16a
#undef long4_32a
#define long4_32a reap__name_long4_32a
#undef ulong4_16a
#define ulong4_16a reap__name_ulong4_16a
#undef ulong4_32a
#define ulong4_32a reap__name_ulong4_32a
#undef longlong4_16a
#define longlong4_16a reap__name_longlong4_16a
#undef longlong4_32a
#define longlong4_32a reap__name_longlong4_32a
#undef ulonglong4_16a
#define ulonglong4_16a reap__name_ulonglong4_16a
#undef ulonglong4_32a
#define ulonglong4_32a reap__name_ulonglong4_32a
#undef double4_16a
#define double4_16a reap__name_double4_16a
#undef double4_32a
#define double4_32a reap__name_double4_32a

/* Work-items */
#undef clock
#define clock reap__name_clock
#undef clock64
#define clock64 reap__name_clock64
#undef all
#define all reap__name_all
#undef any
#define any reap__name_any
#undef ballot
#define ballot reap__name_ballot
#undef syncthreads_and
#define syncthreads_and reap__name_syncthreads_and
#undef syncthreads_count
#define syncthreads_count reap__name_syncthreads_count
#undef syncthreads_or
#define syncthreads_or reap__name_syncthreads_or

/* Names of the C library that are not in the dialect */
#undef malloc
#define malloc reap__name_malloc
#undef free
#define free reap__name_free
#undef memcpy
#define memcpy reap__name_memcpy
#undef memset
#define memset reap__name_memset
#undef printf
#define printf reap__name_printf

/* Others */
#undef cuda
#define cuda reap__name_cuda
#undef nv
#define nv reap__name_nv
#undef decode
#define decode reap__name_decode
#undef libraryPropertyType
#define libraryPropertyType reap__name_libraryPropertyType
#undef libraryPropertyType_t
#define libraryPropertyType_t reap__name_libraryPropertyType_t
#undef MAJOR_VERSION
#define MAJOR_VERSION reap__name_MAJOR_VERSION
#undef MINOR_VERSION
#define MINOR_VERSION reap__name_MINOR_VERSION
#undef PATCH_LEVEL
#define PATCH_LEVEL reap__name_PATCH_LEVEL

#endif
