/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests and answers go through two pipes, as structs: a process that was forked has everything
 * at the same address, and so pointers to cases mean the same in both.
 */
#define _GNU_SOURCE /* pipe2 */
#include "bench/worker.h"

#include "bench/data.h"
#include "bench/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum question { QUESTION_CALL, QUESTION_TURN, QUESTION_IDLE };

struct request {
    enum question question;
    struct side_work work;
    double warm_seconds, turn_seconds;
};

/* The bins follow where a call's work has any. */
struct answer {
    double seconds, values[4];
};

static bool write_all(int file, const void *bytes, size_t count)
{
    const char *next = bytes;
    while (count > 0) {
        const ssize_t written = write(file, next, count);
        if (written < 0 && errno != EINTR)
            return false;
        next += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool read_all(int file, void *bytes, size_t count)
{
    char *next = bytes;
    while (count > 0) {
        const ssize_t got = read(file, next, count);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        next += got > 0 ? got : 0;
        count -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

static size_t bins_bytes(const struct side_work *work)
{
    return work->work->has_bins ? work->work->variants[work->variant].extent * sizeof(uint32_t) : 0;
}

/* ---- The process of a side --------------------------------------------------------------------*/

static bool answer(const struct request *request, const struct bench_peer *peer, int answers)
{
    struct side side;
    struct answer answer = {0};
    size_t bins = 0;
    side_make(&side, &request->work, peer);
    if (request->question == QUESTION_TURN) {
        answer.seconds = side_take_turn(&side, request->warm_seconds, request->turn_seconds);
    } else if (request->question == QUESTION_IDLE) {
        answer.seconds = side_time_idle(&side);
    } else {
        side_call(&side);
        memcpy(answer.values, side.result.values, sizeof answer.values);
        bins = bins_bytes(&request->work);
    }
    return write_all(answers, &answer, sizeof answer) && write_all(answers, side.result.bins, bins);
}

/* Ends with the benchmark's process, whatever that one ends by. */
static _Noreturn void serve(const char *name, int requests, int answers)
{
    struct peer_facts facts;
    struct request request;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct bench_peer *peer = peer_open(name, &facts);
    bool is_asked = write_all(answers, &facts, sizeof facts) && peer != NULL;
    while (is_asked)
        is_asked = read_all(requests, &request, sizeof request) && answer(&request, peer, answers);
    _exit(0);
}

/* ---- The benchmark's process ------------------------------------------------------------------*/

static _Noreturn void fail(const struct worker *worker)
{
    char text[100];
    snprintf(text, sizeof text, "the process of the peer %s ended", worker->peer);
    bench_fail(text);
}

/* Until all of its threads have stopped. A process that has ended is found at its next turn. */
static void stop(const struct worker *worker)
{
    int status;
    kill(-worker->process, SIGSTOP);
    waitpid(worker->process, &status, WUNTRACED);
}

static void go_on(const struct worker *worker)
{
    kill(-worker->process, SIGCONT);
}

void worker_start(struct worker *worker, const char *peer, struct peer_facts *facts)
{
    int requests[2], answers[2];
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
        bench_fail("no pipe for the process of a peer");
    fflush(NULL);
    signal(SIGPIPE, SIG_IGN);
    const pid_t process = fork();
    if (process < 0)
        bench_fail("no process for a peer");
    if (process == 0) {
        setpgid(0, 0);
        close(requests[1]);
        close(answers[0]);
        serve(peer, requests[0], answers[1]);
    }
    setpgid(process, process);
    close(requests[0]);
    close(answers[1]);
    *worker = (struct worker){peer, process, requests[1], answers[0]};
    if (!read_all(worker->answers, facts, sizeof *facts))
        fail(worker);
    stop(worker);
}

void worker_end(struct worker *worker)
{
    kill(-worker->process, SIGKILL);
    waitpid(worker->process, NULL, 0);
    close(worker->requests);
    close(worker->answers);
}

/* Runs a turn of the worker. */
static struct answer ask(const struct worker *worker, const struct request *request)
{
    const size_t bins = request->question == QUESTION_CALL ? bins_bytes(&request->work) : 0;
    struct answer answer;
    go_on(worker);
    if (!write_all(worker->requests, request, sizeof *request) ||
        !read_all(worker->answers, &answer, sizeof answer) ||
        (bins > 0 && !read_all(worker->answers, data_bins(DATA_SIDE), bins)))
        fail(worker);
    stop(worker);
    return answer;
}

struct bench_result worker_call(struct worker *worker, const struct side_work *work)
{
    const struct request request = {.question = QUESTION_CALL, .work = *work};
    struct bench_result result = {.bins = work->work->has_bins ? data_bins(DATA_SIDE) : NULL};
    const struct answer answer = ask(worker, &request);
    memcpy(result.values, answer.values, sizeof result.values);
    return result;
}

static double take_turn(void *context)
{
    const struct worker_side *side = context;
    struct request request = {.question = QUESTION_IDLE, .work = *side->work};
    if (side->settings != NULL) {
        request.question = QUESTION_TURN;
        request.warm_seconds = side->settings->warm_seconds;
        request.turn_seconds = side->settings->turn_seconds;
    }
    return ask(side->worker, &request).seconds;
}

struct measured_side worker_measured(struct worker_side *side)
{
    return (struct measured_side){take_turn, side};
}

void workers_end(struct worker_list *list)
{
    for (size_t w = 0; w < MOST_PEERS; w++)
        if (list->workers[w].process > 0)
            worker_end(&list->workers[w]);
    *list = (struct worker_list){0};
}

void workers_prepare(struct worker_list *list, const struct side_work *work)
{
    struct bench_task task = {.type = work->type, .variant = work->variant, .count = work->count};
    data_prepare(work->work, &task, work->seed);
    if (list->data != task.data)
        workers_end(list);
    list->data = task.data;
}

struct worker *workers_get(struct worker_list *list, const struct peer_list *peers, size_t peer)
{
    struct worker *worker = &list->workers[peer];
    struct peer_facts facts;
    if (worker->process == 0)
        worker_start(worker, peers->peers[peer].name, &facts);
    return worker;
}
