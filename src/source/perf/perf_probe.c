// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_probe.h"

#include "source/perf/perf_file.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_refusal.h"

#include <linux/perf_event.h>

// The kernel sets a probe in the memory of the event's task, and runs the BPF program for whoever
// runs there (uprobe_perf_filter() of the kernel): one event is enough for all threads.

// format/retprobe and format/ref_ctr_offset of the kernel's PMUs: bit 0 and the upper half, which
// are an ABI
enum { CONFIG_RETURN = 1, CONFIG_COUNTER_SHIFT = 32 };

struct error *perf_probe_type(bool is_kernel, uint32_t *ret)
{
	int type = perf_host_pmu_type(is_kernel ? "kprobe" : "uprobe");
	if (type >= 0) {
		*ret = (uint32_t)type;
		return NULL;
	}
	return error_with_hint(error_create(ERROR_FAILED, "this kernel has no probes in %s",
					    is_kernel ? "its own code" : "programs"),
			       "use a kernel that was built with %s; it has %s/%s",
			       is_kernel ? "CONFIG_KPROBE_EVENTS" : "CONFIG_UPROBE_EVENTS",
			       perf_host_sysfs, is_kernel ? "kprobe" : "uprobe");
}

struct error *perf_probe_open(const struct perf_probe *probe, int *ret_fd)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = (probe->is_return ? CONFIG_RETURN : 0) | probe->counter
									   << CONFIG_COUNTER_SHIFT,
		.config1 = (uint64_t)(uintptr_t)probe->path,
		.config2 = probe->offset,
	};
	struct error *err = perf_probe_type(probe->is_kernel, &attr.type);
	if (err)
		return err;
	const pid_t pid = probe->is_everywhere ? -1 : (pid_t)probe->pid;
	// The kernel wants a core where there is no process; the program runs on all.
	int core = -1;
	for (unsigned i = 0; probe->is_everywhere && core < 0 && i < perf_host_num_cores(); i++)
		if (perf_host_core_is_online(i))
			core = (int)i;
	int fd = perf_file_open(&attr, pid, core, -1);
	if (fd >= 0) {
		*ret_fd = fd;
		return NULL;
	}
	const struct perf_target target = {.thread = pid, .core = core, .process = pid};
	const struct perf_refusal refusal = {
		.errnum = -fd,
		.event = probe->event,
		.attr = &attr,
		.counter = PERF_COUNTER_PROBE,
		.target = &target,
		.num_files = PERF_FILES_BESIDES,
	};
	return perf_refusal_error(&refusal);
}
