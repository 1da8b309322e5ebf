// SPDX-License-Identifier: Apache-2.0

#include "server/server.h"

static struct error *server_refuse(void)
{
	return error_with_hint(error_create(ERROR_FAILED, "'serve' works on Linux only"),
			       "run the server on Linux; agents on Windows send to it");
}

struct error *server_start(const struct server_config *config, struct server **ret)
{
	return server_refuse();
}

struct error *server_init_stores(const struct server_config *config, server_init_fn each)
{
	return server_refuse();
}

struct error *server_new_token(const char *words, char **ret_token, char **ret_line)
{
	return server_refuse();
}

const char *server_address(const struct server *server)
{
	return "";
}

const char *server_place(const struct server *server)
{
	return "";
}

struct error *server_wait(struct server *server)
{
	return NULL;
}

void server_stop(struct server *server)
{
}
