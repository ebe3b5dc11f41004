/* SPDX-License-Identifier: Apache-2.0
 *
 * Names that a device's compiler declares before a text begins and that C does not have. A kernel
 * may use them for a variable, a parameter, a function, a type or a member, so each one in its text
 * is defined as a macro, reap__name_NAME. The mathematical functions of C are defined as macros
 * with arguments, reap__math_NAME of opencl/math.h and cuda/math.h; variables, parameters and
 * kernels of these names are not affected.
 */
#include "src/accelerator/preprocess/preprocess.h"

#include "src/accelerator/preprocess/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names of OpenCL C, clang and PoCL --------------------------------------------------------*/

static const char opencl_types[] =
    /* Keywords */
    "kernel global local constant private generic read_only write_only read_write uniform pipe "
    "vec_step as_type addrspace_cast asm "
    /* Scalar types, and reserved names of types */
    "uchar ushort uint ulong half quad complex imaginary "
    /* Vector types */
    "char2 char3 char4 char8 char16 uchar2 uchar3 uchar4 uchar8 uchar16 short2 short3 short4 "
    "short8 short16 ushort2 ushort3 ushort4 ushort8 ushort16 int2 int3 int4 int8 int16 uint2 "
    "uint3 uint4 uint8 uint16 long2 long3 long4 long8 long16 ulong2 ulong3 ulong4 ulong8 ulong16 "
    "float2 float3 float4 float8 float16 double2 double3 double4 double8 double16 half2 half3 "
    "half4 half8 half16 "
    /* Images, samplers, events and queues */
    "image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image2d_depth_t "
    "image2d_array_depth_t image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t "
    "image2d_array_msaa_depth_t image3d_t sampler_t event_t queue_t ndrange_t clk_event_t "
    "reserve_id_t clk_profiling_info kernel_enqueue_flags_t cl_mem_fence_flags "
    /* OpenCL C 2.0's atomic types */
    "atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_half "
    "atomic_flag atomic_intptr_t atomic_uintptr_t atomic_size_t atomic_ptrdiff_t memory_order "
    "memory_order_relaxed memory_order_acquire memory_order_release memory_order_acq_rel "
    "memory_order_seq_cst memory_order_consume memory_scope memory_scope_work_item "
    "memory_scope_sub_group memory_scope_work_group memory_scope_device "
    "memory_scope_all_svm_devices memory_scope_all_devices ";

static const char opencl_functions[] =
    /* Mathematics */
    "acospi asinpi atanpi atan2pi cospi sinpi tanpi exp10 fract lgamma_r mad maxmag minmag pown "
    "powr rootn rsqrt sincos native_cos native_divide native_exp native_exp2 native_exp10 "
    "native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin "
    "native_sqrt native_tan half_cos half_divide half_exp half_exp2 half_exp10 half_log "
    "half_log2 half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan "
    /* Common and geometric functions */
    "clamp degrees max min mix radians step smoothstep sign cross dot distance length normalize "
    "fast_distance fast_length fast_normalize "
    /* Relations */
    "isequal isnotequal isordered any all bitselect select "
    /* Integers */
    "abs_diff add_sat sub_sat hadd rhadd clz ctz popcount rotate mad24 mul24 mad_hi mul_hi "
    "mad_sat upsample dot_acc_sat bit_reverse bitfield_insert bitfield_extract_signed "
    "bitfield_extract_unsigned ballot "
    /* Work-items */
    "get_work_dim get_global_size get_global_id get_global_offset get_global_linear_id "
    "get_local_size get_enqueued_local_size get_local_id get_local_linear_id get_num_groups "
    "get_group_id get_sub_group_size get_max_sub_group_size get_num_sub_groups "
    "get_enqueued_num_sub_groups get_sub_group_id get_sub_group_local_id get_default_queue "
    /* Groups */
    "barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence "
    "work_group_all work_group_any work_group_broadcast sub_group_all sub_group_any "
    "sub_group_broadcast sub_group_shuffle sub_group_shuffle_xor sub_group_shuffle_up "
    "sub_group_shuffle_down sub_group_ballot sub_group_elect work_group_reduce_add "
    "work_group_reduce_min work_group_reduce_max work_group_scan_inclusive_add "
    "work_group_scan_inclusive_min work_group_scan_inclusive_max work_group_scan_exclusive_add "
    "work_group_scan_exclusive_min work_group_scan_exclusive_max sub_group_reduce_add "
    "sub_group_reduce_min sub_group_reduce_max sub_group_scan_inclusive_add "
    "sub_group_scan_inclusive_min sub_group_scan_inclusive_max sub_group_scan_exclusive_add "
    "sub_group_scan_exclusive_min sub_group_scan_exclusive_max "
    /* Others */
    "printf shuffle shuffle2 kernel_exec "
    /* PoCL's and clang's constants */
    "M_E_F M_LOG2E_F M_LOG10E_F M_LN2_F M_LN10_F M_PI_F M_PI_2_F M_PI_4_F M_1_PI_F M_2_PI_F "
    "M_2_SQRTPI_F M_SQRT2_F M_SQRT1_2_F INTTYPE ";

