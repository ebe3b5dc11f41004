/* SPDX-License-Identifier: Apache-2.0
 *
 * This process's rights, other programs as processes, and files in memory for them to read and
 * write. Any thread.
 */
#ifndef REAP_PORT_PROCESS_H
#define REAP_PORT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True for a program that was started as another user or group (set-user-ID), with file
 * capabilities, or with more rights by decision of a security module, and for one that has changed
 * its effective user or group since: its environment must not select files. */
bool reap__rights_are_raised(void);

/* Creates a file in memory, which no child inherits and whose number no child uses. -1: failure.
 * Close it with reap__file_close. */
int reap__file_make(void);
void reap__file_close(int file);

/* Writes at the file's position. Returns false if not everything was written. */
bool reap__file_write(int file, const void *bytes, size_t size);
bool reap__file_rewind(int file);

/* Find the file's size; read bytes from its begin. Return false if that fails. */
bool reap__file_size(int file, size_t *size);
bool reap__file_read(int file, void *bytes, size_t size);

/* Opens the file as a shared object (library.h). NULL: it is not one. */
void *reap__file_load(int file);

struct reap__process {
    const char *const *arguments; /* the first is the program, which is searched for; NULL ends */
    int input;                    /* the child's standard input; -1: empty */
    int output;                   /* a file that the child writes, */
    int output_number;            /* under this number: 1 to 3 */
    uint64_t nanoseconds;         /* after which it is killed, with its children */
};

enum reap__process_end { REAP__PROCESS_ENDED, REAP__PROCESS_FAILED, REAP__PROCESS_KILLED };

/* Runs a program until it ends or is killed. It inherits the environment, but no other files. Its
 * messages are discarded. Blocks. */
enum reap__process_end reap__process_run(const struct reap__process *process);

#endif
