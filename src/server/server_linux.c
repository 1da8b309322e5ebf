// SPDX-License-Identifier: Apache-2.0

#include "server/server.h"

#include "base/file/file_path.h"
#include "base/os/interrupt.h"
#include "server/http/listen_address.h"
#include "server/request_gate.h"
#include "server/server_routes.h"
#include "server/symbols/debug_names.h"
#include "server/tenant_place.h"

#include <errno.h>
#include <string.h>

enum {
	SERVER_MAX_PACKED = 16 << 20,
	SERVER_MAX_UNPACKED = 64 << 20,
	SERVER_MAX_HELD = 256 << 20,
	SERVER_MAX_CONNECTIONS = 2048,
	SERVER_REQUEST_S = 30,
	SERVER_IDLE_S = 150, // longer than an agent's windows: its connection lives on
	SERVER_CHECK_NS = 1000000000,
	SERVER_READ_THREADS = 4,
	SERVER_WRITE_THREADS = 8, // they wait for the disk together
};

struct server {
	struct server_config config;
	char *place, *address;
	struct server_state state;
	struct http_service service;
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

static struct error *server_open_store(struct server *server)
{
	struct store *store;
	struct error *err = tenant_create(TENANT_DEFAULT, server->place, &server->state.metrics,
					  &server->state.default_tenant);
	// What cannot be written is better known now than with the first batch.
	return err ? err : tenant_writer(server->state.default_tenant, &store);
}

static struct error *server_listen(struct server *server)
{
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
		.max_held = SERVER_MAX_HELD,
		.max_connections = SERVER_MAX_CONNECTIONS,
		.request_s = SERVER_REQUEST_S,
		.idle_s = SERVER_IDLE_S,
	};
	const char *words = server->config.listen ? server->config.listen : "127.0.0.1:4318";
	struct error *err = listen_address_parse(words, &address);
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

struct error *server_start(const struct server_config *config, struct server **ret)
{
	struct server *server = calloc(1, sizeof(*server));
	if (!server)
		return &error_no_memory;
	const struct debug_names_config names = {
		.system_folder = DEBUG_NAMES_SYSTEM_FOLDER,
		.fetches = true,
	};
	server->config = *config;
	server->state.max_packed = SERVER_MAX_PACKED;
	server->state.max_unpacked = SERVER_MAX_UNPACKED;
	server->service = (struct http_service){
		.data = &server->state,
		.admit = request_gate_admit,
		.perform = request_gate_perform,
		.finish = request_gate_finish,
	};
	struct error *err = server_choose_place(server);
	if (!err)
		err = server_open_store(server);
	if (!err)
		err = debug_names_open(&names, &server->state.names);
	if (!err)
		err = server_listen(server);
	if (err) {
		server_stop(server);
		return err;
	}
	*ret = server;
	return NULL;
}

const char *server_address(const struct server *server)
{
	return server->address;
}

const char *server_place(const struct server *server)
{
	return server->place;
}

struct error *server_wait(struct server *server)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	struct error *err = NULL;
	while (!err && wake != INTERRUPT_WAKE_REQUESTED) {
		err = interrupt_wait(-1, SERVER_CHECK_NS, &wake);
		http_server_check(server->state.http);
	}
	return err;
}

void server_stop(struct server *server)
{
	if (!server)
		return;
	http_server_stop(server->state.http);
	debug_names_close(server->state.names);
	tenant_destroy(server->state.default_tenant);
	free(server->place);
	free(server->address);
	free(server);
}
