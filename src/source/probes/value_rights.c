// SPDX-License-Identifier: Apache-2.0

#include "source/probes/value_rights.h"

#include "base/os/privileges.h"
#include "catalog/linux/system_event.h"
#include "process/memory/process_memory.h"
#include "source/probes/probe_reading.h"

static bool reads_kernel_memory(const struct event *event)
{
	const struct probe_reading *reading =
		event->event_class == EVENT_PERF ? system_event_of(event)->reading : NULL;
	if (!reading || !reading->is_kernel)
		return false;
	bool reads = false;
	for (size_t i = 0; i < VALUE_NUM_PLACES; i++)
		reads |= reading->values.places[i].is_string ||
			 reading->values.places[i].kind == VALUE_MEMORY;
	return reads;
}

struct error *value_rights_check_process(uint32_t pid)
{
	return privileges_are_root() ? NULL : process_memory_check(pid);
}

struct error *value_rights_check(const struct event_list *events, const uint32_t *pids,
				 size_t num_pids, bool awaits_exec)
{
	if (privileges_are_root())
		return NULL;
	if (!num_pids)
		return error_with_hint(
			error_create(ERROR_FAILED, "only root may see values of all processes"),
			"name a program or processes (-p) of yours, or leave out the "
			"values");
	for (size_t i = 0; i < events->num_items; i++)
		if (reads_kernel_memory(events->items[i].event))
			return error_with_hint(
				error_create(ERROR_FAILED,
					     "'%s': only root may read the kernel's memory",
					     events->items[i].event->name),
				"leave out strings");
	struct error *err = NULL;
	for (size_t i = awaits_exec; !err && i < num_pids; i++)
		err = value_rights_check_process(pids[i]);
	return err;
}
