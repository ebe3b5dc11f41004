/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices by name and their aspects, and reserved members of structs.
 */
#include "tests/support/check_status.h"

#include <reap/reap.h>

static const reap_aspect aspects[] = {REAP_ASPECT_CPU,
                                      REAP_ASPECT_GPU,
                                      REAP_ASPECT_FP64,
                                      REAP_ASPECT_ATOMIC64,
                                      REAP_ASPECT_FP32_DENORMALS,
                                      REAP_ASPECT_FP32_CORRECT_DIVISION};

/* Each device of the list is found by its name. */
static void find_all(void)
{
    const reap_device *const *devices, *found;
    reap_device_info info;
    size_t count;
    CHECK_STATUS(reap_device_list(&devices, &count), REAP_OK);
    for (size_t d = 0; d < count; d++) {
        CHECK_STATUS(reap_device_get_info(devices[d], &info), REAP_OK);
        CHECK(reap_device_find(info.name, &found) == REAP_OK && found == devices[d]);
        CHECK_EQ(info.reserved[0], 0);
        if (strcmp(info.limits, "") == 0)
            for (size_t a = 2; a < sizeof aspects / sizeof *aspects; a++)
                CHECK(aspects[a] == REAP_ASPECT_ATOMIC64 || reap_device_has(found, aspects[a]));
        else
            CHECK(!reap_device_has(found, REAP_ASPECT_FP64) ||
                  !reap_device_has(found, REAP_ASPECT_FP32_DENORMALS) ||
                  !reap_device_has(found, REAP_ASPECT_FP32_CORRECT_DIVISION));
        CHECK(
            !(reap_device_has(found, REAP_ASPECT_CPU) && reap_device_has(found, REAP_ASPECT_GPU)));
    }
}

static void find_host(void)
{
    const reap_device *host = NULL, *other = NULL;
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    CHECK(reap_device_has(host, REAP_ASPECT_CPU) && !reap_device_has(host, REAP_ASPECT_GPU));
    for (size_t a = 2; a < sizeof aspects / sizeof *aspects; a++)
        CHECK(reap_device_has(host, aspects[a]));
    CHECK(!reap_device_has(host, (reap_aspect)6) && !reap_device_has(host, (reap_aspect)64));
    CHECK(!reap_device_has(host, (reap_aspect)-1) && !reap_device_has(NULL, REAP_ASPECT_CPU));
    CHECK(reap_device_find("card", &other) == REAP_ERROR_NO_DEVICE && other == NULL);
    CHECK(strstr(reap_last_error(), "'card'") != NULL && strstr(reap_last_error(), "host") != NULL);
    CHECK_STATUS(reap_device_find("", &other), REAP_ERROR_NO_DEVICE);
    CHECK_STATUS(reap_device_find(NULL, &other), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_device_find("host", NULL), REAP_ERROR_INVALID_ARGUMENT);
}

/* The message lists the devices, in one line, whatever the name is. */
static void refuse_odd_names(void)
{
    static const char *const ends[] = {"\n", "+host\n", "+host+host", "*0"};
    const reap_device *found;
    char name[5000] = "host";
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        memcpy(name + 4, ends[e], strlen(ends[e]) + 1);
        CHECK_STATUS(reap_device_find(name, &found), REAP_ERROR_NO_DEVICE);
        CHECK(strchr(reap_last_error(), '\n') == NULL);
    }
    memset(name, '\n', sizeof name - 1);
    CHECK_STATUS(reap_device_find(name, &found), REAP_ERROR_NO_DEVICE);
    CHECK_HAS(reap_last_error(), "the devices here are: host");
    for (size_t i = 0; i < 500; i++)
        memcpy(name + 5 * i, "host+", sizeof "host+");
    CHECK_STATUS(reap_device_find(name, &found), REAP_ERROR_NO_DEVICE);
    CHECK_HAS(reap_last_error(), "at most 16 devices");
}

static void refuse_later_options(void)
{
    reap_queue_options options = {.max_threads = 1};
    reap_queue *queue = NULL;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    reap_queue_release(queue);
    queue = NULL;
    options.reserved[sizeof options.reserved / sizeof *options.reserved - 1] = 1;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(queue == NULL);
}

int main(void)
{
    find_host();
    find_all();
    refuse_odd_names();
    refuse_later_options();
    return check_finish();
}
