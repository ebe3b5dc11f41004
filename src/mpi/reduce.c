/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions, and what a request does in each round (request.h). Anything that fails on a
 * rank is recorded, and the rank takes part in the rounds as before, so no other rank waits for it;
 * the round confirm ends the request with the same status everywhere. All requests of a
 * communicator advance together, in the order in which they began: MPI's own reductions must begin
 * in the same order on all ranks.
 */
#include "src/core/allocate.h"
#include "src/mpi/request.h"

#include <limits.h>
#include <reap/usm.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#ifndef REAP__MPI_MOST_WORDS /* tests have fewer */
#define REAP__MPI_MOST_WORDS (1 << 26)
#endif
#ifndef REAP__MPI_TAGS /* tests have fewer; every MPI has 32768 */
#define REAP__MPI_TAGS 8192
#endif
enum { MOST_WORDS = REAP__MPI_MOST_WORDS, TAGS = REAP__MPI_TAGS, POLLS_BEFORE_YIELD = 50 };

static void note_no_memory(reap_mpi_request *request, const char *what)
{
    reap__mpi_note(request, reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %s", what));
}

/* One tag for all rounds: a rank has received the messages of a round before it continues with the
 * next. The next request with this tag sends nothing before this one has ended here. */
static int tag_of(const reap_mpi_request *request)
{
    return (int)(request->failure.number % TAGS);
}

static bool has_tag(const reap_mpi_request *request)
{
    return request->failure.number - request->context->first->failure.number < TAGS;
}

static void release_bytes(struct reap__mpi_message *message)
{
    reap__free(message->bytes);
    message->bytes = NULL;
    message->report.byte_count = 0;
}

/* ---- Agree ------------------------------------------------------------------------------------*/

static void agree(reap_mpi_request *request)
{
    reap__mpi_note(request, reap__mpi_agreement_describe(request, &request->message));
}

static void take_agreement(reap_mpi_request *request, const struct reap__mpi_report *report,
                           unsigned char *bytes)
{
    reap__mpi_agreement_take(request, &request->message, report, bytes);
}

/* If words are added, all ranks need the ranges; otherwise the root is the last one that does. */
static void seal_agreement(reap_mpi_request *request)
{
    struct reap__mpi_message *message = &request->message;
    const bool is_needed = request->context->rank > 0 || message->report.word_size > 0;
    if (message->report.status != REAP_OK || !is_needed || message->bytes == NULL)
        release_bytes(message);
}

/* The reason why NCCL does not add the words of this request is in the report's message. */
static enum reap__mpi_round go_by_mpi(reap_mpi_request *request,
                                      const struct reap__mpi_report *report)
{
    char *const transport = request->context->transport;
    snprintf(transport, sizeof request->context->transport, "MPI (not NCCL: %.250s)",
             report->message);
    request->uses_nccl = false;
    return REAP__MPI_READY;
}

static enum reap__mpi_round after_agreement(reap_mpi_request *request)
{
    struct reap__mpi_report *agreed = &request->agreed;
    *agreed = request->message.report;
    request->context->is_alike = true;
    snprintf(request->context->transport, sizeof request->context->transport, "MPI");
    if (agreed->is_overlap)
        return REAP__MPI_NAME;
    if (agreed->items_rank < 0 || request->context->ranks == 1)
        return REAP__MPI_DONE; /* nothing to merge */
    if (agreed->word_size == 0)
        return REAP__MPI_MOVE;
    /* a rank without memory for the ranges continues to the round that ends the request on all
     * ranks */
    reap__mpi_report_loss(&request->failure, agreed, request->call);
    request->ranges = (reap_part_range *)(void *)request->message.bytes;
    request->range_count = (size_t)agreed->byte_count / sizeof(reap_part_range);
    request->message.bytes = NULL;
    const uint64_t values = agreed->count > 0 ? agreed->count : 1;
    request->word_count = (size_t)(agreed->words_of_value * values);
    if (agreed->avoids_nccl)
        return agreed->count > 0 ? go_by_mpi(request, agreed) : REAP__MPI_READY;
    return REAP__MPI_TURN;
}

/* ---- Name -------------------------------------------------------------------------------------*/

static void name_owners(reap_mpi_request *request)
{
    reap__mpi_note(request,
                   reap__mpi_owners_describe(request, request->agreed.overlap, &request->message));
}

static void take_owners(reap_mpi_request *request, const struct reap__mpi_report *report,
                        unsigned char *bytes)
{
    reap__mpi_owners_take(request, &request->message, report, bytes);
}

static void seal_owners(reap_mpi_request *request)
{
    if (request->context->rank > 0)
        return;
    reap__mpi_owners_report(request, &request->message);
    release_bytes(&request->message);
}

static enum reap__mpi_round end(reap_mpi_request *request)
{
    (void)request;
    return REAP__MPI_DONE;
}

/* ---- Turn, invite, connect, check -------------------------------------------------------------*/

static bool may_sum(const reap_mpi_request *request)
{
    for (const reap_mpi_request *r = request->context->first; r != request; r = r->next)
        if (!r->has_summed)
            return false;
    return true;
}

static int wait_for_turn(reap_mpi_request *request, bool *is_complete)
{
    *is_complete = may_sum(request);
    return MPI_SUCCESS;
}

/* The state that earlier requests have left is the same on all ranks. */
static enum reap__mpi_round after_turn(reap_mpi_request *request)
{
    const struct reap__mpi_nccl *nccl = request->context->nccl;
    struct reap__mpi_report report = {.message = ""};
    request->uses_nccl = nccl->is_connected;
    snprintf(report.message, sizeof report.message, "%s", nccl->why);
    return nccl->is_off         ? go_by_mpi(request, &report)
           : nccl->is_connected ? REAP__MPI_READY
                                : REAP__MPI_INVITE;
}

static void invite(reap_mpi_request *request)
{
    struct reap__mpi_message *message = &request->message;
    if (request->context->rank > 0)
        return;
    message->bytes = reap__allocate(REAP__MPI_NCCL_ID_BYTES);
    const char *why = "no memory for NCCL's id";
    if (message->bytes != NULL)
        why = reap__mpi_nccl_make_id(request->context->nccl, message->bytes);
    message->report.byte_count = message->bytes != NULL ? REAP__MPI_NCCL_ID_BYTES : 0;
    if (why != NULL)
        reap__mpi_report_avoid(&message->report, 0, why);
}

static void take_avoidance(reap_mpi_request *request, const struct reap__mpi_report *report,
                           unsigned char *bytes)
{
    reap__mpi_report_adopt(&request->message.report, report);
    reap__mpi_report_avoid_too(&request->message.report, report);
    reap__free(bytes);
}

static void seal_nothing(reap_mpi_request *request)
{
    (void)request;
}

static enum reap__mpi_round after_invitation(reap_mpi_request *request)
{
    struct reap__mpi_context *context = request->context;
    const struct reap__mpi_message *message = &request->message;
    if (message->report.avoids_nccl) {
        reap__mpi_nccl_turn_off(context->nccl, message->report.message);
        return go_by_mpi(request, &message->report);
    }
    request->why = message->bytes == NULL
                       ? "no memory for NCCL's id"
                       : reap__mpi_nccl_connect(context->nccl, request->part, message->bytes,
                                                context->rank, context->ranks);
    return REAP__MPI_CONNECT;
}

/* Polls an operation of NCCL. A failure completes it; NCCL reports it to the other ranks. */
static int poll_nccl(reap_mpi_request *request, bool *is_complete)
{
    if (request->why == NULL)
        request->why = reap__mpi_nccl_poll(request->context->nccl, is_complete);
    if (request->why == NULL)
        return MPI_SUCCESS;
    reap__mpi_nccl_release(request->context->nccl);
    *is_complete = true;
    return MPI_SUCCESS;
}

static enum reap__mpi_round check_all(reap_mpi_request *request)
{
    (void)request;
    return REAP__MPI_CHECK;
}

static void check(reap_mpi_request *request)
{
    if (request->why != NULL)
        reap__mpi_report_avoid(&request->message.report, request->context->rank, request->why);
}

static enum reap__mpi_round after_check(reap_mpi_request *request)
{
    struct reap__mpi_context *context = request->context;
    const struct reap__mpi_report *report = &request->message.report;
    const size_t size = sizeof context->transport;
    request->why = NULL;
    if (report->avoids_nccl) {
        reap__mpi_nccl_turn_off(context->nccl, report->message);
        return go_by_mpi(request, report);
    }
    if (!request->has_begun) {
        context->nccl->is_connected = request->uses_nccl = true;
        return REAP__MPI_READY;
    }
    request->has_summed = true;
    reap__mpi_nccl_name(context->transport, size);
    return REAP__MPI_CONFIRM;
}

/* ---- Ready, sum -------------------------------------------------------------------------------*/

static void take_failure(reap_mpi_request *request, const struct reap__mpi_report *report,
                         unsigned char *bytes)
{
    reap__mpi_report_adopt(&request->message.report, report);
    reap__free(bytes);
}

static void get_ready(reap_mpi_request *request)
{
    const size_t size = (size_t)request->agreed.word_size, bytes = request->word_count * size;
    if (request->uses_nccl) {
        if (reap__mpi_gets_items(request))
            reap__mpi_note(
                request, reap_malloc_device(request->context->nccl->device, bytes, &request->sums));
        return;
    }
    request->words = reap__allocate(bytes);
    if (request->words == NULL)
        note_no_memory(request, "the words of a part");
    else if (reap_part_range_count(request->part) > 0)
        reap__mpi_note(request, reap_part_get_words(request->part, request->words, bytes));
    else
        memset(request->words, 0, bytes);
}

static enum reap__mpi_round after_ready(reap_mpi_request *request)
{
    (void)request;
    return REAP__MPI_SUM;
}

static MPI_Datatype word_type(size_t size)
{
    return size == 1   ? MPI_UINT8_T
           : size == 2 ? MPI_UINT16_T
           : size == 4 ? MPI_UINT32_T
                       : MPI_UINT64_T;
}

/* Begins MPI's reduction of the next words. */
static int sum_more(reap_mpi_request *request)
{
    const size_t size = (size_t)request->agreed.word_size;
    const size_t left = request->word_count - request->summed;
    const int count = left < MOST_WORDS ? (int)left : (int)MOST_WORDS;
    unsigned char *at = request->words + request->summed * size;
    MPI_Datatype type = word_type(size);
    request->summed += (size_t)count;
    request->has_summed = request->summed == request->word_count;
    if (request->root < 0)
        return MPI_Iallreduce(MPI_IN_PLACE, at, count, type, MPI_SUM, request->context->comm,
                              &request->reduction);
    const bool is_root = request->root == request->context->rank;
    return MPI_Ireduce(is_root ? MPI_IN_PLACE : at, is_root ? at : NULL, count, type, MPI_SUM,
                       request->root, request->context->comm, &request->reduction);
}

/* Adds the words by NCCL. The round turn has ordered the requests. */
static int sum_by_nccl(reap_mpi_request *request, bool *is_complete)
{
    const reap_device *device;
    const void *words = NULL;
    if (!request->has_begun &&
        (reap_part_get_device_words(request->part, &device, &words) != REAP_OK || words == NULL))
        request->why = "its array has left the device's memory";
    else if (!request->has_begun)
        request->why =
            reap__mpi_nccl_sum(request->context->nccl, words, request->sums, request->word_count,
                               (size_t)request->agreed.word_size, request->root);
    request->has_begun = true;
    return poll_nccl(request, is_complete);
}

static int sum(reap_mpi_request *request, bool *is_complete)
{
    int is_moved = 1, code = MPI_SUCCESS;
    if (request->uses_nccl)
        return sum_by_nccl(request, is_complete);
    for (;;) {
        if (request->summed > 0)
            code = MPI_Test(&request->reduction, &is_moved, MPI_STATUS_IGNORE);
        *is_complete = is_moved && request->summed == request->word_count;
        if (code != MPI_SUCCESS || !is_moved || *is_complete || !may_sum(request))
            return code;
        code = sum_more(request);
        if (code != MPI_SUCCESS)
            return code;
    }
}

static enum reap__mpi_round after_sum(reap_mpi_request *request)
{
    return request->uses_nccl ? REAP__MPI_CHECK : REAP__MPI_CONFIRM;
}

/* ---- Move -------------------------------------------------------------------------------------*/

static void prepare_move(reap_mpi_request *request)
{
    reap__mpi_note(request, reap_part_copy(request->part, &request->result));
}

static void take_part(reap_mpi_request *request, const struct reap__mpi_report *report,
                      unsigned char *bytes)
{
    reap_part *part = NULL;
    reap_status status = REAP_OK;
    reap__mpi_report_adopt(&request->failure, report);
    reap__mpi_report_loss(&request->failure, report, request->call);
    if (request->failure.status == REAP_OK)
        status = reap__mpi_read_part(request, bytes, report->byte_count, &part);
    if (part != NULL && status == REAP_OK)
        status = reap_part_merge(request->result, part);
    reap__mpi_note(request, status);
    reap_part_release(part);
    reap__free(bytes);
}

static reap_status encode(reap_mpi_request *request)
{
    struct reap__mpi_message *message = &request->message;
    size_t size = 0;
    REAP_TRY(reap_part_write(request->result, NULL, 0, &size));
    message->bytes = reap__allocate(size);
    if (message->bytes == NULL)
        return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory to send %zu bytes", size);
    message->report.byte_count = size;
    return reap_part_write(request->result, message->bytes, size, &size);
}

/* After this only the parent needs the values. */
static void seal_part(reap_mpi_request *request)
{
    const bool is_root = request->context->rank == (request->root < 0 ? 0 : request->root);
    if (request->failure.status == REAP_OK && (!is_root || request->root < 0))
        reap__mpi_note(request, encode(request));
    if (request->failure.status != REAP_OK)
        release_bytes(&request->message);
    reap__mpi_report_adopt(&request->message.report, &request->failure);
    if (is_root)
        return;
    reap_part_release(request->result);
    request->result = NULL;
}

static enum reap__mpi_round after_move(reap_mpi_request *request)
{
    struct reap__mpi_message *message = &request->message;
    reap__mpi_report_adopt(&request->failure, &message->report);
    reap__mpi_report_loss(&request->failure, &message->report, request->call);
    if (request->failure.status == REAP_OK && request->root < 0 && request->result == NULL)
        reap__mpi_note(request, reap__mpi_read_part(request, message->bytes,
                                                    message->report.byte_count, &request->result));
    return REAP__MPI_CONFIRM;
}

/* ---- Confirm ----------------------------------------------------------------------------------*/

static void confirm(reap_mpi_request *request)
{
    reap_part_description is;
    if (request->failure.status != REAP_OK || !reap__mpi_gets_items(request))
        return;
    if (request->words != NULL || request->sums != NULL)
        reap__mpi_note(request, reap__mpi_make_of_words(request));
    reap__mpi_note(request, reap_part_describe(request->part, &is)); /* no launch has begun */
}

static enum reap__mpi_round commit(reap_mpi_request *request)
{
    if (reap__mpi_gets_items(request))
        reap__mpi_note(request, reap_part_swap(request->part, request->result));
    return REAP__MPI_DONE;
}

/* ---- Duplicate, merge, settle -----------------------------------------------------------------*/

static int wait_for_duplicate(reap_mpi_request *request, bool *is_complete)
{
    struct reap__mpi_context *context = request->context;
    bool is_ready;
    const int code = reap__mpi_context_poll(context, &is_ready);
    *is_complete = is_ready && has_tag(request) && (context->is_alike || context->first == request);
    return code;
}

/* Decides the same on all ranks, since the outcomes of earlier requests are the same. */
static enum reap__mpi_round after_duplication(reap_mpi_request *request)
{
    if (!request->context->is_alike || request->context->ranks == 1)
        return REAP__MPI_AGREE;
    reap__mpi_begin_merge(request);
    return REAP__MPI_MERGE;
}

static int merge(reap_mpi_request *request, bool *is_complete)
{
    return reap__mpi_merge(request, tag_of(request), is_complete);
}

static enum reap__mpi_round go_on(reap_mpi_request *request)
{
    reap__mpi_discard_merged(request);
    return REAP__MPI_AGREE;
}

static enum reap__mpi_round after_merge(reap_mpi_request *request)
{
    if (!request->is_small)
        return go_on(request);
    reap__mpi_end_merge(request);
    return REAP__MPI_SETTLE;
}

static int settle(reap_mpi_request *request, bool *is_complete)
{
    return reap__mpi_settle(request, tag_of(request), is_complete);
}

static enum reap__mpi_round after_settle(reap_mpi_request *request)
{
    if (!request->is_good)
        return go_on(request);
    memcpy(request->context->transport, "MPI", sizeof "MPI");
    return commit(request);
}

/* ---- Rounds -----------------------------------------------------------------------------------*/

/* What a rank does: before a round; in its sweep up; and after the round, unless something was
 * wrong on a rank, where it returns the next round. */
struct round {
    void (*prepare)(reap_mpi_request *request);
    struct reap__mpi_visitor visitor;
    enum reap__mpi_round (*conclude)(reap_mpi_request *request);
    int (*poll)(reap_mpi_request *request, bool *is_complete); /* instead of sweeps */
};

static const struct round rounds[] = {
    [REAP__MPI_DUPLICATE] = {.poll = wait_for_duplicate, .conclude = after_duplication},
    [REAP__MPI_MERGE] = {.poll = merge, .conclude = after_merge},
    [REAP__MPI_SETTLE] = {.poll = settle, .conclude = after_settle},
    [REAP__MPI_AGREE] = {agree, {take_agreement, seal_agreement}, after_agreement, NULL},
    [REAP__MPI_NAME] = {name_owners, {take_owners, seal_owners}, end, NULL},
    [REAP__MPI_TURN] = {.poll = wait_for_turn, .conclude = after_turn},
    [REAP__MPI_INVITE] = {invite, {take_avoidance, seal_nothing}, after_invitation, NULL},
    [REAP__MPI_CONNECT] = {.poll = poll_nccl, .conclude = check_all},
    [REAP__MPI_CHECK] = {check, {take_avoidance, seal_nothing}, after_check, NULL},
    [REAP__MPI_READY] = {get_ready, {take_failure, seal_nothing}, after_ready, NULL},
    [REAP__MPI_MOVE] = {prepare_move, {take_part, seal_part}, after_move, NULL},
    [REAP__MPI_CONFIRM] = {confirm, {take_failure, seal_nothing}, commit, NULL},
    [REAP__MPI_SUM] = {.poll = sum, .conclude = after_sum},
};

static void begin_sweep(reap_mpi_request *request)
{
    const bool is_at_root = request->round == REAP__MPI_MOVE && request->root >= 0;
    reap__mpi_sweep_begin(&request->sweep, is_at_root ? request->root : 0, tag_of(request),
                          &request->message);
}

static void begin_round(reap_mpi_request *request, enum reap__mpi_round round)
{
    release_bytes(&request->message);
    request->round = round;
    request->is_down = false;
    request->has_summed |= round == REAP__MPI_MOVE || round == REAP__MPI_NAME;
    if (round == REAP__MPI_DONE || rounds[round].poll != NULL)
        return;
    reap__mpi_report_clear(&request->message.report, request->failure.number);
    begin_sweep(request);
    (rounds[round].prepare)(request);
    reap__mpi_report_adopt(&request->message.report, &request->failure);
    if (request->failure.status != REAP_OK)
        release_bytes(&request->message);
}

/* All ranks have the root's message. If something is wrong, they end the request; after `move`, in
 * the next round. */
static void end_round(reap_mpi_request *request)
{
    const enum reap__mpi_round round = request->round;
    if (round != REAP__MPI_MOVE && rounds[round].poll == NULL) {
        request->failure.status = REAP_OK;
        reap__mpi_report_adopt(&request->failure, &request->message.report);
        if (request->failure.status != REAP_OK) {
            begin_round(request, REAP__MPI_DONE);
            return;
        }
    }
    begin_round(request, (rounds[round].conclude)(request));
}

/* Advances the sweep of this round. */
static int sweep(reap_mpi_request *request, bool *is_complete)
{
    struct reap__mpi_context *context = request->context;
    bool is_up = false;
    if (!request->is_down) {
        const int code = reap__mpi_sweep_up(context, &request->sweep,
                                            &rounds[request->round].visitor, request, &is_up);
        if (code != MPI_SUCCESS || !is_up)
            return code;
        request->is_down = true;
        begin_sweep(request);
    }
    *is_complete = request->round == REAP__MPI_MOVE && request->root >= 0;
    return *is_complete ? MPI_SUCCESS : reap__mpi_sweep_down(context, &request->sweep, is_complete);
}

/* ---- Progress ---------------------------------------------------------------------------------*/

static void break_off(reap_mpi_request *request, int code)
{
    request->is_broken = true;
    request->failure.status = REAP_OK;
    reap__mpi_report_failure(&request->failure, reap__mpi_fail_by(code, "a message to other ranks"),
                             request->call, request->context->rank);
    request->round = REAP__MPI_DONE;
}

static void advance(reap_mpi_request *request)
{
    for (;;) {
        bool is_complete = false;
        int code;
        if (request->round == REAP__MPI_DONE)
            return;
        if (rounds[request->round].poll != NULL)
            code = (rounds[request->round].poll)(request, &is_complete);
        else
            code = sweep(request, &is_complete);
        if (code != MPI_SUCCESS)
            break_off(request, code);
        if (code != MPI_SUCCESS || !is_complete)
            return;
        end_round(request);
    }
}

/* Advances all requests. Completed ones are removed from the list. */
static void advance_all(struct reap__mpi_context *context)
{
    for (reap_mpi_request **at = &context->first; *at != NULL;) {
        reap_mpi_request *request = *at;
        advance(request);
        if (request->round == REAP__MPI_DONE)
            *at = request->next;
        else
            at = &request->next;
    }
}

static void release(reap_mpi_request *request)
{
    if (request->is_broken)
        return; /* MPI may still write to its memory */
    reap_part_release(request->result);
    reap__free(request->ranges);
    reap_free(request->sums);
    reap__free(request->words);
    release_bytes(&request->message);
    struct reap__mpi_context *context = request->context;
    if (context->spare == NULL)
        context->spare = request;
    else
        reap__free(request);
    reap__mpi_context_release(context);
}

/* ---- The interface ----------------------------------------------------------------------------*/

static reap_status begin(reap_part *part, int root, MPI_Comm comm, const char *call,
                         reap_mpi_request **request)
{
    struct reap__mpi_context *context;
    if (request == NULL)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the pointer to the request is NULL",
                              call);
    REAP_TRY(reap__mpi_context_get(comm, call, &context));
    reap_mpi_request *made = context->spare;
    context->spare = NULL;
    if (made == NULL)
        made = reap__allocate(sizeof *made);
    if (made == NULL) {
        reap__mpi_context_release(context);
        return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "%s: no memory for a request", call);
    }
    memset(made, 0, offsetof(struct reap_mpi_request, exchange.out));
    made->context = context;
    made->call = call;
    made->part = part;
    made->root = root;
    made->reduction = MPI_REQUEST_NULL;
    reap__mpi_report_clear(&made->failure, context->next++);
    reap__mpi_report_clear(&made->message.report, made->failure.number);
    reap_mpi_request **at = &context->first;
    while (*at != NULL)
        at = &(*at)->next;
    *at = made;
    *request = made;
    advance_all(context);
    return REAP_OK;
}

