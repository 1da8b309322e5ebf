// SPDX-License-Identifier: Apache-2.0

#include "server/server_routes.h"

struct error *answer_health(const struct server_call *call, struct server_answer *ret)
{
	ret->type = "text/plain; charset=utf-8";
	string_builder_append(&ret->body, "ok\n");
	return NULL;
}
