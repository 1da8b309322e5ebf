/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_KERNEL_LOOK_H
#define WPERF_PROCESS_KERNEL_LOOK_H

/**
 * Windows only: the kernel's images, told as the records that loading them would have left. Where
 * their code is in them their files say, as nobody may read the kernel's memory. One whose file
 * cannot be read is told by the kernel's own word for it, which leads to no file.
 */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>

struct kernel_look;

struct error *kernel_look_create(struct kernel_look **ret);
void kernel_look_destroy(struct kernel_look *look);

/** What has come since the last time is next. None for users to whom the system does not tell it.
 */
struct error *kernel_look_begin(struct kernel_look *look);

/** @ret: valid until the next call. @ret_more: false at the end. */
struct error *kernel_look_next(struct kernel_look *look, struct record *ret, bool *ret_more);

#endif
