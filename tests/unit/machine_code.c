/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for contracted instructions finds each form, at any place, and nothing else. Code that
 * was compiled without such instructions is used whatever its bytes look like.
 */
#include "tests/unit/machine_code.kernels.h"

#include "tests/support/check_status.h"

#include "src/host/isa.h"
#include "src/port/machine_code.h"

#if defined(__x86_64__)

static bool has(const unsigned char *code, size_t bytes)
{
    return reap__code_has_fmaddsub(code, code + bytes);
}

static void check_instructions(void)
{
    static const unsigned char found[][6] = {
        {0xc4, 0xe2, 0x71, 0x96, 0xc2},       /* vfmaddsub132ps %xmm2, %xmm1, %xmm0 */
        {0xc4, 0xe2, 0xf5, 0xa6, 0xc2},       /* vfmaddsub213pd %ymm2, %ymm1, %ymm0 */
        {0xc4, 0xc2, 0x75, 0xb7, 0xc0},       /* vfmsubadd231ps %ymm8, %ymm1, %ymm0 */
        {0x62, 0xf2, 0x75, 0x48, 0xb6, 0xc2}, /* vfmaddsub231ps %zmm2, %zmm1, %zmm0 */
        {0x62, 0xf2, 0xf5, 0x4a, 0x97, 0xc2}, /* vfmsubadd132pd %zmm2, %zmm1, %zmm0{%k2} */
        {0x90, 0xc4, 0xe2, 0x71, 0xa7, 0xc2}, /* after a nop */
        {0x64, 0xc4, 0xe2, 0x71, 0x96, 0x00}, /* vfmaddsub132ps %fs:(%rax), %xmm1, %xmm0 */
        {0x06, 0xc4, 0xe2, 0x71, 0xa7, 0xc2}, /* after an unknown instruction */
        {0xc4, 0xe3, 0xf1, 0x5c, 0xc3, 0x20}, /* vfmaddsubps %xmm3, %xmm2, %xmm1, %xmm0 */
        {0xc4, 0xe3, 0xf5, 0x5f, 0x00, 0x20}, /* vfmsubaddpd (%rax), %ymm2, %ymm1, %ymm0 */
        {0x62, 0xf6, 0x75, 0x48, 0xb6, 0xc2}, /* vfmaddsub231ph %zmm2, %zmm1, %zmm0 */
        {0x62, 0xf6, 0x76, 0x48, 0xd6, 0xc2}, /* vfmulcph %zmm2, %zmm1, %zmm0 */
        {0x62, 0xf6, 0x77, 0x48, 0x56, 0xc2}, /* vfcmaddcph %zmm2, %zmm1, %zmm0 */
    };
    static const unsigned char other[][6] = {
        {0xc4, 0xe2, 0x71, 0x98, 0xc2},       /* vfmadd132ps: a program may call fmaf */
        {0xc5, 0xf0, 0xd0, 0xc2},             /* vaddsubps %xmm2, %xmm1, %xmm0 */
        {0x62, 0xf2, 0x75, 0x48, 0x98, 0xc2}, /* vfmadd132ps, 512 bits */
        {0xc4, 0xe2, 0x71},                   /* cut off */
        {0x62, 0xf5, 0x74, 0x48, 0x58, 0xc2}, /* vaddph %zmm2, %zmm1, %zmm0 */
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECK(has(found[i], sizeof found[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(!has(other[i], sizeof other[i]));
    CHECK(!has(found[0], 3));
}

/* The bytes of a vfmsubadd from the second on, but not an instruction of that name. */
static void check_other_instructions(void)
{
    static const unsigned char code[] = {
        0x88, 0x62, 0x02,             /* mov %ah, 0x2(%rdx) */
        0x45, 0x0f, 0xb6, 0x62, 0x03, /* movzbl 0x3(%r10), %r12d */
        0xb8, 0xc4, 0xe2, 0x71, 0x96, /* mov $0x9671e2c4, %eax */
    };
    CHECK(!has(code, sizeof code));
    CHECK(has(code + 1, sizeof code - 1)); /* from there it is one */
}

static void check_truncations(void)
{
    static const unsigned char found[][8] = {
        {0xc4, 0xe3, 0x7d, 0x08, 0xc0, 0x03},             /* vroundps $3, %ymm0, %ymm0 */
        {0xc4, 0xe3, 0x7d, 0x09, 0xc0, 0x0b},             /* vroundpd $11, %ymm0, %ymm0 */
        {0xc4, 0xe3, 0x71, 0x0a, 0xc0, 0x0b},             /* vroundss $11, %xmm0, %xmm1, %xmm0 */
        {0xc4, 0xe3, 0x71, 0x0b, 0xc0, 0x03},             /* vroundsd $3, %xmm0, %xmm1, %xmm0 */
        {0x62, 0xf3, 0x7d, 0x48, 0x08, 0xc0, 0x03},       /* vrndscaleps $3, %zmm0, %zmm0 */
        {0x62, 0xf3, 0xfd, 0x48, 0x09, 0xc0, 0x0b},       /* vrndscalepd $11, %zmm0, %zmm0 */
        {0x66, 0x0f, 0x3a, 0x08, 0xc0, 0x03},             /* roundps $3, %xmm0, %xmm0 */
        {0x66, 0x44, 0x0f, 0x3a, 0x0b, 0xc0, 0x0b, 0x90}, /* roundsd $11, %xmm0, %xmm8; nop */
    };
    static const unsigned char other[][7] = {
        {0xc4, 0xe3, 0x7d, 0x08, 0xc0, 0x01, 0x90}, /* vroundps $1: downwards; nop */
        {0xc4, 0xe3, 0x7d, 0x09, 0xc0, 0x0a, 0x90}, /* vroundpd $10: upwards */
        {0x62, 0xf3, 0x7d, 0x48, 0x08, 0xc0, 0x04}, /* vrndscaleps $4: as the environment has it */
        {0xc4, 0xe3, 0x7d, 0x0e, 0xc0, 0x03, 0x90}, /* vpblendw $3, %ymm0, %ymm0, %ymm0 */
        {0x66, 0x0f, 0x3a, 0x0f, 0xc0, 0x03, 0x90}, /* palignr $3, %xmm0, %xmm0 */
        {0xc5, 0xfc, 0x5b, 0xc0, 0x90, 0x90, 0x90}, /* vcvtdq2ps %ymm0, %ymm0 */
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECK(reap__code_has_truncation(found[i], found[i] + (i < 4 || i == 6 ? 6
                                                              : i < 6         ? 7
                                                                              : 8)));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(!reap__code_has_truncation(other[i], other[i] + sizeof other[i]));
}

static void check_kernel(const struct reap_kernel *original, bool may_be_contracted)
{
    static const unsigned char code[] = {0xc4, 0xe2, 0x71, 0x96, 0xc2};
    struct reap__kernel_state state = {0};
    struct reap_kernel kernel = *original;
    enum reap__isa isa;
    kernel.state = &state;
    kernel.code[REAP__ISA_PLAIN] = code;
    kernel.code_end[REAP__ISA_PLAIN] = code + sizeof code;
    CHECK_EQ((kernel.build & REAP__BUILD_FOR_FMA) != 0, may_be_contracted);
    CHECK_STATUS(reap__isa_of_kernel(&kernel, REAP__ISA_PLAIN, &isa),
                 may_be_contracted ? REAP_ERROR_INEXACT_BUILD : REAP_OK);
    CHECK_EQ(reap__isa_is_exact(&kernel), !may_be_contracted);
}

static void check_kernels(void)
{
    check_kernel(&reap_kernel_by_options, OPTIONS_HAVE_FMA);
    check_kernel(&reap_kernel_by_pragma, PRAGMA_HAS_FMA);
}

#else

static void check_instructions(void)
{
}

static void check_other_instructions(void)
{
}

static void check_truncations(void)
{
}

static void check_kernels(void)
{
}

#endif

int main(void)
{
    check_instructions();
    check_other_instructions();
    check_truncations();
    check_kernels();
    CHECK(!reap__code_has_truncation(NULL, NULL));
    CHECK(!reap__code_has_fmaddsub(NULL, NULL));
    return check_finish();
}
