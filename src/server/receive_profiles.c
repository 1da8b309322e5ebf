// SPDX-License-Identifier: Apache-2.0
// OTLP/HTTP (opentelemetry.io/docs/specs/otlp): a request is stored as a whole or refused as a
// whole. Statuses that a sender tries again on are 429 and 503; after 400 it drops what it sent.

#include "base/container/array.h"
#include "fleet/otlp/otlp_decoder.h"
#include "server/server_answer.h"
#include "server/server_routes.h"
#include "server/sha256.h"

#include <stdio.h>

enum { RECEIVE_PROFILES_RETRY_S = 5 };

static struct error *receive_profiles_put(const struct server_call *call,
					  const struct otlp_batches *decoded)
{
	struct store_put_result result;
	_cleanup_free_ const struct fleet_batch **batches =
		calloc(decoded->num_batches + 1, sizeof(*batches));
	if (!batches)
		return &error_no_memory;
	for (size_t i = 0; i < decoded->num_batches; i++)
		batches[i] = &decoded->batches[i];
	return call->store->ops->put(call->store, batches, decoded->num_batches, &result);
}

/** A batch without an id gets one of the request's bytes: sent again, it is known. */
static struct error *receive_profiles_name(const struct server_call *call,
					   struct otlp_batches *decoded)
{
	char hash[SHA256_TEXT_SIZE] = "", id[sizeof("request ") + SHA256_TEXT_SIZE + 20];
	struct error *err = NULL;
	for (size_t i = 0; !err && i < decoded->num_batches; i++) {
		if (*decoded->batches[i].id)
			continue;
		if (!*hash)
			sha256_text(call->body, call->body_size, hash);
		snprintf(id, sizeof(id), "request %s %zu", hash, i);
		err = fleet_batch_set_id(&decoded->batches[i], id);
	}
	return err;
}

struct error *receive_profiles(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(otlp_batches_deinit) struct otlp_batches decoded = OTLP_BATCHES_INIT;
	_cleanup_(error_destroyp) struct error *err =
		otlp_decoder_decode(call->body, call->body_size, OTLP_BATCH_EACH, &decoded);
	if (err) {
		server_answer_error(ret, HTTP_BAD_REQUEST, err);
		return NULL;
	}
	err = receive_profiles_name(call, &decoded);
	if (!err)
		err = receive_profiles_put(call, &decoded);
	if (err) {
		server_answer_error(ret, HTTP_UNAVAILABLE, err);
		ret->retry_after_s = RECEIVE_PROFILES_RETRY_S;
		return NULL;
	}
	// An ExportProfilesServiceResponse without members has no bytes.
	ret->type = "application/x-protobuf";
	return NULL;
}
