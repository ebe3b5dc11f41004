/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_DUMP_KERNELS: which files are written for a compilation, what is in them, and how it fails.
 * Each case is a process, since the environment is read once.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/support/check_status.h"
#include "tests/support/folder.h"

#include "src/accelerator/program/program.h"
#include "src/core/allocate.h"
#include "src/core/status.h"

#include <reap/status.h>
#include <sys/wait.h>

static const char *folder;

static void run(void (*test)(void), const char *value)
{
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        check_failures = 0;
        setenv("REAP_DUMP_KERNELS", value, 1);
        test();
        CHECK_EQ(reap__allocations_alive(), 0);
        _exit(check_failures > 0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    CHECK_EQ(status, 0);
}

static const struct reap__driver opencl = {.dialect = REAP__DIALECT_OPENCL};
static const struct reap__driver cuda = {.dialect = REAP__DIALECT_CUDA};
static struct reap__accelerator accelerator = {.driver = &opencl,
                                               .device = {.info = {.name = "opencl:0"}}};

/* The path of a file for the text "text". */
static const char *path_of(const char *in, const char *name, const char *extension)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s.%016llx%s", in, name,
             (unsigned long long)reap__hash(0, "text", 4), extension);
    return path;
}

static bool holds(const char *name, const char *extension, const char *bytes, size_t size)
{
    char found[20];
    const char *path = path_of(folder, name, extension);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return false;
    const size_t got = fread(found, 1, sizeof found, stream);
    fclose(stream);
    return got == size && memcmp(found, bytes, size) == 0;
}

static void check_files(void)
{
    char code[] = "a\0b", ptx[] = "// ptx", whole[] = "\0";
    struct reap__binary binary = {code, sizeof code};
    struct reap__dump dump = {&accelerator, "k", "text", NULL, NULL};
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.opencl-0", ".cl", "text", 4));
    CHECK(!holds("k.opencl-0", ".log", "", 0));
    CHECK(!holds("k.opencl-0", ".bin", "", 0));
    dump.log = "the log";
    dump.binary = &binary;
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.opencl-0", ".log", "the log", 7));
    CHECK(holds("k.opencl-0", ".bin", code, sizeof code));
    dump.log = "log";
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.opencl-0", ".log", "log", 3));

    accelerator.driver = &cuda;
    accelerator.device.info.name = "cuda:1";
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.cuda-1", ".cu", "text", 4));
    CHECK(holds("k.cuda-1", ".bin", code, sizeof code));
    binary = (struct reap__binary){ptx, sizeof ptx};
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.cuda-1", ".ptx", ptx, sizeof ptx - 1));
    binary = (struct reap__binary){whole, 1};
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.cuda-1", ".ptx", "", 0));
    binary.size = 0;
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
    CHECK(holds("k.cuda-1", ".bin", "", 0));
    reap__fail_allocation(1);
    CHECK_STATUS(reap__dump(&dump), REAP_ERROR_OUT_OF_MEMORY);
    reap__fail_allocation(0);
}

static void check_link(void)
{
    const struct reap__dump dump = {&accelerator, "linked", "text", NULL, NULL};
    CHECK(chdir(folder) == 0 && symlink("target", path_of(folder, "linked.opencl-0", ".cl")) == 0);
    CHECK_STATUS(reap__dump(&dump), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_NE(access("target", F_OK), 0);
}

static void check_missing_folder(void)
{
    char line[300];
    const struct reap__dump dump = {&accelerator, "k", "text", NULL, NULL};
    CHECK_STATUS(reap__dump(&dump), REAP_ERROR_INVALID_ARGUMENT);
    snprintf(line, sizeof line,
             "REAP_DUMP_KERNELS: '%s' cannot be written: No such file or directory",
             path_of("/nowhere/at/all", "k.opencl-0", ".cl"));
    CHECK_STR(reap_last_error(), line);
}

static void check_full_disk(void)
{
    const struct reap__dump dump = {&accelerator, "full", "text", NULL, NULL};
    if (mknod(path_of(folder, "full.opencl-0", ".cl"), S_IFCHR | 0600, 0x107) != 0)
        return; /* a full disk needs the right to make a second /dev/full */
    const reap_status status = reap__dump(&dump);
    CHECK(status == REAP_ERROR_INVALID_ARGUMENT && strstr(reap_last_error(), "cannot be written"));
}

static void check_nothing(void)
{
    const struct reap__dump dump = {&accelerator, "k", "text", NULL, NULL};
    CHECK_STATUS(reap__dump(&dump), REAP_OK);
}

int main(void)
{
    folder = test_make_folder();
    run(check_files, folder);
    run(check_link, folder);
    run(check_full_disk, folder);
    run(check_missing_folder, "/nowhere/at/all");
    run(check_nothing, "");
    test_remove_folder(folder);
    return check_finish();
}
