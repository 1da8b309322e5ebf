/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_WAITING_FRAME_H
#define WPERF_REPORT_CALLS_WAITING_FRAME_H

/**
 * Where a thread waits, or wakes another one, and what for, by its stack: the line is that of the
 * innermost interpreted frame; of native stacks, that of the innermost function outside of the C
 * library.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "profile/named_profile.h"
#include "view/layout/short_path.h"

#include <stdint.h>

/** The stack without its innermost frames that are the kernel's. */
uint32_t waiting_frame_leave_kernel(const struct named_profile *profile, uint32_t stack);

/** Whose line it is. @stack: without the frames of the kernel. NAMED_NONE: there is nothing. */
uint32_t waiting_frame_find(const struct named_profile *profile, uint32_t stack);

/** What a futex is for: "lock", "condition" ...; "futex": not known. @stack: likewise. */
const char *waiting_frame_futex_kind(const struct named_profile *profile, uint32_t stack);

/** What is waited for, by the functions of the kernel and of the C library: "lock", "pipe" ...;
 *  "other": not known. @stack: with the frames of the kernel, if there are any. */
const char *waiting_frame_kind(const struct named_profile *profile, uint32_t stack);

/** "shop.py:11", "main.c:5"; a place without a line has the module's name, and what is not known
 *  is "[unknown]". */
struct error *waiting_frame_name(const struct named_profile *profile,
				 const struct short_paths *paths, uint32_t frame,
				 struct string_builder *line, const char **ret_function);

#endif