/* A negative root is an error: inside, -1 means all ranks. */
static int root_of(int root)
{
    return root < 0 ? INT_MIN : root;
}

reap_status reap_mpi_reduce_begin(reap_part *part, int root, MPI_Comm comm,
                                  reap_mpi_request **request)
{
    return begin(part, root_of(root), comm, "reap_mpi_reduce", request);
}

reap_status reap_mpi_allreduce_begin(reap_part *part, MPI_Comm comm, reap_mpi_request **request)
{
    return begin(part, -1, comm, "reap_mpi_allreduce", request);
}

reap_status reap_mpi_test(reap_mpi_request *request, bool *done)
{
    if (request == NULL || done == NULL)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "reap_mpi_test: the %s is NULL",
                              request == NULL ? "request" : "pointer to the answer");
    if (request->round != REAP__MPI_DONE)
        advance_all(request->context);
    *done = request->round == REAP__MPI_DONE;
    return REAP_OK;
}

reap_status reap_mpi_wait(reap_mpi_request **request)
{
    if (request == NULL || *request == NULL)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "reap_mpi_wait: the request is NULL");
    for (unsigned polls = 0; (*request)->round != REAP__MPI_DONE; polls++) {
        if (polls > POLLS_BEFORE_YIELD) /* other ranks may run on this processor */
            sched_yield();
        advance_all((*request)->context);
    }
    const struct reap__mpi_report *failure = &(*request)->failure;
    const reap_status status = (reap_status)failure->status;
    if (status != REAP_OK)
        reap_set_last_error(status, failure->message);
    release(*request);
    *request = NULL;
    return status;
}

reap_status reap_mpi_get_transport(MPI_Comm comm, char *text, size_t capacity)
{
    struct reap__mpi_context *context;
    if (text == NULL || capacity == 0)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT,
                              "reap_mpi_get_transport: the text is NULL or its size is 0");
    REAP_TRY(reap__mpi_context_get(comm, "reap_mpi_get_transport", &context));
    snprintf(text, capacity, "%s", context->transport);
    reap__mpi_context_release(context);
    return REAP_OK;
}

reap_status reap_mpi_reduce(reap_part *part, int root, MPI_Comm comm)
{
    reap_mpi_request *request = NULL;
    REAP_TRY(begin(part, root_of(root), comm, "reap_mpi_reduce", &request));
    return reap_mpi_wait(&request);
}

reap_status reap_mpi_allreduce(reap_part *part, MPI_Comm comm)
{
    reap_mpi_request *request = NULL;
    REAP_TRY(begin(part, -1, comm, "reap_mpi_allreduce", &request));
    return reap_mpi_wait(&request);
}
