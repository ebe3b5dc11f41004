/* SPDX-License-Identifier: Apache-2.0
 *
 * See devices.h. Memory that was freed stays noted, until it is allocated again: no test asks for
 * it in between.
 */
#include "tests/conformance/devices.h"

#include "tests/conformance/compiles.h"

#include <reap/kernel.h>
#include <stdio.h>
#include <string.h>

#undef reap_launch
#undef test_allocate

enum { MOST_NOTED = 4096, MOST_ARRAYS = 64, MOST_NAMES = 64 };

struct memory {
    const char *begin;
    size_t bytes;
};

static struct memory noted[MOST_NOTED];
static size_t noted_count;

bool test_on_device(void)
{
    const char *device = getenv("REAP_DEVICE");
    return device != NULL && device[0] != '\0' && strcmp(device, "host") != 0;
}

bool test_samples(void)
{
    return getenv("SHARE") != NULL;
}

bool test_few(void)
{
    return getenv("REAP_TESTS_FEW") != NULL;
}

bool test_draws_large(void)
{
    return test_on_device() && test_few() && test_samples();
}

/* A name's number: how many others were asked for before it. */
static unsigned number_of(const char *name)
{
    static const char *names[MOST_NAMES];
    unsigned n = 0;
    while (n < MOST_NAMES - 1 && names[n] != NULL && strcmp(names[n], name) != 0)
        n++;
    names[n] = name;
    return n;
}

static bool is_in_part(const char *name, const char *part)
{
    char *slash;
    const unsigned long which = strtoul(part, &slash, 10);
    const unsigned long parts = *slash == '/' ? strtoul(slash + 1, NULL, 10) : 0;
    if (which < 1 || which > parts) {
        fprintf(stderr, "PART is '%s', and not such as 2/4\n", part);
        exit(2);
    }
    return number_of(name) % parts == which - 1;
}

bool test_wants(const char *name)
{
    const char *only = getenv("ONLY"), *part = getenv("PART");
    const size_t length = strlen(name);
    if (part != NULL && !is_in_part(name, part))
        return false;
    for (const char *at = only; at != NULL; at = strchr(at, ','), at += at != NULL) {
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return only == NULL;
}

bool test_skips(const char *name, const char *reason)
{
    if (test_on_device())
        printf("skipped: %s: %s\n", name, reason);
    return test_on_device();
}

static bool overlap(const struct memory *a, const struct memory *b)
{
    return a->begin < b->begin + b->bytes && b->begin < a->begin + a->bytes;
}

void *test_note(void *memory, size_t bytes)
{
    const struct memory made = {memory, bytes > 0 ? bytes : 1};
    size_t kept = 0;
    if (!test_on_device() && !test_compiles())
        return memory;
    for (size_t i = 0; i < noted_count; i++)
        if (!overlap(&noted[i], &made))
            noted[kept++] = noted[i];
    if (kept == MOST_NOTED) { /* the oldest is long gone */
        memmove(noted, noted + 1, (MOST_NOTED - 1) * sizeof *noted);
        kept--;
    }
    noted[kept] = made;
    noted_count = kept + 1;
    return memory;
}

static const struct memory *find(const void *array)
{
    const struct memory byte = {array, 1};
    for (size_t i = noted_count; i-- > 0;)
        if (overlap(&noted[i], &byte))
            return &noted[i];
    return NULL;
}

const void *test_find(const void *array)
{
    const struct memory *memory = array != NULL ? find(array) : NULL;
    return memory != NULL ? memory->begin : array;
}

static bool is_array(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__IN || parameter->kind == REAP__OUT ||
           parameter->kind == REAP__INOUT;
}

/* Wraps the memory of each array, once; what the test has wrapped itself stays as it is. */
static size_t lend(const struct reap_kernel *kernel, const char *arguments,
                   reap_buffer *buffers[MOST_ARRAYS])
{
    size_t count = 0;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const void *array;
        if (!is_array(&kernel->parameters[p]))
            continue;
        memcpy(&array, arguments + kernel->parameters[p].offset, sizeof array);
        const struct memory *memory = array != NULL ? find(array) : NULL;
        if (memory != NULL &&
            reap_buffer_wrap(memory->begin, memory->bytes, &buffers[count]) == REAP_OK)
            count++;
    }
    return count;
}

reap_status test_launch(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments)
{
    reap_buffer *buffers[MOST_ARRAYS];
    reap_launch_options options;
    reap_event *own = NULL;
    if (test_compiles() && kernel != NULL && arguments != NULL)
        test_compile(kernel, arguments);
    if (!test_on_device() || queue == NULL || kernel == NULL || arguments == NULL)
        return reap_launch(queue, kernel, arguments);
    char *copy = test_allocate(kernel->arguments_size);
    memcpy(copy, arguments, kernel->arguments_size);
    memcpy(&options, copy + kernel->options_offset, sizeof options);
    if (options.event == NULL)
        options.event = &own;
    memcpy(copy + kernel->options_offset, &options, sizeof options);
    const size_t count = lend(kernel, copy, buffers);
    const reap_status status = reap_launch(queue, kernel, copy);
    if (status == REAP_OK)
        reap_event_wait(*options.event); /* what it says, the queue and the event say again */
    reap_event_release(own);
    for (size_t b = 0; b < count; b++)
        reap_buffer_release(buffers[b]);
    free(copy);
    return status;
}
