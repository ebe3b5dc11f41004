/* SPDX-License-Identifier: Apache-2.0
 *
 * A C file of a few lines, which includes the kernel file, goes to the compiler's standard input:
 * so the compiler looks for the kernel file from this folder, and names it in its messages as the
 * user did. What comes out stands in a folder of its own until it is loaded. Signals that would end
 * the tool wait until that folder is gone.
 */
#define _GNU_SOURCE /* environ */
#include "src/cli/unit.h"

#include "src/cli/message.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

/* The folder, and what stands in it. */
struct workplace {
    char folder[PATH_MAX - 16];
    char source[PATH_MAX];
    char object[PATH_MAX];
    sigset_t signals_before;
};

/* ---- The folder -------------------------------------------------------------------------------*/

static void hold_signals(struct workplace *place)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, &place->signals_before);
}

static bool make_workplace(struct workplace *place)
{
    const char *root = getenv("TMPDIR");
    if (root == NULL || root[0] == '\0')
        root = "/tmp";
    const int length =
        snprintf(place->folder, sizeof place->folder, "%s/reap-compile-XXXXXX", root);
    hold_signals(place);
    if (length < 0 || (size_t)length >= sizeof place->folder || mkdtemp(place->folder) == NULL) {
        cli_complain(root, "no folder can be made there: %s", strerror(errno));
        sigprocmask(SIG_SETMASK, &place->signals_before, NULL);
        return false;
    }
    snprintf(place->source, sizeof place->source, "%s/unit.c", place->folder);
    snprintf(place->object, sizeof place->object, "%s/unit.so", place->folder);
    return true;
}

static void remove_workplace(const struct workplace *place)
{
    unlink(place->source);
    unlink(place->object);
    rmdir(place->folder);
    sigprocmask(SIG_SETMASK, &place->signals_before, NULL);
}

static bool write_source(const struct workplace *place, const char *file)
{
    FILE *stream = fopen(place->source, "w");
    if (stream == NULL) {
        cli_complain(place->source, "%s", strerror(errno));
        return false;
    }
    fprintf(stream,
            "#define REAP_LIST_KERNELS\n"
            "#include \"%s\"\n"
            "#include <reap/compile.h>\n"
            "__attribute__((__visibility__(\"default\"))) const struct reap_kernel *const *\n"
            "reap_unit_kernels(size_t *count);\n"
            "const struct reap_kernel *const *reap_unit_kernels(size_t *count)\n"
            "{\n"
            "    return reap_listed_kernels(count);\n"
            "}\n",
            file);
    const bool is_written = !ferror(stream);
    if (fclose(stream) == 0 && is_written)
        return true;
    cli_complain(place->source, "%s", strerror(errno));
    return false;
}

/* ---- The compiler -----------------------------------------------------------------------------*/

/* Where the headers lie beside this tool, as an option; "": where the compiler looks anyway. */
static void find_headers(char option[PATH_MAX])
{
    char path[PATH_MAX - 64];
    option[0] = '\0';
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    snprintf(option, PATH_MAX, "-I%s/" CLI_TO_INCLUDE, path);
    if (access(option + 2, X_OK) != 0)
        option[0] = '\0';
}

/* Runs it; true with its exit status, or false with errno. */
static bool spawn(const struct workplace *place, const char *const *arguments, int *status)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t process;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* which main ignores */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, place->source, O_RDONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &place->signals_before);
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

/* The words of CC, or cc; they are split in `words`. Gives how many they are, at most `most`. */
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

static enum cli_unit_result run(const struct workplace *place, const char *const *arguments)
{
    int status;
    if (!spawn(place, arguments, &status)) {
        cli_complain(NULL, "the C compiler '%s' cannot be run: %s", arguments[0], strerror(errno));
        return CLI_UNIT_FAILED;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CLI_UNIT_FINE : CLI_UNIT_REFUSED;
}

/* No optimisation: it is the checks that count. Functions that are not there are not missed, since
 * nothing is called. */
static enum cli_unit_result run_compiler(const struct workplace *place, const char *const *options,
                                         size_t option_count)
{
    char words[COMPILER_BYTES];
    char headers[PATH_MAX];
    const char *const before[] = {"-x", "c", "-O0", "-fPIC"};
    const char *const after[] = {"-", "-shared", "-Wl,-z,lazy", "-o", place->object, "-lm", NULL};
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
    const enum cli_unit_result result = run(place, arguments);
    free(arguments);
    return result;
}

/* ---- The object -------------------------------------------------------------------------------*/

/* It is never closed: the library keeps what it compiles by the kernel's address, at which another
 * file's kernel must not come to lie. */
static bool load_object(const char *file, const struct workplace *place, struct cli_unit *unit)
{
    const struct reap_kernel *const *(*kernels)(size_t * count);
    void *object = dlopen(place->object, RTLD_LAZY | RTLD_LOCAL);
    void *symbol = object != NULL ? dlsym(object, "reap_unit_kernels") : NULL;
    if (symbol == NULL) {
        cli_complain(file, "it was compiled, and cannot be loaded: %s", dlerror());
        return false;
    }
    memcpy(&kernels, &symbol, sizeof kernels); /* as POSIX has it, and C has not */
    unit->kernels = kernels(&unit->kernel_count);
    return true;
}

static bool check_file(const char *file)
{
    struct stat about;
    if (strpbrk(file, "\"\n") != NULL)
        cli_complain(file, "no file can be included whose name has a quote or a newline");
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

enum cli_unit_result cli_unit_load(const char *file, const char *const *options,
                                   size_t option_count, struct cli_unit *unit)
{
    struct workplace place;
    enum cli_unit_result result = CLI_UNIT_FAILED;
    if (!check_file(file) || !make_workplace(&place))
        return CLI_UNIT_FAILED;
    if (write_source(&place, file))
        result = run_compiler(&place, options, option_count);
    if (result == CLI_UNIT_FINE && !load_object(file, &place, unit))
        result = CLI_UNIT_FAILED;
    remove_workplace(&place);
    return result;
}
