/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that NVRTC declares before a text begins and that C's <math.h> does not have: a kernel
 * may use their names. A part of names.h.
 */
#ifndef REAP_DETAIL_CUDA_NAMES_FUNCTIONS_H
#define REAP_DETAIL_CUDA_NAMES_FUNCTIONS_H

/* Mathematics and integers */
#undef cospi
#define cospi reap__name_cospi
#undef cospif
#define cospif reap__name_cospif
#undef cyl_bessel_i0
#define cyl_bessel_i0 reap__name_cyl_bessel_i0
#undef cyl_bessel_i0f
#define cyl_bessel_i0f reap__name_cyl_bessel_i0f
#undef cyl_bessel_i1
#define cyl_bessel_i1 reap__name_cyl_bessel_i1
#undef cyl_bessel_i1f
#define cyl_bessel_i1f reap__name_cyl_bessel_i1f
#undef dadd
#define dadd reap__name_dadd
#undef dmul
#define dmul reap__name_dmul
#undef double2int
#define double2int reap__name_double2int
#undef double2ll
#define double2ll reap__name_double2ll
#undef double2uint
#define double2uint reap__name_double2uint
#undef double2ull
#define double2ull reap__name_double2ull
#undef dsub
#define dsub reap__name_dsub
#undef erfcinv
#define erfcinv reap__name_erfcinv
#undef erfcinvf
#define erfcinvf reap__name_erfcinvf
#undef erfcx
#define erfcx reap__name_erfcx
#undef erfcxf
#define erfcxf reap__name_erfcxf
#undef erfinv
#define erfinv reap__name_erfinv
#undef erfinvf
#define erfinvf reap__name_erfinvf
#undef exp10
#define exp10 reap__name_exp10
#undef exp10f
#define exp10f reap__name_exp10f
#undef fdivide
#define fdivide reap__name_fdivide
#undef fdividef
#define fdividef reap__name_fdividef
#undef float2double
#define float2double reap__name_float2double
#undef int2double
#define int2double reap__name_int2double
#undef j0
#define j0 reap__name_j0
#undef j0f
#define j0f reap__name_j0f
#undef j1
#define j1 reap__name_j1
#undef j1f
#define j1f reap__name_j1f
#undef jn
#define jn reap__name_jn
#undef jnf
#define jnf reap__name_jnf
#undef ll2double
#define ll2double reap__name_ll2double
#undef llmax
#define llmax reap__name_llmax
#undef llmin
#define llmin reap__name_llmin
#undef max
#define max reap__name_max
#undef min
#define min reap__name_min
#undef norm
#define norm reap__name_norm
#undef norm3d
#define norm3d reap__name_norm3d
#undef norm3df
#define norm3df reap__name_norm3df
#undef norm4d
#define norm4d reap__name_norm4d
#undef norm4df
#define norm4df reap__name_norm4df
#undef normcdf
#define normcdf reap__name_normcdf
#undef normcdff
#define normcdff reap__name_normcdff
#undef normcdfinv
#define normcdfinv reap__name_normcdfinv
#undef normcdfinvf
#define normcdfinvf reap__name_normcdfinvf
#undef normf
#define normf reap__name_normf
#undef rcbrt
#define rcbrt reap__name_rcbrt
#undef rcbrtf
#define rcbrtf reap__name_rcbrtf
#undef rhypot
#define rhypot reap__name_rhypot
#undef rhypotf
#define rhypotf reap__name_rhypotf
#undef rnorm
#define rnorm reap__name_rnorm
#undef rnorm3d
#define rnorm3d reap__name_rnorm3d
#undef rnorm3df
#define rnorm3df reap__name_rnorm3df
#undef rnorm4d
#define rnorm4d reap__name_rnorm4d
#undef rnorm4df
#define rnorm4df reap__name_rnorm4df
#undef rnormf
#define rnormf reap__name_rnormf
#undef rsqrt
#define rsqrt reap__name_rsqrt
#undef rsqrtf
#define rsqrtf reap__name_rsqrtf
#undef sincos
#define sincos reap__name_sincos
#undef sincosf
#define sincosf reap__name_sincosf
#undef sincospi
#define sincospi reap__name_sincospi
#undef sincospif
#define sincospif reap__name_sincospif
#undef sinpi
#define sinpi reap__name_sinpi
#undef sinpif
#define sinpif reap__name_sinpif
#undef uint2double
#define uint2double reap__name_uint2double
#undef ull2double
#define ull2double reap__name_ull2double
#undef ullmax
#define ullmax reap__name_ullmax
#undef ullmin
#define ullmin reap__name_ullmin
#undef umax
#define umax reap__name_umax
#undef umin
#define umin reap__name_umin
#undef y0
#define y0 reap__name_y0
#undef y0f
#define y0f reap__name_y0f
#undef y1
#define y1 reap__name_y1
#undef y1f
#define y1f reap__name_y1f
#undef yn
#define yn reap__name_yn
#undef ynf
#define ynf reap__name_ynf

