// SPDX-License-Identifier: Apache-2.0

#include "server/query/query_answer.h"

#include "base/os/clock.h"
#include "server/query/query_arguments.h"
#include "server/server_answer.h"

struct error *query_answer(const struct server_call *call, query_write_fn write,
			   struct server_answer *ret)
{
	struct query_arguments arguments;
	struct error *err = query_arguments_read(call->arguments, call->num_arguments,
						 clock_ns(CLOCK_REALTIME), &arguments);
	if (!err)
		err = write(call, &arguments.query, ret);
	query_arguments_deinit(&arguments);
	if (!err || err->code != ERROR_USAGE)
		return err;
	server_answer_error(ret, HTTP_BAD_REQUEST, err);
	error_destroy(err);
	return NULL;
}
