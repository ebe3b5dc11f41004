/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC by the system's C++ compiler: a text becomes a shared object for this machine, behind
 * shim.h, which says CUDA's words, and before functions that call its entry functions with the
 * parameters of a launch (modules.c). The shared object's bytes are the code.
 */
#define _GNU_SOURCE /* mkdtemp */
#include "tests/fake/nvrtc.h"
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those that Reap's texts may have. */
static const char *const entries[] = {"reap_entry",    "reap_commit", "reap_sort",
                                      "reap_segments", "reap_fold",   "reap_finish"};

static void fail(const char *what)
{
    perror(what);
    abort();
}

/* A block by value, or its offset in the first memory; and so many memories. */
static void add_call(FILE *file, const char *text, const char *entry)
{
    const size_t memories = fake_memories(text, entry);
    if (memories == 0)
        return;
    fprintf(file,
            "extern \"C\" {\nextern const unsigned long fake_memories_%s;\n"
            "const unsigned long fake_memories_%s = %zu;\n}\n"
            "extern \"C\" void fake_call_%s(void **p)\n{\n    %s(*(%s *)p[0]",
            entry, entry, memories, entry, entry,
            fake_block_is_in_memory(text) ? "reap__ulong" : "struct reap_block");
    for (size_t m = 1; m <= memories; m++)
        fprintf(file, ", (unsigned char *)p[%zu]", m);
    fputs(");\n}\n", file);
}

/* Dynamic memory is an array of unknown length in CUDA, and here a pointer that the card gives. */
static void add_text(FILE *file, const char *text)
{
    static const char dynamic[] = "extern __shared__ reap__ulong8 name[]";
    const char *const found = strstr(text, dynamic);
    if (found == NULL) {
        fputs("#error \"the declaration of dynamic memory is written otherwise\"\n", file);
        return;
    }
    fwrite(text, 1, (size_t)(found - text), file);
    fputs("reap__ulong8 *const name = (reap__ulong8 *)fake_card_dynamic_memory()", file);
    fputs(found + sizeof dynamic - 1, file);
}

static void write_source(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        fail(path);
    add_text(file, text);
    fputs("\n#line 1 \"emulated card: calls\"\n", file);
    for (size_t e = 0; e < sizeof entries / sizeof *entries; e++)
        add_call(file, text, entries[e]);
    fprintf(file,
            "extern \"C\" {\n"
            "extern const unsigned long fake_block_words;\n"
            "const unsigned long fake_block_words = %zu;\n"
            "extern __attribute__((__weak__, __visibility__(\"hidden\"))) unsigned char "
            "__start_fake_shared[], __stop_fake_shared[];\n"
            "extern unsigned char *const fake_shared_begin, *const fake_shared_end;\n"
            "unsigned char *const fake_shared_begin = __start_fake_shared;\n"
            "unsigned char *const fake_shared_end = __stop_fake_shared;\n}\n",
            fake_words(text));
    if (fclose(file) != 0)
        fail(path);
}

/* A zero byte follows; NULL: the file does not exist. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*size + 1, 1);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size)
        fail(path);
    fclose(file);
    return bytes;
}

/* Optimised (-O1), or as FAKE_OPTIMISATION of the environment says. As NVRTC's options are: no
 * contraction. Integers wrap, and memory has no types. A place in a text where threads meet is one
 * place in the code, too. Of libraries the linker reads those alone that a text may need: with
 * C++'s it takes five times as long. */
static const char command[] =
    "'%s' -x c++ -std=c++20 -fno-operator-names %s -w -shared -fPIC -ffp-contract=off -fwrapv "
    "-fno-strict-aliasing -fno-thread-jumps "
    "-fno-math-errno -fno-exceptions -fno-asynchronous-unwind-tables -include '%s' '%s' -o '%s' "
    "-nostdlib -Wl,--as-needed -lm -lgcc 2>'%s'";

void fake_compile(const char *text, struct fake_code *code)
{
    char folder[] = "/tmp/reap-emulated-XXXXXX", source[64], object[64], log[64], line[1024];
    size_t log_size;
    *code = (struct fake_code){0};
    if (mkdtemp(folder) == NULL)
        fail(folder);
    snprintf(source, sizeof source, "%s/text.cc", folder);
    snprintf(object, sizeof object, "%s/text.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    write_source(source, text);
    const char *level = getenv("FAKE_OPTIMISATION");
    snprintf(line, sizeof line, command, FAKE_COMPILER, level != NULL ? level : "-O1", FAKE_SHIM,
             source, object, log);
    const int status = system(line);
    if (status == 0)
        code->bytes = read_file(object, &code->size);
    else
        code->log = read_file(log, &log_size);
    unlink(source);
    unlink(object);
    unlink(log);
    rmdir(folder);
}
