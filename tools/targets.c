/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds targets. The name of a backend represents several: "opencl" all OpenCL devices of this
 * machine, "cuda" two architectures, which need no card; most cards in use can run code for the
 * older one.
 */
#include "tools/targets.h"

#include "tools/message.h"

#include <stdio.h>
#include <string.h>

static const char *const architectures[] = {"cuda:sm_80", "cuda:sm_90"};

/* The next element of a list, which begins at *rest; its length is 0 if it is empty. */
static size_t next_word(const char **rest, const char **word)
{
    *word = *rest;
    const size_t length = strcspn(*rest, ",");
    *rest += length + ((*rest)[length] == ',');
    return length;
}

static bool is_word(const char *word, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(word, expected, length) == 0;
}

/* Whether the text is the prefix followed by digits. */
static bool is_numbered(const char *word, size_t length, const char *prefix)
{
    const size_t start = strlen(prefix);
    if (length <= start || memcmp(word, prefix, start) != 0)
        return false;
    return strspn(word + start, "0123456789") >= length - start;
}

static bool is_right(const char *word, size_t length)
{
    return length < CLI_TARGET_BYTES &&
           (is_word(word, length, "host") || is_word(word, length, "opencl") ||
            is_word(word, length, "cuda") || is_numbered(word, length, "opencl:") ||
            is_numbered(word, length, "cuda:") || is_numbered(word, length, "cuda:sm_"));
}

bool cli_targets_are_right(const char *list)
{
    const char *rest = list, *word;
    do {
        const size_t length = next_word(&rest, &word);
        if (!is_right(word, length))
            return false;
    } while (*rest != '\0');
    return list[strlen(list) - 1] != ',';
}

void cli_targets_note(struct cli_targets *targets, const char *reason)
{
    for (size_t r = 0; r < targets->reason_count; r++)
        if (strcmp(targets->reasons[r], reason) == 0)
            return;
    if (targets->reason_count < CLI_MOST_TARGETS)
        snprintf(targets->reasons[targets->reason_count++], CLI_REASON_BYTES, "%s", reason);
}

static void add(struct cli_targets *targets, const char *name, const reap_device *device)
{
    for (size_t t = 0; t < targets->count; t++)
        if (strcmp(targets->list[t].name, name) == 0)
            return;
    if (targets->count == CLI_MOST_TARGETS)
        return;
    struct cli_target *target = &targets->list[targets->count++];
    *target = (struct cli_target){.device = device, .is_host = strcmp(name, "host") == 0};
    snprintf(target->name, sizeof target->name, "%s", name);
}

/* The library's devices. */
struct surroundings {
    const reap_device *const *devices;
    size_t device_count;
    const char *const *missing;
    size_t missing_count;
};

/* Adds the devices of a backend, or the one with that name; returns how many. */
static size_t add_devices(const struct surroundings *here, const char *wanted,
                          struct cli_targets *targets)
{
    size_t count = 0;
    reap_device_info info;
    for (size_t d = 0; d < here->device_count; d++)
        if (reap_device_get_info(here->devices[d], &info) == REAP_OK &&
            (strcmp(info.backend, wanted) == 0 || strcmp(info.name, wanted) == 0)) {
            add(targets, info.name, here->devices[d]);
            count++;
        }
    return count;
}

/* Returns the reason why this backend has no devices; NULL: it has some, or is hidden. */
static const char *find_reason(const struct surroundings *here, const char *kind)
{
    const size_t length = strcspn(kind, ":");
    for (size_t m = 0; m < here->missing_count; m++)
        if (strncmp(here->missing[m], kind, length) == 0 && here->missing[m][length] == ':')
            return here->missing[m];
    return NULL;
}

static bool is_hidden(const struct surroundings *here, const char *kind)
{
    struct cli_targets found = {.count = 0};
    return find_reason(here, kind) == NULL && add_devices(here, kind, &found) == 0;
}

static void add_architectures(const struct surroundings *here, struct cli_targets *targets)
{
    if (!targets->are_given && is_hidden(here, "cuda"))
        return;
    for (size_t a = 0; a < sizeof architectures / sizeof *architectures; a++)
        add(targets, architectures[a], NULL);
}

static void add_word(const struct surroundings *here, const char *word, struct cli_targets *targets)
{
    char line[CLI_REASON_BYTES];
    const bool is_host = strcmp(word, "host") == 0;
    if (strncmp(word, "cuda:sm_", 8) == 0 || (is_host && add_devices(here, word, targets) == 0)) {
        add(targets, word, NULL);
    } else if (is_host) {
        return;
    } else if (strcmp(word, "cuda") == 0) {
        add_architectures(here, targets);
    } else if (add_devices(here, word, targets) == 0) {
        const char *reason = find_reason(here, word);
        snprintf(line, sizeof line, "%s: unknown device; 'reap devices' lists them", word);
        if (reason != NULL || targets->are_given)
            cli_targets_note(targets, reason != NULL ? reason : line);
    }
}

bool cli_targets_find(const char *list, struct cli_targets *targets)
{
    struct surroundings here;
    const char *rest = list != NULL ? list : "host,opencl,cuda", *word;
    *targets = (struct cli_targets){.are_given = list != NULL};
    if (reap_device_list(&here.devices, &here.device_count) != REAP_OK ||
        reap_device_missing(&here.missing, &here.missing_count) != REAP_OK) {
        cli_complain(NULL, "%s", reap_last_error());
        return false;
    }
    while (*rest != '\0') {
        char copy[CLI_TARGET_BYTES];
        const size_t length = next_word(&rest, &word);
        snprintf(copy, sizeof copy, "%.*s", (int)length, word);
        add_word(&here, copy, targets);
    }
    return true;
}
