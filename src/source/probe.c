// SPDX-License-Identifier: Apache-2.0

#include "source/probe.h"

#include "base/container/array.h"

#include <string.h>

// What `detect` shows, as plain copies: a finding outlives the strings it was made of, which are on
// the stacks of those that tried.

static struct error *probe_add(struct probe *probe, enum probe_state state, const char *ability,
			       const char *detail, const char *hint, const char *command)
{
	struct error *err =
		array_reserve(&probe->findings, &probe->cap_findings, probe->num_findings + 1);
	if (err)
		return err;
	_cleanup_free_ char *ability_copy = strdup(ability);
	_cleanup_free_ char *detail_copy = strdup(detail);
	_cleanup_free_ char *hint_copy = hint ? strdup(hint) : NULL;
	_cleanup_free_ char *command_copy = command ? strdup(command) : NULL;
	if (!ability_copy || !detail_copy || (hint && !hint_copy) || (command && !command_copy))
		return &error_no_memory;
	probe->findings[probe->num_findings++] = (struct probe_finding){
		.ability = take_ptr(ability_copy),
		.state = state,
		.detail = take_ptr(detail_copy),
		.hint = take_ptr(hint_copy),
		.command = take_ptr(command_copy),
	};
	return NULL;
}

struct error *probe_add_finding(struct probe *probe, const char *ability, enum probe_state state,
				const char *detail, const char *hint)
{
	return probe_add(probe, state, ability, detail, hint, NULL);
}

struct error *probe_add_missing(struct probe *probe, const char *ability, const char *detail,
				const char *hint, const char *command)
{
	return probe_add(probe, PROBE_NO, ability, detail, hint, command);
}

struct error *probe_add_error(struct probe *probe, const char *ability, const struct error *err)
{
	return probe_add(probe, PROBE_NO, ability, err->message, err->hint, err->command);
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
		free(probe->findings[i].command);
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
