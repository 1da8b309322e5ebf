/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBE_H
#define WPERF_SOURCE_PROBE_H

/** What a source can do on this machine: for `detect`, and for hints of errors. */

#include "base/error.h"

#include <stddef.h>

enum probe_state {
	PROBE_NO,
	PROBE_PARTLY,
	PROBE_YES,
};

/** One ability of a source on this machine, for this user. */
struct probe_finding {
	char *ability; /* "hardware events" */
	enum probe_state state;
	char *detail;  /* what works, or why it does not */
	char *hint;    /* what to do about it, or NULL */
	char *command; /* of a shell: enables it; or NULL */
};

/** A device that the source talks to. */
struct probe_device {
	char *instance; /* "Device Instance ID" of detect */
	char *hardware; /* "Hardware IDs" of detect */
};

struct probe {
	struct probe_finding *findings;
	size_t num_findings, cap_findings;
	struct probe_device *devices;
	size_t num_devices, cap_devices;
};

#define PROBE_INIT \
	{          \
	}

/** All texts are copied; @hint may be NULL. */
struct error *probe_add_finding(struct probe *probe, const char *ability, enum probe_state state,
				const char *detail, const char *hint);

/** What is missing, and can be enabled by a command of a shell. @command: or NULL. */
struct error *probe_add_missing(struct probe *probe, const char *ability, const char *detail,
				const char *hint, const char *command);

/** What is missing for the reason that an error says. */
struct error *probe_add_error(struct probe *probe, const char *ability, const struct error *err);

struct error *probe_add_device(struct probe *probe, const char *instance, const char *hardware);
void probe_deinit(struct probe *probe);

/** "yes", "partly", "no" */
const char *probe_state_name(enum probe_state state);

#endif
