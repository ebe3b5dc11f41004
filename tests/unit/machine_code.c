/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for contracted instructions finds each form, at any place, and nothing else.
 */
#include "tests/support/check.h"

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
    };
    static const unsigned char other[][6] = {
        {0xc4, 0xe2, 0x71, 0x98, 0xc2},       /* vfmadd132ps: a program may call fmaf */
        {0xc5, 0xf0, 0xd0, 0xc2},             /* vaddsubps %xmm2, %xmm1, %xmm0 */
        {0x62, 0xf2, 0x75, 0x48, 0x98, 0xc2}, /* vfmadd132ps, 512 bits */
        {0xc4, 0xe2, 0x71},                   /* cut off */
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        CHECK(has(found[i], sizeof found[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        CHECK(!has(other[i], sizeof other[i]));
    CHECK(!has(found[0], 3));
}

#else

static void check_instructions(void)
{
}

#endif

int main(void)
{
    check_instructions();
    CHECK(!reap__code_has_fmaddsub(NULL, NULL));
    return check_finish();
}
