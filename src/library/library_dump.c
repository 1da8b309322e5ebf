// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "base/file/memory_stream.h"
#include "library/library_error.h"
#include "report/dump/process_dump.h"

#include <stdlib.h>
#include <unistd.h>

static struct error *library_dump_write(const struct dump_request *request, char **ret)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&stream);
	if (!err)
		err = process_dump_write_json(request, stream.stream);
	if (!err)
		err = memory_stream_close(&stream);
	if (!err)
		*ret = take_ptr(stream.text);
	return err;
}

struct wperf_error *wperf_dump_json(uint32_t pid, bool with_locals, char **ret)
{
	const struct dump_request request = {
		.pid = pid ? pid : (uint32_t)getpid(),
		.with_locals = with_locals,
	};
	return library_error_give(library_dump_write(&request, ret));
}

void wperf_text_free(char *text)
{
	free(text);
}
