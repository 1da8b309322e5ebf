/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_KERNEL_LOOK_H
#define WPERF_PROCESS_SYSTEM_KERNEL_LOOK_H

/**
 * Windows only: the kernel's images, as records of mappings. As the kernel's memory is not
 * readable, the position of their code is read from their files. An image whose file cannot be read
 * has the kernel's name for it, which is not a path.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>

struct kernel_look;

struct error *kernel_look_create(struct kernel_look **ret);
void kernel_look_destroy(struct kernel_look *look);

/** Query again: kernel_look_next() returns new images. None, if this user may not know them. */
struct error *kernel_look_begin(struct kernel_look *look);

/** @ret: valid until the next call. @ret_more: false at the end. */
struct error *kernel_look_next(struct kernel_look *look, struct record *ret, bool *ret_more);

#endif
