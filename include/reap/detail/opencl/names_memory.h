/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's built-in functions of memory, including conversions: a kernel may use their names. A
 * part of names.h.
 */
#ifndef REAP_DETAIL_OPENCL_NAMES_MEMORY_H
#define REAP_DETAIL_OPENCL_NAMES_MEMORY_H

/* Vectors */
#undef vload2
#define vload2 reap__name_vload2
#undef vload3
#define vload3 reap__name_vload3
#undef vload4
#define vload4 reap__name_vload4
#undef vload8
#define vload8 reap__name_vload8
#undef vload16
#define vload16 reap__name_vload16
#undef vstore2
#define vstore2 reap__name_vstore2
#undef vstore3
#define vstore3 reap__name_vstore3
#undef vstore4
#define vstore4 reap__name_vstore4
#undef vstore8
#define vstore8 reap__name_vstore8
#undef vstore16
#define vstore16 reap__name_vstore16
#undef vload_half
#define vload_half reap__name_vload_half
#undef vload_half2
#define vload_half2 reap__name_vload_half2
#undef vload_half3
#define vload_half3 reap__name_vload_half3
#undef vload_half4
#define vload_half4 reap__name_vload_half4
#undef vload_half8
#define vload_half8 reap__name_vload_half8
#undef vload_half16
#define vload_half16 reap__name_vload_half16
#undef vstore_half
#define vstore_half reap__name_vstore_half
#undef vstore_half2
#define vstore_half2 reap__name_vstore_half2
#undef vstore_half3
#define vstore_half3 reap__name_vstore_half3
#undef vstore_half4
#define vstore_half4 reap__name_vstore_half4
#undef vstore_half8
#define vstore_half8 reap__name_vstore_half8
#undef vstore_half16
#define vstore_half16 reap__name_vstore_half16
#undef vloada_half2
#define vloada_half2 reap__name_vloada_half2
#undef vloada_half3
#define vloada_half3 reap__name_vloada_half3
#undef vloada_half4
#define vloada_half4 reap__name_vloada_half4
#undef vloada_half8
#define vloada_half8 reap__name_vloada_half8
#undef vloada_half16
#define vloada_half16 reap__name_vloada_half16
#undef vstorea_half2
#define vstorea_half2 reap__name_vstorea_half2
#undef vstorea_half3
#define vstorea_half3 reap__name_vstorea_half3
#undef vstorea_half4
#define vstorea_half4 reap__name_vstorea_half4
#undef vstorea_half8
#define vstorea_half8 reap__name_vstorea_half8
#undef vstorea_half16
#define vstorea_half16 reap__name_vstorea_half16

/* Copies */
#undef async_work_group_copy
#define async_work_group_copy reap__name_async_work_group_copy
#undef async_work_group_strided_copy
#define async_work_group_strided_copy reap__name_async_work_group_strided_copy
#undef wait_group_events
#define wait_group_events reap__name_wait_group_events
#undef prefetch
#define prefetch reap__name_prefetch
#undef to_global
#define to_global reap__name_to_global
#undef to_local
#define to_local reap__name_to_local
#undef to_private
#define to_private reap__name_to_private
#undef get_fence
#define get_fence reap__name_get_fence

