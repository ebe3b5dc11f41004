/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a device by its name. Drivers are opened only if one of their devices is requested.
 */
#include "tools/chosen_device.h"

#include "tools/number.h"
#include "tools/targets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_MIB = 4, /* sufficient for two tasks of every type */

    /* The default: two tasks for each compute unit, a minimum for a device with few, and at most
     * this share of the memory. (With PoCL on two cores 8 to 16 MiB are fastest, and 128 MiB take
     * twice as long.) */
    UNIT_MIB = 2,
    FEW_MIB = 8,
    SHARES = 8,
};

bool cli_chosen_device_read_memory(const char *called, const char *text, uint64_t *bytes)
{
    if (!cli_number_read(text, bytes)) {
        cli_complain_usage(called, "--device-memory: '%s' is not a size such as 512M", text);
        return false;
    }
    if (*bytes < (uint64_t)LEAST_MIB << 20) {
        cli_complain_usage(called, "--device-memory: '%s' is too small; %dM is the least", text,
                           LEAST_MIB);
        return false;
    }
    return true;
}

/* Reports a wrong device. A wrong REAP_DEVICE is not a usage error. */
static enum cli_status refuse(const char *called, bool is_option, const char *reason)
{
    if (is_option)
        cli_complain_usage(called, "--device: %s", reason);
    else
        cli_complain("REAP_DEVICE", "%s", reason);
    return is_option ? CLI_USAGE : CLI_BAD_INPUT;
}

static enum cli_status find_device(const char *called, bool is_option, const char *name,
                                   const reap_device **device)
{
    static struct cli_targets targets; /* too large for a stack */
    char line[2 * CLI_REASON_BYTES];
    snprintf(line, sizeof line, "'%s' is not a device; 'reap devices' lists them", name);
    if (!cli_targets_are_right(name))
        return refuse(called, is_option, line);
    if (!cli_targets_find(name, &targets))
        return CLI_BAD_INPUT;
    if (targets.count == 0)
        return refuse(called, is_option, targets.reasons[0]);
    *device = targets.list[0].device; /* "cuda:sm_90" and "host,cuda:0" are not devices */
    return *device != NULL && strcmp(targets.list[0].name, name) == 0
               ? CLI_FINE
               : refuse(called, is_option, line);
}

static enum cli_status choose_memory(struct cli_chosen_device *chosen)
{
    const uint64_t mib = 1 << 20;
    reap_device_info info;
    if (chosen->device == NULL) {
        chosen->memory_bytes = UINT64_MAX; /* not limited: a thread has few chunks */
        return CLI_FINE;
    }
    if (reap_device_get_info(chosen->device, &info) != REAP_OK) {
        cli_complain(NULL, "%s", reap_last_error());
        return CLI_BAD_INPUT;
    }
    uint64_t bytes = info.compute_units * UNIT_MIB * mib;
    bytes = bytes > FEW_MIB * mib ? bytes : FEW_MIB * mib;
    bytes = bytes < info.global_memory_bytes / SHARES ? bytes : info.global_memory_bytes / SHARES;
    chosen->memory_bytes = bytes > LEAST_MIB * mib ? bytes : LEAST_MIB * mib;
    return CLI_FINE;
}

enum cli_status cli_chosen_device_find(const char *called, const struct cli_device_options *options,
                                       struct cli_chosen_device *chosen)
{
    char name[CLI_REASON_BYTES]; /* a copy, since setenv replaces the values */
    const char *variable = getenv("REAP_DEVICE");
    const bool is_set = variable != NULL && variable[0] != '\0';
    enum cli_status status = CLI_FINE;
    snprintf(name, sizeof name, "%s",
             options->device != NULL ? options->device
             : is_set                ? variable
                                     : "host");
    *chosen = (struct cli_chosen_device){.memory_bytes = options->memory_bytes};
    if (setenv("REAP_DEVICE", "host", 1) != 0) {
        cli_complain(called, "%s", strerror(errno));
        return CLI_BAD_INPUT;
    }
    if (strcmp(name, "host") != 0)
        status = find_device(called, options->device != NULL, name, &chosen->device);
    return status == CLI_FINE && chosen->memory_bytes == 0 ? choose_memory(chosen) : status;
}
