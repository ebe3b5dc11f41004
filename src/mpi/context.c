/* SPDX-License-Identifier: Apache-2.0
 *
 * See context.h. The communicator is duplicated without blocking (MPI_Comm_idup), so beginning a
 * reduction never waits. The duplicate is freed when the program frees its communicator, or with
 * the last request. If MPI has been finalized, only memory is freed.
 */
#include "src/mpi/context.h"

#include "src/core/allocate.h"
#include "src/mpi/nccl.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

reap_status reap__mpi_fail(reap_status status, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return reap_set_last_error(status, message);
}

reap_status reap__mpi_fail_by(int code, const char *what)
{
    char words[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, words, &length) != MPI_SUCCESS)
        length = 0;
    return reap__mpi_fail(REAP_ERROR_COMMUNICATION_FAILED, "%s fails: %.*s", what, length, words);
}

/* ---- The attribute ----------------------------------------------------------------------------*/

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static int keyval = MPI_KEYVAL_INVALID;

/* Open MPI 4.1 uses the communicator during a duplication, so that is completed before the
 * communicator is freed. MPICH frees it later, when MPI_Test completes the duplication. */
static void wait_for_duplicate(struct reap__mpi_context *context)
{
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (!is_finalized && !context->is_testing && context->duplication != MPI_REQUEST_NULL)
        MPI_Wait(&context->duplication, MPI_STATUS_IGNORE);
}

void reap__mpi_context_release(struct reap__mpi_context *context)
{
    int is_finalized = 0;
    if (context == NULL || --context->references > 0)
        return;
    wait_for_duplicate(context);
    MPI_Finalized(&is_finalized);
    if (!is_finalized && context->comm != MPI_COMM_NULL)
        MPI_Comm_free(&context->comm);
    reap__mpi_nccl_release(context->nccl);
    reap__free(context->nccl);
    reap__free(context->spare);
    reap__free(context->unwanted);
    reap__free(context);
}

static int delete_attribute(MPI_Comm comm, int key, void *attribute, void *unused)
{
    (void)comm;
    (void)key;
    (void)unused;
    wait_for_duplicate(attribute);
    reap__mpi_context_release(attribute);
    return MPI_SUCCESS;
}

static int find_keyval(int *key)
{
    int code = MPI_SUCCESS;
    pthread_mutex_lock(&lock);
    if (keyval == MPI_KEYVAL_INVALID)
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &keyval, NULL);
    *key = keyval;
    pthread_mutex_unlock(&lock);
    return code;
}

static struct reap__mpi_context *allocate(void)
{
    struct reap__mpi_context *context = reap__allocate(sizeof *context);
    if (context == NULL)
        return NULL;
    *context = (struct reap__mpi_context){
        .comm = MPI_COMM_NULL, .duplication = MPI_REQUEST_NULL, .references = 1};
    context->unwanted = reap__allocate(REAP__MPI_MOST_BYTES);
    context->nccl = reap__allocate(sizeof *context->nccl);
    if (context->unwanted != NULL && context->nccl != NULL) {
        *context->nccl = (struct reap__mpi_nccl){.comm = NULL};
        return context;
    }
    reap__free(context->nccl);
    reap__free(context->unwanted);
    reap__free(context);
    return NULL;
}

/* Creates a context, as the communicator's attribute. */
static reap_status create(MPI_Comm comm, int key, struct reap__mpi_context **context)
{
    struct reap__mpi_context *made = allocate();
    if (made == NULL)
        return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "reap_mpi: no memory for a communicator");
    int code = MPI_Comm_rank(comm, &made->rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(comm, &made->ranks);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_idup(comm, &made->comm, &made->duplication);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_attr(comm, key, made);
    if (code == MPI_SUCCESS) {
        *context = made;
        return REAP_OK;
    }
    reap__mpi_context_release(made);
    return reap__mpi_fail_by(code, "duplicating the communicator");
}

static reap_status check_communicator(MPI_Comm comm, const char *call)
{
    int is_initialized = 0, is_finalized = 0, is_inter = 0;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    if (!is_initialized || is_finalized)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "%s: MPI %s", call,
                              is_finalized ? "has been finalized" : "is not initialised");
    if (comm == MPI_COMM_NULL)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the communicator is MPI_COMM_NULL",
                              call);
    const int code = MPI_Comm_test_inter(comm, &is_inter);
    if (code != MPI_SUCCESS)
        return reap__mpi_fail_by(code, "MPI_Comm_test_inter");
    if (is_inter)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT,
                              "%s: the communicator is an intercommunicator", call);
    return REAP_OK;
}

reap_status reap__mpi_context_get(MPI_Comm comm, const char *call,
                                  struct reap__mpi_context **context)
{
    int key, is_found = 0;
    void *attribute = NULL;
    REAP_TRY(check_communicator(comm, call));
    int code = find_keyval(&key);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_get_attr(comm, key, &attribute, &is_found);
    if (code != MPI_SUCCESS)
        return reap__mpi_fail_by(code, "MPI_Comm_get_attr");
    if (is_found)
        *context = attribute;
    else
        REAP_TRY(create(comm, key, context));
    (*context)->references++;
    return REAP_OK;
}

int reap__mpi_context_poll(struct reap__mpi_context *context, bool *is_ready)
{
    int is_complete = 1, code = MPI_SUCCESS;
    if (context->duplication != MPI_REQUEST_NULL) {
        context->is_testing = true;
        code = MPI_Test(&context->duplication, &is_complete, MPI_STATUS_IGNORE);
        context->is_testing = false;
    }
    if (code == MPI_SUCCESS && is_complete && !context->is_ready) {
        code = MPI_Comm_set_errhandler(context->comm, MPI_ERRORS_RETURN);
        context->is_ready = code == MPI_SUCCESS;
    }
    *is_ready = context->is_ready;
    return code;
}