/* Vectors */
#undef make_char1
#define make_char1 reap__name_make_char1
#undef make_char2
#define make_char2 reap__name_make_char2
#undef make_char3
#define make_char3 reap__name_make_char3
#undef make_char4
#define make_char4 reap__name_make_char4
#undef make_uchar1
#define make_uchar1 reap__name_make_uchar1
#undef make_uchar2
#define make_uchar2 reap__name_make_uchar2
#undef make_uchar3
#define make_uchar3 reap__name_make_uchar3
#undef make_uchar4
#define make_uchar4 reap__name_make_uchar4
#undef make_short1
#define make_short1 reap__name_make_short1
#undef make_short2
#define make_short2 reap__name_make_short2
#undef make_short3
#define make_short3 reap__name_make_short3
#undef make_short4
#define make_short4 reap__name_make_short4
#undef make_ushort1
#define make_ushort1 reap__name_make_ushort1
#undef make_ushort2
#define make_ushort2 reap__name_make_ushort2
#undef make_ushort3
#define make_ushort3 reap__name_make_ushort3
#undef make_ushort4
#define make_ushort4 reap__name_make_ushort4
#undef make_int1
#define make_int1 reap__name_make_int1
#undef make_int2
#define make_int2 reap__name_make_int2
#undef make_int3
#define make_int3 reap__name_make_int3
#undef make_int4
#define make_int4 reap__name_make_int4
#undef make_uint1
#define make_uint1 reap__name_make_uint1
#undef make_uint2
#define make_uint2 reap__name_make_uint2
#undef make_uint3
#define make_uint3 reap__name_make_uint3
#undef make_uint4
#define make_uint4 reap__name_make_uint4
#undef make_long1
#define make_long1 reap__name_make_long1
#undef make_long2
#define make_long2 reap__name_make_long2
#undef make_long3
#define make_long3 reap__name_make_long3
#undef make_long4
#define make_long4 reap__name_make_long4
#undef make_ulong1
#define make_ulong1 reap__name_make_ulong1
#undef make_ulong2
#define make_ulong2 reap__name_make_ulong2
#undef make_ulong3
#define make_ulong3 reap__name_make_ulong3
#undef make_ulong4
#define make_ulong4 reap__name_make_ulong4
#undef make_longlong1
#define make_longlong1 reap__name_make_longlong1
#undef make_longlong2
#define make_longlong2 reap__name_make_longlong2
#undef make_longlong3
#define make_longlong3 reap__name_make_longlong3
#undef make_longlong4
#define make_longlong4 reap__name_make_longlong4
#undef make_ulonglong1
#define make_ulonglong1 reap__name_make_ulonglong1
#undef make_ulonglong2
#define make_ulonglong2 reap__name_make_ulonglong2
#undef make_ulonglong3
#define make_ulonglong3 reap__name_make_ulonglong3
#undef make_ulonglong4
#define make_ulonglong4 reap__name_make_ulonglong4
#undef make_float1
#define make_float1 reap__name_make_float1
#undef make_float2
#define make_float2 reap__name_make_float2
#undef make_float3
#define make_float3 reap__name_make_float3
#undef make_float4
#define make_float4 reap__name_make_float4
#undef make_double1
#define make_double1 reap__name_make_double1
#undef make_double2
#define make_double2 reap__name_make_double2
#undef make_double3
#define make_double3 reap__name_make_double3
#undef make_double4
#define make_double4 reap__name_make_double4
#undef make_long4_16a
#define make_long4_16a reap__name_make_long4_16a
#undef make_long4_32a
#define make_long4_32a reap__name_make_long4_32a
#undef make_ulong4_16a
#define make_ulong4_16a reap__name_make_ulong4_16a
#undef make_ulong4_32a
#define make_ulong4_32a reap__name_make_ulong4_32a
#undef make_longlong4_16a
#define make_longlong4_16a reap__name_make_longlong4_16a
#undef make_longlong4_32a
#define make_longlong4_32a reap__name_make_longlong4_32a
#undef make_ulonglong4_16a
#define make_ulonglong4_16a reap__name_make_ulonglong4_16a
#undef make_ulonglong4_32a
#define make_ulonglong4_32a reap__name_make_ulonglong4_32a
#undef make_double4_16a
#define make_double4_16a reap__name_make_double4_16a
#undef make_double4_32a
#define make_double4_32a reap__name_make_double4_32a

