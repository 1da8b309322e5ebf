// SPDX-License-Identifier: Apache-2.0
// The caller's thread owns everything but the request that is on its way (delivery.h): there is at
// most one, and it is looked after in each step.

#include "agent/agent_sender.h"

#include "agent/delivery.h"
#include "base/cleanup.h"
#include "base/http/bearer_token.h"
#include "base/os/clock.h"
#include "base/os/random_bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	TOTAL_MS = 60000,
	NS_PER_MS = 1000000,
	// Of a request that is sent at the end; less makes no sense.
	MIN_TOTAL_MS = 100,
};

struct agent_sender {
	struct agent_sender_config config;
	struct delivery *delivery; /* NULL: none is on its way */
	struct delivery_pause pause;
	struct string_builder reason; /* of the last failure */
	bool is_failing;              /* the user knows */
	bool has_refused;             /* likewise */
	bool is_ending;               /* the caller says what was not sent */
};

struct error *agent_sender_create(const struct agent_sender_config *config,
				  struct agent_sender **ret)
{
	struct agent_sender *sender = calloc(1, sizeof(*sender));
	if (!sender)
		return &error_no_memory;
	sender->config = *config;
	*ret = sender;
	return NULL;
}

void agent_sender_destroy(struct agent_sender *sender)
{
	if (!sender)
		return;
	if (sender->delivery) {
		struct http_answer answer;
		error_destroy(delivery_end(sender->delivery, &answer));
	}
	string_builder_deinit(&sender->reason);
	free(sender);
}

/** The file is read each time: who replaces it need not start the agent again. */
static struct error *agent_sender_read_token(const struct agent_sender_config *config, char **ret)
{
	if (config->token_file)
		return bearer_token_read(config->token_file, ret);
	*ret = config->token ? strdup(config->token) : NULL;
	return config->token && !*ret ? &error_no_memory : NULL;
}

/** Once, until something arrives again; with --verbose each time. */
static void agent_sender_tell_failure(struct agent_sender *sender)
{
	const struct agent_sender_config *config = &sender->config;
	if (sender->is_ending)
		return;
	if (!sender->is_failing || config->is_verbose)
		string_builder_appendf(config->notes,
				       "warning: cannot send to %s: %s; %" PRIu64
				       " requests wait in '%s'\n",
				       config->url, string_builder_peek(&sender->reason),
				       spool_totals(config->spool).num_waiting,
				       spool_folder(config->spool));
	sender->is_failing = true;
}

static void agent_sender_fail(struct agent_sender *sender, uint32_t retry_after_s)
{
	uint64_t random = 0;
	error_destroy(random_bytes_fill(&random, sizeof(random)));
	delivery_pause_begin(&sender->pause, clock_ns(CLOCK_MONOTONIC), retry_after_s, random);
	agent_sender_tell_failure(sender);
}

static void agent_sender_set_reason(struct agent_sender *sender, const char *reason)
{
	string_builder_clear(&sender->reason);
	string_builder_append(&sender->reason, reason);
}

static void agent_sender_set_status(struct agent_sender *sender, int status)
{
	static const struct {
		int status;
		const char *words;
	} rows[] = {
		{401, ": it wants a token: see --token-file"},
		{403, ": the token may not write"},
		{404, ": it takes no profiles there: check --server"},
		{429, ": it has too much to do"},
		{503, ": it has too much to do"},
	};
	string_builder_clear(&sender->reason);
	string_builder_appendf(&sender->reason, "the server answers %d", status);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].status == status)
			string_builder_append(&sender->reason, rows[i].words);
}

static void agent_sender_take_arrival(struct agent_sender *sender)
{
	const struct agent_sender_config *config = &sender->config;
	spool_end_sending(config->spool, SPOOL_SENT);
	sender->pause = (struct delivery_pause){0};
	if (sender->is_failing)
		string_builder_appendf(config->notes, "note: sending to %s again\n", config->url);
	sender->is_failing = false;
}

static void agent_sender_take_refusal(struct agent_sender *sender)
{
	const struct agent_sender_config *config = &sender->config;
	spool_end_sending(config->spool, SPOOL_REFUSED);
	if (!sender->has_refused || config->is_verbose)
		string_builder_appendf(config->notes,
				       "warning: %s refused a request: %s; it was moved to "
				       "'%s/refused' and counts as dropped\n",
				       config->url, string_builder_peek(&sender->reason),
				       spool_folder(config->spool));
	sender->has_refused = true;
}

