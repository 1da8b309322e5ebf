// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/remote/remote_store.h"

#include "fleet/otlp/otlp_decoder.h"
#include "fleet/store/remote/remote_request.h"
#include "fleet/store/store_json.h"

#include <stdlib.h>
#include <string.h>

struct remote_store {
	struct store store;
	struct remote_server server;
};

static void remote_store_close(struct store *store)
{
	struct remote_store *remote = (struct remote_store *)store;
	if (!remote)
		return;
	free(remote->server.url);
	free(remote->server.token);
	free(remote);
}

static void remote_store_closep(struct remote_store **remote)
{
	remote_store_close((struct store *)*remote);
}

static const struct remote_server *remote_store_server(struct store *store)
{
	return &((struct remote_store *)store)->server;
}

static struct error *remote_store_refuse_writing(const char *url)
{
	return error_with_hint(error_create(ERROR_USAGE, "'%s' can only be read", url),
			       "a server gets its batches from 'wperf agent' and other senders of "
			       "OTLP; on its machine, name its store");
}

/** @rest: what is behind "http:". Only what an address may have, no user, and no query. */
static bool remote_store_is_address(const char *rest)
{
	static const char forbidden[] = "\"<>\\^`{|}?#@%";
	if (strncmp(rest, "//", 2) != 0 || !rest[2] || rest[2] == '/' || rest[2] == ':')
		return false;
	for (const char *c = rest; *c; c++)
		if (*c <= ' ' || *c > '~' || strchr(forbidden, *c))
			return false;
	return true;
}

static struct error *remote_store_open(const struct store_ops *ops, const char *rest,
				       enum store_access access, struct store **ret)
{
	_cleanup_(remote_store_closep) struct remote_store *remote = calloc(1, sizeof(*remote));
	if (!remote)
		return &error_no_memory;
	remote->store.ops = ops;
	if (!remote_store_is_address(rest))
		return error_with_hint(
			error_create(ERROR_USAGE, "not an address of a server: '%s:%s'", ops->name,
				     rest),
			"write %s://HOST:PORT; a token is given with --token-file", ops->name);
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	size_t length = strlen(rest);
	while (rest[length - 1] == '/')
		length--;
	string_builder_appendf(&url, "%s:%.*s", ops->name, (int)length, rest);
	struct error *err = string_builder_finish(&url, &remote->server.url);
	if (!err && access != STORE_READ)
		err = remote_store_refuse_writing(remote->server.url);
	if (!err)
		*ret = &take_ptr(remote)->store;
	return err;
}

static struct error *remote_store_open_http(const char *place, enum store_access access,
					    struct store **ret)
{
	return remote_store_open(&remote_http_store_ops, place, access, ret);
}

static struct error *remote_store_open_https(const char *place, enum store_access access,
					     struct store **ret)
{
	return remote_store_open(&remote_https_store_ops, place, access, ret);
}

static struct error *remote_store_authorize(struct store *store, const char *token)
{
	struct remote_store *remote = (struct remote_store *)store;
	char *copy = strdup(token);
	if (!copy)
		return &error_no_memory;
	free(remote->server.token);
	remote->server.token = copy;
	return NULL;
}

static struct error *remote_store_put(struct store *store, const struct fleet_batch *const *batches,
				      size_t num_batches, struct store_put_result *ret)
{
	return remote_store_refuse_writing(remote_store_server(store)->url);
}

static struct error *remote_store_roll_up(struct store *store, uint64_t until_ns)
{
	return remote_store_refuse_writing(remote_store_server(store)->url);
}

static struct error *remote_store_retain(struct store *store, uint64_t windows_ns,
					 uint64_t hours_ns)
{
	return remote_store_refuse_writing(remote_store_server(store)->url);
}