/* Atomics */
#undef atomic_add
#define atomic_add reap__name_atomic_add
#undef atomic_sub
#define atomic_sub reap__name_atomic_sub
#undef atomic_xchg
#define atomic_xchg reap__name_atomic_xchg
#undef atomic_inc
#define atomic_inc reap__name_atomic_inc
#undef atomic_dec
#define atomic_dec reap__name_atomic_dec
#undef atomic_cmpxchg
#define atomic_cmpxchg reap__name_atomic_cmpxchg
#undef atomic_min
#define atomic_min reap__name_atomic_min
#undef atomic_max
#define atomic_max reap__name_atomic_max
#undef atomic_and
#define atomic_and reap__name_atomic_and
#undef atomic_or
#define atomic_or reap__name_atomic_or
#undef atomic_xor
#define atomic_xor reap__name_atomic_xor
#undef atom_add
#define atom_add reap__name_atom_add
#undef atom_sub
#define atom_sub reap__name_atom_sub
#undef atom_xchg
#define atom_xchg reap__name_atom_xchg
#undef atom_inc
#define atom_inc reap__name_atom_inc
#undef atom_dec
#define atom_dec reap__name_atom_dec
#undef atom_cmpxchg
#define atom_cmpxchg reap__name_atom_cmpxchg
#undef atom_min
#define atom_min reap__name_atom_min
#undef atom_max
#define atom_max reap__name_atom_max
#undef atom_and
#define atom_and reap__name_atom_and
#undef atom_or
#define atom_or reap__name_atom_or
#undef atom_xor
#define atom_xor reap__name_atom_xor
#undef atomic_load
#define atomic_load reap__name_atomic_load
#undef atomic_load_explicit
#define atomic_load_explicit reap__name_atomic_load_explicit
#undef atomic_store
#define atomic_store reap__name_atomic_store
#undef atomic_store_explicit
#define atomic_store_explicit reap__name_atomic_store_explicit
#undef atomic_exchange
#define atomic_exchange reap__name_atomic_exchange
#undef atomic_exchange_explicit
#define atomic_exchange_explicit reap__name_atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#define atomic_compare_exchange_strong reap__name_atomic_compare_exchange_strong
#undef atomic_compare_exchange_strong_explicit
#define atomic_compare_exchange_strong_explicit reap__name_atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak
#define atomic_compare_exchange_weak reap__name_atomic_compare_exchange_weak
#undef atomic_compare_exchange_weak_explicit
#define atomic_compare_exchange_weak_explicit reap__name_atomic_compare_exchange_weak_explicit
#undef atomic_fetch_add
#define atomic_fetch_add reap__name_atomic_fetch_add
#undef atomic_fetch_add_explicit
#define atomic_fetch_add_explicit reap__name_atomic_fetch_add_explicit
#undef atomic_fetch_sub
#define atomic_fetch_sub reap__name_atomic_fetch_sub
#undef atomic_fetch_sub_explicit
#define atomic_fetch_sub_explicit reap__name_atomic_fetch_sub_explicit
#undef atomic_fetch_and
#define atomic_fetch_and reap__name_atomic_fetch_and
#undef atomic_fetch_and_explicit
#define atomic_fetch_and_explicit reap__name_atomic_fetch_and_explicit
#undef atomic_fetch_or
#define atomic_fetch_or reap__name_atomic_fetch_or
#undef atomic_fetch_or_explicit
#define atomic_fetch_or_explicit reap__name_atomic_fetch_or_explicit
#undef atomic_fetch_xor
#define atomic_fetch_xor reap__name_atomic_fetch_xor
#undef atomic_fetch_xor_explicit
#define atomic_fetch_xor_explicit reap__name_atomic_fetch_xor_explicit
#undef atomic_fetch_min
#define atomic_fetch_min reap__name_atomic_fetch_min
#undef atomic_fetch_min_explicit
#define atomic_fetch_min_explicit reap__name_atomic_fetch_min_explicit
#undef atomic_fetch_max
#define atomic_fetch_max reap__name_atomic_fetch_max
#undef atomic_fetch_max_explicit
#define atomic_fetch_max_explicit reap__name_atomic_fetch_max_explicit
#undef atomic_flag_test_and_set
#define atomic_flag_test_and_set reap__name_atomic_flag_test_and_set
#undef atomic_flag_test_and_set_explicit
#define atomic_flag_test_and_set_explicit reap__name_atomic_flag_test_and_set_explicit
#undef atomic_flag_clear
#define atomic_flag_clear reap__name_atomic_flag_clear
#undef atomic_flag_clear_explicit
#define atomic_flag_clear_explicit reap__name_atomic_flag_clear_explicit
#undef atomic_init
#define atomic_init reap__name_atomic_init
#undef atomic_work_item_fence
#define atomic_work_item_fence reap__name_atomic_work_item_fence

/* Images */
#undef read_imagef
#define read_imagef reap__name_read_imagef
#undef read_imagei
#define read_imagei reap__name_read_imagei
#undef read_imageui
#define read_imageui reap__name_read_imageui
#undef read_imageh
#define read_imageh reap__name_read_imageh
#undef write_imagef
#define write_imagef reap__name_write_imagef
#undef write_imagei
#define write_imagei reap__name_write_imagei
#undef write_imageui
#define write_imageui reap__name_write_imageui
#undef write_imageh
#define write_imageh reap__name_write_imageh
#undef get_image_width
#define get_image_width reap__name_get_image_width
#undef get_image_height
#define get_image_height reap__name_get_image_height
#undef get_image_depth
#define get_image_depth reap__name_get_image_depth
#undef get_image_dim
#define get_image_dim reap__name_get_image_dim
#undef get_image_channel_data_type
#define get_image_channel_data_type reap__name_get_image_channel_data_type
#undef get_image_channel_order
#define get_image_channel_order reap__name_get_image_channel_order
#undef get_image_array_size
#define get_image_array_size reap__name_get_image_array_size
#undef get_image_num_mip_levels
#define get_image_num_mip_levels reap__name_get_image_num_mip_levels
#undef get_image_num_samples
#define get_image_num_samples reap__name_get_image_num_samples

