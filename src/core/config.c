/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the environment once. An empty variable counts as one that is not set.
 */
#include "src/core/config.h"

#include "src/core/status.h"
#include "src/port/process.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 4096,
    COMPILER_AFTER = 40,
    MOST_COMPILER_AFTER = 1000000,
    TEXT_BYTES = 256,
    PATH_BYTES = 4096
};

static struct reap__config settings;
static struct {
    char device[TEXT_BYTES], backends[TEXT_BYTES], host_isa[TEXT_BYTES], threads[TEXT_BYTES],
        check[TEXT_BYTES], compiler_after[TEXT_BYTES], cache[PATH_BYTES], dump[PATH_BYTES],
        compiler[PATH_BYTES];
} texts;
static const char *too_long; /* a variable's name */
static size_t most_bytes;    /* of its value */
static bool malformed_threads, malformed_check, malformed_after;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Copies a variable, since the program may change its environment. */
static const char *read_bytes(const char *name, char *text, size_t size)
{
    const char *value = getenv(name);
    const size_t length = value != NULL ? strlen(value) : 0;
    if (length >= size) {
        too_long = name;
        most_bytes = size - 1;
    }
    if (length == 0 || length >= size)
        return NULL;
    return memcpy(text, value, length + 1);
}

static const char *read_variable(const char *name, char text[TEXT_BYTES])
{
    return read_bytes(name, text, TEXT_BYTES);
}

/* A folder below the one that a variable has, which the user may have set for other programs: where
 * it cannot be used, it is as if it were not set (XDG Base Directory Specification 0.8). */
static const char *read_base(const char *name, const char *below, char text[PATH_BYTES])
{
    const char *value = getenv(name);
    const size_t length = value != NULL ? strlen(value) : 0;
    if (length == 0 || *value != '/' || length + strlen(below) >= PATH_BYTES)
        return NULL;
    memcpy(text, value, length);
    memcpy(text + length, below, strlen(below) + 1);
    return text;
}

/* Without slashes at the end, and dots after these: with one, systems follow any link. */
static const char *read_folder(const char *name, char text[PATH_BYTES])
{
    const char *value = read_bytes(name, text, PATH_BYTES);
    for (size_t end = value != NULL ? strlen(value) : 0; end > 1; text[--end] = '\0')
        if (text[end - 1] != '/' && (text[end - 1] != '.' || text[end - 2] != '/'))
            break;
    return value;
}

static void read_folders(void)
{
    settings.dump = read_bytes("REAP_DUMP_KERNELS", texts.dump, PATH_BYTES);
    settings.cache = read_folder("REAP_CACHE_DIR", texts.cache);
    if (settings.cache == NULL)
        settings.cache = read_base("XDG_CACHE_HOME", "/reap", texts.cache);
    if (settings.cache == NULL)
        settings.cache = read_base("HOME", "/.cache/reap", texts.cache);
    if (settings.cache != NULL && strcmp(settings.cache, "none") == 0)
        settings.cache = NULL;
    settings.compiler = read_bytes("REAP_HOST_COMPILER", texts.compiler, PATH_BYTES);
    if (settings.compiler == NULL)
        settings.compiler = "cc";
    if (strcmp(settings.compiler, "none") == 0)
        settings.compiler = NULL;
    /* The user who starts a program that has more rights must not choose where it writes, nor which
     * compiled kernels it loads, nor which compiler it starts. The other variables name no files.
     */
    if (reap__rights_are_raised())
        settings.cache = settings.dump = settings.compiler = NULL;
}

/* A number from 1 to MOST_THREADS; 0: it is none. */
static size_t read_threads(const char *text)
{
    size_t number = 0;
    for (; *text >= '0' && *text <= '9' && number <= MOST_THREADS; text++)
        number = number * 10 + (size_t)(*text - '0');
    return *text == '\0' && number <= MOST_THREADS ? number : 0;
}

static void read_compiler_after(void)
{
    const char *text = read_variable("REAP_HOST_COMPILER_AFTER", texts.compiler_after);
    settings.compiler_after = COMPILER_AFTER;
    if (text == NULL)
        return;
    unsigned number = 0;
    for (; *text >= '0' && *text <= '9' && number <= MOST_COMPILER_AFTER; text++)
        number = number * 10 + (unsigned)(*text - '0');
    malformed_after = *text != '\0' || number > MOST_COMPILER_AFTER;
    settings.compiler_after = number;
}

/* OMP_NUM_THREADS is a list, of which the first number counts here (OpenMP 5.2, 21.1.2). It is set
 * for other programs, too: where it is malformed it is as if it were not set. */
static size_t read_omp_threads(void)
{
    char text[TEXT_BYTES];
    const char *value = getenv("OMP_NUM_THREADS");
    if (value == NULL)
        return 0;
    value += strspn(value, " \t");
    const size_t length = strcspn(value, ", \t");
    if (length >= sizeof text)
        return 0;
    memcpy(text, value, length);
    text[length] = '\0';
    return read_threads(text);
}

static void read_environment(void)
{
    settings.device = read_variable("REAP_DEVICE", texts.device);
    settings.backends = read_variable("REAP_BACKENDS", texts.backends);
    settings.host_isa = read_variable("REAP_HOST_ISA", texts.host_isa);
    const char *threads = read_variable("REAP_NUM_THREADS", texts.threads);
    settings.threads = threads != NULL ? read_threads(threads) : 0;
    settings.omp_threads = read_omp_threads();
    malformed_threads = threads != NULL && settings.threads == 0;
    const char *check = read_variable("REAP_CHECK", texts.check);
    settings.is_checked = check != NULL && strcmp(check, "1") == 0;
    malformed_check = check != NULL && strcmp(check, "1") != 0 && strcmp(check, "0") != 0;
    read_compiler_after();
    read_folders();
}

reap_status reap__config_get(const struct reap__config **config)
{
    pthread_once(&once, read_environment);
    if (too_long != NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE, "the value of %s has more than %zu characters",
                          too_long, most_bytes);
    if (malformed_threads)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "REAP_NUM_THREADS is '%s', and must be a number from 1 to %d",
                          texts.threads, MOST_THREADS);
    if (malformed_check)
        return reap__fail(REAP_ERROR_NO_DEVICE, "REAP_CHECK is '%s', and must be 0 or 1",
                          texts.check);
    if (malformed_after)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "REAP_HOST_COMPILER_AFTER is '%s', and must be a number from 0 to %d",
                          texts.compiler_after, MOST_COMPILER_AFTER);
    *config = &settings;
    return REAP_OK;
}

size_t reap__config_threads(const struct reap__config *config, size_t processors)
{
    if (config->threads > 0)
        return config->threads;
    const bool is_limited = config->omp_threads > 0 && config->omp_threads < processors;
    return is_limited ? config->omp_threads : processors;
}
