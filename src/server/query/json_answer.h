/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_QUERY_JSON_ANSWER_H
#define WPERF_SERVER_QUERY_JSON_ANSWER_H

/** The body of an answer that is JSON. */

#include "base/file/memory_stream.h"
#include "server/server_handler.h"
#include "view/json/json_writer.h"

struct json_answer {
	struct json_writer json; /* for the caller to write to */
	struct memory_stream stream;
};

#define JSON_ANSWER_INIT \
	{                \
	}

struct error *json_answer_begin(struct json_answer *answer);

/** Behind the end of the document. */
struct error *json_answer_end(struct json_answer *answer, struct server_answer *ret);

void json_answer_deinit(struct json_answer *answer);

#endif
