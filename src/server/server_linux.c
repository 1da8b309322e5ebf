// SPDX-License-Identifier: Apache-2.0

#include "server/server.h"

#include "base/file/file_path.h"
#include "base/os/interrupt.h"
#include "server/http/connection_limit.h"
#include "server/http/listen_address.h"
#include "server/request_gate.h"
#include "server/server_routes.h"
#include "server/symbols/debug_names.h"
#include "server/tenant/store_upkeep.h"
#include "server/tenant/tenant_place.h"

#include <errno.h>
#include <string.h>

enum {
	SERVER_MAX_UNPACKING = 4, // times as many bytes
	SERVER_MIN_HELD = 256 << 20,
	SERVER_HELD_REQUESTS = 8, // of the largest size, that are there at once
	SERVER_MAX_CONNECTIONS = 2048,
	SERVER_ADDRESS_PARTS = 4, // one address may have so large a part of all connections
	SERVER_HEAD_S = 10,
	SERVER_IDLE_S = 150, // longer than an agent's windows: its connection lives on
	SERVER_CHECK_NS = 1000000000,
	SERVER_READ_THREADS = 4,
	SERVER_WRITE_THREADS = 8, // they wait for the disk together
};

struct server {
	struct server_config config;
	char *place, *shown_place, *address;
	struct server_state state;
	struct http_service service;
	struct store_upkeep *upkeep;
};

/** sqlite:FILE of what the user wrote or did not. */
static struct error *server_choose_place(struct server *server)
{
	if (server->config.place) {
		server->place = strdup(server->config.place);
		return server->place ? NULL : &error_no_memory;
	}
	_cleanup_free_ char *folder = NULL;
	struct error *err = tenant_place_state_folder(&folder);
	if (err)
		return err;
	if (asprintf(&server->place, "sqlite:%s/fleet.db", folder) < 0) {
		server->place = NULL;
		return &error_no_memory;
	}
	const char *path = strchr(server->place, ':') + 1;
	return file_path_make_folders(path)
		       ? NULL
		       : error_with_hint(error_create_errno(
						 errno, "cannot create the folder of '%s'", path),
					 "name another place with --store sqlite:FILE");
}

/** Each tenant of the tokens is there: its store is trimmed, and has a row in the metrics. */
static struct error *server_read_tokens(struct server *server)
{
	struct server_state *state = &server->state;
	_cleanup_(access_tokens_deinit) struct access_tokens tokens = ACCESS_TOKENS_INIT;
	struct error *err = access_tokens_read(server->config.tokens, &tokens);
	for (size_t i = 0; !err && i < tokens.num_items; i++) {
		struct tenant *tenant;
		err = tenants_get(&state->tenants, tokens.items[i].tenant, &tenant);
	}
	if (err)
		return err;
	pthread_mutex_lock(&state->tokens_lock);
	struct access_tokens before = state->tokens;
	state->tokens = tokens;
	tokens = before;
	pthread_mutex_unlock(&state->tokens_lock);
	return NULL;
}

static struct error *server_find_tenants(struct server *server)
{
	struct tenant *tenant;
	return server->state.has_tokens
		       ? server_read_tokens(server)
		       : tenants_get(&server->state.tenants, TENANT_DEFAULT, &tenant);
}

/** What cannot be written is better known now than with the first batch. */
static struct error *server_open_stores(struct server *server)
{
	struct tenant *tenant;
	struct store *store;
	struct error *err = server_find_tenants(server);
	for (size_t i = 0; !err && (tenant = tenants_at(&server->state.tenants, i)); i++)
		err = tenant_writer(tenant, &store);
	return err;
}

static struct error *server_check_address(struct server *server,
					  const struct listen_address *address)
{
	bool is_loopback = listen_address_is_loopback(address);
	server->state.is_local = is_loopback && !server->state.has_tokens;
	if (is_loopback || server->state.has_tokens || server->config.is_insecure)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--listen %s: without tokens, anybody who can reach it "
					    "could read and write profiles",
					    server->config.listen),
			       "make tokens with --new-token, and name their file with --tokens; "
			       "or listen on 127.0.0.1; or add --insecure");
}

static unsigned server_max_per_address(const struct server_config *config, unsigned max_connections)
{
	return config->max_per_address ? config->max_per_address
				       : max_connections / SERVER_ADDRESS_PARTS;
}

static struct error *server_listen(struct server *server)
{
	const unsigned max_connections = connection_limit_raise(SERVER_MAX_CONNECTIONS);
	const unsigned request_s = server->config.request_s;
	struct listen_address address;
	_cleanup_free_ char *text = NULL;
	struct http_server_config config = {
		.service = &server->service,
		.num_pools = NUM_SERVER_ACCESSES,
		.num_threads =
			{
				[SERVER_ACCESS_NONE] = 1,
				[SERVER_ACCESS_READ] = SERVER_READ_THREADS,
				[SERVER_ACCESS_WRITE] = SERVER_WRITE_THREADS,
			},
		.max_held = SERVER_MIN_HELD,
		.max_connections = max_connections,
		.max_per_address = server_max_per_address(&server->config, max_connections),
		.limits_loopback = server->config.max_per_address,
		.head_s = request_s < SERVER_HEAD_S ? request_s : SERVER_HEAD_S,
		.request_s = request_s,
		.idle_s = SERVER_IDLE_S,
		.log = server->config.log,
	};
	if (config.max_held < SERVER_HELD_REQUESTS * server->state.max_packed)
		config.max_held = SERVER_HELD_REQUESTS * server->state.max_packed;
	const char *words = server->config.listen ? server->config.listen : "127.0.0.1:4318";
	struct error *err = listen_address_parse(words, &address);
	if (!err)
		err = server_check_address(server, &address);
	if (!err)
		err = listen_address_open(&address, &config.fd);
	if (!err)
		err = http_server_start(&config, &server->state.http);
	if (err)
		return err;
	text = listen_address_text(&address);
	if (text && asprintf(&server->address, "http://%s", text) >= 0)
		return NULL;
	server->address = NULL;
	return &error_no_memory;
}

