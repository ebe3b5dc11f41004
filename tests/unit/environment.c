/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment's variables: what is refused, and that the program may change them after Reap has
 * read them. Each case is a process of its own, since they are read once.
 */
#define _XOPEN_SOURCE 700 /* putenv */
#include "tests/support/check_status.h"

#include "src/port/affinity.h"
#include "src/port/cpu.h"

#include <reap/reap.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const variables[] = {"REAP_DEVICE",   "REAP_BACKENDS",
                                        "REAP_HOST_ISA", "REAP_NUM_THREADS",
                                        "REAP_CHECK",    "REAP_HOST_COMPILER_AFTER"};

/* Whether a process that sets the variable gets a default device; `threads`, unless 0, is how many
 * it must have. Where there is none, the line must name the variable. */
static bool is_accepted(const char *variable, const char *value, size_t threads)
{
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        const reap_device *device;
        reap_device_info info;
        setenv(variable, value, 1);
        const reap_status got = reap_device_default(&device);
        if (got == REAP_ERROR_NO_DEVICE)
            _exit(strstr(reap_last_error(), variable) != NULL ? 1 : 2);
        if (got != REAP_OK || reap_device_get_info(device, &info) != REAP_OK)
            _exit(2);
        _exit(threads == 0 || info.compute_units == threads ? 0 : 2);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return status == 0;
}

static void check_threads(void)
{
    static const char *const refused[] = {"0",
                                          "00",
                                          "-1",
                                          "+4",
                                          " 4",
                                          "4 ",
                                          "4x",
                                          "0x4",
                                          "4.0",
                                          "4e0",
                                          "abc",
                                          " ",
                                          "\t4",
                                          "4097",
                                          "4\n",
                                          "99999",
                                          "4096 ",
                                          "--4",
                                          "4,4",
                                          "18446744073709551615",
                                          "18446744073709551617",
                                          " -18446744073709551615",
                                          "340282366920938463463374607431768211457"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(!is_accepted("REAP_NUM_THREADS", refused[i], 0));
    CHECK(is_accepted("REAP_NUM_THREADS", "1", 1));
    CHECK(is_accepted("REAP_NUM_THREADS", "4096", 4096));
    CHECK(is_accepted("REAP_NUM_THREADS", "007", 7));
    CHECK(is_accepted("REAP_NUM_THREADS", "", 0));
}

/* It lowers the number and never raises it; wrong values, which are for others to refuse, mean
 * nothing. */
static void check_openmp_threads(void)
{
    struct reap__affinity affinity;
    reap__affinity_find(&affinity);
    const size_t processors = reap__cpu_count(reap__affinity_count(&affinity), "");
    static const char *const useless[] = {"", "0", "-1", "x", ",1", "1x", "99999", " "};
    CHECK(is_accepted("OMP_NUM_THREADS", "1", 1));
    CHECK(is_accepted("OMP_NUM_THREADS", " 1 , 7", 1));
    CHECK(is_accepted("OMP_NUM_THREADS", "1,7", 1));
    CHECK(is_accepted("OMP_NUM_THREADS", "4096", processors));
    for (size_t i = 0; i < sizeof useless / sizeof *useless; i++)
        CHECK(is_accepted("OMP_NUM_THREADS", useless[i], processors));
    setenv("OMP_NUM_THREADS", "1", 1);
    CHECK(is_accepted("REAP_NUM_THREADS", "5", 5));
    unsetenv("OMP_NUM_THREADS");
}

static void check_names(void)
{
    CHECK(is_accepted("REAP_DEVICE", "host", 0));
    CHECK(!is_accepted("REAP_DEVICE", "nowhere", 0));
    CHECK(is_accepted("REAP_BACKENDS", "nothing,host", 0));
    CHECK(!is_accepted("REAP_BACKENDS", "nothing", 0));
    CHECK(is_accepted("REAP_HOST_ISA", "baseline", 0));
    CHECK(!is_accepted("REAP_HOST_ISA", "base", 0));
}

static void check_check(void)
{
    static const char *const refused[] = {"2", "01", "10", "1 ", " 1", "-1", "+1", "yes", "true"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(!is_accepted("REAP_CHECK", refused[i], 0));
    CHECK(is_accepted("REAP_CHECK", "", 0));
    CHECK(is_accepted("REAP_CHECK", "0", 0));
    CHECK(is_accepted("REAP_CHECK", "1", 0));
}

static void check_compiler(void)
{
    static const char *const refused[] = {"1000001", "-1", "+1", "1 ", "1.5", "ms", "99999999999"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK(!is_accepted("REAP_HOST_COMPILER_AFTER", refused[i], 0));
    CHECK(is_accepted("REAP_HOST_COMPILER_AFTER", "0", 0));
    CHECK(is_accepted("REAP_HOST_COMPILER_AFTER", "1000000", 0));
    CHECK(is_accepted("REAP_HOST_COMPILER", "none", 0));
    CHECK(is_accepted("REAP_HOST_COMPILER", "a compiler that does not exist", 0));
}

/* Blanks at the end of a list mean nothing; so of 255 letters this one is right, and of 256 too
 * long, as is any other value. */
static void check_lengths(void)
{
    char value[257];
    memset(value, ' ', sizeof value);
    memcpy(value, "host", 4);
    value[255] = '\0';
    CHECK(is_accepted("REAP_BACKENDS", value, 0));
    value[255] = ' ';
    value[256] = '\0';
    CHECK(!is_accepted("REAP_BACKENDS", value, 0));
    memset(value, '0', 256);
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++)
        CHECK(!is_accepted(variables[v], value, 0));
}

/* The environment is the program's own string here, which it writes over. */
static void check_copies(void)
{
    static char device[] = "REAP_DEVICE=host", threads[] = "REAP_NUM_THREADS=x";
    const reap_device *first, *second;
    putenv(device);
    CHECK_STATUS(reap_device_default(&first), REAP_OK);
    memset(strchr(device, '=') + 1, '?', 4);
    CHECK(reap_device_default(&second) == REAP_OK && first == second);
    putenv(threads); /* too late to be malformed */
    CHECK(reap_device_default(&second) == REAP_OK && first == second);
}

int main(void)
{
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++)
        unsetenv(variables[v]);
    unsetenv("OMP_NUM_THREADS");
    check_threads();
    check_openmp_threads();
    check_names();
    check_check();
    check_compiler();
    check_lengths();
    check_copies();
    return check_finish();
}
