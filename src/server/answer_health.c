// SPDX-License-Identifier: Apache-2.0

#include "server/server_answer.h"
#include "server/server_routes.h"
#include "server/server_state.h"

/** Anybody may ask: with tokens, names of tenants and files are not said. */
static void answer_health_refuse(const struct server_state *state, const char *fault,
				 struct server_answer *ret)
{
	if (state->has_tokens)
		server_answer_say(ret, HTTP_UNAVAILABLE,
				  "a store cannot be written: see what the server prints");
	else
		server_answer_say(ret, HTTP_UNAVAILABLE, "%s", fault);
}

struct error *answer_health(const struct server_call *call, struct server_answer *ret)
{
	struct tenant *tenant;
	for (size_t i = 0; (tenant = tenants_at(&call->state->tenants, i)); i++) {
		_cleanup_free_ char *fault = tenant_fault(tenant);
		if (!fault)
			continue;
		answer_health_refuse(call->state, fault, ret);
		return NULL;
	}
	ret->type = "text/plain; charset=utf-8";
	string_builder_append(&ret->body, "ok\n");
	return NULL;
}
