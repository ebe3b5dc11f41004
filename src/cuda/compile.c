/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiling by NVRTC, with the options that make arithmetic the same as on the host: nothing is
 * contracted or flushed, division and square root round correctly. Texts include nothing from
 * files; warnings are not shown, for the host's compiler has shown them.
 */
#include "src/cuda/compile.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/cuda/api.h"

#include <elf.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Older versions may not have the option for fast compilation. */
enum { MOST_ARCHITECTURES = 256, FAST_MAJOR = 13 };

/* An architecture is the number in sm_90. */
struct target {
    int architecture;
    bool is_ptx;
    bool is_check;
};

static reap_status check(const struct reap__nvrtc_api *nvrtc, const char *call, int result)
{
    if (result == REAP__NVRTC_SUCCESS)
        return REAP_OK;
    return reap__fail(result == REAP__NVRTC_OUT_OF_MEMORY ? REAP_ERROR_OUT_OF_MEMORY
                                                          : REAP_ERROR_DEVICE_FAILED,
                      "cuda: %s failed: %s (%d)", call, nvrtc->nvrtcGetErrorString(result), result);
}

reap_status reap__nvrtc_version(int *major, int *minor)
{
    const struct reap__nvrtc_api *nvrtc;
    REAP_TRY(reap__nvrtc_api_get(&nvrtc));
    return check(nvrtc, "nvrtcVersion", nvrtc->nvrtcVersion(major, minor));
}

/* Finds the newest architecture that NVRTC knows and that is at most the wanted one; 0: none.
 * Allocates nothing: a failure for lack of memory would hide the card for ever. */
static reap_status find_newest(const struct reap__nvrtc_api *nvrtc, int wanted, int *newest)
{
    int architectures[MOST_ARCHITECTURES];
    int count;
    REAP_TRY(check(nvrtc, "nvrtcGetNumSupportedArchs", nvrtc->nvrtcGetNumSupportedArchs(&count)));
    if (count > MOST_ARCHITECTURES)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "cuda: NVRTC lists %d architectures, more than the %d that are supported",
                          count, MOST_ARCHITECTURES);
    REAP_TRY(check(nvrtc, "nvrtcGetSupportedArchs", nvrtc->nvrtcGetSupportedArchs(architectures)));
    *newest = 0;
    for (int a = 0; a < count; a++)
        if (architectures[a] <= wanted && architectures[a] > *newest)
            *newest = architectures[a];
    return REAP_OK;
}

/* A newer card's driver compiles PTX of an older architecture. */
static reap_status choose(const struct reap__nvrtc_api *nvrtc, int major, int minor,
                          enum reap__cuda_code code, struct target *target)
{
    const int wanted = major * 10 + minor;
    int newest = 0;
    REAP_TRY(find_newest(nvrtc, wanted, &newest));
    if (newest == 0) {
        int version[2];
        REAP_TRY(reap__nvrtc_version(&version[0], &version[1]));
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "cuda: NVRTC %d.%d no longer supports cards of compute capability %d.%d: "
                          "install an older NVRTC",
                          version[0], version[1], major, minor);
    }
    *target = (struct target){
        .architecture = newest,
        .is_ptx = code != REAP__CUDA_MACHINE_CODE || newest < wanted,
        .is_check = code == REAP__CUDA_CODE_OF_A_CHECK,
    };
    return REAP_OK;
}

reap_status reap__cuda_can_compile(int major, int minor)
{
    const struct reap__nvrtc_api *nvrtc;
    struct target target;
    REAP_TRY(reap__nvrtc_api_get(&nvrtc));
    return choose(nvrtc, major, minor, REAP__CUDA_MACHINE_CODE, &target);
}

reap_status reap__cuda_find_architecture(int wanted, int *found)
{
    const struct reap__nvrtc_api *nvrtc;
    struct target target = {0};
    int newest, version[2];
    REAP_TRY(reap__nvrtc_api_get(&nvrtc));
    REAP_TRY(choose(nvrtc, wanted / 10, wanted % 10, REAP__CUDA_CODE_OF_A_CHECK, &target));
    REAP_TRY(find_newest(nvrtc, INT_MAX, &newest));
    *found = target.architecture;
    if (*found == wanted || *found == newest)
        return REAP_OK;
    REAP_TRY(reap__nvrtc_version(&version[0], &version[1]));
    return reap__fail(REAP_ERROR_NO_DEVICE,
                      "cuda: NVRTC %d.%d does not know the architecture sm_%d; sm_%d is the next "
                      "older one that it knows",
                      version[0], version[1], wanted, *found);
}

/* Returns the compiler's log; NULL: it is empty, or memory ran out. */
static char *copy_log(const struct reap__nvrtc_api *nvrtc, struct reap__nvrtc_program *program)
{
    size_t bytes;
    if (nvrtc->nvrtcGetProgramLogSize(program, &bytes) != REAP__NVRTC_SUCCESS || bytes <= 1)
        return NULL;
    char *log = reap__allocate(bytes);
    if (log != NULL && nvrtc->nvrtcGetProgramLog(program, log) != REAP__NVRTC_SUCCESS) {
        reap__free(log);
        return NULL;
    }
    return log;
}

