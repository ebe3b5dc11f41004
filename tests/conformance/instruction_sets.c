/* SPDX-License-Identifier: Apache-2.0
 *
 * The one file of these tests that looks inside the library, for the proof.
 */
#include "tests/conformance/instruction_sets.h"

#include "src/host/launch.h"
#include "tests/conformance/compiles.h"
#include "tests/conformance/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const instruction_sets[INSTRUCTION_SETS] = {"baseline", "x86-64-v3", "x86-64-v4"};

/* Asks the compiler's run-time library, not Reap. */
static bool processor_has(unsigned set)
{
    if (set == 0)
        return true;
#ifdef __x86_64__
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return set == 1 ? v3 : v3 && v4;
#else
    return false;
#endif
}

/* Why the instruction set is not tried; NULL: it is. */
static const char *reason_to_skip(unsigned set)
{
    if (set > 0 && (test_on_device() || test_compiles()))
        return "a device has its own";
#if !defined(__OPTIMIZE__) || defined(REAP_TESTS_ONE_ISA)
    if (set > 0)
        return "in this build kernels have the baseline alone";
#endif
    if (!processor_has(set))
        return "this processor lacks it";
#if defined(REAP_TESTS_SMALL) && defined(__OPTIMIZE__) && !defined(REAP_TESTS_ONE_ISA)
    if (set + 1 < INSTRUCTION_SETS && processor_has(set + 1))
        return "in this build the widest one is enough";
#endif
    return NULL;
}

static bool child_succeeds(unsigned set, int (*body)(unsigned, const void *), const void *context)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!test_on_device())
            setenv("REAP_HOST_ISA", instruction_sets[set], 1);
        setenv("REAP_NUM_THREADS", "17", 1);
        exit(body(set, context));
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

unsigned in_each_instruction_set(int (*body)(unsigned set, const void *context),
                                 const void *context)
{
    unsigned failed = 0;
    for (unsigned set = 0; set < INSTRUCTION_SETS; set++) {
        const char *reason = reason_to_skip(set);
        if (reason != NULL) {
            printf("%s: skipped, %s\n", instruction_sets[set], reason);
        } else if (!child_succeeds(set, body, context)) {
            fprintf(stderr, "%s: failed\n", instruction_sets[set]);
            failed++;
        }
    }
    return failed;
}

unsigned long instruction_set_commands(unsigned set)
{
    static const enum reap__isa isas[] = {REAP__ISA_PLAIN, REAP__ISA_V3, REAP__ISA_V4};
    return reap__host_commands_run(isas[set]);
}