static const char opencl_memory_functions[] =
    /* Vectors */
    "vload2 vload3 vload4 vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half "
    "vload_half2 vload_half3 vload_half4 vload_half8 vload_half16 vstore_half vstore_half2 "
    "vstore_half3 vstore_half4 vstore_half8 vstore_half16 vloada_half2 vloada_half3 vloada_half4 "
    "vloada_half8 vloada_half16 vstorea_half2 vstorea_half3 vstorea_half4 vstorea_half8 "
    "vstorea_half16 "
    /* Copies */
    "async_work_group_copy async_work_group_strided_copy wait_group_events prefetch to_global "
    "to_local to_private get_fence "
    /* Atomics */
    "atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min "
    "atomic_max atomic_and atomic_or atomic_xor atom_add atom_sub atom_xchg atom_inc atom_dec "
    "atom_cmpxchg atom_min atom_max atom_and atom_or atom_xor atomic_load atomic_load_explicit "
    "atomic_store atomic_store_explicit atomic_exchange atomic_exchange_explicit "
    "atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit "
    "atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit atomic_fetch_add "
    "atomic_fetch_add_explicit atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_and "
    "atomic_fetch_and_explicit atomic_fetch_or atomic_fetch_or_explicit atomic_fetch_xor "
    "atomic_fetch_xor_explicit atomic_fetch_min atomic_fetch_min_explicit atomic_fetch_max "
    "atomic_fetch_max_explicit atomic_flag_test_and_set atomic_flag_test_and_set_explicit "
    "atomic_flag_clear atomic_flag_clear_explicit atomic_init atomic_work_item_fence "
    /* Images */
    "read_imagef read_imagei read_imageui read_imageh write_imagef write_imagei write_imageui "
    "write_imageh get_image_width get_image_height get_image_depth get_image_dim "
    "get_image_channel_data_type get_image_channel_order get_image_array_size "
    "get_image_num_mip_levels get_image_num_samples "
    /* Conversions */
    "convert_char convert_char2 convert_char3 convert_char4 convert_char8 convert_char16 "
    "convert_uchar convert_uchar2 convert_uchar3 convert_uchar4 convert_uchar8 convert_uchar16 "
    "convert_short convert_short2 convert_short3 convert_short4 convert_short8 convert_short16 "
    "convert_ushort convert_ushort2 convert_ushort3 convert_ushort4 convert_ushort8 "
    "convert_ushort16 convert_int convert_int2 convert_int3 convert_int4 convert_int8 "
    "convert_int16 convert_uint convert_uint2 convert_uint3 convert_uint4 convert_uint8 "
    "convert_uint16 convert_long convert_long2 convert_long3 convert_long4 convert_long8 "
    "convert_long16 convert_ulong convert_ulong2 convert_ulong3 convert_ulong4 convert_ulong8 "
    "convert_ulong16 convert_float convert_float2 convert_float3 convert_float4 convert_float8 "
    "convert_float16 convert_double convert_double2 convert_double3 convert_double4 "
    "convert_double8 convert_double16 "
    /* Conversions that saturate */
    "convert_char_sat convert_uchar_sat convert_short_sat convert_ushort_sat convert_int_sat "
    "convert_uint_sat convert_long_sat convert_ulong_sat "
    /* Bits as of another type */
    "as_char as_char2 as_char3 as_char4 as_char8 as_char16 as_uchar as_uchar2 as_uchar3 "
    "as_uchar4 as_uchar8 as_uchar16 as_short as_short2 as_short3 as_short4 as_short8 as_short16 "
    "as_ushort as_ushort2 as_ushort3 as_ushort4 as_ushort8 as_ushort16 as_int as_int2 as_int3 "
    "as_int4 as_int8 as_int16 as_uint as_uint2 as_uint3 as_uint4 as_uint8 as_uint16 as_long "
    "as_long2 as_long3 as_long4 as_long8 as_long16 as_ulong as_ulong2 as_ulong3 as_ulong4 "
    "as_ulong8 as_ulong16 as_float as_float2 as_float3 as_float4 as_float8 as_float16 as_double "
    "as_double2 as_double3 as_double4 as_double8 as_double16 ";

