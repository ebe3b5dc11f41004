/* SPDX-License-Identifier: Apache-2.0
 *
 * Keywords and types of OpenCL that C does not have become ordinary names: a kernel may use them
 * for a variable, a parameter, a function, a type or a member. names_functions.h and names_memory.h
 * do the same for functions; math_names.h gives C's own names their meaning. This is the last of
 * the dialect's headers. Macros of the other headers, which expand after it, use none of these
 * names.
 */
#ifndef REAP_DETAIL_OPENCL_NAMES_H
#define REAP_DETAIL_OPENCL_NAMES_H

#include <reap/detail/device/math_names.h>
#include <reap/detail/opencl/names_functions.h>
#include <reap/detail/opencl/names_memory.h>

/* Keywords */
#undef kernel
#define kernel reap__name_kernel
#undef global
#define global reap__name_global
#undef local
#define local reap__name_local
#undef constant
#define constant reap__name_constant
#undef private
#define private reap__name_private
#undef generic
#define generic reap__name_generic
#undef read_only
#define read_only reap__name_read_only
#undef write_only
#define write_only reap__name_write_only
#undef read_write
#define read_write reap__name_read_write
#undef uniform
#define uniform reap__name_uniform
#undef pipe
#define pipe reap__name_pipe
#undef vec_step
#define vec_step reap__name_vec_step
#undef as_type
#define as_type reap__name_as_type
#undef addrspace_cast
#define addrspace_cast reap__name_addrspace_cast
#undef asm
#define asm reap__name_asm

/* Scalar types, and reserved names of types */
#undef uchar
#define uchar reap__name_uchar
#undef ushort
#define ushort reap__name_ushort
#undef uint
#define uint reap__name_uint
#undef ulong
#define ulong reap__name_ulong
#undef half
#define half reap__name_half
#undef quad
#define quad reap__name_quad
#undef complex
#define complex reap__name_complex
#undef imaginary
#define imaginary reap__name_imaginary

/* Vector types */
#undef char2
#define char2 reap__name_char2
#undef char3
#define char3 reap__name_char3
#undef char4
#define char4 reap__name_char4
#undef char8
#define char8 reap__name_char8
#undef char16
#define char16 reap__name_char16
#undef uchar2
#define uchar2 reap__name_uchar2
#undef uchar3
#define uchar3 reap__name_uchar3
#undef uchar4
#define uchar4 reap__name_uchar4
#undef uchar8
#define uchar8 reap__name_uchar8
#undef uchar16
#define uchar16 reap__name_uchar16
#undef short2
#define short2 reap__name_short2
#undef short3
#define short3 reap__name_short3
#undef short4
#define short4 reap__name_short4
#undef short8
#define short8 reap__name_short8
#undef short16
#define short16 reap__name_short16
#undef ushort2
#define ushort2 reap__name_ushort2
#undef ushort3
#define ushort3 reap__name_ushort3
#undef ushort4
#define ushort4 reap__name_ushort4
#undef ushort8
#define ushort8 reap__name_ushort8
#undef ushort16
#define ushort16 reap__name_ushort16
#undef int2
#define int2 reap__name_int2
#undef int3
#define int3 reap__name_int3
#undef int4
#define int4 reap__name_int4
#undef int8
#define int8 reap__name_int8
#undef int16
#define int16 reap__name_int16
#undef uint2
#define uint2 reap__name_uint2
#undef uint3
#define uint3 reap__name_uint3
#undef uint4
#define uint4 reap__name_uint4
#undef uint8
#define uint8 reap__name_uint8
#undef uint16
#define uint16 reap__name_uint16
#undef long2
#define long2 reap__name_long2
#undef long3
#define long3 reap__name_long3
#undef long4
#define long4 reap__name_long4
#undef long8
#define long8 reap__name_long8
#undef long16
#define long16 reap__name_long16
#undef ulong2
#define ulong2 reap__name_ulong2
#undef ulong3
#define ulong3 reap__name_ulong3
#undef ulong4
#define ulong4 reap__name_ulong4
#undef ulong8
#define ulong8 reap__name_ulong8
#undef ulong16
#define ulong16 reap__name_ulong16
#undef float2
#define float2 reap__name_float2
#undef float3
#define float3 reap__name_float3
#undef float4
#define float4 reap__name_float4
#undef float8
#define float8 reap__name_float8
#undef float16
#define float16 reap__name_float16
#undef double2
#define double2 reap__name_double2
#undef double3
#define double3 reap__name_double3
#undef double4
#define double4 reap__name_double4
#undef double8
#define double8 reap__name_double8
#undef double16
#define double16 reap__name_double16
#undef half2
#define half2 reap__name_half2
#undef half3
#define half3 reap__name_half3
#undef half4
#define half4 reap__name_half4
#undef half8
#define half8 reap__name_half8
#undef half16
#define half16 reap__name_half16