/* Conversions */
#undef convert_char
#define convert_char reap__name_convert_char
#undef convert_char2
#define convert_char2 reap__name_convert_char2
#undef convert_char3
#define convert_char3 reap__name_convert_char3
#undef convert_char4
#define convert_char4 reap__name_convert_char4
#undef convert_char8
#define convert_char8 reap__name_convert_char8
#undef convert_char16
#define convert_char16 reap__name_convert_char16
#undef convert_uchar
#define convert_uchar reap__name_convert_uchar
#undef convert_uchar2
#define convert_uchar2 reap__name_convert_uchar2
#undef convert_uchar3
#define convert_uchar3 reap__name_convert_uchar3
#undef convert_uchar4
#define convert_uchar4 reap__name_convert_uchar4
#undef convert_uchar8
#define convert_uchar8 reap__name_convert_uchar8
#undef convert_uchar16
#define convert_uchar16 reap__name_convert_uchar16
#undef convert_short
#define convert_short reap__name_convert_short
#undef convert_short2
#define convert_short2 reap__name_convert_short2
#undef convert_short3
#define convert_short3 reap__name_convert_short3
#undef convert_short4
#define convert_short4 reap__name_convert_short4
#undef convert_short8
#define convert_short8 reap__name_convert_short8
#undef convert_short16
#define convert_short16 reap__name_convert_short16
#undef convert_ushort
#define convert_ushort reap__name_convert_ushort
#undef convert_ushort2
#define convert_ushort2 reap__name_convert_ushort2
#undef convert_ushort3
#define convert_ushort3 reap__name_convert_ushort3
#undef convert_ushort4
#define convert_ushort4 reap__name_convert_ushort4
#undef convert_ushort8
#define convert_ushort8 reap__name_convert_ushort8
#undef convert_ushort16
#define convert_ushort16 reap__name_convert_ushort16
#undef convert_int
#define convert_int reap__name_convert_int
#undef convert_int2
#define convert_int2 reap__name_convert_int2
#undef convert_int3
#define convert_int3 reap__name_convert_int3
#undef convert_int4
#define convert_int4 reap__name_convert_int4
#undef convert_int8
#define convert_int8 reap__name_convert_int8
#undef convert_int16
#define convert_int16 reap__name_convert_int16
#undef convert_uint
#define convert_uint reap__name_convert_uint
#undef convert_uint2
#define convert_uint2 reap__name_convert_uint2
#undef convert_uint3
#define convert_uint3 reap__name_convert_uint3
#undef convert_uint4
#define convert_uint4 reap__name_convert_uint4
#undef convert_uint8
#define convert_uint8 reap__name_convert_uint8
#undef convert_uint16
#define convert_uint16 reap__name_convert_uint16
#undef convert_long
#define convert_long reap__name_convert_long
#undef convert_long2
#define convert_long2 reap__name_convert_long2
#undef convert_long3
#define convert_long3 reap__name_convert_long3
#undef convert_long4
#define convert_long4 reap__name_convert_long4
#undef convert_long8
#define convert_long8 reap__name_convert_long8
#undef convert_long16
#define convert_long16 reap__name_convert_long16
#undef convert_ulong
#define convert_ulong reap__name_convert_ulong
#undef convert_ulong2
#define convert_ulong2 reap__name_convert_ulong2
#undef convert_ulong3
#define convert_ulong3 reap__name_convert_ulong3
#undef convert_ulong4
#define convert_ulong4 reap__name_convert_ulong4
#undef convert_ulong8
#define convert_ulong8 reap__name_convert_ulong8
#undef convert_ulong16
#define convert_ulong16 reap__name_convert_ulong16
#undef convert_float
#define convert_float reap__name_convert_float
#undef convert_float2
#define convert_float2 reap__name_convert_float2
#undef convert_float3
#define convert_float3 reap__name_convert_float3
#undef convert_float4
#define convert_float4 reap__name_convert_float4
#undef convert_float8
#define convert_float8 reap__name_convert_float8
#undef convert_float16
#define convert_float16 reap__name_convert_float16
#undef convert_double
#define convert_double reap__name_convert_double
#undef convert_double2
#define convert_double2 reap__name_convert_double2
#undef convert_double3
#define convert_double3 reap__name_convert_double3
#undef convert_double4
#define convert_double4 reap__name_convert_double4
#undef convert_double8
#define convert_double8 reap__name_convert_double8
#undef convert_double16
#define convert_double16 reap__name_convert_double16

