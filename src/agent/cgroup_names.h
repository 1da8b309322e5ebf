/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_CGROUP_NAMES_H
#define WPERF_AGENT_CGROUP_NAMES_H

/**
 * What the control groups of a process say of it: its systemd unit, container and Kubernetes pod.
 * The text of /proc/PID/cgroup is not trusted: who may make control groups names them.
 */

#include <stddef.h>

enum {
	CGROUP_NAMES_MAX_TEXT = 8192,  /* what is behind is not read */
	CGROUP_NAMES_UNIT_SIZE = 256,  /* systemd's UNIT_NAME_MAX */
	CGROUP_NAMES_ID_SIZE = 64 + 1, /* hex digits */
	CGROUP_NAMES_POD_SIZE = 36 + 1,
};

/** UTF-8 without control characters; "" where nothing says it. */
struct cgroup_names {
	char unit[CGROUP_NAMES_UNIT_SIZE];    /* "nginx" of nginx.service */
	char container[CGROUP_NAMES_ID_SIZE]; /* as docker, containerd, CRI-O and podman make it */
	char pod[CGROUP_NAMES_POD_SIZE];      /* a UUID */
};

/** @text: of /proc/PID/cgroup, without a NUL at its end. */
void cgroup_names_parse(const char *text, size_t size, struct cgroup_names *ret);

#endif