static void agent_sender_take_answer(struct agent_sender *sender)
{
	struct http_answer answer = {0};
	struct error *err = delivery_end(take_ptr(sender->delivery), &answer);
	if (err) {
		agent_sender_set_reason(sender, err->message);
		error_destroy(err);
		spool_end_sending(sender->config.spool, SPOOL_KEPT);
		agent_sender_fail(sender, 0);
		return;
	}
	agent_sender_set_status(sender, answer.status);
	switch (delivery_outcome(answer.status)) {
	case DELIVERY_ARRIVED:
		agent_sender_take_arrival(sender);
		break;
	case DELIVERY_REFUSED:
		agent_sender_take_refusal(sender);
		break;
	default:
		spool_end_sending(sender->config.spool, SPOOL_KEPT);
		agent_sender_fail(sender, answer.retry_after_s);
	}
}

/** A file that cannot be read is set aside, and said. */
static struct error *agent_sender_read_oldest(struct agent_sender *sender, void **ret_body,
					      size_t *ret_size)
{
	struct error *err = spool_begin_sending(sender->config.spool, ret_body, ret_size);
	if (!err || err == &error_no_memory)
		return err;
	string_builder_appendf(sender->config.notes,
			       "warning: %s; it was moved to '%s/refused' and counts as dropped\n",
			       err->message, spool_folder(sender->config.spool));
	error_destroy(err);
	*ret_body = NULL;
	return NULL;
}

/** Begin, if there is something. */
static struct error *agent_sender_start(struct agent_sender *sender, uint32_t total_ms,
					bool goes_on)
{
	const struct agent_sender_config *config = &sender->config;
	_cleanup_free_ char *token = NULL;
	struct error *err = agent_sender_read_token(config, &token);
	if (err) {
		agent_sender_set_reason(sender, err->message);
		error_destroy(err);
		agent_sender_fail(sender, 0);
		return NULL;
	}
	struct delivery_request request = {
		.url = config->url,
		.token = token,
		.total_ms = total_ms,
		.goes_on = goes_on,
	};
	err = agent_sender_read_oldest(sender, &request.body, &request.body_size);
	if (err || !request.body)
		return err;
	err = delivery_start(&request, &sender->delivery);
	if (err)
		spool_end_sending(config->spool, SPOOL_KEPT);
	return err;
}

struct error *agent_sender_step(struct agent_sender *sender)
{
	if (!sender->config.url)
		return NULL;
	if (sender->delivery && !delivery_is_over(sender->delivery))
		return NULL;
	if (sender->delivery)
		agent_sender_take_answer(sender);
	bool is_due = clock_ns(CLOCK_MONOTONIC) >= sender->pause.until_ns;
	if (!is_due || !spool_totals(sender->config.spool).num_waiting)
		return NULL;
	return agent_sender_start(sender, TOTAL_MS, false);
}

/** One request from beginning to end. */
static struct error *agent_sender_send_one(struct agent_sender *sender, uint64_t left_ns)
{
	uint64_t left_ms = left_ns / NS_PER_MS;
	uint32_t total_ms = left_ms < TOTAL_MS ? (uint32_t)left_ms : TOTAL_MS;
	struct error *err =
		sender->delivery
			? NULL
			: agent_sender_start(
				  sender, total_ms > MIN_TOTAL_MS ? total_ms : MIN_TOTAL_MS, true);
	if (!err && sender->delivery)
		agent_sender_take_answer(sender);
	return err;
}

struct error *agent_sender_flush(struct agent_sender *sender, uint64_t limit_ns, bool *ret_is_sent,
				 const char **ret_reason)
{
	const struct spool *spool = sender->config.spool;
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC), spent_ns = 0;
	uint64_t num_refused = spool_totals(spool).num_refused;
	struct error *err = NULL;
	sender->is_ending = true;
	agent_sender_set_reason(sender, "there is not enough time for all of it");
	// What is on its way was begun with the limit of requests that are sent meanwhile; where it
	// is a request to stop that ends the agent, that has ended it already.
	if (sender->delivery)
		agent_sender_take_answer(sender);
	sender->pause = (struct delivery_pause){0};
	while (!err && sender->config.url && spool_totals(spool).num_waiting &&
	       !sender->pause.length_ns && spent_ns < limit_ns) {
		err = agent_sender_send_one(sender, limit_ns - spent_ns);
		spent_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	}
	*ret_is_sent =
		!spool_totals(spool).num_waiting && spool_totals(spool).num_refused == num_refused;
	*ret_reason = *ret_is_sent ? NULL : string_builder_peek(&sender->reason);
	return err;
}
