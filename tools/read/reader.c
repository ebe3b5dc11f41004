/* SPDX-License-Identifier: Apache-2.0
 *
 * The formats that readers read: HDF5 and classic NetCDF. Of data that are contiguous and
 * unconverted in the file, the reader returns the position, and the tool itself reads them.
 */
#define _GNU_SOURCE /* environ */
#include "tools/read/reader.h"

#include "tools/beside.h"
#include "tools/interrupt.h"
#include "tools/read/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_BYTES = 16 << 20 };

struct reader {
    pid_t process; /* 0: it has ended */
    int socket;
    const char *library;
    uint64_t seconds; /* the time limit of an answer */
    bool is_late;     /* the time limit has passed, so it must be killed */
    uint64_t skipped; /* bytes of the array to skip, which the next question reports */
    struct cli_plain plain;
};

/* ---- The process ------------------------------------------------------------------------------*/

static int spawn(const char *program, const struct cli_file *file, int socket, pid_t *process)
{
    const char *outside = file->options->allows_outside ? "outside" : "";
    char *arguments[] = {(char *)program, file->name, (char *)file->path, (char *)outside, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
#if !defined CLI_READER_UNLIMITED /* what the C library says of a crash; not what sanitizers say   \
                                   */
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#endif
    posix_spawnattr_init(&attributes); /* only the tool handles an interrupt */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int error = posix_spawn(process, program, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool start(struct reader *reader, const char *name, const struct cli_file *file,
                  struct cli_failure *failure)
{
    char program[PATH_MAX];
    int sockets[2];
    if (!cli_find_beside(name, program, sizeof program))
        return cli_fail(failure, "the folder of the program reap is not known");
    if (access(program, X_OK) != 0)
        return cli_fail(failure, "is a file of %s, and this reap was built without it",
                        file->format->name);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return cli_fail(failure, "%s", strerror(errno));
    const int error = spawn(program, file, sockets[1], &reader->process);
    close(sockets[1]);
    reader->socket = sockets[0];
    if (error != 0) {
        reader->process = 0;
        close(reader->socket);
    }
    return error == 0 || cli_fail(failure, "%s: %s", program, strerror(error));
}

/* Ends the process, unless it has ended, and returns its status. */
static int stop(struct reader *reader)
{
    int status = 0;
    close(reader->socket); /* which ends the process, unless it is stopped */
    if (reader->is_late)
        kill(reader->process, SIGKILL);
    while (waitpid(reader->process, &status, 0) < 0 && errno == EINTR)
        continue;
    reader->process = 0;
    return status;
}

/* Reports why the process did not answer, and ends it. */
static bool fail_ended(struct reader *reader, struct cli_failure *failure)
{
    const int status = stop(reader);
    if (reader->is_late)
        return cli_fail(failure,
                        "%s has not answered for %" PRIu64 " second%s; --timeout allows more",
                        reader->library, reader->seconds, reader->seconds == 1 ? "" : "s");
    if (!WIFSIGNALED(status))
        return cli_fail(failure, "%s failed on this file", reader->library);
    if (WTERMSIG(status) == SIGPROF)
        return cli_fail(failure, "%s timed out on this file", reader->library);
    return cli_fail(failure, "%s crashed on this file: %s", reader->library,
                    strsignal(WTERMSIG(status)));
}

/* Returns false if the answer is incomplete. */
static bool receive(struct reader *reader, void *bytes, size_t count)
{
    const bool is_there = cli_reader_receive(reader->socket, bytes, count, reader->seconds);
    reader->is_late = !is_there && errno == ETIMEDOUT;
    return is_there;
}

/* Returns true if the answer came, even if it is a failure. */
static bool ask(struct reader *reader, struct cli_reader_question question,
                struct cli_reader_answer *answer)
{
    return cli_reader_send(reader->socket, &question, sizeof question, 0) &&
           receive(reader, answer, sizeof *answer);
}

/* ---- Arrays -----------------------------------------------------------------------------------*/

/* Reads bytes by one question. After an interrupt the stream ends. */
static bool read_some(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                      size_t *count, struct cli_failure *failure)
{
    struct reader *reader = array->data;
    struct cli_reader_answer answer;
    (void)first;
    *count = 0;
    if (bytes == 0 || cli_is_interrupted())
        return true;
    if (reader->process == 0)
        return cli_fail(failure, "%s has ended", reader->library);
    const struct cli_reader_question question = {CLI_READER_READ, bytes, reader->skipped};
    const bool is_answered = ask(reader, question, &answer);
    reader->skipped = 0;
    if (is_answered && answer.failure.text[0] != '\0')
        return cli_fail(failure, "%s", answer.failure.text);
    if (is_answered && answer.bytes <= bytes && receive(reader, into, (size_t)answer.bytes)) {
        *count = (size_t)answer.bytes;
        return true;
    }
    return cli_is_interrupted() || fail_ended(reader, failure);
}

/* Several questions for long reads, since a reader has limits of memory and of time for each. */
static bool read_array(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                       size_t *count, struct cli_failure *failure)
{
    size_t got = 1;
    for (*count = 0; *count < bytes && got > 0; *count += got) {
        const size_t left = bytes - *count, part = left < READ_BYTES ? left : READ_BYTES;
        if (!read_some(array, first + *count, (char *)into + *count, part, &got, failure))
            return false;
    }
    return true;
}

static void skip_array(const struct cli_array *array, size_t bytes)
{
    struct reader *reader = array->data;
    reader->skipped += bytes;
}

static bool take_array(struct cli_file *file, const struct cli_reader_answer *answer,
                       struct cli_dataset *dataset, struct cli_failure *failure)
{
    struct reader *reader = file->data;
    reader->skipped = 0;
    *dataset = answer->dataset;
    dataset->table = NULL;
    if (dataset->array.is_random) {
        reader->plain =
            (struct cli_plain){.source = file->source, .offset = answer->offset, .is_part = true};
        return cli_plain_open(&reader->plain, &dataset->array, failure);
    }
    dataset->array.data = reader;
    dataset->array.read = read_array;
    dataset->array.skip = skip_array;
    dataset->array.finish = NULL;
    return true;
}

/* ---- The formats ------------------------------------------------------------------------------*/

static bool open_reader(struct cli_file *file, const char *program, const char *library,
                        struct cli_failure *failure)
{
    struct cli_reader_answer answer;
    if (!cli_source_is_file(file->source) || strcmp(file->name, "-") == 0)
        return cli_fail(failure, "a file of %s must be a file that is not compressed, not a pipe",
                        file->format->name);
    struct reader *reader = calloc(1, sizeof *reader);
    file->data = reader;
    if (reader == NULL)
        return cli_fail(failure, "%s", strerror(ENOMEM));
    reader->library = library;
    reader->seconds = file->options->seconds;
    if (!start(reader, program, file, failure))
        return false;
    if (!receive(reader, &answer, sizeof answer))
        return fail_ended(reader, failure);
    return answer.failure.text[0] == '\0' || cli_fail(failure, "%s", answer.failure.text);
}

static enum cli_next next(struct cli_file *file, struct cli_dataset *dataset,
                          struct cli_failure *failure)
{
    struct reader *reader = file->data;
    struct cli_reader_answer answer;
    if (reader->process == 0 || cli_is_interrupted())
        return CLI_NO_MORE; /* it was reported */
    if (!ask(reader, (struct cli_reader_question){.asked = CLI_READER_NEXT}, &answer)) {
        if (!cli_is_interrupted())
            fail_ended(reader, failure);
        return cli_is_interrupted() ? CLI_NO_MORE : CLI_NEXT_FAILED;
    }
    if (answer.next == CLI_NEXT && !take_array(file, &answer, dataset, failure))
        return CLI_NEXT_FAILED;
    if (answer.next == CLI_NEXT_FAILED) {
        memcpy(dataset->name, answer.dataset.name, sizeof dataset->name);
        cli_fail(failure, "%s", answer.failure.text);
    }
    return answer.next;
}

static bool rewind_array(struct cli_file *file, struct cli_failure *failure)
{
    struct reader *reader = file->data;
    struct cli_reader_answer answer;
    if (reader->process == 0)
        return cli_fail(failure, "%s has ended", reader->library);
    reader->skipped = 0;
    if (!ask(reader, (struct cli_reader_question){.asked = CLI_READER_REWIND}, &answer))
        return cli_is_interrupted() || fail_ended(reader, failure);
    return answer.failure.text[0] == '\0' || cli_fail(failure, "%s", answer.failure.text);
}

static void close_reader(struct cli_file *file)
{
    struct reader *reader = file->data;
    if (reader != NULL && reader->process != 0) {
        kill(reader->process, SIGKILL); /* it may be blocked by another file */
        stop(reader);
    }
    free(reader);
    file->data = NULL;
}

/* The signature may follow a user block, of 512 bytes, 1024, and so on. */
static bool recognise_hdf5(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    enum { MOST_BLOCK_BYTES = 1 << 20 };
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    const size_t length = sizeof signature - 1;
    char there[sizeof signature];
    struct cli_failure failure = {.text = ""};
    if (count >= length && memcmp(bytes, signature, length) == 0)
        return true;
    if (!cli_source_is_file(file->source))
        return false;
    for (uint64_t at = 512; at <= MOST_BLOCK_BYTES && at + length <= cli_source_bytes(file->source);
         at *= 2)
        if (cli_source_read_at(file->source, at, there, length, &failure) &&
            memcmp(there, signature, length) == 0)
            return true;
    return false;
}

static bool open_hdf5(struct cli_file *file, struct cli_failure *failure)
{
    return open_reader(file, "read-hdf5", "libhdf5", failure);
}

const struct cli_format cli_hdf5_format = {.name = "HDF5",
                                           .recognise = recognise_hdf5,
                                           .open = open_hdf5,
                                           .next = next,
                                           .rewind = rewind_array,
                                           .close = close_reader};

static bool recognise_netcdf(const struct cli_file *file, const unsigned char *bytes, size_t count)
{
    (void)file;
    return count >= 4 && memcmp(bytes, "CDF", 3) == 0 &&
           (bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5);
}

static bool open_netcdf(struct cli_file *file, struct cli_failure *failure)
{
    return open_reader(file, "read-netcdf", "libnetcdf", failure);
}

const struct cli_format cli_netcdf_format = {.name = "NetCDF",
                                             .recognise = recognise_netcdf,
                                             .open = open_netcdf,
                                             .next = next,
                                             .rewind = rewind_array,
                                             .close = close_reader};
