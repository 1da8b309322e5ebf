// SPDX-License-Identifier: Apache-2.0

#include "server/query/json_answer.h"

struct error *json_answer_begin(struct json_answer *answer)
{
	struct error *err = memory_stream_open(&answer->stream);
	if (!err)
		answer->json = json_writer_create(answer->stream.stream);
	return err;
}

struct error *json_answer_end(struct json_answer *answer, struct server_answer *ret)
{
	struct error *err = json_finish(&answer->json, "the answer");
	struct error *close_err = memory_stream_close(&answer->stream);
	if (err || close_err) {
		if (err)
			error_destroy(close_err);
		return err ? err : close_err;
	}
	ret->type = "application/json";
	ret->may_compress = true;
	string_builder_append_n(&ret->body, answer->stream.text, answer->stream.size);
	return NULL;
}

void json_answer_deinit(struct json_answer *answer)
{
	memory_stream_deinit(&answer->stream);
}