/* Conversions that saturate */
#undef convert_char_sat
#define convert_char_sat reap__name_convert_char_sat
#undef convert_uchar_sat
#define convert_uchar_sat reap__name_convert_uchar_sat
#undef convert_short_sat
#define convert_short_sat reap__name_convert_short_sat
#undef convert_ushort_sat
#define convert_ushort_sat reap__name_convert_ushort_sat
#undef convert_int_sat
#define convert_int_sat reap__name_convert_int_sat
#undef convert_uint_sat
#define convert_uint_sat reap__name_convert_uint_sat
#undef convert_long_sat
#define convert_long_sat reap__name_convert_long_sat
#undef convert_ulong_sat
#define convert_ulong_sat reap__name_convert_ulong_sat

/* Bits as of another type */
#undef as_char
#define as_char reap__name_as_char
#undef as_char2
#define as_char2 reap__name_as_char2
#undef as_char3
#define as_char3 reap__name_as_char3
#undef as_char4
#define as_char4 reap__name_as_char4
#undef as_char8
#define as_char8 reap__name_as_char8
#undef as_char16
#define as_char16 reap__name_as_char16
#undef as_uchar
#define as_uchar reap__name_as_uchar
#undef as_uchar2
#define as_uchar2 reap__name_as_uchar2
#undef as_uchar3
#define as_uchar3 reap__name_as_uchar3
#undef as_uchar4
#define as_uchar4 reap__name_as_uchar4
#undef as_uchar8
#define as_uchar8 reap__name_as_uchar8
#undef as_uchar16
#define as_uchar16 reap__name_as_uchar16
#undef as_short
#define as_short reap__name_as_short
#undef as_short2
#define as_short2 reap__name_as_short2
#undef as_short3
#define as_short3 reap__name_as_short3
#undef as_short4
#define as_short4 reap__name_as_short4
#undef as_short8
#define as_short8 reap__name_as_short8
#undef as_short16
#define as_short16 reap__name_as_short16
#undef as_ushort
#define as_ushort reap__name_as_ushort
#undef as_ushort2
#define as_ushort2 reap__name_as_ushort2
#undef as_ushort3
#define as_ushort3 reap__name_as_ushort3
#undef as_ushort4
#define as_ushort4 reap__name_as_ushort4
#undef as_ushort8
#define as_ushort8 reap__name_as_ushort8
#undef as_ushort16
#define as_ushort16 reap__name_as_ushort16
#undef as_int
#define as_int reap__name_as_int
#undef as_int2
#define as_int2 reap__name_as_int2
#undef as_int3
#define as_int3 reap__name_as_int3
#undef as_int4
#define as_int4 reap__name_as_int4
#undef as_int8
#define as_int8 reap__name_as_int8
#undef as_int16
#define as_int16 reap__name_as_int16
#undef as_uint
#define as_uint reap__name_as_uint
#undef as_uint2
#define as_uint2 reap__name_as_uint2
#undef as_uint3
#define as_uint3 reap__name_as_uint3
#undef as_uint4
#define as_uint4 reap__name_as_uint4
#undef as_uint8
#define as_uint8 reap__name_as_uint8
#undef as_uint16
#define as_uint16 reap__name_as_uint16
#undef as_long
#define as_long reap__name_as_long
#undef as_long2
#define as_long2 reap__name_as_long2
#undef as_long3
#define as_long3 reap__name_as_long3
#undef as_long4
#define as_long4 reap__name_as_long4
#undef as_long8
#define as_long8 reap__name_as_long8
#undef as_long16
#define as_long16 reap__name_as_long16
#undef as_ulong
#define as_ulong reap__name_as_ulong
#undef as_ulong2
#define as_ulong2 reap__name_as_ulong2
#undef as_ulong3
#define as_ulong3 reap__name_as_ulong3
#undef as_ulong4
#define as_ulong4 reap__name_as_ulong4
#undef as_ulong8
#define as_ulong8 reap__name_as_ulong8
#undef as_ulong16
#define as_ulong16 reap__name_as_ulong16
#undef as_float
#define as_float reap__name_as_float
#undef as_float2
#define as_float2 reap__name_as_float2
#undef as_float3
#define as_float3 reap__name_as_float3
#undef as_float4
#define as_float4 reap__name_as_float4
#undef as_float8
#define as_float8 reap__name_as_float8
#undef as_float16
#define as_float16 reap__name_as_float16
#undef as_double
#define as_double reap__name_as_double
#undef as_double2
#define as_double2 reap__name_as_double2
#undef as_double3
#define as_double3 reap__name_as_double3
#undef as_double4
#define as_double4 reap__name_as_double4
#undef as_double8
#define as_double8 reap__name_as_double8
#undef as_double16
#define as_double16 reap__name_as_double16

#endif
