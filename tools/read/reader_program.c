/* SPDX-License-Identifier: Apache-2.0
 *
 * A reader: answers the tool's questions about a file until the tool has ended.
 */
#define _XOPEN_SOURCE 700 /* setitimer */
#include "tools/read/plain.h"
#include "tools/read/reader.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

/* Sufficient for every file: a slab, and a chunk of 1 GiB before and after it is decompressed. */
#define MOST_MEMORY ((rlim_t)4 << 30)

/* The limit of processor time for a question, in seconds. */
enum { MOST_SECONDS = 120 };

static void limit_memory(void)
{
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = 0};
    setrlimit(RLIMIT_CORE, &limit);
#if !defined CLI_READER_UNLIMITED /* sanitizers need far more memory */
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > MOST_MEMORY) {
        limit.rlim_cur = MOST_MEMORY;
        setrlimit(RLIMIT_AS, &limit);
    }
#endif
}

/* Starts the time limit of a question; the signal ends the process. */
static void limit_time(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* A thread that ends the process when the tool has ended, even while a library is running. */
static void *watch(void *unused)
{
    struct pollfd socket = {.fd = STDIN_FILENO, .events = 0};
    (void)unused;
    while (poll(&socket, 1, -1) <= 0 || (socket.revents & (POLLHUP | POLLERR)) == 0)
        continue;
    _exit(EXIT_FAILURE);
}

static bool answer_next(struct cli_file *file, struct cli_reader_answer *answer)
{
    answer->next = file->format->next(file, &answer->dataset, &answer->failure);
    const struct cli_array *array = &answer->dataset.array;
    if (answer->next == CLI_NEXT && array->is_random)
        answer->offset = ((const struct cli_plain *)array->data)->offset;
    return cli_reader_send(STDIN_FILENO, answer, sizeof *answer, 0);
}

static bool answer_rewind(struct cli_file *file, struct cli_reader_answer *answer)
{
    file->format->rewind(file, &answer->failure);
    return cli_reader_send(STDIN_FILENO, answer, sizeof *answer, 0);
}

static bool answer_read(const struct cli_array *array, uint64_t *done, size_t bytes,
                        struct cli_reader_answer *answer)
{
    size_t count = 0;
    void *buffer = malloc(bytes);
    if (buffer == NULL)
        cli_fail(&answer->failure, "there is not enough memory");
    else if (!array->read(array, *done, buffer, bytes, &count, &answer->failure))
        count = 0;
    answer->bytes = count;
    *done += count;
    const bool is_sent = cli_reader_send(STDIN_FILENO, answer, sizeof *answer, 0) &&
                         cli_reader_send(STDIN_FILENO, buffer, count, 0);
    free(buffer);
    return is_sent;
}

static void answer_questions(struct cli_file *file)
{
    struct cli_reader_question question;
    struct cli_array array = {.is_random = true};
    uint64_t done = 0;
    bool is_fine = true;
    while (is_fine && cli_reader_receive(STDIN_FILENO, &question, sizeof question, 0)) {
        struct cli_reader_answer answer;
        memset(&answer, 0, sizeof answer);
        limit_time();
        if (question.skipped > 0 && array.skip != NULL)
            array.skip(&array, (size_t)question.skipped);
        if (question.asked == CLI_READER_READ) {
            is_fine =
                array.read != NULL && answer_read(&array, &done, (size_t)question.bytes, &answer);
            continue;
        }
        done = 0;
        if (question.asked == CLI_READER_REWIND) {
            is_fine = answer_rewind(file, &answer);
        } else {
            is_fine = answer_next(file, &answer);
            array = answer.dataset.array;
        }
    }
}

int main(int argc, char **argv)
{
    struct cli_file_options options = {.allows_outside = false};
    struct cli_file file = {.options = &options, .format = &cli_reader_format};
    struct cli_reader_answer answer;
    pthread_t watcher;
    if (argc != 4)
        return EXIT_FAILURE; /* only the tool starts this program */
    limit_memory();
    limit_time();
    if (pthread_create(&watcher, NULL, watch, NULL) != 0)
        return EXIT_FAILURE;
    memset(&answer, 0, sizeof answer);
    file.called = argv[1];
    file.path = argv[2];
    options.allows_outside = strcmp(argv[3], "outside") == 0;
    file.source = cli_source_open(argv[1], &answer.failure);
    const bool is_fine = file.source != NULL && file.format->open(&file, &answer.failure);
    if (cli_reader_send(STDIN_FILENO, &answer, sizeof answer, 0) && is_fine)
        answer_questions(&file);
    if (file.source != NULL)
        file.format->close(&file);
    cli_source_close(file.source);
    return EXIT_SUCCESS;
}
