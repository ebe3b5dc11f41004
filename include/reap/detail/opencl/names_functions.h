/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's built-in functions of values and of work-items that C does not have: a kernel may use
 * their names. A part of names.h.
 */
#ifndef REAP_DETAIL_OPENCL_NAMES_FUNCTIONS_H
#define REAP_DETAIL_OPENCL_NAMES_FUNCTIONS_H

/* Mathematics */
#undef acospi
#define acospi reap__name_acospi
#undef asinpi
#define asinpi reap__name_asinpi
#undef atanpi
#define atanpi reap__name_atanpi
#undef atan2pi
#define atan2pi reap__name_atan2pi
#undef cospi
#define cospi reap__name_cospi
#undef sinpi
#define sinpi reap__name_sinpi
#undef tanpi
#define tanpi reap__name_tanpi
#undef exp10
#define exp10 reap__name_exp10
#undef fract
#define fract reap__name_fract
#undef lgamma_r
#define lgamma_r reap__name_lgamma_r
#undef mad
#define mad reap__name_mad
#undef maxmag
#define maxmag reap__name_maxmag
#undef minmag
#define minmag reap__name_minmag
#undef pown
#define pown reap__name_pown
#undef powr
#define powr reap__name_powr
#undef rootn
#define rootn reap__name_rootn
#undef rsqrt
#define rsqrt reap__name_rsqrt
#undef sincos
#define sincos reap__name_sincos
#undef native_cos
#define native_cos reap__name_native_cos
#undef native_divide
#define native_divide reap__name_native_divide
#undef native_exp
#define native_exp reap__name_native_exp
#undef native_exp2
#define native_exp2 reap__name_native_exp2
#undef native_exp10
#define native_exp10 reap__name_native_exp10
#undef native_log
#define native_log reap__name_native_log
#undef native_log2
#define native_log2 reap__name_native_log2
#undef native_log10
#define native_log10 reap__name_native_log10
#undef native_powr
#define native_powr reap__name_native_powr
#undef native_recip
#define native_recip reap__name_native_recip
#undef native_rsqrt
#define native_rsqrt reap__name_native_rsqrt
#undef native_sin
#define native_sin reap__name_native_sin
#undef native_sqrt
#define native_sqrt reap__name_native_sqrt
#undef native_tan
#define native_tan reap__name_native_tan
#undef half_cos
#define half_cos reap__name_half_cos
#undef half_divide
#define half_divide reap__name_half_divide
#undef half_exp
#define half_exp reap__name_half_exp
#undef half_exp2
#define half_exp2 reap__name_half_exp2
#undef half_exp10
#define half_exp10 reap__name_half_exp10
#undef half_log
#define half_log reap__name_half_log
#undef half_log2
#define half_log2 reap__name_half_log2
#undef half_log10
#define half_log10 reap__name_half_log10
#undef half_powr
#define half_powr reap__name_half_powr
#undef half_recip
#define half_recip reap__name_half_recip
#undef half_rsqrt
#define half_rsqrt reap__name_half_rsqrt
#undef half_sin
#define half_sin reap__name_half_sin
#undef half_sqrt
#define half_sqrt reap__name_half_sqrt
#undef half_tan
#define half_tan reap__name_half_tan

/* Common and geometric functions */
#undef clamp
#define clamp reap__name_clamp
#undef degrees
#define degrees reap__name_degrees
#undef max
#define max reap__name_max
#undef min
#define min reap__name_min
#undef mix
#define mix reap__name_mix
#undef radians
#define radians reap__name_radians
#undef step
#define step reap__name_step
#undef smoothstep
#define smoothstep reap__name_smoothstep
#undef sign
#define sign reap__name_sign
#undef cross
#define cross reap__name_cross
#undef dot
#define dot reap__name_dot
#undef distance
#define distance reap__name_distance
#undef length
#define length reap__name_length
#undef normalize
#define normalize reap__name_normalize
#undef fast_distance
#define fast_distance reap__name_fast_distance
#undef fast_length
#define fast_length reap__name_fast_length
#undef fast_normalize
#define fast_normalize reap__name_fast_normalize

