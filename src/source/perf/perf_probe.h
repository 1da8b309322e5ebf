/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_PROBE_H
#define WPERF_SOURCE_PERF_PERF_PROBE_H

/** Probes of the Linux kernel, at places in programs (uprobes) and in its own code (kprobes). */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** perf_event_attr.type of probes; the error says that this kernel has none. */
struct error *perf_probe_type(bool is_kernel, uint32_t *ret);

struct perf_probe {
	const char *event; /* for the error */
	uint32_t pid;
	bool is_everywhere; /* in all processes; @pid does not count */
	bool is_kernel;
	const char *path; /* of the file; of the kernel: the function */
	uint64_t offset;  /* in the file; of the kernel: from the function's beginning */
	uint64_t counter; /* of a static probe: the offset in the file; 0: none */
	bool is_return;   /* not at the function itself, but where it returns to */
};

/** A probe in all threads of a process, now and later: for a BPF program, which sees each passage.
 *  @ret_fd: set only on success. */
struct error *perf_probe_open(const struct perf_probe *probe, int *ret_fd);

#endif
