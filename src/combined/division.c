/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of `.launch.divided`: names with blanks between them, each perhaps with the number of
 * elements that an item uses, "x y*3"; and the slices of a share (memory/coherence.c).
 */
#include "src/combined/division.h"

#include "src/core/status.h"
#include "src/memory/registry.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n,";

enum { MOST_ELEMENTS = 1 << 20 };

static reap_status refuse(const struct reap_kernel *kernel, const char *word, size_t length,
                          const char *what)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': .launch.divided has '%.*s', which %s", kernel->name,
                      (int)(length < 80 ? length : 80), word, what);
}

static size_t find_array(const struct reap_kernel *kernel, const char *name, size_t length)
{
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (reap__is_array(parameter) && strlen(parameter->name) == length &&
            memcmp(parameter->name, name, length) == 0)
            return p;
    }
    return 0;
}

/* Reads the number after a '*', at most MOST_ELEMENTS. Returns 0 if it is not such a number. */
static size_t read_elements(const char *digits, size_t length)
{
    size_t elements = 0;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || elements > MOST_ELEMENTS)
            return 0;
        elements = 10 * elements + (size_t)(digits[i] - '0');
    }
    return elements <= MOST_ELEMENTS ? elements : 0;
}

static reap_status read_word(const struct reap_kernel *kernel, const char *word, size_t length,
                             struct reap__division *division)
{
    const char *const star = memchr(word, '*', length);
    const size_t name = star != NULL ? (size_t)(star - word) : length;
    const size_t p = find_array(kernel, word, name);
    const size_t elements = star != NULL ? read_elements(star + 1, length - name - 1) : 1;
    if (p == 0)
        return refuse(kernel, word, length, "is not the name of an array of the kernel");
    if (elements == 0)
        return refuse(kernel, word, length, "has no number from 1 to 1048576 after '*'");
    if (division->arrays[p].elements > 0)
        return refuse(kernel, word, length, "is there twice");
    division->arrays[p].elements = elements;
    return REAP_OK;
}

reap_status reap__division_parse(const struct reap_kernel *kernel, const char *divided,
                                 struct reap__division *division)
{
    memset(division, 0, sizeof *division);
    for (const char *at = divided; at != NULL && *(at += strspn(at, blanks)) != '\0';) {
        const size_t length = strcspn(at, blanks);
        REAP_TRY(read_word(kernel, at, length, division));
        at += length;
    }
    return REAP_OK;
}

/* ---- Slices -----------------------------------------------------------------------------------*/

static size_t offset_in(const reap_buffer *buffer, const unsigned char *array)
{
    return (size_t)(array - buffer->extent.begin);
}

reap_status reap__division_check(const struct reap__launch *command,
                                 const struct reap__division *division)
{
    for (size_t p = 1; p < command->kernel->parameter_count; p++) {
        const size_t elements = division->arrays[p].elements;
        const struct reap__parameter *parameter = &command->kernel->parameters[p];
        const unsigned char *array = elements > 0 ? reap__array(command, parameter) : NULL;
        const reap_buffer *buffer = array != NULL ? reap__registry_find(array, 1) : NULL;
        if (buffer == NULL)
            continue;
        const size_t bytes = (size_t)(buffer->extent.end - array);
        const size_t most = bytes / parameter->size / elements; /* items */
        if (command->items > most)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': the buffer of argument '%s' has elements for %zu "
                              "work-items, but .launch.divided divides it among %zu",
                              command->kernel->name, parameter->name, most, command->items);
    }
    return REAP_OK;
}

/* Returns whether a divided array reaches to another one, which does not begin before it. */
static bool reaches(const struct reap__launch *command, const struct reap__division *division,
                    size_t p, const unsigned char *other)
{
    const struct reap__parameter *parameter = &command->kernel->parameters[p];
    const unsigned char *const array = reap__array(command, parameter);
    size_t bytes;
    return __builtin_mul_overflow(command->items, division->arrays[p].elements, &bytes) ||
           __builtin_mul_overflow(bytes, parameter->size, &bytes) ||
           (size_t)(other - array) < bytes;
}

/* Returns whether arrays p, which is divided, and q may use the same bytes of a buffer. */
static bool share_memory(const struct reap__launch *command, const struct reap__division *division,
                         size_t p, size_t q)
{
    const unsigned char *const array = reap__array(command, &command->kernel->parameters[p]);
    const unsigned char *const other = reap__array(command, &command->kernel->parameters[q]);
    if (array == NULL || other == NULL)
        return false;
    const reap_buffer *buffer = reap__registry_find(array, 1);
    if (buffer == NULL || buffer != reap__registry_find(other, 1))
        return false;
    if (division->arrays[q].elements == 0)
        return true;
    return array <= other ? reaches(command, division, p, other)
                          : reaches(command, division, q, array);
}

bool reap__division_shares_memory(const struct reap__launch *command,
                                  const struct reap__division *division)
{
    const struct reap__parameter *parameters = command->kernel->parameters;
    for (size_t p = 1; p < command->kernel->parameter_count; p++)
        if (division->arrays[p].elements > 0 && parameters[p].kind != REAP__IN)
            for (size_t q = 1; q < command->kernel->parameter_count; q++)
                if (q != p && reap__is_array(&parameters[q]) &&
                    share_memory(command, division, p, q))
                    return true;
    return false;
}

/* The bytes of the buffer that the share's items use. */
static struct reap__byte_range find_bytes(const struct reap__launch *command, size_t offset,
                                          size_t bytes_of_item)
{
    const size_t begin = offset + command->first * bytes_of_item;
    return (struct reap__byte_range){begin, begin + command->items * bytes_of_item};
}

static reap_status begin_array(const reap_device *device, const struct reap__launch *command,
                               size_t p, struct reap__division *division)
{
    const struct reap__parameter *parameter = &command->kernel->parameters[p];
    const unsigned char *const array = reap__array(command, parameter);
    reap_buffer *const buffer = reap__registry_find(array, 1);
    struct reap__resolved_pointer *const place = &division->arrays[p].place;
    const bool writes = parameter->kind != REAP__IN;
    struct reap__placed_slice placed;
    if (buffer == NULL)
        return REAP_OK; /* the program's own memory, which the device can access */
    const struct reap__byte_range range = find_bytes(
        command, offset_in(buffer, array), division->arrays[p].elements * parameter->size);
    if (device->functions->allocate == NULL)
        return reap__coherence_slice_to_host(&buffer->coherence, range, writes);
    REAP_TRY(reap__coherence_slice_to_device(
        &buffer->coherence, device, range,
        (struct reap__access_mode){.reads = true, .writes = writes}, &placed));
    division->arrays[p].coherence = &buffer->coherence;
    division->arrays[p].slice = placed.slice;
    place->memory = placed.memory;
    place->offset = placed.offset + offset_in(buffer, array);
    place->is_found = true;
    return REAP_OK;
}

reap_status reap__division_begin(const reap_device *device, const struct reap__launch *command,
                                 struct reap__division *division)
{
    for (size_t p = 1; p < command->kernel->parameter_count; p++)
        if (division->arrays[p].elements > 0)
            REAP_TRY(begin_array(device, command, p, division));
    return REAP_OK;
}

void reap__division_end(struct reap__division *division)
{
    for (size_t p = 1; p <= REAP__MOST_PARAMETERS; p++)
        if (division->arrays[p].slice != NULL) {
            reap__coherence_slice_release(division->arrays[p].coherence, division->arrays[p].slice);
            division->arrays[p].slice = NULL;
        }
}
