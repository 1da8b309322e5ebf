/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBES_VALUE_RIGHTS_H
#define WPERF_SOURCE_PROBES_VALUE_RIGHTS_H

/**
 * Who may see values of probes. The BPF program reads whatever memory it is told to; wperf may have
 * the rights for that from its file, so that it asks itself what its caller may read.
 */

#include "base/error.h"
#include "catalog/event_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Root may see all; others only values of processes whose memory they may read, and no memory of
 * the kernel. For others the error says so.
 * @awaits_exec: the first process is the command, which the caller starts; if it has the rights of
 *               another user, the kernel itself ends the probes of it.
 */
struct error *value_rights_check(const struct event_list *events, const uint32_t *pids,
				 size_t num_pids, bool awaits_exec);

/** The same of one process more. */
struct error *value_rights_check_process(uint32_t pid);

#endif