/* Atomics */
#undef atomicAdd
#define atomicAdd reap__name_atomicAdd
#undef atomicAdd_block
#define atomicAdd_block reap__name_atomicAdd_block
#undef atomicAdd_system
#define atomicAdd_system reap__name_atomicAdd_system
#undef atomicSub
#define atomicSub reap__name_atomicSub
#undef atomicSub_block
#define atomicSub_block reap__name_atomicSub_block
#undef atomicSub_system
#define atomicSub_system reap__name_atomicSub_system
#undef atomicExch
#define atomicExch reap__name_atomicExch
#undef atomicExch_block
#define atomicExch_block reap__name_atomicExch_block
#undef atomicExch_system
#define atomicExch_system reap__name_atomicExch_system
#undef atomicMin
#define atomicMin reap__name_atomicMin
#undef atomicMin_block
#define atomicMin_block reap__name_atomicMin_block
#undef atomicMin_system
#define atomicMin_system reap__name_atomicMin_system
#undef atomicMax
#define atomicMax reap__name_atomicMax
#undef atomicMax_block
#define atomicMax_block reap__name_atomicMax_block
#undef atomicMax_system
#define atomicMax_system reap__name_atomicMax_system
#undef atomicInc
#define atomicInc reap__name_atomicInc
#undef atomicInc_block
#define atomicInc_block reap__name_atomicInc_block
#undef atomicInc_system
#define atomicInc_system reap__name_atomicInc_system
#undef atomicDec
#define atomicDec reap__name_atomicDec
#undef atomicDec_block
#define atomicDec_block reap__name_atomicDec_block
#undef atomicDec_system
#define atomicDec_system reap__name_atomicDec_system
#undef atomicCAS
#define atomicCAS reap__name_atomicCAS
#undef atomicCAS_block
#define atomicCAS_block reap__name_atomicCAS_block
#undef atomicCAS_system
#define atomicCAS_system reap__name_atomicCAS_system
#undef atomicAnd
#define atomicAnd reap__name_atomicAnd
#undef atomicAnd_block
#define atomicAnd_block reap__name_atomicAnd_block
#undef atomicAnd_system
#define atomicAnd_system reap__name_atomicAnd_system
#undef atomicOr
#define atomicOr reap__name_atomicOr
#undef atomicOr_block
#define atomicOr_block reap__name_atomicOr_block
#undef atomicOr_system
#define atomicOr_system reap__name_atomicOr_system
#undef atomicXor
#define atomicXor reap__name_atomicXor
#undef atomicXor_block
#define atomicXor_block reap__name_atomicXor_block
#undef atomicXor_system
#define atomicXor_system reap__name_atomicXor_system

/* Textures and surfaces */
#undef surf1DLayeredread
#define surf1DLayeredread reap__name_surf1DLayeredread
#undef surf1DLayeredwrite
#define surf1DLayeredwrite reap__name_surf1DLayeredwrite
#undef surf1Dread
#define surf1Dread reap__name_surf1Dread
#undef surf1Dwrite
#define surf1Dwrite reap__name_surf1Dwrite
#undef surf2DLayeredread
#define surf2DLayeredread reap__name_surf2DLayeredread
#undef surf2DLayeredwrite
#define surf2DLayeredwrite reap__name_surf2DLayeredwrite
#undef surf2Dread
#define surf2Dread reap__name_surf2Dread
#undef surf2Dwrite
#define surf2Dwrite reap__name_surf2Dwrite
#undef surf3Dread
#define surf3Dread reap__name_surf3Dread
#undef surf3Dwrite
#define surf3Dwrite reap__name_surf3Dwrite
#undef surfCubemapLayeredread
#define surfCubemapLayeredread reap__name_surfCubemapLayeredread
#undef surfCubemapLayeredwrite
#define surfCubemapLayeredwrite reap__name_surfCubemapLayeredwrite
#undef surfCubemapread
#define surfCubemapread reap__name_surfCubemapread
#undef surfCubemapwrite
#define surfCubemapwrite reap__name_surfCubemapwrite
#undef tex1D
#define tex1D reap__name_tex1D
#undef tex1DGrad
#define tex1DGrad reap__name_tex1DGrad
#undef tex1DLayered
#define tex1DLayered reap__name_tex1DLayered
#undef tex1DLayeredGrad
#define tex1DLayeredGrad reap__name_tex1DLayeredGrad
#undef tex1DLayeredLod
#define tex1DLayeredLod reap__name_tex1DLayeredLod
#undef tex1DLod
#define tex1DLod reap__name_tex1DLod
#undef tex1Dfetch
#define tex1Dfetch reap__name_tex1Dfetch
#undef tex2D
#define tex2D reap__name_tex2D
#undef tex2DGrad
#define tex2DGrad reap__name_tex2DGrad
#undef tex2DLayered
#define tex2DLayered reap__name_tex2DLayered
#undef tex2DLayeredGrad
#define tex2DLayeredGrad reap__name_tex2DLayeredGrad
#undef tex2DLayeredLod
#define tex2DLayeredLod reap__name_tex2DLayeredLod
#undef tex2DLod
#define tex2DLod reap__name_tex2DLod
#undef tex2Dgather
#define tex2Dgather reap__name_tex2Dgather
#undef tex3D
#define tex3D reap__name_tex3D
#undef tex3DGrad
#define tex3DGrad reap__name_tex3DGrad
#undef tex3DLod
#define tex3DLod reap__name_tex3DLod
#undef texCubemap
#define texCubemap reap__name_texCubemap
#undef texCubemapGrad
#define texCubemapGrad reap__name_texCubemapGrad
#undef texCubemapLayered
#define texCubemapLayered reap__name_texCubemapLayered
#undef texCubemapLayeredGrad
#define texCubemapLayeredGrad reap__name_texCubemapLayeredGrad
#undef texCubemapLayeredLod
#define texCubemapLayeredLod reap__name_texCubemapLayeredLod
#undef texCubemapLod
#define texCubemapLod reap__name_texCubemapLod

#endif
