/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_SERVICES_H
#define WPERF_AGENT_SERVICES_H

/**
 * Which service each sampled thread belongs to. The first of these that says something names it:
 * a rule of the user; "kernel" for threads of the kernel; the systemd unit, unless the process is
 * in a container; the name of its process. The agent itself is SERVICES_AGENT.
 *
 * A process is read when its first sample of a window is seen, as it may have ended when the window
 * has: what ended before it could be read is named by its own name.
 */

#include "agent/service_rules.h"
#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

#define SERVICES_AGENT "wperf-agent"

enum { SERVICES_MAX = 1000 };

struct service {
	char *name;
	char *container, *pod; /* "" if it is in none */
};

struct services;

/** @rules: may change between two calls; must outlive the services. */
struct error *services_create(const struct service_rules *rules, struct services **ret);
void services_destroy(struct services *services);

/** All processes are to be read again. */
void services_begin_window(struct services *services);

/** The profile is another one from now on: threads and services lose their numbers. */
void services_renew(struct services *services);

/** Read the processes of samples that are new since the last call. To be called after each round.
 *  @profile: the same until services_renew(). */
struct error *services_look(struct services *services, const struct named_profile *profile);

/** The same for all samples there are: they may have been put in another order. */
struct error *services_look_at_all(struct services *services, const struct named_profile *profile);

/** Of a thread with a sample before the last look: a number below services_count(). */
uint32_t services_of(const struct services *services, uint32_t thread);

size_t services_count(const struct services *services);
const struct service *services_get(const struct services *services, uint32_t index);

/** That of the agent itself. There are at most SERVICES_MAX and this one; the rest is "other". */
struct error *services_own(struct services *services, uint32_t *ret);

#endif
