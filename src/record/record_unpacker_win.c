// SPDX-License-Identifier: Apache-2.0

#include "record/record_unpacker.h"

struct error *record_unpacker_create(struct record_unpacker **ret)
{
	return error_with_hint(error_create(ERROR_FAILED,
					    "wperf.exe cannot read recordings of perf record -z"),
			       "use wperf on Linux");
}

// There is none that these could be about.
void record_unpacker_feed(struct record_unpacker *unpacker, const struct found_record *record)
{
}

struct error *record_unpacker_next(struct record_unpacker *unpacker, struct found_record *ret,
				   bool *ret_more)
{
	*ret_more = false;
	return NULL;
}

size_t record_unpacker_left(const struct record_unpacker *unpacker)
{
	return 0;
}

void record_unpacker_destroy(struct record_unpacker *unpacker)
{
}