static void server_set_up(struct server *server, const struct server_config *config)
{
	struct server_state *state = &server->state;
	const struct tenant_config tenants = {
		.place = server->place,
		.limits = {.per_s = {[INTAKE_BATCHES] = config->max_rate,
				     [INTAKE_BYTES] = config->max_byte_rate},
			   .max_services = config->max_services,
			   .max_labels = config->max_labels},
		.metrics = &state->metrics,
		.log = config->log,
	};
	tenants_init(&state->tenants, &tenants);
	state->log = config->log;
	state->max_packed = config->max_request;
	state->max_unpacked = SERVER_MAX_UNPACKING * config->max_request;
	state->query_ns = config->query_ns;
	state->has_tokens = config->tokens;
	server->service = (struct http_service){
		.data = state,
		.admit = request_gate_admit,
		.perform = request_gate_perform,
		.finish = request_gate_finish,
	};
}

static struct error *server_begin(struct server *server)
{
	const struct store_upkeep_config upkeep = {
		.tenants = &server->state.tenants,
		.keep_ns = server->config.keep_ns,
		.keep_hours_ns = server->config.keep_hours_ns,
		.metrics = &server->state.metrics,
		.log = server->config.log,
	};
	const struct debug_names_config names = {
		.system_folder = DEBUG_NAMES_SYSTEM_FOLDER,
		.fetches = true,
	};
	server->shown_place = tenant_place_shown(server->place);
	struct error *err = server->shown_place ? server_open_stores(server) : &error_no_memory;
	if (!err)
		err = debug_names_open(&names, &server->state.names);
	if (!err)
		err = server_listen(server);
	return err ? err : store_upkeep_start(&upkeep, &server->upkeep);
}

/** Without stores, listeners and threads: server_begin() opens them. */
static struct error *server_create(const struct server_config *config, struct server **ret)
{
	struct server *server = calloc(1, sizeof(*server));
	if (!server)
		return &error_no_memory;
	server->config = *config;
	pthread_mutex_init(&server->state.tokens_lock, NULL);
	struct error *err = server_choose_place(server);
	server_set_up(server, config);
	if (err)
		server_stop(server);
	else
		*ret = server;
	return err;
}

struct error *server_start(const struct server_config *config, struct server **ret)
{
	struct server *server;
	struct error *err = server_create(config, &server);
	if (err)
		return err;
	err = server_begin(server);
	if (err)
		server_stop(server);
	else
		*ret = server;
	return err;
}

static struct error *server_init_store(const struct tenant *tenant, server_init_fn each)
{
	_cleanup_(store_closep) struct store *store = NULL;
	_cleanup_free_ char *shown = tenant_place_shown(tenant_place(tenant));
	struct error *err =
		shown ? store_open(tenant_place(tenant), STORE_INIT, &store) : &error_no_memory;
	if (!err)
		each(shown, &store->versions);
	return err;
}

struct error *server_init_stores(const struct server_config *config, server_init_fn each)
{
	_cleanup_(server_stopp) struct server *server = NULL;
	struct tenant *tenant;
	struct error *err = server_create(config, &server);
	if (!err)
		err = server_find_tenants(server);
	for (size_t i = 0; !err && (tenant = tenants_at(&server->state.tenants, i)); i++)
		err = server_init_store(tenant, each);
	return err;
}

const char *server_address(const struct server *server)
{
	return server->address;
}

const char *server_place(const struct server *server)
{
	return server->shown_place;
}

static void server_reread(struct server *server)
{
	wake_event_clear(server->config.reread);
	if (!server->state.has_tokens)
		return;
	_cleanup_(error_destroyp) struct error *err = server_read_tokens(server);
	if (err)
		fprintf(server->config.log, "wperf serve: the tokens remain as they were: %s\n",
			err->message);
	else
		fprintf(server->config.log, "wperf serve: the tokens have been read again\n");
}

struct error *server_wait(struct server *server)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	const struct wake_event *reread = server->config.reread;
	struct error *err = NULL;
	while (!err && wake != INTERRUPT_WAKE_REQUESTED) {
		err = interrupt_wait(reread ? reread->fd : -1, SERVER_CHECK_NS, &wake);
		if (!err && wake == INTERRUPT_WAKE_READY)
			server_reread(server);
		http_server_check(server->state.http);
	}
	return err;
}

struct error *server_new_token(const char *words, char **ret_token, char **ret_line)
{
	return access_tokens_make(words, ret_token, ret_line);
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	http_server_stop(server->state.http);
	debug_names_close(server->state.names);
	store_upkeep_stop(server->upkeep);
	tenants_deinit(&server->state.tenants);
	access_tokens_deinit(&server->state.tokens);
	pthread_mutex_destroy(&server->state.tokens_lock);
	free(server->place);
	free(server->shown_place);
	free(server->address);
	free(server);
}
