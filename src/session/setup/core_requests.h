/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_CORE_REQUESTS_H
#define WPERF_SESSION_SETUP_CORE_REQUESTS_H

/** From core_N/EVENTS/ to what each core counts. */

#include "catalog/core_events.h"
#include "session/setup/run_request.h"

/**
 * Cores with the same words are counted together; if all of them have the same, these are the
 * request's events and cores. Events keep their order, doubles among them.
 */
struct error *core_requests_add(const struct run_words *words, struct session *session,
				const struct core_events *cores, struct run_request *request);
void core_requests_deinit(struct run_request *request);

#endif
