// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/trigger_set.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "session/counting.h"
#include "session/setup/count_setup.h"
#include "session/trigger/latency_watch.h"
#include "session/trigger/log_line.h"
#include "session/trigger/trigger_gate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All counts come from one counting of the session: a column for each event, "task-clock" standing
// for the CPU time of a target. Of the machine, the first line of /proc/stat tells (proc(5)): what
// is neither idle nor waiting for a disk is busy. Lines of logs are conditions that stay true until
// they have fired.

enum { NS_PER_S = 1000000000 };

/** Between two files because of one trigger. */
#define PAUSE_NS (UINT64_C(5) * NS_PER_S)

struct trigger {
	const char *text;
	struct trigger_words words;
	struct trigger_gate gate;
	struct trigger_rate rate; /* of its event; of the CPU: busy time, in ticks or ns */
	struct trigger_rate all;  /* of the machine: all of its time */
	struct log_line line;     /* of TRIGGER_LINE */
	bool is_line_open, has_line;
	size_t column; /* of the counts */
};

struct trigger_set {
	struct trigger *items;
	size_t num_items;
	bool is_of_machine;
	uint64_t polled_ns;
	struct counted_word *counted;
	size_t num_counted;
	struct count_request asked;
	struct count_setup setup;
	struct counting *counting; /* or NULL */
	struct counting_result result;
	struct latency_watch *latency; /* or NULL */
	uint32_t fired;                /* the last one, by its number */
};

static struct error *trigger_set_open(struct trigger *trigger)
{
	struct error *err = trigger_words_parse(trigger->text, &trigger->words);
	if (err || trigger->words.kind != TRIGGER_LINE)
		return err;
	err = log_line_open(trigger->words.from, trigger->words.fd, trigger->words.name,
			    &trigger->line);
	trigger->is_line_open = !err;
	return err;
}

struct error *trigger_set_create(const char *const *texts, size_t num_texts,
				 struct trigger_set **ret)
{
	struct trigger_set *set = calloc(1, sizeof(*set));
	struct trigger *items = calloc(num_texts + 1, sizeof(*items));
	if (!set || !items) {
		free(set);
		free(items);
		return &error_no_memory;
	}
	set->items = items;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_texts; i++) {
		items[i].text = texts[i];
		set->num_items++;
		err = trigger_set_open(&items[i]);
	}
	if (err) {
		trigger_set_destroy(set);
		return err;
	}
	*ret = set;
	return NULL;
}

void trigger_set_destroy(struct trigger_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->num_items; i++) {
		if (set->items[i].is_line_open)
			log_line_close(&set->items[i].line);
		trigger_words_deinit(&set->items[i].words);
	}
	free(set->items);
	latency_watch_destroy(set->latency);
	counting_result_deinit(&set->result);
	counting_destroy(set->counting);
	count_setup_deinit(&set->setup);
	free(set->counted);
	free(set);
}

bool trigger_set_counts(const struct trigger_set *set)
{
	for (size_t i = 0; i < set->num_items; i++)
		if (set->items[i].words.kind != TRIGGER_LINE)
			return true;
	return false;
}

/** The column of an event, which may be that of an earlier trigger. */
static size_t trigger_set_column(struct trigger_set *set, const char *event)
{
	size_t column = 0;
	while (column < set->num_counted && strcmp(set->counted[column].spec, event) != 0)
		column++;
	if (column == set->num_counted)
		set->counted[set->num_counted++].spec = event;
	return column;
}

static struct error *trigger_set_name_events(struct trigger_set *set)
{
	set->counted = calloc(set->num_items + 1, sizeof(*set->counted));
	if (!set->counted)
		return &error_no_memory;
	for (size_t i = 0; i < set->num_items; i++) {
		struct trigger *trigger = &set->items[i];
		bool is_cpu = trigger->words.kind == TRIGGER_CPU;
		if (trigger->words.kind == TRIGGER_LINE || trigger->words.kind == TRIGGER_LATENCY ||
		    (is_cpu && set->is_of_machine))
			continue;
		trigger->column =
			trigger_set_column(set, is_cpu ? "task-clock" : trigger->words.name);
	}
	return NULL;
}

static struct error *trigger_set_watch_latencies(struct trigger_set *set, struct session *session,
						 const char *pids)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < set->num_items; i++) {
		const struct trigger *trigger = &set->items[i];
		if (trigger->words.kind != TRIGGER_LATENCY)
			continue;
		if (!set->latency)
			err = latency_watch_create(&set->latency);
		if (!err)
			err = latency_watch_add(set->latency, session, pids, &trigger->words,
						(uint32_t)i);
	}
	return err;
}

