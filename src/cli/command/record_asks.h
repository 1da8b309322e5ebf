/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_COMMAND_RECORD_ASKS_H
#define WPERF_CLI_COMMAND_RECORD_ASKS_H

/** What a recording is asked for while it runs: by SIGUSR2, by --trigger, and by another program
 *  with --control. */

#include "session/control/control_channel.h"
#include "session/sampling.h"
#include "session/session.h"
#include "session/trigger/trigger_set.h"

/** Texts must live on. */
struct record_asks_request {
	const char *control;         /* of --control; or NULL */
	const char *const *triggers; /* of --trigger */
	size_t num_triggers;
	const char *pids, *cores; /* of the target; or NULL */
	bool is_quiet;
};

struct record_asks {
	struct record_asks_request request;
	struct trigger_set *triggers; /* NULL: none */
	struct session session;       /* of the triggers' counts: see record_asks_need_session() */
	struct control_channel control;
};

#define RECORD_ASKS_INIT                                                  \
	{                                                                 \
		.session = SESSION_INIT, .control = CONTROL_CHANNEL_INIT, \
	}

/** Before the target starts, which shall not get the descriptors. */
struct error *record_asks_open(struct record_asks *asks, const struct record_asks_request *request);
void record_asks_close(struct record_asks *asks);

/** Is there a trigger with counts? Then the caller opens asks->session, with a catalogue, before
 *  record_asks_watch(). */
bool record_asks_need_session(const struct record_asks *asks);

/** When the target is there: count what triggers are about. */
struct error *record_asks_watch(struct record_asks *asks, const struct sampling *sampling);

/**
 * Between two rounds: do what is asked for now.
 * @recorder: NULL: there is one file, which nothing can be asked of.
 * @ret_stop: the run is to end.
 */
struct error *record_asks_take(struct record_asks *asks, struct sampling *sampling,
			       struct recorder *recorder, bool *ret_stop);

#endif
