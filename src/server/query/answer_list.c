// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/list: what the store has, as `wperf store list --json` prints it.

#include "fleet/store/store_json.h"
#include "server/query/json_answer.h"
#include "server/server_answer.h"
#include "server/server_routes.h"

struct error *answer_list(const struct server_call *call, struct server_answer *ret)
{
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	_cleanup_(json_answer_deinit) struct json_answer answer = JSON_ANSWER_INIT;
	if (call->num_arguments) {
		server_answer_say(ret, HTTP_BAD_REQUEST, "a listing takes no arguments");
		return NULL;
	}
	struct error *err = call->store->ops->list(call->store, &listing);
	if (!err)
		err = json_answer_begin(&answer);
	if (err)
		return err;
	store_json_write_listing(&listing, &answer.json);
	return json_answer_end(&answer, ret);
}
