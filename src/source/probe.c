// SPDX-License-Identifier: Apache-2.0

#include "source/probe.h"

#include "base/container/array.h"

#include <string.h>

// What `detect` shows, as plain copies: a finding outlives the strings it was made of, which are on
// the stacks of those that tried.

struct error *probe_add_finding(struct probe *probe, const char *ability, enum probe_state state,
				const char *detail, const char *hint)
{
	struct error *err =
		array_reserve(&probe->findings, &probe->cap_findings, probe->num_findings + 1);
	if (err)
		return err;
	_cleanup_free_ char *ability_copy = strdup(ability);
	_cleanup_free_ char *detail_copy = strdup(detail);
	_cleanup_free_ char *hint_copy = hint ? strdup(hint) : NULL;
	if (!ability_copy || !detail_copy || (hint && !hint_copy))
		return &error_no_memory;
	probe->findings[probe->num_findings++] = (struct probe_finding){
		.ability = take_ptr(ability_copy),
		.state = state,
		.detail = take_ptr(detail_copy),
		.hint = take_ptr(hint_copy),
	};
	return NULL;
}

struct error *probe_add_device(struct probe *probe, const char *instance, const char *hardware)
{
	struct error *err =
		array_reserve(&probe->devices, &probe->cap_devices, probe->num_devices + 1);
	if (err)
		return err;
	_cleanup_free_ char *instance_copy = strdup(instance);
	_cleanup_free_ char *hardware_copy = strdup(hardware);
	if (!instance_copy || !hardware_copy)
		return &error_no_memory;
	probe->devices[probe->num_devices++] = (struct probe_device){
		.instance = take_ptr(instance_copy),
		.hardware = take_ptr(hardware_copy),
	};
	return NULL;
}

void probe_deinit(struct probe *probe)
{
	for (size_t i = 0; i < probe->num_findings; i++) {
		free(probe->findings[i].ability);
		free(probe->findings[i].detail);
		free(probe->findings[i].hint);
	}
	free(probe->findings);
	for (size_t i = 0; i < probe->num_devices; i++) {
		free(probe->devices[i].instance);
		free(probe->devices[i].hardware);
	}
	free(probe->devices);
	*probe = (struct probe)PROBE_INIT;
}

const char *probe_state_name(enum probe_state state)
{
	static const char *const names[] = {
		[PROBE_NO] = "no",
		[PROBE_PARTLY] = "partly",
		[PROBE_YES] = "yes",
	};
	return names[state];
}
