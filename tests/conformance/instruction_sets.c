/* SPDX-License-Identifier: Apache-2.0
 *
 * The one file of these tests that looks inside the library, for the proof.
 */
#include "tests/conformance/instruction_sets.h"

#include "src/host/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const instruction_sets[INSTRUCTION_SETS] = {"baseline", "x86-64-v3", "x86-64-v4"};

/* Asks the compiler's run-time library, not Reap. */
static bool is_there(unsigned set)
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

static bool child_succeeds(unsigned set, int (*body)(unsigned, const void *), const void *context)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
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
        if (!is_there(set)) {
            printf("%s: skipped, this processor lacks it\n", instruction_sets[set]);
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