static const char *const opencl_names[] = {opencl_types, opencl_functions, opencl_memory_functions,
                                           NULL};

/* ---- Names of CUDA C++ and NVRTC --------------------------------------------------------------*/

static const char cuda_types[] =
    /* Keywords of C++, except static_assert and alignas, which have C's meaning */
    "alignof asm catch class concept consteval constexpr constinit const_cast co_await co_return "
    "co_yield decltype delete dynamic_cast explicit export final friend import module mutable "
    "namespace new noexcept nullptr operator override private protected public reinterpret_cast "
    "requires static_cast template this thread_local throw try typeid typename using virtual "
    "char8_t char16_t char32_t std "
    /* Other spellings of operators, which NVRTC accepts as names of macros */
    "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq "
    /* Variables and types */
    "threadIdx blockIdx blockDim gridDim warpSize dim3 "
    /* Vector types */
    "char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short1 short2 short3 short4 ushort1 "
    "ushort2 ushort3 ushort4 int1 int2 int3 int4 uint1 uint2 uint3 uint4 long1 long2 long3 long4 "
    "ulong1 ulong2 ulong3 ulong4 longlong1 longlong2 longlong3 longlong4 ulonglong1 ulonglong2 "
    "ulonglong3 ulonglong4 float1 float2 float3 float4 double1 double2 double3 double4 long4_16a "
    "long4_32a ulong4_16a ulong4_32a longlong4_16a longlong4_32a ulonglong4_16a ulonglong4_32a "
    "double4_16a double4_32a "
    /* Work-items */
    "clock clock64 all any ballot syncthreads_and syncthreads_count syncthreads_or "
    /* Names of the C library that are not in the dialect */
    "malloc free memcpy memset printf "
    /* Others */
    "cuda nv decode libraryPropertyType libraryPropertyType_t MAJOR_VERSION MINOR_VERSION "
    "PATCH_LEVEL ";