/* Images, samplers, events and queues */
#undef image1d_t
#define image1d_t reap__name_image1d_t
#undef image1d_array_t
#define image1d_array_t reap__name_image1d_array_t
#undef image1d_buffer_t
#define image1d_buffer_t reap__name_image1d_buffer_t
#undef image2d_t
#define image2d_t reap__name_image2d_t
#undef image2d_array_t
#define image2d_array_t reap__name_image2d_array_t
#undef image2d_depth_t
#define image2d_depth_t reap__name_image2d_depth_t
#undef image2d_array_depth_t
#define image2d_array_depth_t reap__name_image2d_array_depth_t
#undef image2d_msaa_t
#define image2d_msaa_t reap__name_image2d_msaa_t
#undef image2d_array_msaa_t
#define image2d_array_msaa_t reap__name_image2d_array_msaa_t
#undef image2d_msaa_depth_t
#define image2d_msaa_depth_t reap__name_image2d_msaa_depth_t
#undef image2d_array_msaa_depth_t
#define image2d_array_msaa_depth_t reap__name_image2d_array_msaa_depth_t
#undef image3d_t
#define image3d_t reap__name_image3d_t
#undef sampler_t
#define sampler_t reap__name_sampler_t
#undef event_t
#define event_t reap__name_event_t
#undef queue_t
#define queue_t reap__name_queue_t
#undef ndrange_t
#define ndrange_t reap__name_ndrange_t
#undef clk_event_t
#define clk_event_t reap__name_clk_event_t
#undef reserve_id_t
#define reserve_id_t reap__name_reserve_id_t
#undef clk_profiling_info
#define clk_profiling_info reap__name_clk_profiling_info
#undef kernel_enqueue_flags_t
#define kernel_enqueue_flags_t reap__name_kernel_enqueue_flags_t
#undef cl_mem_fence_flags
#define cl_mem_fence_flags reap__name_cl_mem_fence_flags

/* OpenCL C 2.0's atomic types */
#undef atomic_int
#define atomic_int reap__name_atomic_int
#undef atomic_uint
#define atomic_uint reap__name_atomic_uint
#undef atomic_long
#define atomic_long reap__name_atomic_long
#undef atomic_ulong
#define atomic_ulong reap__name_atomic_ulong
#undef atomic_float
#define atomic_float reap__name_atomic_float
#undef atomic_double
#define atomic_double reap__name_atomic_double
#undef atomic_half
#define atomic_half reap__name_atomic_half
#undef atomic_flag
#define atomic_flag reap__name_atomic_flag
#undef atomic_intptr_t
#define atomic_intptr_t reap__name_atomic_intptr_t
#undef atomic_uintptr_t
#define atomic_uintptr_t reap__name_atomic_uintptr_t
#undef atomic_size_t
#define atomic_size_t reap__name_atomic_size_t
#undef atomic_ptrdiff_t
#define atomic_ptrdiff_t reap__name_atomic_ptrdiff_t
#undef memory_order
#define memory_order reap__name_memory_order
#undef memory_order_relaxed
#define memory_order_relaxed reap__name_memory_order_relaxed
#undef memory_order_acquire
#define memory_order_acquire reap__name_memory_order_acquire
#undef memory_order_release
#define memory_order_release reap__name_memory_order_release
#undef memory_order_acq_rel
#define memory_order_acq_rel reap__name_memory_order_acq_rel
#undef memory_order_seq_cst
#define memory_order_seq_cst reap__name_memory_order_seq_cst
#undef memory_order_consume
#define memory_order_consume reap__name_memory_order_consume
#undef memory_scope
#define memory_scope reap__name_memory_scope
#undef memory_scope_work_item
#define memory_scope_work_item reap__name_memory_scope_work_item
#undef memory_scope_sub_group
#define memory_scope_sub_group reap__name_memory_scope_sub_group
#undef memory_scope_work_group
#define memory_scope_work_group reap__name_memory_scope_work_group
#undef memory_scope_device
#define memory_scope_device reap__name_memory_scope_device
#undef memory_scope_all_svm_devices
#define memory_scope_all_svm_devices reap__name_memory_scope_all_svm_devices
#undef memory_scope_all_devices
#define memory_scope_all_devices reap__name_memory_scope_all_devices

#endif
