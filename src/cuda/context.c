/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the driver in a device's context, and what they fail with.
 */
#include "src/cuda/driver.h"

#include "src/core/status.h"

reap_status reap__cuda_check(const struct reap__cuda_device *device, const char *call, int result)
{
    if (result == REAP__CUDA_SUCCESS)
        return REAP_OK;
    return reap__fail(result == REAP__CUDA_OUT_OF_MEMORY ? REAP_ERROR_OUT_OF_MEMORY
                                                         : REAP_ERROR_DEVICE_FAILED,
                      "device '%s': %s failed: %s (%d)", device->name, call,
                      reap__cuda_error_name(device->cuda, result), result);
}

reap_status reap__cuda_enter(const struct reap__cuda_device *device)
{
    return reap__cuda_check(device, "cuCtxPushCurrent",
                            device->cuda->cuCtxPushCurrent(device->context));
}

void reap__cuda_leave(const struct reap__cuda_device *device)
{
    struct reap__cuda_context *ours;
    device->cuda->cuCtxPopCurrent(&ours);
}

reap_status reap__cuda_leave_with(const struct reap__cuda_device *device, const char *call,
                                  int result)
{
    reap__cuda_leave(device);
    return reap__cuda_check(device, call, result);
}
