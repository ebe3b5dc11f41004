/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers: programs that read a format with its library for the tool, each in its own process. If
 * such a library crashes at a damaged file, as libhdf5 and libnetcdf do at some, or takes all
 * memory, only that file is not described. The tool starts without the library, which takes ten
 * milliseconds to load; a tool that was built without it reports that.
 *
 * The arguments of a reader are the names of the file and of the data set to read ("": all), and
 * whether files outside its folder are allowed ("outside" or ""). Its standard input is a socket to
 * the tool. It sends an answer when it has opened the file, and one for each question. Both sides
 * are of one build, so messages are structs.
 */
#ifndef CLI_READER_H
#define CLI_READER_H

#include "tools/read/file.h"

/* Asks for the next data set; for the next bytes of its array; or to restart that from its
 * beginning. */
struct cli_reader_question {
    enum { CLI_READER_NEXT, CLI_READER_READ, CLI_READER_REWIND } asked;
    uint64_t bytes;   /* requested */
    uint64_t skipped; /* bytes to skip before that */
};

struct cli_reader_answer {
    struct cli_failure failure; /* the text is empty if the request succeeded */
    uint64_t bytes;             /* the number of bytes of the array that follow */
    enum cli_next next;         /* the rest describes the data set, without its table and data */
    struct cli_dataset dataset;
    uint64_t offset; /* of an array with is_random: its elements are contiguous in the file from
                        here on */
};

/* The format that a reader program reads, in its process; `recognise` is not used. */
extern const struct cli_format cli_reader_format;

/* Sends or receives bytes, all of them. Returns false if the other side has ended, or an interrupt
 * came, or, with errno ETIMEDOUT, nothing could be sent or received for `seconds` (0: no limit). */
bool cli_reader_send(int socket, const void *bytes, size_t count, uint64_t seconds);
bool cli_reader_receive(int socket, void *bytes, size_t count, uint64_t seconds);

#endif
