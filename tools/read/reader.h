/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers: programs that read a format by its library for the tool, each in a process of its own.
 * What such a library does with a damaged file (crash, as libhdf5 and libnetcdf do at some, or take
 * all memory) then costs that file and nothing else; the tool starts without the library, which
 * takes ten milliseconds to load; and a tool that was built without it says so.
 *
 * A reader gets as arguments the names of the file and of the data set that is meant ("": all), and
 * whether files outside its folder are allowed ("outside" or ""), and has a socket to the tool as
 * its standard input. It answers once when it has opened the file, and once to each question. Both
 * sides are of one build; so what they send are structs.
 */
#ifndef CLI_READER_H
#define CLI_READER_H

#include "tools/read/file.h"

/* The next data set; the next bytes of its array; to have those from its beginning again. */
struct cli_reader_question {
    enum { CLI_READER_NEXT, CLI_READER_READ, CLI_READER_REWIND } asked;
    uint64_t bytes;   /* requested */
    uint64_t skipped; /* to be skipped before */
};

struct cli_reader_answer {
    struct cli_failure failure; /* of the request */
    uint64_t bytes;             /* of the array, which follow */
    enum cli_next next;         /* what follows is of the data set; without table and data */
    struct cli_dataset dataset;
    uint64_t offset; /* of an array that is random: it is in the file from there on, contiguous */
};

/* The format of a reader, as a format within its process; its recognise is not used. */
extern const struct cli_format cli_reader_format;

/* Sends or receives bytes, all of them. Returns false if the other side has ended, or an interrupt
 * came, or, with errno ETIMEDOUT, nothing could be sent or received for `seconds` (0: no limit). */
bool cli_reader_send(int socket, const void *bytes, size_t count, uint64_t seconds);
bool cli_reader_receive(int socket, void *bytes, size_t count, uint64_t seconds);

#endif
