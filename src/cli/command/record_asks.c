// SPDX-License-Identifier: Apache-2.0

#include "cli/command/record_asks.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "report/notes/control_events.h"
#include "report/notes/control_notes.h"
#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct error *record_asks_open(struct record_asks *asks, const struct record_asks_request *request)
{
	asks->request = *request;
	struct error *err =
		request->control ? control_channel_open(request->control, &asks->control) : NULL;
	if (!err && request->num_triggers)
		err = trigger_set_create(request->triggers, request->num_triggers, &asks->triggers);
	return err;
}

void record_asks_close(struct record_asks *asks)
{
	uint64_t num_lost = asks->triggers ? trigger_set_num_lost(asks->triggers) : 0;
	if (num_lost)
		fprintf(stderr,
			"warning: calls that --trigger did not time (too many at once, or tail "
			"calls): %" PRIu64 "\n",
			num_lost);
	trigger_set_destroy(asks->triggers);
	session_close(&asks->session);
	control_notes_print(&asks->control, stderr);
	control_channel_close(&asks->control);
}

bool record_asks_need_session(const struct record_asks *asks)
{
	return asks->triggers && trigger_set_counts(asks->triggers);
}

struct error *record_asks_watch(struct record_asks *asks, const struct sampling *sampling)
{
	if (!record_asks_need_session(asks))
		return NULL;
	char command[16];
	const char *pids = asks->request.pids;
	uint32_t pid = sampling_command_pid(sampling);
	if (pid) {
		snprintf(command, sizeof(command), "%" PRIu32, pid);
		pids = command;
	}
	return trigger_set_watch(asks->triggers, &asks->session, pids, asks->request.cores);
}

/** All events, or those that it names. @ret_refusal: why it cannot be done; or NULL. */
static struct error *record_asks_switch(const struct control_command *command,
					struct sampling *sampling, const char **ret_refusal)
{
	const char *name = control_command_argument(command);
	const struct event_list *events = sampling_events(sampling);
	bool is_on = command->verb == CONTROL_ENABLE;
	*ret_refusal = NULL;
	if (!*name)
		return sampling_switch(sampling, SAMPLING_ALL_EVENTS, is_on);
	size_t event = event_list_find(events, 0, name);
	if (event == events->num_items)
		*ret_refusal = "no such event; evlist prints their names";
	struct error *err = NULL;
	for (; !err && event < events->num_items; event = event_list_find(events, event + 1, name))
		err = sampling_switch(sampling, event, is_on);
	return err;
}

static struct error *record_asks_obey(struct record_asks *asks,
				      const struct control_command *command,
				      struct sampling *sampling, struct recorder *recorder,
				      bool *ret_stop)
{
	const char *refusal = NULL;
	struct error *err = NULL;
	const struct control_events events = {sampling_events(sampling),
					      sampling_file_events(sampling)};
	switch (command->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		err = record_asks_switch(command, sampling, &refusal);
		break;
	case CONTROL_SNAPSHOT:
		if (recorder)
			recorder_ask(recorder);
		else
			refusal = "snapshot needs record --ring or --switch-output";
		break;
	case CONTROL_EVLIST:
		if (!control_events_print(command, &events, stderr))
			refusal = CONTROL_EVENTS_USAGE;
		break;
	case CONTROL_PING:
		break;
	case CONTROL_STOP:
		*ret_stop = true;
		break;
	default:
		refusal = "unknown command; there are enable, disable, evlist, snapshot, ping and "
			  "stop";
		break;
	}
	if (refusal)
		control_channel_refuse(&asks->control, command, refusal);
	else if (!err)
		control_channel_ack(&asks->control);
	return err;
}

static struct error *record_asks_take_commands(struct record_asks *asks, struct sampling *sampling,
					       struct recorder *recorder, bool *ret_stop)
{
	bool is_there = asks->control.fd >= 0;
	struct error *err = NULL;
	while (!err && is_there) {
		struct control_command command;
		err = control_channel_next(&asks->control, &command, &is_there);
		if (!err && is_there)
			err = record_asks_obey(asks, &command, sampling, recorder, ret_stop);
	}
	return err;
}

static void record_asks_print_fired(const char *fired, const char *reason)
{
	fputs("note: trigger '", stderr);
	safe_text_print(fired, strlen(fired), stderr);
	fputs(*reason ? "': " : "'", stderr);
	safe_text_print(reason, strlen(reason), stderr);
	fputc('\n', stderr);
}

static struct error *record_asks_take_triggers(struct record_asks *asks, struct recorder *recorder)
{
	const char *fired = NULL;
	struct error *err =
		asks->triggers ? trigger_set_poll(asks->triggers, clock_ns(CLOCK_MONOTONIC), &fired)
			       : NULL;
	if (err || !fired)
		return err;
	if (!asks->request.is_quiet)
		record_asks_print_fired(fired, trigger_set_reason(asks->triggers));
	recorder_ask(recorder);
	return NULL;
}

struct error *record_asks_take(struct record_asks *asks, struct sampling *sampling,
			       struct recorder *recorder, bool *ret_stop)
{
	struct error *err = record_asks_take_commands(asks, sampling, recorder, ret_stop);
	if (err || !recorder)
		return err;
	if (interrupt_take_moment())
		recorder_ask(recorder);
	return record_asks_take_triggers(asks, recorder);
}
