/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether compiled code is whole. CUDA's loader takes no size, so what was cut off, on its way to
 * the disk or from there, would have it read behind the end.
 */
#ifndef REAP_CUDA_IMAGE_H
#define REAP_CUDA_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether all that an ELF file's (a cubin's) section and program tables speak of lies within it, or
 * a text (PTX) ends in a zero byte. Says nothing about the contents. Any thread. */
bool reap__cuda_image_is_whole(const void *bytes, size_t size);

#endif