/* Relations */
#undef isequal
#define isequal reap__name_isequal
#undef isnotequal
#define isnotequal reap__name_isnotequal
#undef isordered
#define isordered reap__name_isordered
#undef any
#define any reap__name_any
#undef all
#define all reap__name_all
#undef bitselect
#define bitselect reap__name_bitselect
#undef select
#define select reap__name_select

/* Integers */
#undef abs_diff
#define abs_diff reap__name_abs_diff
#undef add_sat
#define add_sat reap__name_add_sat
#undef sub_sat
#define sub_sat reap__name_sub_sat
#undef hadd
#define hadd reap__name_hadd
#undef rhadd
#define rhadd reap__name_rhadd
#undef clz
#define clz reap__name_clz
#undef ctz
#define ctz reap__name_ctz
#undef popcount
#define popcount reap__name_popcount
#undef rotate
#define rotate reap__name_rotate
#undef mad24
#define mad24 reap__name_mad24
#undef mul24
#define mul24 reap__name_mul24
#undef mad_hi
#define mad_hi reap__name_mad_hi
#undef mul_hi
#define mul_hi reap__name_mul_hi
#undef mad_sat
#define mad_sat reap__name_mad_sat
#undef upsample
#define upsample reap__name_upsample
#undef dot_acc_sat
#define dot_acc_sat reap__name_dot_acc_sat
#undef bit_reverse
#define bit_reverse reap__name_bit_reverse
#undef bitfield_insert
#define bitfield_insert reap__name_bitfield_insert
#undef bitfield_extract_signed
#define bitfield_extract_signed reap__name_bitfield_extract_signed
#undef bitfield_extract_unsigned
#define bitfield_extract_unsigned reap__name_bitfield_extract_unsigned
#undef ballot
#define ballot reap__name_ballot

/* Work-items */
#undef get_work_dim
#define get_work_dim reap__name_get_work_dim
#undef get_global_size
#define get_global_size reap__name_get_global_size
#undef get_global_id
#define get_global_id reap__name_get_global_id
#undef get_global_offset
#define get_global_offset reap__name_get_global_offset
#undef get_global_linear_id
#define get_global_linear_id reap__name_get_global_linear_id
#undef get_local_size
#define get_local_size reap__name_get_local_size
#undef get_enqueued_local_size
#define get_enqueued_local_size reap__name_get_enqueued_local_size
#undef get_local_id
#define get_local_id reap__name_get_local_id
#undef get_local_linear_id
#define get_local_linear_id reap__name_get_local_linear_id
#undef get_num_groups
#define get_num_groups reap__name_get_num_groups
#undef get_group_id
#define get_group_id reap__name_get_group_id
#undef get_sub_group_size
#define get_sub_group_size reap__name_get_sub_group_size
#undef get_max_sub_group_size
#define get_max_sub_group_size reap__name_get_max_sub_group_size
#undef get_num_sub_groups
#define get_num_sub_groups reap__name_get_num_sub_groups
#undef get_enqueued_num_sub_groups
#define get_enqueued_num_sub_groups reap__name_get_enqueued_num_sub_groups
#undef get_sub_group_id
#define get_sub_group_id reap__name_get_sub_group_id
#undef get_sub_group_local_id
#define get_sub_group_local_id reap__name_get_sub_group_local_id
#undef get_default_queue
#define get_default_queue reap__name_get_default_queue

