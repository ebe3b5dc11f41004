/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses an instruction set. A kernel compiled with options of its own (-march=native) has the
 * baseline alone, which then is whatever those options say.
 */
#include "src/host/isa.h"

#include "src/core/status.h"
#include "src/port/cpu.h"

#include <stdbool.h>
#include <string.h>

static const char *const names[REAP__ISA_COUNT] = {
    [REAP__ISA_PLAIN] = "baseline",
    [REAP__ISA_V3] = "x86-64-v3",
    [REAP__ISA_V4] = "x86-64-v4",
};

static bool is_there(enum reap__isa isa)
{
    switch (isa) {
    case REAP__ISA_V3:
        return reap__cpu_has_x86_64_v3();
    case REAP__ISA_V4:
        return reap__cpu_has_x86_64_v4();
    default:
        return true;
    }
}

const char *reap__isa_name(enum reap__isa isa)
{
    return names[isa];
}

reap_status reap__isa_choose(const char *wanted, enum reap__isa *isa)
{
    for (int i = REAP__ISA_COUNT - 1; i >= 0; i--) {
        if (wanted != NULL && strcmp(wanted, names[i]) != 0)
            continue;
        if (is_there((enum reap__isa)i)) {
            *isa = (enum reap__isa)i;
            return REAP_OK;
        }
        if (wanted != NULL)
            return reap__fail(REAP_ERROR_NO_DEVICE,
                              "REAP_HOST_ISA is '%s', which this processor does not have", wanted);
    }
    return reap__fail(REAP_ERROR_NO_DEVICE, "REAP_HOST_ISA is '%s'; there are: %s, %s, %s", wanted,
                      names[0], names[1], names[2]);
}

enum reap__isa reap__isa_of_kernel(const struct reap_kernel *kernel, enum reap__isa isa)
{
    while (kernel->rows[isa] == NULL)
        isa = (enum reap__isa)(isa - 1);
    return isa;
}
