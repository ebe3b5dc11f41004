/* SPDX-License-Identifier: Apache-2.0
 *
 * What NVRTC makes of kernels for a card of sm_90, as a launch there would have it: no fused
 * multiply-add, though the texts invite one, and loads of aligned arrays by 16 bytes: a thread has
 * four items side by side.
 */
#include "tests/support/check.h"

#include "src/accelerator/program/program.h"
#include "src/core/allocate.h"
#include "src/cuda/compile.h"
#include "src/cuda/driver.h"
#include "tests/contract/07_same_bits.kernels.h"
#include "tests/devices/ptx.kernels.h"

static struct reap__cuda_device card;

/* The text for a launch over that many items. */
static struct reap__string make_text(const struct reap_kernel *kernel, size_t items,
                                     bool is_aligned)
{
    const reap_range range = {.dimensions = 1, .size = {items, 1, 1}};
    const struct reap__launch command = {.kernel = kernel, .range = &range, .items = items};
    struct reap__layout layout;
    struct reap__string text = {0};
    reap__layout_make(&layout, &card.accelerator, &command);
    for (size_t p = 1; p < kernel->parameter_count; p++)
        layout.is_aligned[p] = is_aligned && reap__is_array(&kernel->parameters[p]);
    CHECK(reap__program_text(&card.accelerator, &layout, &text) == REAP_OK);
    return text;
}

/* As Reap has it compiled; the caller's (reap__free). */
static char *make_ptx(const struct reap_kernel *kernel, size_t items, bool is_aligned)
{
    struct reap__string text = make_text(kernel, items, is_aligned);
    struct reap__binary binary = {0};
    char *log = NULL;
    CHECK(reap__cuda_compile(card.major, card.minor, text.bytes, REAP__CUDA_PTX, &binary, &log) ==
          REAP_OK);
    if (log != NULL)
        fprintf(stderr, "%s\n", log);
    reap__free(log);
    reap__string_release(&text);
    return binary.bytes;
}

/* As NVRTC compiles by default; the caller frees it. */
static char *make_ptx_without_options(const struct reap_kernel *kernel)
{
    static const char *const options[] = {"--gpu-architecture=compute_90", "--std=c++20",
                                          "--device-as-default-execution-space"};
    const struct reap__nvrtc_api *nvrtc;
    struct reap__nvrtc_program *program = NULL;
    struct reap__string text = make_text(kernel, 1000, true);
    size_t size = 0;
    CHECK(reap__nvrtc_api_get(&nvrtc) == REAP_OK);
    CHECK(nvrtc->nvrtcCreateProgram(&program, text.bytes, "kernel", 0, NULL, NULL) == 0);
    CHECK(nvrtc->nvrtcCompileProgram(program, 3, options) == 0);
    CHECK(nvrtc->nvrtcGetPTXSize(program, &size) == 0);
    char *ptx = calloc(size + 1, 1);
    CHECK(ptx != NULL && nvrtc->nvrtcGetPTX(program, ptx) == 0);
    nvrtc->nvrtcDestroyProgram(&program);
    reap__string_release(&text);
    return ptx;
}

static bool has(const char *ptx, const char *instruction)
{
    return ptx != NULL && strstr(ptx, instruction) != NULL;
}

static size_t count(const char *ptx, const char *instruction)
{
    size_t found = 0;
    for (const char *at = ptx; at != NULL && (at = strstr(at, instruction)) != NULL; at++)
        found++;
    return found;
}

/* Whether nothing is contracted, and arrays are read by these instructions where they are aligned.
 * Parts of reductions, which always are, may be read so in both cases. */
static bool reads_by(const struct reap_kernel *kernel, size_t items, const char *instruction)
{
    char *aligned = make_ptx(kernel, items, true);
    char *unaligned = make_ptx(kernel, items, false);
    const bool is_right = has(aligned, "ld.global") && !has(aligned, "fma.") &&
                          !has(unaligned, "fma.") && has(unaligned, "ld.global") &&
                          count(aligned, instruction) > count(unaligned, instruction);
    reap__free(aligned);
    reap__free(unaligned);
    return is_right;
}

static void check_that_fma_is_found(const struct reap_kernel *kernel, const char *instruction)
{
    char *ptx = make_ptx_without_options(kernel);
    CHECK(has(ptx, instruction));
    free(ptx);
}

int main(void)
{
    const reap_status status = reap__cuda_describe("sm_90", &card);
    if (status == REAP_ERROR_NO_DEVICE) {
        printf("skipped: nvrtc_ptx: %s\n", reap_last_error());
        return 0;
    }
    CHECK(status == REAP_OK);
    CHECK(reads_by(&reap_kernel_dot, 5000011, "ld.global.v4.f32"));
    CHECK(reads_by(&reap_kernel_dot_floats, 5000011, "ld.global.v4.f32"));
    CHECK(reads_by(&reap_kernel_dot_doubles, 1000, "ld.global.v2.f64"));
    check_that_fma_is_found(&reap_kernel_dot, "fma.rn.f32");
    check_that_fma_is_found(&reap_kernel_dot_doubles, "fma.rn.f64");
    return check_finish();
}
