/* SPDX-License-Identifier: Apache-2.0
 *
 * A C file of two lines, which includes the kernel file, is the compiler's standard input. So the
 * compiler finds the kernel file relative to the current folder, and names it in its messages as
 * the user did. That file and the object are in a folder for temporary files, which the caller
 * removes.
 */
#define _GNU_SOURCE /* environ */
#include "tools/unit.h"

#include "tools/message.h"
#include "tools/object.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 16, OWN_ARGUMENTS = MOST_WORDS + 16, COMPILER_BYTES = 1024 };

/* The files in the folder. */
struct unit_files {
    char source[PATH_MAX];
    char object[PATH_MAX];
};

static bool write_source(const struct unit_files *files, const char *file)
{
    FILE *stream = fopen(files->source, "w");
    if (stream == NULL) {
        cli_complain(files->source, "%s", strerror(errno));
        return false;
    }
    fprintf(stream, "#define REAP_LIST_KERNELS\n#include \"%s\"\n", file);
    const bool is_written = !ferror(stream);
    if (fclose(stream) == 0 && is_written)
        return true;
    cli_complain(files->source, "%s", strerror(errno));
    return false;
}

/* ---- The compiler -----------------------------------------------------------------------------*/

/* The folder of this tool, as a pattern for glob that matches only it. */
static bool find_folder(char *pattern)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    for (const char *next = path; *next != '\0'; *pattern++ = *next++)
        *pattern++ = '\\';
    *pattern = '\0';
    return true;
}

/* The folder of the headers next to this tool, as an option; "": the compiler searches it anyway.
 * The headers of a Python package are in a folder named by Python's version; if there are several,
 * the last one is used. */
static void find_headers(char option[PATH_MAX])
{
    char folder[2 * PATH_MAX];
    char pattern[sizeof folder + sizeof "/" CLI_TO_INCLUDE];
    glob_t found;
    option[0] = '\0';
    if (!find_folder(folder))
        return;
    snprintf(pattern, sizeof pattern, "%s/" CLI_TO_INCLUDE, folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    const int written = snprintf(option, PATH_MAX, "-I%s", found.gl_pathv[found.gl_pathc - 1]);
    if (written >= PATH_MAX || access(option + 2, X_OK) != 0)
        option[0] = '\0';
    globfree(&found);
}

/* Runs the compiler. Returns true and its exit status, or false and errno. */
static bool spawn(const struct unit_files *files, const char *const *arguments, int *status)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, blocked;
    pid_t process;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* main ignores it */
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigdelset(&blocked, SIGTERM); /* the guard blocks them */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, files->source, O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &blocked);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    errno = posix_spawnp(&process, arguments[0], &actions, &attributes, (char *const *)arguments,
                         environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (errno != 0)
        return false;
    pid_t ended;
    do
        ended = waitpid(process, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == process;
}

/* Splits CC, or "cc", into words in `words`. Returns their number, at most `most`. */
static size_t find_compiler(char *words, size_t size, const char **compiler, size_t most)
{
    const char *value = getenv("CC");
    const char *given = value != NULL && value[strspn(value, " \t")] != '\0' ? value : "cc";
    size_t count = 0;
    char *rest;
    snprintf(words, size, "%s", given);
    for (char *word = strtok_r(words, " \t", &rest); word != NULL && count < most;
         word = strtok_r(NULL, " \t", &rest))
        compiler[count++] = word;
    return count;
}

static enum cli_unit_result run(const struct unit_files *files, const char *const *arguments)
{
    int status;
    if (!spawn(files, arguments, &status)) {
        cli_complain(NULL, "the C compiler '%s' cannot be run: %s", arguments[0], strerror(errno));
        return CLI_UNIT_FAILED;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CLI_UNIT_FINE : CLI_UNIT_REFUSED;
}

/* The options of most programs, optimised, since some checks need that; without link-time
 * optimisation, which has another format of objects. */
static enum cli_unit_result run_compiler(const struct unit_files *files, const char *const *options,
                                         size_t option_count)
{
    char words[COMPILER_BYTES];
    char headers[PATH_MAX];
    const char *const before[] = {"-x", "c", "-O2", "-fPIC"};
    const char *const after[] = {"-fno-lto", "-c", "-", "-o", files->object, NULL};
    const char **arguments = malloc((option_count + OWN_ARGUMENTS) * sizeof *arguments);
    if (arguments == NULL) {
        cli_complain(NULL, "%s", strerror(ENOMEM));
        return CLI_UNIT_FAILED;
    }
    size_t count = find_compiler(words, sizeof words, arguments, MOST_WORDS);
    find_headers(headers);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        arguments[count++] = before[i];
    for (size_t i = 0; i < option_count; i++)
        arguments[count++] = options[i];
    if (headers[0] != '\0')
        arguments[count++] = headers;
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        arguments[count++] = after[i];
    const enum cli_unit_result result = run(files, arguments);
    free(arguments);
    return result;
}

/* ---- The object -------------------------------------------------------------------------------*/

/* Returns the bytes of a file; NULL and errno. */
static unsigned char *read_file(const char *name, size_t *count)
{
    unsigned char *bytes = NULL;
    struct stat about;
    FILE *stream = fopen(name, "rb");
    if (stream != NULL && fstat(fileno(stream), &about) == 0)
        bytes = malloc((size_t)about.st_size + 1);
    *count = bytes != NULL ? fread(bytes, 1, (size_t)about.st_size, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return bytes;
}

/* The memory of the kernels is not freed: the library identifies a compiled kernel by its address,
 * which another file's kernel must not get. */
static bool read_object(const char *file, const struct unit_files *files, struct cli_unit *unit)
{
    struct cli_failure failure = {""};
    struct cli_object object;
    size_t count;
    unsigned char *bytes = read_file(files->object, &count);
    const bool is_fine = bytes != NULL ? cli_object_read(bytes, count, &object, &failure)
                                       : cli_fail(&failure, "%s", strerror(errno));
    free(bytes);
    if (is_fine)
        *unit = (struct cli_unit){object.kernels, object.kernel_count};
    else
        cli_complain(file, "its kernels cannot be read from the compiled object: %s", failure.text);
    return is_fine;
}

static bool check_file(const char *file)
{
    struct stat about;
    if (strpbrk(file, "\"\n") != NULL)
        cli_complain(file, "the name of a kernel file must not contain a quote or a newline");
    else if (stat(file, &about) != 0 || access(file, R_OK) != 0)
        cli_complain(file, "%s", strerror(errno));
    else if (S_ISDIR(about.st_mode))
        cli_complain(file, "is a directory");
    else if (!S_ISREG(about.st_mode))
        cli_complain(file, "is not a regular file");
    else
        return true;
    return false;
}

enum cli_unit_result cli_unit_read(const char *file, const char *const *options,
                                   size_t option_count, const char *folder, struct cli_unit *unit)
{
    struct unit_files files;
    snprintf(files.source, sizeof files.source, "%s/unit.c", folder);
    snprintf(files.object, sizeof files.object, "%s/unit.o", folder);
    if (!check_file(file) || !write_source(&files, file))
        return CLI_UNIT_FAILED;
    const enum cli_unit_result result = run_compiler(&files, options, option_count);
    if (result == CLI_UNIT_FINE && !read_object(file, &files, unit))
        return CLI_UNIT_FAILED;
    return result;
}
