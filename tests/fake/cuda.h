/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the fake libcuda know of each other. Modules and launches are written twice:
 * cuda_modules.c, whose code is a text that is not run, and emulated/modules.c, whose code runs.
 */
#ifndef TESTS_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_H

#include "src/cuda/api.h"
#include "tests/fake/work.h"

#include <stdbool.h>

/* Of the library's functions, each with the name that is looked up. */
#define FAKE__PROTOTYPE(name, symbol, parameters) int name parameters __asm__(symbol);
REAP__CUDA_FUNCTIONS(FAKE__PROTOTYPE)

enum {
    FAKE_CUDA_INVALID_CONTEXT = 201,
    FAKE_CUDA_OTHER_ERROR = 801,
    FAKE_CUDA_SHARED_BYTES = 232448,
    FAKE_CUDA_MOST_MEMORIES = 128
};

/* fake_begin, with CUDA's error; a context must be current, except for queries. */
int fake_cuda_begin(const char *name, enum fake_call call);

/* The number of a stream; a misuse where it is none. */
size_t fake_cuda_stream(const struct reap__cuda_stream *used);

/* The only one, and whether it is current in this thread. */
struct reap__cuda_context *fake_cuda_context(void);
bool fake_cuda_has_context(void);

unsigned char *fake_cuda_pointer(uint64_t address);

/* Copies the addresses of a launch's memories, and says where a launch is none that there can be.
 */
void fake_cuda_look_at_launch(const struct reap__cuda_launch *how, const void **parameters,
                              void **extra, unsigned char **memories, size_t memory_count);

/* What the card is called, and how many multiprocessors it has; of the files that have modules. */
const char *fake_cuda_name(void);
int fake_cuda_multiprocessors(void);

#endif