static const char cuda_functions[] =
    /* Mathematics and integers */
    "cospi cospif cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f dadd dmul double2int "
    "double2ll double2uint double2ull dsub erfcinv erfcinvf erfcx erfcxf erfinv erfinvf exp10 "
    "exp10f fdivide fdividef float2double int2double j0 j0f j1 j1f jn jnf ll2double llmax llmin "
    "max min norm norm3d norm3df norm4d norm4df normcdf normcdff normcdfinv normcdfinvf normf "
    "rcbrt rcbrtf rhypot rhypotf rnorm rnorm3d rnorm3df rnorm4d rnorm4df rnormf rsqrt rsqrtf "
    "sincos sincosf sincospi sincospif sinpi sinpif uint2double ull2double ullmax ullmin umax "
    "umin y0 y0f y1 y1f yn ynf "
    /* Vectors */
    "make_char1 make_char2 make_char3 make_char4 make_uchar1 make_uchar2 make_uchar3 make_uchar4 "
    "make_short1 make_short2 make_short3 make_short4 make_ushort1 make_ushort2 make_ushort3 "
    "make_ushort4 make_int1 make_int2 make_int3 make_int4 make_uint1 make_uint2 make_uint3 "
    "make_uint4 make_long1 make_long2 make_long3 make_long4 make_ulong1 make_ulong2 make_ulong3 "
    "make_ulong4 make_longlong1 make_longlong2 make_longlong3 make_longlong4 make_ulonglong1 "
    "make_ulonglong2 make_ulonglong3 make_ulonglong4 make_float1 make_float2 make_float3 "
    "make_float4 make_double1 make_double2 make_double3 make_double4 make_long4_16a "
    "make_long4_32a make_ulong4_16a make_ulong4_32a make_longlong4_16a make_longlong4_32a "
    "make_ulonglong4_16a make_ulonglong4_32a make_double4_16a make_double4_32a "
    /* Atomics */
    "atomicAdd atomicAdd_block atomicAdd_system atomicSub atomicSub_block atomicSub_system "
    "atomicExch atomicExch_block atomicExch_system atomicMin atomicMin_block atomicMin_system "
    "atomicMax atomicMax_block atomicMax_system atomicInc atomicInc_block atomicInc_system "
    "atomicDec atomicDec_block atomicDec_system atomicCAS atomicCAS_block atomicCAS_system "
    "atomicAnd atomicAnd_block atomicAnd_system atomicOr atomicOr_block atomicOr_system "
    "atomicXor atomicXor_block atomicXor_system "
    /* Textures and surfaces */
    "surf1DLayeredread surf1DLayeredwrite surf1Dread surf1Dwrite surf2DLayeredread "
    "surf2DLayeredwrite surf2Dread surf2Dwrite surf3Dread surf3Dwrite surfCubemapLayeredread "
    "surfCubemapLayeredwrite surfCubemapread surfCubemapwrite tex1D tex1DGrad tex1DLayered "
    "tex1DLayeredGrad tex1DLayeredLod tex1DLod tex1Dfetch tex2D tex2DGrad tex2DLayered "
    "tex2DLayeredGrad tex2DLayeredLod tex2DLod tex2Dgather tex3D tex3DGrad tex3DLod texCubemap "
    "texCubemapGrad texCubemapLayered texCubemapLayeredGrad texCubemapLayeredLod texCubemapLod ";

static const char *const cuda_names[] = {cuda_types, cuda_functions, NULL};

/* ---- C's mathematical functions ---------------------------------------------------------------*/

static const char math_functions[] =
    "acos acosf acosh acoshf asin asinf asinh asinhf atan atanf atan2 atan2f atanh atanhf cbrt "
    "cbrtf ceil ceilf copysign copysignf cos cosf cosh coshf erf erff erfc erfcf exp expf exp2 "
    "exp2f expm1 expm1f fabs fabsf fdim fdimf floor floorf fma fmaf fmax fmaxf fmin fminf fmod "
    "fmodf frexp frexpf hypot hypotf ilogb ilogbf ldexp ldexpf lgamma lgammaf llrint llrintf "
    "llround llroundf log logf log10 log10f log1p log1pf log2 log2f logb logbf lrint lrintf "
    "lround lroundf modf modff nearbyint nearbyintf nextafter nextafterf pow powf remainder "
    "remainderf remquo remquof rint rintf round roundf scalbln scalblnf scalbn scalbnf sin sinf "
    "sinh sinhf sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf fpclassify isfinite "
    "isinf islessgreater isnan isnormal signbit abs labs llabs ";

static const char *const math_names[] = {math_functions, NULL};

/* ---- Names in a text --------------------------------------------------------------------------*/

struct name {
    const char *text; /* a blank follows it */
    size_t length;
    bool is_used;
};

enum { MOST_NAMES = 640 };

