// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/profile: the profile of a query as one request of OTLP profiles, whose samples keep
// their times, so that reports of it are those of the store.

#include "fleet/otlp/otlp_encoder.h"
#include "server/query/query_answer.h"
#include "server/server_routes.h"
#include "server/server_state.h"
#include "server/symbols/debug_names.h"

static struct error *answer_profile_write(const struct server_call *call,
					  const struct store_query *query,
					  struct server_answer *ret)
{
	char no_id[] = "";
	struct fleet_batch batch = {.id = no_id, .has_times = true};
	struct store_query named = *query;
	named.keeps_builds = call->state; // debug_names_apply() joins them
	struct error *err = call->store->ops->query(call->store, &named, &batch.profile);
	if (!err && call->state)
		err = debug_names_apply(call->state->names, call->symbols_folder, &batch.profile);
	if (err) {
		named_profile_deinit(&batch.profile);
		return err;
	}
	batch.start_ns = batch.profile.start_wall_ns;
	batch.length_ns = batch.profile.duration_ns;
	ret->type = "application/x-protobuf";
	ret->may_compress = true;
	err = otlp_encoder_encode(&batch, &ret->body);
	named_profile_deinit(&batch.profile);
	return err;
}

struct error *answer_profile(const struct server_call *call, struct server_answer *ret)
{
	return query_answer(call, answer_profile_write, ret);
}