static void remote_store_add_query(struct string_builder *target, const struct store_query *query)
{
	if (query->service)
		remote_request_add(target, "service", query->service);
	if (query->event)
		remote_request_add(target, "event", query->event);
	for (size_t i = 0; i < query->num_labels; i++) {
		_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
		string_builder_appendf(&label, "%s=%s", query->labels[i].key,
				       query->labels[i].value);
		target->failed |= label.failed;
		remote_request_add(target, "label", string_builder_peek(&label));
	}
	if (query->from_ns)
		remote_request_add_number(target, "since", query->from_ns);
	if (query->until_ns)
		remote_request_add_number(target, "until", query->until_ns);
	if (query->step_ns)
		remote_request_add_number(target, "step", query->step_ns);
}

/** @query: NULL: the path has no arguments. */
static struct error *remote_store_ask(struct store *store, const char *path,
				      const struct store_query *query, size_t max_size,
				      struct remote_answer *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder target = STRING_BUILDER_INIT;
	string_builder_append(&target, path);
	if (query)
		remote_store_add_query(&target, query);
	if (target.failed)
		return &error_no_memory;
	return remote_request_send(remote_store_server(store), string_builder_peek(&target),
				   max_size, ret);
}

static struct error *remote_store_query(struct store *store, const struct store_query *query,
					struct named_profile *ret)
{
	_cleanup_(remote_answer_deinit) struct remote_answer answer = REMOTE_ANSWER_INIT;
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	struct error *err =
		remote_store_ask(store, "/api/v1/profile", query, OTLP_MAX_BYTES, &answer);
	if (err)
		return err;
	err = otlp_decoder_decode(answer.bytes, answer.size, OTLP_BATCH_ALL, &batches);
	if (!err && batches.num_batches && !batches.batches->has_times)
		err = error_create(ERROR_FAILED, "its samples have no times");
	if (err)
		return remote_request_refuse(remote_store_server(store), err);
	if (!batches.num_batches) {
		struct named_profile empty;
		err = named_profile_init(&empty);
		if (!err)
			*ret = empty;
		return err;
	}
	*ret = batches.batches->profile;
	batches.batches->profile = (struct named_profile){0};
	return NULL;
}

static struct error *remote_store_list(struct store *store, struct store_listing *ret)
{
	_cleanup_(remote_answer_deinit) struct remote_answer answer = REMOTE_ANSWER_INIT;
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	struct error *err =
		remote_store_ask(store, "/api/v1/list", NULL, JSON_DOCUMENT_MAX_BYTES, &answer);
	if (err)
		return err;
	err = json_document_parse(&document, "JSON", answer.bytes, answer.size);
	if (!err)
		err = store_json_read_listing(document.root, ret);
	return err ? remote_request_refuse(remote_store_server(store), err) : NULL;
}

static struct error *remote_store_heat(struct store *store, const struct store_query *query,
				       struct store_heat *ret)
{
	_cleanup_(remote_answer_deinit) struct remote_answer answer = REMOTE_ANSWER_INIT;
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	if (!query->step_ns)
		return error_create(ERROR_USAGE, "a heat map needs steps of time");
	struct error *err =
		remote_store_ask(store, "/api/v1/heat", query, JSON_DOCUMENT_MAX_BYTES, &answer);
	if (err)
		return err;
	err = json_document_parse(&document, "JSON", answer.bytes, answer.size);
	if (!err)
		err = store_json_read_heat(document.root, ret);
	return err ? remote_request_refuse(remote_store_server(store), err) : NULL;
}

#define REMOTE_STORE_OPS(scheme, open_function)                                                  \
	{                                                                                        \
		.name = (scheme), .place_form = "//HOST:PORT", .uses_network = true,             \
		.open = (open_function), .authorize = remote_store_authorize,                    \
		.put = remote_store_put, .query = remote_store_query, .list = remote_store_list, \
		.heat = remote_store_heat, .roll_up = remote_store_roll_up,                      \
		.retain = remote_store_retain, .close = remote_store_close,                      \
	}

const struct store_ops remote_http_store_ops = REMOTE_STORE_OPS("http", remote_store_open_http);
const struct store_ops remote_https_store_ops = REMOTE_STORE_OPS("https", remote_store_open_https);