/* Groups */
#undef barrier
#define barrier reap__name_barrier
#undef work_group_barrier
#define work_group_barrier reap__name_work_group_barrier
#undef sub_group_barrier
#define sub_group_barrier reap__name_sub_group_barrier
#undef mem_fence
#define mem_fence reap__name_mem_fence
#undef read_mem_fence
#define read_mem_fence reap__name_read_mem_fence
#undef write_mem_fence
#define write_mem_fence reap__name_write_mem_fence
#undef work_group_all
#define work_group_all reap__name_work_group_all
#undef work_group_any
#define work_group_any reap__name_work_group_any
#undef work_group_broadcast
#define work_group_broadcast reap__name_work_group_broadcast
#undef sub_group_all
#define sub_group_all reap__name_sub_group_all
#undef sub_group_any
#define sub_group_any reap__name_sub_group_any
#undef sub_group_broadcast
#define sub_group_broadcast reap__name_sub_group_broadcast
#undef sub_group_shuffle
#define sub_group_shuffle reap__name_sub_group_shuffle
#undef sub_group_shuffle_xor
#define sub_group_shuffle_xor reap__name_sub_group_shuffle_xor
#undef sub_group_shuffle_up
#define sub_group_shuffle_up reap__name_sub_group_shuffle_up
#undef sub_group_shuffle_down
#define sub_group_shuffle_down reap__name_sub_group_shuffle_down
#undef sub_group_ballot
#define sub_group_ballot reap__name_sub_group_ballot
#undef sub_group_elect
#define sub_group_elect reap__name_sub_group_elect
#undef work_group_reduce_add
#define work_group_reduce_add reap__name_work_group_reduce_add
#undef work_group_reduce_min
#define work_group_reduce_min reap__name_work_group_reduce_min
#undef work_group_reduce_max
#define work_group_reduce_max reap__name_work_group_reduce_max
#undef work_group_scan_inclusive_add
#define work_group_scan_inclusive_add reap__name_work_group_scan_inclusive_add
#undef work_group_scan_inclusive_min
#define work_group_scan_inclusive_min reap__name_work_group_scan_inclusive_min
#undef work_group_scan_inclusive_max
#define work_group_scan_inclusive_max reap__name_work_group_scan_inclusive_max
#undef work_group_scan_exclusive_add
#define work_group_scan_exclusive_add reap__name_work_group_scan_exclusive_add
#undef work_group_scan_exclusive_min
#define work_group_scan_exclusive_min reap__name_work_group_scan_exclusive_min
#undef work_group_scan_exclusive_max
#define work_group_scan_exclusive_max reap__name_work_group_scan_exclusive_max
#undef sub_group_reduce_add
#define sub_group_reduce_add reap__name_sub_group_reduce_add
#undef sub_group_reduce_min
#define sub_group_reduce_min reap__name_sub_group_reduce_min
#undef sub_group_reduce_max
#define sub_group_reduce_max reap__name_sub_group_reduce_max
#undef sub_group_scan_inclusive_add
#define sub_group_scan_inclusive_add reap__name_sub_group_scan_inclusive_add
#undef sub_group_scan_inclusive_min
#define sub_group_scan_inclusive_min reap__name_sub_group_scan_inclusive_min
#undef sub_group_scan_inclusive_max
#define sub_group_scan_inclusive_max reap__name_sub_group_scan_inclusive_max
#undef sub_group_scan_exclusive_add
#define sub_group_scan_exclusive_add reap__name_sub_group_scan_exclusive_add
#undef sub_group_scan_exclusive_min
#define sub_group_scan_exclusive_min reap__name_sub_group_scan_exclusive_min
#undef sub_group_scan_exclusive_max
#define sub_group_scan_exclusive_max reap__name_sub_group_scan_exclusive_max

/* Others */
#undef printf
#define printf reap__name_printf
#undef shuffle
#define shuffle reap__name_shuffle
#undef shuffle2
#define shuffle2 reap__name_shuffle2
#undef kernel_exec
#define kernel_exec reap__name_kernel_exec

/* PoCL's and clang's constants */
#undef M_E_F
#define M_E_F reap__name_M_E_F
#undef M_LOG2E_F
#define M_LOG2E_F reap__name_M_LOG2E_F
#undef M_LOG10E_F
#define M_LOG10E_F reap__name_M_LOG10E_F
#undef M_LN2_F
#define M_LN2_F reap__name_M_LN2_F
#undef M_LN10_F
#define M_LN10_F reap__name_M_LN10_F
#undef M_PI_F
#define M_PI_F reap__name_M_PI_F
#undef M_PI_2_F
#define M_PI_2_F reap__name_M_PI_2_F
#undef M_PI_4_F
#define M_PI_4_F reap__name_M_PI_4_F
#undef M_1_PI_F
#define M_1_PI_F reap__name_M_1_PI_F
#undef M_2_PI_F
#define M_2_PI_F reap__name_M_2_PI_F
#undef M_2_SQRTPI_F
#define M_2_SQRTPI_F reap__name_M_2_SQRTPI_F
#undef M_SQRT2_F
#define M_SQRT2_F reap__name_M_SQRT2_F
#undef M_SQRT1_2_F
#define M_SQRT1_2_F reap__name_M_SQRT1_2_F
#undef INTTYPE
#define INTTYPE reap__name_INTTYPE

#endif
