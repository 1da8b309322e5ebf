// SPDX-License-Identifier: Apache-2.0

#include "server/server_answer.h"
#include "server/server_call.h"
#include "server/server_routes.h"
#include "server/symbols/debug_folder.h"

#include "base/text/number.h"
#include "record/build_id.h"

#include <string.h>

struct error *answer_debug_file(const struct server_call *call, struct server_answer *ret)
{
	struct record_build_id id = build_id_parse(server_call_argument(call, "build_id"));
	struct debug_facts facts;
	bool is_there;
	if (id.size < DEBUG_FACTS_MIN_BUILD_ID) {
		server_answer_say(ret, HTTP_BAD_REQUEST,
				  "name a build: /api/v1/debug-files?build_id=HEX");
		return NULL;
	}
	struct error *err = debug_folder_find(call->symbols_folder, &id, &facts, &is_there);
	if (err)
		return err;
	// Who has a file with lines may want to know whether this one has them.
	bool wants_lines = strcmp(server_call_argument(call, "lines"), "1") == 0;
	// A file of another age is to be sent, so that its sender is told why it is refused.
	const char *age_text = server_call_argument(call, "age");
	uint64_t age = 0;
	bool is_other = is_there && *age_text &&
			number_parse(age_text, strlen(age_text), &age) == NUMBER_OK &&
			age != facts.age;
	if (!is_there || is_other)
		server_answer_say(ret, HTTP_NOT_FOUND, "there is no debug file of this build");
	else if (wants_lines && !facts.has_lines)
		server_answer_say(ret, HTTP_NOT_FOUND, "the file of this build has no lines");
	else
		server_answer_say(ret, HTTP_OK, "already there");
	return NULL;
}