static reap_status compile(const struct reap__nvrtc_api *nvrtc, const struct target *target,
                           struct reap__nvrtc_program *program, char **log)
{
    int major;
    int minor;
    char architecture[48];
    REAP_TRY(reap__nvrtc_version(&major, &minor));
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s_%d",
             target->is_ptx ? "compute" : "sm", target->architecture);
    const char *const options[] = {
        architecture,
        "--fmad=false",
        "--ftz=false",
        "--prec-div=true",
        "--prec-sqrt=true",
        major >= 12 ? "--std=c++20" : "--std=c++17",
        "--device-as-default-execution-space",
        "--disable-warnings",
        "--Ofast-compile=mid",
    };
    const bool is_fast = target->is_check && major >= FAST_MAJOR;
    const int count = (int)(sizeof options / sizeof *options) - !is_fast;
    const int result = nvrtc->nvrtcCompileProgram(program, count, options);
    if (result != REAP__NVRTC_COMPILATION)
        return check(nvrtc, "nvrtcCompileProgram", result);
    *log = copy_log(nvrtc, program);
    return reap__fail(REAP_ERROR_COMPILATION_FAILED, "NVRTC %d.%d rejects it for %s", major, minor,
                      architecture + sizeof "--gpu-architecture=" - 1);
}

static reap_status copy_binary(const struct reap__nvrtc_api *nvrtc, const struct target *target,
                               struct reap__nvrtc_program *program, struct reap__binary *binary)
{
    size_t size;
    int result = target->is_ptx ? nvrtc->nvrtcGetPTXSize(program, &size)
                                : nvrtc->nvrtcGetCUBINSize(program, &size);
    REAP_TRY(check(nvrtc, target->is_ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize", result));
    char *bytes = reap__allocate(size);
    if (bytes == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "cuda: no memory for %zu bytes of code", size);
    result =
        target->is_ptx ? nvrtc->nvrtcGetPTX(program, bytes) : nvrtc->nvrtcGetCUBIN(program, bytes);
    if (result == REAP__NVRTC_SUCCESS)
        *binary = (struct reap__binary){bytes, size};
    else
        reap__free(bytes);
    return check(nvrtc, target->is_ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", result);
}

reap_status reap__cuda_compile(int major, int minor, const char *text, enum reap__cuda_code code,
                               struct reap__binary *binary, char **log)
{
    const struct reap__nvrtc_api *nvrtc;
    struct target target = {0};
    struct reap__nvrtc_program *program = NULL;
    *log = NULL;
    REAP_TRY(reap__nvrtc_api_get(&nvrtc));
    REAP_TRY(choose(nvrtc, major, minor, code, &target));
    REAP_TRY(check(nvrtc, "nvrtcCreateProgram",
                   nvrtc->nvrtcCreateProgram(&program, text, "kernel", 0, NULL, NULL)));
    reap_status status = compile(nvrtc, &target, program, log);
    if (status == REAP_OK)
        status = copy_binary(nvrtc, &target, program, binary);
    nvrtc->nvrtcDestroyProgram(&program);
    return status;
}

/* ---- Binaries ---------------------------------------------------------------------------------*/

static bool lies_within(uint64_t offset, uint64_t bytes, size_t size)
{
    return offset <= size && bytes <= size - offset;
}

static bool sections_lie_within(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
    if (header->e_shentsize != sizeof(Elf64_Shdr) ||
        !lies_within(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr), size))
        return false;
    for (size_t s = 0; s < header->e_shnum; s++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + header->e_shoff + s * sizeof section, sizeof section);
        if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS &&
            !lies_within(section.sh_offset, section.sh_size, size))
            return false;
    }
    return true;
}

static bool segments_lie_within(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
    if (header->e_phnum == 0)
        return true;
    if (header->e_phentsize != sizeof(Elf64_Phdr) ||
        !lies_within(header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr), size))
        return false;
    for (size_t p = 0; p < header->e_phnum; p++) {
        Elf64_Phdr segment;
        memcpy(&segment, bytes + header->e_phoff + p * sizeof segment, sizeof segment);
        if (!lies_within(segment.p_offset, segment.p_filesz, size))
            return false;
    }
    return true;
}

bool reap__cuda_image_is_whole(const void *bytes, size_t size)
{
    const unsigned char *image = bytes;
    Elf64_Ehdr header;
    if (size > sizeof header && memcmp(image, ELFMAG, SELFMAG) == 0) {
        memcpy(&header, image, sizeof header);
        return header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_shnum > 0 &&
               sections_lie_within(image, size, &header) &&
               segments_lie_within(image, size, &header);
    }
    return size > 0 && (image[0] == '/' || image[0] == '.') && image[size - 1] == '\0';
}
