/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_RIGHTS_USER_GROUP_H
#define WPERF_BASE_RIGHTS_USER_GROUP_H

/** Groups of users of this system. Nothing of it exists on Windows. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** May a group be called so? What the tools of all systems accept; no dash first. */
bool user_group_may_be(const char *name);

/** @ret: its number. ERROR_ABSENT if there is no such group. */
struct error *user_group_find(const char *name, uint32_t *ret);

/** The command that creates a system group, for users to read; @ret: freed by the caller. */
struct error *user_group_command(const char *name, char **ret);

/** As root: run that command. */
struct error *user_group_create(const char *name);

#endif
