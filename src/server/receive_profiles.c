// SPDX-License-Identifier: Apache-2.0
// OTLP/HTTP (opentelemetry.io/docs/specs/otlp): a request is stored as a whole or refused as a
// whole. Statuses that a sender tries again on are 429 and 503; after 400 it drops what it sent.

#include "base/container/array.h"
#include "fleet/otlp/otlp_decoder.h"
#include "server/sender_service.h"
#include "server/server_answer.h"
#include "server/server_routes.h"
#include "server/server_state.h"
#include "server/sha256.h"
#include "server/tenant/intake.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/** "application/x-protobuf; charset=..." is this type as well. */
static bool receive_profiles_is_type(const char *type, const char *wanted)
{
	size_t length = strcspn(type, " \t;");
	return length == strlen(wanted) && strncasecmp(type, wanted, length) == 0;
}

static bool receive_profiles_check_type(const struct server_call *call, struct server_answer *ret)
{
	if (receive_profiles_is_type(call->body_type, "application/x-protobuf"))
		return true;
	bool is_json = receive_profiles_is_type(call->body_type, "application/json");
	server_answer_say(ret, HTTP_UNSUPPORTED_TYPE,
			  "%s; send OTLP profiles as application/x-protobuf",
			  is_json ? "OTLP in JSON is not read" : "not a type of OTLP profiles");
	return false;
}

/** Windows of one time only: what the store would refuse, and with it all of its transaction. */
static struct error *receive_profiles_check_time(const struct fleet_batch *batch)
{
	if (batch->start_ns && batch->start_ns <= STORE_MAX_NS &&
	    batch->length_ns <= STORE_MAX_NS - batch->start_ns)
		return NULL;
	return error_create(ERROR_FAILED, "a profile has no time, or one after the year 2262");
}

/** A batch without an id gets one of the request's bytes: sent again, it is known. */
static struct error *receive_profiles_name(const struct server_call *call, size_t number,
					   struct fleet_batch *batch)
{
	char hash[SHA256_TEXT_SIZE], id[sizeof("request ") + SHA256_TEXT_SIZE + 20];
	if (*batch->id)
		return NULL;
	sha256_text(call->body, call->body_size, hash);
	snprintf(id, sizeof(id), "request %s %zu", hash, number);
	return fleet_batch_set_id(batch, id);
}

static struct error *receive_profiles_decode(const struct server_call *call,
					     struct otlp_batches *ret)
{
	struct error *err = otlp_decoder_decode(call->body, call->body_size, OTLP_BATCH_EACH, ret);
	for (size_t i = 0; !err && i < ret->num_batches; i++) {
		err = receive_profiles_check_time(&ret->batches[i]);
		if (!err)
			err = receive_profiles_name(call, i, &ret->batches[i]);
		if (!err)
			err = sender_service_set(&ret->batches[i]);
	}
	return err;
}

static struct error *receive_profiles_check_names(const struct server_call *call,
						  const struct otlp_batches *decoded)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && call->intake && i < decoded->num_batches; i++)
		err = intake_check_names(call->intake, &decoded->batches[i]);
	return err;
}

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

static void receive_profiles_charge(const struct server_call *call,
				    const struct otlp_batches *decoded)
{
	uint64_t num_samples = 0;
	for (size_t i = 0; i < decoded->num_batches; i++)
		num_samples += decoded->batches[i].profile.num_samples;
	if (call->state)
		server_metrics_add(&call->state->metrics, SERVER_SAMPLES, num_samples);
	if (call->intake && decoded->num_batches)
		intake_charge(call->intake, INTAKE_BATCHES, decoded->num_batches - 1);
}

/** Once they are stored: a batch that was not comes again. */
static struct error *receive_profiles_count_dropped(const struct server_call *call,
						    const struct otlp_batches *decoded)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && call->intake && i < decoded->num_batches; i++)
		err = intake_count_dropped(call->intake, &decoded->batches[i]);
	return err;
}

static void receive_profiles_refuse(struct server_answer *ret, int status, const struct error *err)
{
	bool is_lasting = status == HTTP_BAD_REQUEST && err->code != ERROR_NO_MEMORY;
	server_answer_error(ret,
			    is_lasting                ? HTTP_BAD_REQUEST
			    : status == HTTP_TOO_MANY ? status
						      : HTTP_UNAVAILABLE,
			    err);
	if (!is_lasting)
		ret->retry_after_s = SERVER_RETRY_S;
}

struct error *receive_profiles(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(otlp_batches_deinit) struct otlp_batches decoded = OTLP_BATCHES_INIT;
	int status = HTTP_BAD_REQUEST;
	if (!receive_profiles_check_type(call, ret))
		return NULL;
	// Also of what is damaged: reading it takes as long.
	if (call->intake)
		intake_charge(call->intake, INTAKE_BYTES, call->body_size);
	_cleanup_(error_destroyp) struct error *err = receive_profiles_decode(call, &decoded);
	if (!err) {
		err = receive_profiles_check_names(call, &decoded);
		status = HTTP_TOO_MANY;
	}
	if (!err) {
		receive_profiles_charge(call, &decoded);
		err = receive_profiles_put(call, &decoded);
		if (!err)
			err = receive_profiles_count_dropped(call, &decoded);
		status = HTTP_UNAVAILABLE;
	}
	if (err) {
		receive_profiles_refuse(ret, status, err);
		return NULL;
	}
	// An ExportProfilesServiceResponse without members has no bytes.
	ret->type = "application/x-protobuf";
	return NULL;
}
