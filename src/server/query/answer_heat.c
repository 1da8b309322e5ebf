// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/heat: the sums of steps of time (fleet/store/store_json.h).

#include "fleet/store/store_json.h"
#include "server/query/json_answer.h"
#include "server/query/query_answer.h"
#include "server/server_routes.h"

static struct error *answer_heat_write(const struct server_call *call,
				       const struct store_query *query, struct server_answer *ret)
{
	_cleanup_(store_heat_deinit) struct store_heat heat = {0};
	_cleanup_(json_answer_deinit) struct json_answer answer = JSON_ANSWER_INIT;
	struct error *err = call->store->ops->heat(call->store, query, &heat);
	if (!err)
		err = json_answer_begin(&answer);
	if (err)
		return err;
	store_json_write_heat(&heat, &answer.json);
	return json_answer_end(&answer, ret);
}

struct error *answer_heat(const struct server_call *call, struct server_answer *ret)
{
	return query_answer(call, answer_heat_write, ret);
}
