// SPDX-License-Identifier: Apache-2.0
// opentelemetry-ebpf-profiler has a resource for each container, without a service; what runs in
// none is told apart by names of programs, which are attributes of samples.

#include "server/sender_service.h"

static const char sender_service_key[] = "service.name";

/** Of all threads with samples; NULL: there are several, or none has one. */
static const char *sender_service_program(const struct named_profile *profile)
{
	uint32_t name = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		uint32_t thread = profile->samples[i].thread;
		uint32_t other = profile->threads[thread].process_name;
		if (i && other != name)
			return NULL;
		name = other;
	}
	const char *text = named_profile_text(profile, name);
	return profile->num_samples && *text ? text : NULL;
}

struct error *sender_service_set(struct fleet_batch *batch)
{
	static const char *const keys[] = {"container.id", "process.executable.name"};
	if (*fleet_batch_label(batch, sender_service_key))
		return NULL;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *value = fleet_batch_label(batch, keys[i]);
		if (*value)
			return fleet_batch_set_label(batch, sender_service_key, value);
	}
	const char *program = sender_service_program(&batch->profile);
	return fleet_batch_set_label(batch, sender_service_key, program ? program : "unknown");
}
