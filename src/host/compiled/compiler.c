/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler reads the text from its standard input and writes the shared object through
 * /proc/self/fd. Both are files in memory: nothing is left over if the program ends, and no folder
 * needs to be writable or to allow executable files.
 */
#include "src/host/compiled/compiler.h"

#include "src/core/allocate.h"
#include "src/port/library.h"
#include "src/port/pin.h"
#include "src/port/process.h"

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#define LIMIT_NANOSECONDS UINT64_C(30000000000)
#define VERSION_NANOSECONDS UINT64_C(5000000000)
enum { OUTPUT = 3, MOST_BINARY_BYTES = 64 << 20 };

/* The compiler was killed after its time limit. It is not started again. */
static atomic_bool hangs;

static bool run(const struct reap__process *process)
{
    if (atomic_load_explicit(&hangs, memory_order_relaxed))
        return false;
    const enum reap__process_end end = reap__process_run(process);
    if (end == REAP__PROCESS_KILLED)
        atomic_store_explicit(&hangs, true, memory_order_relaxed);
    return end == REAP__PROCESS_ENDED;
}

/* Reads the whole file, and appends a zero byte. */
static bool read_all(int file, struct reap__binary *binary)
{
    if (!reap__file_size(file, &binary->size) || binary->size == 0 ||
        binary->size > MOST_BINARY_BYTES)
        return false;
    char *const bytes = reap__allocate(binary->size + 1);
    if (bytes == NULL || !reap__file_read(file, bytes, binary->size)) {
        reap__free(bytes);
        return false;
    }
    bytes[binary->size] = '\0';
    binary->bytes = bytes;
    return true;
}

/* ---- The compiler -----------------------------------------------------------------------------*/

bool reap__compiler_version(const char *compiler, struct reap__string *into)
{
    const char *const arguments[] = {compiler, "--version", NULL};
    struct reap__binary text;
    const int output = reap__file_make();
    if (output < 0)
        return false;
    const struct reap__process process = {arguments, -1, output, STDOUT_FILENO,
                                          VERSION_NANOSECONDS};
    const bool is_there = run(&process) && read_all(output, &text);
    if (is_there) {
        reap__string_add(into, text.bytes);
        reap__free(text.bytes);
    }
    reap__file_close(output);
    return is_there;
}

/* The options with which a program's own kernels are compiled. The program may have been compiled
 * with -fwrapv or -fno-strict-aliasing, so these are given, too: code must not depend on their
 * absence. Warnings are not read, but -w would turn off the errors, too. */
#define OPTIONS(X)                                                                                 \
    X("-O2")                                                                                       \
    X("-std=gnu11")                                                                                \
    X("-ffp-contract=off")                                                                         \
    X("-fwrapv")                                                                                   \
    X("-fno-strict-aliasing")                                                                      \
    X("-fno-delete-null-pointer-checks")                                                           \
    X("-fvisibility=hidden")                                                                       \
    X("-fPIC")                                                                                     \
    X("-shared")                                                                                   \
    X("-Werror=implicit-function-declaration")                                                     \
    X("-Werror=incompatible-pointer-types")                                                        \
    X("-Werror=int-conversion")

const char *reap__compiler_options(void)
{
#define LINE(option) option " "
    return OPTIONS(LINE);
}

static const char *compile(const char *compiler, int input, int output, struct reap__binary *binary)
{
#define ENTRY(option) option,
    const char *const arguments[] = {compiler, OPTIONS(ENTRY) "-x", "c", "-", "-lm",
                                     "-o",     "/proc/self/fd/3",   NULL};
    const struct reap__process process = {arguments, input, output, OUTPUT, LIMIT_NANOSECONDS};
    if (!run(&process))
        return atomic_load(&hangs) ? "the compiler took too long" : "the compiler failed";
    return read_all(output, binary) ? NULL : "the compiler wrote no file";
}

const char *reap__compiler_run(const char *compiler, const struct reap__string *text,
                               struct reap__binary *binary)
{
    const char *problem = "no memory for its files";
    const int input = reap__file_make(), output = reap__file_make();
    if (input >= 0 && output >= 0 && reap__file_write(input, text->bytes, text->length) &&
        reap__file_rewind(input))
        problem = compile(compiler, input, output, binary);
    reap__file_close(input);
    reap__file_close(output);
    return problem;
}

/* ---- Shared objects ---------------------------------------------------------------------------*/

const void *reap__binary_load(const struct reap__binary *binary, const char *symbol, void **handle)
{
    const int file = reap__file_make();
    *handle = NULL;
    if (file >= 0 && reap__file_write(file, binary->bytes, binary->size))
        *handle = reap__file_load(file);
    reap__file_close(file);
    const void *const found = *handle != NULL ? reap__library_symbol(*handle, symbol) : NULL;
    if (found == NULL)
        reap__object_release(*handle);
    return found;
}
