/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the instruction set of a kernel's code. A kernel that was compiled with other options
 * (-march=native) has the baseline alone, and its baseline is what those options say.
 */
#include "src/host/isa.h"

#include "src/core/status.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"
#include "src/port/machine_code.h"

#include <string.h>

static const char *const names[REAP__ISA_COUNT] = {
    [REAP__ISA_PLAIN] = "baseline",
    [REAP__ISA_V3] = "x86-64-v3",
    [REAP__ISA_V4] = "x86-64-v4",
};

static bool is_there(enum reap__isa isa)
{
    switch (isa) {
    case REAP__ISA_V3:
        return reap__cpu_has_x86_64_v3();
    case REAP__ISA_V4:
        return reap__cpu_has_x86_64_v4();
    default:
        return true;
    }
}

const char *reap__isa_name(enum reap__isa isa)
{
    return names[isa];
}

reap_status reap__isa_choose(const char *wanted, enum reap__isa *isa)
{
    for (int i = REAP__ISA_COUNT - 1; i >= 0; i--) {
        if (wanted != NULL && strcmp(wanted, names[i]) != 0)
            continue;
        if (is_there((enum reap__isa)i)) {
            *isa = (enum reap__isa)i;
            return REAP_OK;
        }
        if (wanted != NULL)
            return reap__fail(REAP_ERROR_NO_DEVICE,
                              "REAP_HOST_ISA is '%s', which this processor does not support",
                              wanted);
    }
    return reap__fail(REAP_ERROR_NO_DEVICE, "REAP_HOST_ISA is '%s', and must be %s, %s or %s",
                      wanted, names[0], names[1], names[2]);
}

/* Contraction or reassociation would change results silently, so the kernel's probe, compiled as
 * its code is, is run once for each instruction set (docs/reduction-shape.md). */
static bool changes_arithmetic(const struct reap_kernel *kernel, enum reap__isa isa)
{
    const volatile float values[] = {1.0f + 0x1p-12f, -(1.0f + 0x1p-11f), 0x1p60f};
    const reap__fp_environment before = reap__fp_enter();
    const bool differs = kernel->probe[isa](values) != 0;
    reap__fp_leave(before);
    return differs;
}

static reap_status probe(const struct reap_kernel *kernel, enum reap__isa isa)
{
    if (changes_arithmetic(kernel, isa))
        return reap__fail(REAP_ERROR_INEXACT_BUILD,
                          "kernel '%s' was compiled with contracted or reassociated floating-point "
                          "arithmetic, which changes results: compile it without -ffast-math, "
                          "-ffp-contract=fast and #pragma STDC FP_CONTRACT ON",
                          kernel->name);
    return REAP_OK;
}

atomic_uint reap__isa_checks;

static void set_bit(atomic_uint *bits, enum reap__isa isa)
{
    atomic_fetch_add_explicit(&reap__isa_checks, 1, memory_order_relaxed);
    atomic_fetch_or_explicit(bits, 1u << isa, memory_order_release);
}

/* Whether the code has operations that the compiler contracted (detail/host/isa.h). It cannot have
 * any if it was compiled without such instructions. */
static bool is_contracted(const struct reap_kernel *kernel, enum reap__isa isa)
{
    if (isa == REAP__ISA_PLAIN && (kernel->build & REAP__BUILD_FOR_FMA) == 0)
        return false;
    return reap__code_has_fmaddsub(kernel->code[isa], kernel->code_end[isa]);
}

/* Whether the compiler took (float)(int)x or the like for truncf(x), which is -0 where they are +0
 * (detail/kernel_host.h). Code with floor(x) is taken for such where gcc knows that x is not
 * negative: it truncates there, too. */
static bool folds_conversions(const struct reap_kernel *kernel, enum reap__isa isa)
{
    return (kernel->build & REAP__BUILD_FOLDS) != 0 &&
           reap__code_has_truncation(kernel->code[isa], kernel->code_end[isa]);
}

bool reap__isa_is_exact(const struct reap_kernel *kernel)
{
    return !is_contracted(kernel, REAP__ISA_PLAIN) && !folds_conversions(kernel, REAP__ISA_PLAIN) &&
           !changes_arithmetic(kernel, REAP__ISA_PLAIN);
}

/* Code that computes something else is skipped. The kernel is refused only if no instruction set
 * has other code. */
static bool is_usable(const struct reap_kernel *kernel, enum reap__isa isa)
{
    if ((kernel->items[isa] == NULL && kernel->phases[isa] == NULL && kernel->item == NULL) ||
        reap__isa_has_bit(&kernel->state->unusable, isa))
        return false;
    if (!is_contracted(kernel, isa) && !folds_conversions(kernel, isa))
        return true;
    set_bit(&kernel->state->unusable, isa);
    return false;
}

reap_status reap__isa_find(const struct reap_kernel *kernel, enum reap__isa best,
                           enum reap__isa *isa)
{
    /* The function that runs one work-item is compiled for the baseline alone. */
    for (int i = kernel->item != NULL ? REAP__ISA_PLAIN : (int)best; i >= 0; i--) {
        *isa = (enum reap__isa)i;
        if (reap__isa_has_bit(&kernel->state->probed, *isa))
            return REAP_OK;
        if (!is_usable(kernel, *isa))
            continue;
        REAP_TRY(probe(kernel, *isa));
        set_bit(&kernel->state->probed, *isa);
        return REAP_OK;
    }
    if (!is_contracted(kernel, REAP__ISA_PLAIN))
        return reap__fail(REAP_ERROR_INEXACT_BUILD,
                          "kernel '%s': the compiler made one instruction of a conversion of a "
                          "floating-point number to an integer and back, which makes -0 of +0 (a "
                          "defect of gcc): compile it without #pragma GCC target",
                          kernel->name);
    return reap__fail(REAP_ERROR_INEXACT_BUILD,
                      "kernel '%s': the compiler made vfmaddsub instructions of its sums and "
                      "differences of products, which changes results (a defect of gcc 12): "
                      "compile it without -march=native, or add -mno-fma -mno-fma4 -mno-avx512f",
                      kernel->name);
}
