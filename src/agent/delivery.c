// SPDX-License-Identifier: Apache-2.0

#include "agent/delivery.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "base/thread/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// What the thread writes is read after it has ended; only the flag is shared.

enum {
	MAX_ANSWER = 1 << 16,
	SILENCE_MS = 10000,
	// A server may ask for more: it is tried once an hour at least.
	MAX_RETRY_AFTER_S = 3600,
};

struct delivery {
	char *url, *token; /* the token as a header */
	void *body;
	size_t body_size;
	uint32_t total_ms;
	bool goes_on;
	struct thread *thread;
	atomic_bool is_over;
	struct http_answer answer;
	struct error *err;
};

static void delivery_destroy(struct delivery *delivery)
{
	free(delivery->url);
	free(delivery->token);
	free(delivery->body);
	free(delivery);
}

static void delivery_run(void *data)
{
	struct delivery *delivery = data;
	const char *const headers[] = {"Content-Type: application/x-protobuf",
				       "Content-Encoding: gzip", delivery->token, NULL};
	const struct http_request request = {
		.url = delivery->url,
		.headers = headers,
		.body = delivery->body,
		.body_size = delivery->body_size,
		.goes_on = delivery->goes_on,
	};
	const struct http_limits limits = {
		.max_bytes = MAX_ANSWER,
		.total_ms = delivery->total_ms,
		.silence_ms = SILENCE_MS,
	};
	delivery->err = http_request_send(&request, &limits, NULL, &delivery->answer);
	atomic_store(&delivery->is_over, true);
}

static struct error *delivery_set_texts(struct delivery *delivery,
					const struct delivery_request *request)
{
	_cleanup_(string_builder_deinit) struct string_builder token = STRING_BUILDER_INIT;
	delivery->url = strdup(request->url);
	if (!delivery->url)
		return &error_no_memory;
	if (!request->token)
		return NULL;
	string_builder_appendf(&token, "Authorization: Bearer %s", request->token);
	return string_builder_finish(&token, &delivery->token);
}

struct error *delivery_start(const struct delivery_request *request, struct delivery **ret)
{
	struct delivery *delivery = calloc(1, sizeof(*delivery));
	if (!delivery) {
		free(request->body);
		return &error_no_memory;
	}
	delivery->body = request->body;
	delivery->body_size = request->body_size;
	delivery->total_ms = request->total_ms;
	delivery->goes_on = request->goes_on;
	struct error *err = delivery_set_texts(delivery, request);
	if (!err)
		err = thread_start("wperf-send", delivery_run, delivery, &delivery->thread);
	if (err) {
		delivery_destroy(delivery);
		return err;
	}
	*ret = delivery;
	return NULL;
}

bool delivery_is_over(const struct delivery *delivery)
{
	return atomic_load(&delivery->is_over);
}

struct error *delivery_end(struct delivery *delivery, struct http_answer *ret)
{
	thread_join(delivery->thread);
	struct error *err = delivery->err;
	if (!err)
		*ret = delivery->answer;
	delivery_destroy(delivery);
	return err;
}

enum delivery_outcome delivery_outcome(int status)
{
	static const struct {
		int status;
		enum delivery_outcome outcome;
	} rows[] = {
		{400, DELIVERY_REFUSED},   {413, DELIVERY_REFUSED},   {415, DELIVERY_REFUSED},
		{422, DELIVERY_REFUSED},   {401, DELIVERY_FORBIDDEN}, {403, DELIVERY_FORBIDDEN},
		{404, DELIVERY_FORBIDDEN},
	};
	if (status >= 200 && status < 300)
		return DELIVERY_ARRIVED;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].status == status)
			return rows[i].outcome;
	return DELIVERY_AGAIN;
}

void delivery_pause_begin(struct delivery_pause *pause, uint64_t now_ns, uint32_t retry_after_s,
			  uint64_t random)
{
	uint64_t longer = 2 * pause->length_ns;
	if (!longer)
		longer = DELIVERY_FIRST_PAUSE_NS;
	pause->length_ns = longer < DELIVERY_MAX_PAUSE_NS ? longer : DELIVERY_MAX_PAUSE_NS;
	uint64_t wait_ns = pause->length_ns / 2 + random % (pause->length_ns / 2 + 1);
	if (retry_after_s > MAX_RETRY_AFTER_S)
		retry_after_s = MAX_RETRY_AFTER_S;
	uint64_t asked_ns = retry_after_s * DELIVERY_FIRST_PAUSE_NS;
	pause->until_ns = now_ns + (wait_ns > asked_ns ? wait_ns : asked_ns);
}
