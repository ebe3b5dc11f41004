/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy, in a Python process of its own (numpy_side.py, as peer_numpy.py beside the module), which
 * times itself. What the arrays hold goes to it through a pipe, once, and as far as it is asked
 * for.
 */
#include "bench/peers/peer.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    FILE *requests, *answers;
    uint64_t data;   /* what its arrays are of */
    size_t bytes[2]; /* how far */
} python;

/* ---- Requests ---------------------------------------------------------------------------------*/

static void send_array(const struct bench_task *task, int a)
{
    static const char *const types[BENCH_TYPES] = {"float", "double", "int",
                                                   "half",  "uint32", "bfloat16"};
    const char *array = a == 0 ? task->x : task->y;
    const size_t from = python.bytes[a], bytes = task->bytes;
    if (array == NULL || bytes <= from)
        return;
    fprintf(python.requests, "array %c %s %zu %zu\n", a == 0 ? 'x' : 'y', types[task->type], from,
            bytes - from);
    fwrite(array + from, 1, bytes - from, python.requests);
    python.bytes[a] = bytes;
}

/* Returns the seconds. If the process has ended, all values are wrong. */
static double ask(const struct bench_task *task, long calls, struct bench_result *result)
{
    double seconds = 1;
    if (task->data != python.data)
        python.bytes[0] = python.bytes[1] = 0;
    python.data = task->data;
    for (int a = 0; a < 2; a++)
        send_array(task, a);
    fprintf(python.requests, "run %s %zu %zu %ld\n", task->work, task->count, task->extent, calls);
    fflush(python.requests);
    double *values = result->values;
    char line[256];
    if (fgets(line, sizeof line, python.answers) == NULL ||
        sscanf(line, "%lf %lf %lf %lf %lf", &seconds, &values[0], &values[1], &values[2],
               &values[3]) != 5)
        values[0] = values[1] = values[2] = values[3] = -1e300;
    if (strcmp(task->work, "histogram") == 0 &&
        fread(result->bins, sizeof *result->bins, task->extent, python.answers) != task->extent)
        result->bins[0] = UINT32_MAX;
    return seconds;
}

static void ask_once(const struct bench_task *task, struct bench_result *result)
{
    ask(task, 1, result);
}

static double time_calls(const struct bench_task *task, long calls)
{
    static struct bench_result result;
    if (result.bins == NULL)
        result.bins = malloc(1000000 * sizeof *result.bins);
    return ask(task, calls, &result);
}

/* ---- The process ------------------------------------------------------------------------------*/

/* The child's: becomes the script, with the first Python that has NumPy. */
static void become_python(int input, int output)
{
    char script[1200] = "";
    Dl_info place;
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    if (dladdr(&python, &place) != 0 && strlen(place.dli_fname) < sizeof script)
        strcpy(script, place.dli_fname);
    const size_t length = strlen(script);
    if (length > 3)
        strcpy(script + length - 3, ".py"); /* in place of ".so" */
    execl(BENCH_PYTHON, BENCH_PYTHON, "numpy", script, (char *)NULL);
    _exit(127);
}

static bool start(void)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0)
        return false;
    signal(SIGPIPE, SIG_IGN);
    const pid_t child = fork();
    if (child == 0) {
        close(to[1]);
        close(from[0]);
        become_python(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    python.requests = fdopen(to[1], "w");
    python.answers = fdopen(from[0], "r");
    return child > 0 && python.requests != NULL && python.answers != NULL;
}

const struct bench_peer *bench_peer_open(const char **why_not)
{
    static const struct bench_offer offers[] = {
        {"sum", BENCH_FLOAT, ask_once},     {"sum", BENCH_DOUBLE, ask_once},
        {"sum", BENCH_INT, ask_once},       {"sum", BENCH_HALF, ask_once},
        {"dot", BENCH_FLOAT, ask_once},     {"dot", BENCH_DOUBLE, ask_once},
        {"dot", BENCH_INT, ask_once},       {"norm", BENCH_FLOAT, ask_once},
        {"norm", BENCH_DOUBLE, ask_once},   {"minmax", BENCH_FLOAT, ask_once},
        {"minmax", BENCH_DOUBLE, ask_once}, {"minmax", BENCH_INT, ask_once},
        {"minmax", BENCH_HALF, ask_once},   {"argmax", BENCH_FLOAT, ask_once},
        {"argmax", BENCH_DOUBLE, ask_once}, {"argmax", BENCH_INT, ask_once},
        {"moments", BENCH_FLOAT, ask_once}, {"moments", BENCH_DOUBLE, ask_once},
        {"moments", BENCH_INT, ask_once},   {"four", BENCH_FLOAT, ask_once},
        {"four", BENCH_DOUBLE, ask_once},   {"four", BENCH_INT, ask_once},
        {"sum-max", BENCH_FLOAT, ask_once}, {"sum-max", BENCH_DOUBLE, ask_once},
        {"sum-max", BENCH_INT, ask_once},   {"count", BENCH_FLOAT, ask_once},
        {"count", BENCH_DOUBLE, ask_once},  {"count", BENCH_INT, ask_once},
        {"struct", BENCH_FLOAT, ask_once},  {"struct", BENCH_DOUBLE, ask_once},
        {"struct", BENCH_INT, ask_once},    {"histogram", BENCH_UINT32, ask_once},
        {"rows", BENCH_FLOAT, ask_once},    {"launch", BENCH_FLOAT, ask_once},
        {"small", BENCH_FLOAT, ask_once}};
    static char version[200];
    static const struct bench_peer peer = {.is_library = true,
                                           .version = version,
                                           .flags = "as packaged",
                                           .offers = offers,
                                           .offer_count = sizeof offers / sizeof *offers,
                                           .only_all_threads = true,
                                           .copies_arrays = true,
                                           .time_calls = time_calls};
    *why_not = "no Python here has NumPy";
    if (!start() || fgets(version, sizeof version, python.answers) == NULL)
        return NULL;
    version[strcspn(version, "\n")] = '\0';
    return strncmp(version, "skipped", strlen("skipped")) != 0 ? &peer : NULL;
}
