/* SPDX-License-Identifier: Apache-2.0
 *
 * What the backends of devices with drivers of their own offer beside a vendor's interface.
 */
#ifndef REAP_ACCELERATOR_RUNTIME_NATIVE_H
#define REAP_ACCELERATOR_RUNTIME_NATIVE_H

#include "src/accelerator/driver.h"

extern const struct reap__native reap__device_native;

#endif
