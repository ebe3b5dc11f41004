/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch that is divided among several devices, and has the bits of one:
 *
 *     10_several_devices                  on all devices of this machine
 *     10_several_devices cuda:0+cuda:1    on these
 *     10_several_devices 'cuda:0*20+host' with shares of 20 to 1
 */
#include <reap/reap.h>
#include <stdio.h>
#include <string.h>

#include "10_several_devices.kernels.h"

enum { COUNT = 1 << 22, MOST_DEVICES = 16, LAUNCHES = 4 };

struct figures {
    double energy;
    float peak;
    uint64_t place;
};

/* Arrays are divided where the launch says so: each device gets the elements of its items. */
static reap_status run(const reap_device *device, const float *samples, float *scaled,
                       struct figures *figures)
{
    reap_queue *queue;
    REAP_TRY(reap_queue_create(device, NULL, &queue));
    reap_status status = REAP_OK;
    for (int launch = 0; launch < LAUNCHES && status == REAP_OK; launch++) {
        *figures = (struct figures){0, 0, 0};
        status =
            reap_parallel_for(queue, normalise, reap_range_1d(COUNT), .samples = samples,
                              .scaled = scaled, .scale = 0.25f, .energy = &figures->energy,
                              .peak = {.variable = &figures->peak, .location = &figures->place},
                              .launch.divided = "samples scaled");
    }
    if (status == REAP_OK)
        status = reap_queue_wait(queue);
    reap_queue_release(queue);
    return status;
}

static reap_status combine_all(const reap_device **combined)
{
    const reap_device *const *devices;
    size_t count;
    REAP_TRY(reap_device_list(&devices, &count));
    return reap_device_combine(devices, NULL, count < MOST_DEVICES ? count : MOST_DEVICES,
                               combined);
}

static reap_status compare(const char *name, const float *samples, float *scaled)
{
    const reap_device *host, *device;
    reap_device_info info;
    struct figures one, several;
    REAP_TRY(reap_device_find("host", &host));
    REAP_TRY(name != NULL ? reap_device_find(name, &device) : combine_all(&device));
    REAP_TRY(reap_device_get_info(device, &info));
    REAP_TRY(run(host, samples, scaled, &one));
    REAP_TRY(run(device, samples, scaled, &several));
    int same = memcmp(&one.energy, &several.energy, sizeof one.energy) == 0 &&
               one.peak == several.peak && one.place == several.place;
    fprintf(stderr, "on %s\n", info.description);
    printf("energy %.17g, peak %g at %llu: %s\n", several.energy, several.peak,
           (unsigned long long)several.place,
           same ? "the bits of one device" : "other bits than on the host");
    return REAP_OK;
}

int main(int argc, char **argv)
{
    static float samples[COUNT], scaled[COUNT];
    reap_buffer *buffers[2] = {NULL, NULL};
    for (size_t i = 0; i < COUNT; i++)
        samples[i] = (float)((i * 7919) % 65521) - 32760.5f;
    reap_status status = reap_buffer_wrap(samples, sizeof samples, &buffers[0]);
    if (status == REAP_OK)
        status = reap_buffer_wrap(scaled, sizeof scaled, &buffers[1]);
    if (status == REAP_OK)
        status = compare(argc > 1 ? argv[1] : NULL, samples, scaled);
    if (status != REAP_OK)
        fprintf(stderr, "%s\n", reap_last_error());
    reap_buffer_release(buffers[0]);
    reap_buffer_release(buffers[1]);
    return status != REAP_OK;
}
