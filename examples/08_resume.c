/* SPDX-License-Identifier: Apache-2.0
 *
 * A long sum that goes on where it was when it was stopped: after each chunk its part is written to
 * a file, from which the program begins the next time. The sum has the bits of one launch.
 *
 *     08_resume FILE   adds up the rest, until it is done or killed
 *     08_resume        shows this: begins several times, and stops after some chunks each time
 */
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "08_resume.kernels.h"

enum { COUNT = 1000003, CHUNK = 65536, FEW = 5 };

/* A part's file is replaced as a whole, so that it is always that of some chunk. */
static int save(const reap_part *part, const char *file)
{
    char beside[4096];
    size_t size = 0;
    reap_part_write(part, NULL, 0, &size);
    void *bytes = malloc(size);
    snprintf(beside, sizeof beside, "%s.new", file);
    FILE *output = bytes != NULL ? fopen(beside, "wb") : NULL;
    int is_saved = output != NULL && reap_part_write(part, bytes, size, &size) == REAP_OK &&
                   fwrite(bytes, 1, size, output) == size;
    if (output != NULL)
        is_saved = fclose(output) == 0 && is_saved;
    free(bytes);
    return is_saved && rename(beside, file) == 0;
}

/* The part in the file; one without items if the file does not exist. */
static reap_status load(const char *file, reap_part **part)
{
    static unsigned char bytes[1 << 20]; /* a part of few ranges is small */
    FILE *input = fopen(file, "rb");
    if (input == NULL)
        return reap_part_create(&reap_kernel_add_up, "sum", part);
    size_t size = fread(bytes, 1, sizeof bytes, input);
    fclose(input);
    return reap_part_read(&reap_kernel_add_up, "sum", bytes, size, part);
}

/* Chunks are added from where the part ends, and no more than so many. */
static reap_status go_on(reap_queue *queue, reap_part *part, const float *values, size_t chunks,
                         const char *file)
{
    reap_part_range done = {0, 0};
    if (reap_part_range_count(part) > 0)
        REAP_TRY(reap_part_get_range(part, 0, &done));
    size_t first = (size_t)done.end;
    for (; first < COUNT && chunks > 0; first += CHUNK, chunks--) {
        size_t count = COUNT - first < CHUNK ? COUNT - first : CHUNK;
        REAP_TRY(reap_parallel_for(queue, add_up, reap_range_1d(count), .values = values + first,
                                   .sum = {.part = part}, .launch.first_item = first));
        REAP_TRY(reap_queue_wait(queue));
        if (!save(part, file)) {
            fprintf(stderr, "%s: cannot be written\n", file);
            exit(1);
        }
    }
    printf("%s from number %llu on\n", first < COUNT ? "stopped" : "done",
           (unsigned long long)(first < COUNT ? first : COUNT));
    return REAP_OK;
}

/* As the program does each time it begins; whether all is done. */
static reap_status begin(reap_queue *queue, const float *values, size_t chunks, const char *file,
                         float *sum, int *is_done)
{
    reap_part *part;
    reap_part_range range = {0, 0};
    REAP_TRY(load(file, &part));
    reap_status status = go_on(queue, part, values, chunks, file);
    if (status == REAP_OK)
        status = reap_part_get_range(part, 0, &range);
    *is_done = range.end == COUNT;
    if (status == REAP_OK && *is_done)
        status = reap_part_finish(part, sum, NULL);
    reap_part_release(part);
    return status;
}

/* Arrays are the host's memory here, on any device; a buffer makes it known to them. */
static reap_status run(float *values, const char *file, size_t chunks, float *sum, float *whole)
{
    reap_queue *queue;
    reap_buffer *buffer;
    int is_done = 0;
    REAP_TRY(reap_buffer_wrap(values, COUNT * sizeof *values, &buffer));
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    reap_status status = REAP_OK;
    while (status == REAP_OK && !is_done)
        status = begin(queue, values, chunks, file, sum, &is_done);
    if (status == REAP_OK)
        status =
            reap_parallel_for(queue, add_up, reap_range_1d(COUNT), .values = values, .sum = whole);
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    reap_queue_release(queue);
    reap_buffer_release(buffer);
    return status;
}

int main(int argc, char **argv)
{
    static float values[COUNT];
    const char *file = argc > 1 ? argv[1] : "08_resume.part";
    float sum = 0, whole = 0;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (float)(i * 2654435761u % 1000003) * 1e-3f;
    if (argc < 2)
        remove(file);
    reap_status status = run(values, file, argc > 1 ? COUNT : FEW, &sum, &whole);
    if (status != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    if (argc < 2)
        remove(file);
    int is_same = memcmp(&sum, &whole, sizeof sum) == 0;
    printf("sum %.9g: %s bits as in one launch\n", (double)sum, is_same ? "the same" : "OTHER");
    return !is_same;
}
