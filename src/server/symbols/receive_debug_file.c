// SPDX-License-Identifier: Apache-2.0
// POST with an ELF, PE or PDB file as its body keeps it. What is larger than a request may be comes
// in pieces:
// POST ?build_id=HEX&size=BYTES&at=BYTES, in order, answered with 202 until the last one. Only the
// whole file is checked, and only its own build id counts.

#include "server/server_answer.h"
#include "server/server_call.h"
#include "server/server_routes.h"
#include "server/symbols/debug_folder.h"
#include "server/symbols/debug_parts.h"

#include "base/text/number.h"
#include "record/build_id.h"

#include <inttypes.h>
#include <string.h>

enum { RECEIVE_DEBUG_FILE_RETRY_S = 60 };

static void receive_debug_file_say_full(struct server_answer *ret)
{
	server_answer_say(ret, HTTP_INSUFFICIENT_STORAGE,
			  "debug files may not have more than %" PRIu64
			  " bytes together; remove old ones on the server",
			  DEBUG_FOLDER_MAX_TOTAL);
}

static struct error *receive_debug_file_keep(const struct server_call *call, const void *bytes,
					     size_t size, struct server_answer *ret)
{
	static const char *const words[] = {
		[DEBUG_FOLDER_STORED] = "stored",
		[DEBUG_FOLDER_REPLACED] = "stored in place of a file without lines",
		[DEBUG_FOLDER_KNOWN] = "already there",
	};
	struct debug_facts facts;
	enum debug_folder_result result;
	_cleanup_(error_destroyp) struct error *err =
		debug_facts_read(bytes, size, "the file", &facts);
	if (err) {
		server_answer_error(ret, HTTP_BAD_REQUEST, err);
		return NULL;
	}
	err = debug_folder_put(call->symbols_folder, &facts, bytes, size, DEBUG_FOLDER_MAX_TOTAL,
			       &result);
	if (err)
		return take_ptr(err);
	if (result == DEBUG_FOLDER_FULL)
		receive_debug_file_say_full(ret);
	else if (result == DEBUG_FOLDER_OTHER)
		server_answer_say(ret, HTTP_CONFLICT,
				  "there is a file with this GUID and another age than %" PRIu32
				  ": profiles have the GUID alone. Link without /INCREMENTAL, or "
				  "remove the old file on the server",
				  facts.age);
	else
		server_answer_say(ret, HTTP_OK, "%s", words[result]);
	return NULL;
}

static struct error *receive_debug_file_add(const struct server_call *call,
					    const struct debug_part *part,
					    struct server_answer *ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	enum debug_parts_result result;
	struct error *err = debug_parts_add(call->symbols_folder, part, &map, &result);
	if (err)
		return err;
	switch (result) {
	case DEBUG_PARTS_MORE:
		server_answer_say(ret, HTTP_ACCEPTED, "go on");
		return NULL;
	case DEBUG_PARTS_GAP:
		server_answer_say(ret, HTTP_CONFLICT,
				  "this is not the next piece of the file: another sender may be "
				  "at it; begin with the first piece again");
		return NULL;
	case DEBUG_PARTS_MANY:
		ret->retry_after_s = RECEIVE_DEBUG_FILE_RETRY_S;
		server_answer_say(ret, HTTP_TOO_MANY, "%d large files are coming already",
				  DEBUG_PARTS_MAX_FILES);
		return NULL;
	default:
		err = receive_debug_file_keep(call, map.data, map.size, ret);
		debug_parts_remove(call->symbols_folder, &part->build_id);
		return err;
	}
}

/** False: not a number. */
static bool receive_debug_file_number(const struct server_call *call, const char *key,
				      uint64_t *ret)
{
	const char *text = server_call_argument(call, key);
	return number_parse(text, strlen(text), ret) == NUMBER_OK;
}

static struct error *receive_debug_file_part(const struct server_call *call,
					     struct server_answer *ret)
{
	struct debug_part part = {
		.build_id = build_id_parse(server_call_argument(call, "build_id")),
		.bytes = call->body,
		.num_bytes = call->body_size,
	};
	uint64_t total = 0;
	if (part.build_id.size < DEBUG_FACTS_MIN_BUILD_ID || !call->body_size ||
	    !receive_debug_file_number(call, "size", &part.size) ||
	    !receive_debug_file_number(call, "at", &part.at)) {
		server_answer_say(ret, HTTP_BAD_REQUEST,
				  "a piece needs bytes, and ?build_id=HEX&size=BYTES&at=BYTES");
		return NULL;
	}
	if (part.size > DEBUG_FOLDER_MAX_FILE) {
		server_answer_say(ret, HTTP_TOO_LARGE,
				  "a debug file may have %" PRIu64 " bytes; without what is not "
				  "needed it is smaller: objcopy --only-keep-debug "
				  "--compress-debug-sections",
				  DEBUG_FOLDER_MAX_FILE);
		return NULL;
	}
	struct error *err = part.at ? NULL : debug_folder_total(call->symbols_folder, &total);
	if (err)
		return err;
	if (total > DEBUG_FOLDER_MAX_TOTAL || part.size > DEBUG_FOLDER_MAX_TOTAL - total) {
		receive_debug_file_say_full(ret);
		return NULL;
	}
	return receive_debug_file_add(call, &part, ret);
}

struct error *receive_debug_file(const struct server_call *call, struct server_answer *ret)
{
	return *server_call_argument(call, "size")
		       ? receive_debug_file_part(call, ret)
		       : receive_debug_file_keep(call, call->body, call->body_size, ret);
}
