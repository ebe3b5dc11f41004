/* SPDX-License-Identifier: Apache-2.0
 *
 * Statuses' names, and the line about the last failure, which each thread has for itself.
 */
#include "tests/support/check_status.h"

#include <pthread.h>
#include <reap/reap.h>
#include <string.h>

static void *other_thread(void *unused)
{
    (void)unused;
    CHECK_STR(reap_last_error(), "");
    CHECK_STATUS(reap_queue_wait(NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "reap_queue_wait");
    return NULL;
}

/* A message is one line. Where it has no room for the digits, its end is cut. */
static void check_control_characters(void)
{
    enum { MOST = 1023 };
    char message[MOST + 2], expected[MOST + 1];
    reap_set_last_error(REAP_ERROR_NO_DEVICE, "\na\tb\x7f\xc3\xa9\\n\r\n");
    CHECK_STR(reap_last_error(), "\\012a\\011b\\177\xc3\xa9\\n\\015\\012");
    for (size_t i = 0; i <= MOST; i++)
        message[i] = '\n';
    message[MOST + 1] = '\0';
    for (size_t i = 0; i < MOST; i++)
        expected[i] = "\\012"[i % 4];
    expected[MOST - MOST % 4] = '\0';
    reap_set_last_error(REAP_ERROR_NO_DEVICE, message);
    CHECK_STR(reap_last_error(), expected);
    memset(message, 'x', MOST);
    for (size_t at = MOST - 6; at < MOST; at++) {
        message[at] = '\n';
        reap_set_last_error(REAP_ERROR_NO_DEVICE, message);
        CHECK(strlen(reap_last_error()) <= MOST && strchr(reap_last_error(), '\n') == NULL);
        CHECK_EQ(memcmp(reap_last_error(), message, MOST - 6), 0);
    }
}

int main(void)
{
    CHECK_STR(reap_status_name(REAP_OK), "REAP_OK");
    CHECK_STR(reap_status_name(REAP_ERROR_OUT_OF_MEMORY), "REAP_ERROR_OUT_OF_MEMORY");
    CHECK_STR(reap_status_name((reap_status)1000), "unknown status");
    CHECK_STR(reap_status_name((reap_status)-1), "unknown status");

    CHECK_STR(reap_last_error(), "");
    CHECK_STATUS(reap_event_wait(NULL), REAP_ERROR_INVALID_ARGUMENT);
    pthread_t thread;
    const int failed = pthread_create(&thread, NULL, other_thread, NULL);
    if (!failed)
        pthread_join(thread, NULL);
    CHECK(!failed);
    CHECK_HAS(reap_last_error(), "reap_event_wait");
    CHECK(strchr(reap_last_error(), '\n') == NULL);

    CHECK_STATUS(reap_set_last_error(REAP_ERROR_NO_DEVICE, "a library's line"),
                 REAP_ERROR_NO_DEVICE);
    CHECK_STR(reap_last_error(), "a library's line");
    CHECK_STATUS(reap_set_last_error(REAP_ERROR_NO_DEVICE, NULL), REAP_ERROR_NO_DEVICE);
    CHECK_STR(reap_last_error(), "");
    check_control_characters();
    return check_finish();
}