/* An iterator over the names of several lists. */
struct cursor {
    const char *const *lists; /* the lists after the current one */
    const char *at;
};

static bool next(struct cursor *cursor, struct name *name)
{
    while (*cursor->at == '\0' && *cursor->lists != NULL)
        cursor->at = *cursor->lists++;
    *name = (struct name){cursor->at, strcspn(cursor->at, " "), false};
    cursor->at += name->length + (name->length > 0);
    return name->length > 0;
}

static struct cursor names_of(enum reap__dialect dialect)
{
    static const char *const none[] = {NULL};
    return (struct cursor){dialect == REAP__DIALECT_CUDA     ? cuda_names
                           : dialect == REAP__DIALECT_OPENCL ? opencl_names
                                                             : none,
                           ""};
}

static int compare(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static bool has_name(enum reap__dialect dialect, const char *word, size_t length)
{
    const struct name wanted = {.text = word, .length = length};
    struct cursor cursor = names_of(dialect);
    struct name name;
    while (next(&cursor, &name))
        if (compare(&name, &wanted) == 0)
            return true;
    return false;
}

/* Sets is_used of the names that are identifiers in the text. */
static void find_used(struct name *names, size_t count, const char *text)
{
    for (const char *at = text; *at != '\0';) {
        const struct name word = {.text = at, .length = reap__identifier_length(at)};
        struct name *found =
            word.length > 0 ? bsearch(&word, names, count, sizeof *names, compare) : NULL;
        if (found != NULL)
            found->is_used = true;
        at += word.length > 0 ? word.length : 1;
    }
}

/* Appends the lines of `format` for each name that is in the text, or for all names. */
static void define(struct cursor cursor, const char *text, bool is_all, const char *format,
                   struct reap__string *into)
{
    struct name names[MOST_NAMES];
    size_t count = 0;
    while (count < MOST_NAMES && next(&cursor, &names[count]))
        count++;
    qsort(names, count, sizeof *names, compare);
    find_used(names, count, text);
    for (size_t i = 0; i < count; i++)
        if (names[i].is_used || is_all) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)names[i].length, names[i].text);
            reap__string_format(into, format, name, name, name);
        }
}

/* The lines that follow the header; `text` is the text after them. */
static void write_lines(const struct reap__names *names, const char *text,
                        struct reap__string *into)
{
    const bool may_paste = strstr(text, "##") != NULL;
    define(names_of(names->dialect), text, may_paste, "#undef %s\n#define %s reap__name_%s\n",
           into);
    define((struct cursor){math_names, ""}, text, may_paste,
           "#undef %s\n#define %s(...) reap__math_%s(__VA_ARGS__)\n", into);
    if (names->undefined.length > 0)
        reap__string_add(into, names->undefined.bytes);
    into->failed |= names->undefined.failed;
}

/* ---- After the header -------------------------------------------------------------------------*/

void reap__names_set_header(struct reap__names *names, size_t end)
{
    if (names->header_end == 0)
        names->header_end = end;
}

void reap__names_defined(struct reap__names *names, const char *name)
{
    const size_t length = reap__identifier_length(name);
    if (names->header_end > 0 && has_name(names->dialect, name, length))
        reap__string_format(&names->undefined, "#undef %.*s\n", (int)length, name);
}

static void insert_at(struct reap__string *text, size_t place, const struct reap__string *lines)
{
    const size_t end = text->length;
    text->failed |= lines->failed;
    if (lines->length == 0 || text->failed)
        return;
    reap__string_append(text, lines->bytes, lines->length);
    if (text->failed)
        return;
    char *at = text->bytes + place;
    memmove(at + lines->length, at, end - place);
    memcpy(at, lines->bytes, lines->length);
}

void reap__names_insert(const struct reap__names *names, struct reap__string *text)
{
    struct reap__string lines = {0};
    if (names->header_end == 0 || text->failed)
        return;
    write_lines(names, text->bytes + names->header_end, &lines);
    insert_at(text, names->header_end, &lines);
    reap__string_release(&lines);
}