struct error *trigger_set_watch(struct trigger_set *set, struct session *session, const char *pids,
				const char *cores)
{
	set->is_of_machine = !pids;
	struct error *err = trigger_set_watch_latencies(set, session, pids);
	if (!err)
		err = trigger_set_name_events(set);
	if (err || !set->num_counted)
		return err;
	set->asked = (struct count_request){
		.words = {.counted = set->counted, .num_counted = set->num_counted, .cores = cores},
		.only_named = true,
		.kernel = true,
		.raises_limits = true,
		.pids = pids,
		.is_endless = true,
	};
	set->setup.session = session;
	err = count_setup_find_events(&set->setup, &set->asked);
	if (!err)
		err = count_setup_finish(&set->setup);
	if (!err)
		err = counting_create(session->source, &set->setup.config, &set->counting);
	return err ? err : counting_begin(set->counting, COUNTING_FOREVER);
}

static uint64_t trigger_set_count(const struct trigger_set *set, const struct trigger *trigger)
{
	const struct count_set *counts = &set->result.counts.sets[EVENT_PERF];
	if (trigger->column >= counts->num_columns)
		return 0;
	const struct count sum = count_set_sum(counts, trigger->column);
	return count_scaled(&sum);
}

/** Busy and all time of the machine's CPUs, in ticks. False: it cannot be read. */
static bool read_machine_times(uint64_t *ret_busy, uint64_t *ret_all)
{
	// user, nice, system, idle, iowait, irq, softirq, steal
	uint64_t times[8];
	FILE *file = file_path_open("/proc/stat", "r");
	if (!file)
		return false;
	int num = fscanf(file,
			 "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			 " %" SCNu64 " %" SCNu64,
			 &times[0], &times[1], &times[2], &times[3], &times[4], &times[5],
			 &times[6], &times[7]);
	fclose(file);
	*ret_all = 0;
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		*ret_all += num == ARRAY_SIZE(times) ? times[i] : 0;
	*ret_busy = *ret_all - times[3] - times[4];
	return num == ARRAY_SIZE(times);
}

static bool is_machine_above(struct trigger *trigger, uint64_t now_ns)
{
	uint64_t busy, all;
	double busy_rate = 0, all_rate = 0;
	if (!read_machine_times(&busy, &all))
		return false;
	// Both have a rate from the same moment on.
	trigger_rate_add(&trigger->all, now_ns, all, &all_rate);
	trigger_rate_add(&trigger->rate, now_ns, busy, &busy_rate);
	return all_rate > 0 && busy_rate / all_rate * 100 > (double)trigger->words.limit;
}

static bool is_trigger_true(const struct trigger_set *set, struct trigger *trigger, uint64_t now_ns)
{
	double rate;
	switch (trigger->words.kind) {
	case TRIGGER_LINE:
		// A line that came within the pause is not forgotten.
		trigger->has_line = log_line_poll(&trigger->line) || trigger->has_line;
		return trigger->has_line;
	case TRIGGER_LATENCY:
		return latency_watch_has(set->latency, (uint32_t)(trigger - set->items));
	case TRIGGER_CPU:
		if (set->is_of_machine)
			return is_machine_above(trigger, now_ns);
		return trigger_rate_add(&trigger->rate, now_ns, trigger_set_count(set, trigger),
					&rate) &&
		       rate / NS_PER_S * 100 > (double)trigger->words.limit;
	case TRIGGER_EVENT:
		return trigger_rate_add(&trigger->rate, now_ns, trigger_set_count(set, trigger),
					&rate) &&
		       rate > (double)trigger->words.limit;
	}
	return false;
}

struct error *trigger_set_poll(struct trigger_set *set, uint64_t now_ns, const char **ret)
{
	*ret = NULL;
	if (!set->num_items || now_ns - set->polled_ns < TRIGGER_RATE_STEP_NS)
		return NULL;
	set->polled_ns = now_ns;
	struct error *err = set->counting ? counting_read(set->counting, &set->result) : NULL;
	if (set->latency)
		latency_watch_poll(set->latency);
	for (size_t i = 0; !err && i < set->num_items; i++) {
		struct trigger *trigger = &set->items[i];
		bool is_true = is_trigger_true(set, trigger, now_ns);
		if (!trigger_gate_pass(&trigger->gate, is_true, now_ns, PAUSE_NS))
			continue;
		*ret = trigger->text;
		set->fired = (uint32_t)i;
		// Each line and each call is new.
		if (trigger->words.kind == TRIGGER_LINE || trigger->words.kind == TRIGGER_LATENCY)
			trigger->has_line = trigger->gate.has_fired = false;
		if (trigger->words.kind == TRIGGER_LATENCY)
			latency_watch_settle(set->latency, set->fired);
	}
	return err;
}

const char *trigger_set_reason(const struct trigger_set *set)
{
	return set->latency ? latency_watch_reason(set->latency, set->fired) : "";
}

uint64_t trigger_set_num_lost(const struct trigger_set *set)
{
	return set->latency ? latency_watch_num_lost(set->latency) : 0;
}
