// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_mark.h"

#include "base/text/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char first_word[] = "wperf-";

void etw_mark_write(struct etw_mark mark, char ret[ETW_MARK_SIZE])
{
	snprintf(ret, ETW_MARK_SIZE, "%s%" PRIu32 "-%" PRIx64 "-", first_word, mark.pid,
		 mark.birth);
}

const char *etw_mark_read(const char *name, struct etw_mark *ret)
{
	size_t length = sizeof(first_word) - 1;
	const char *dash = strncmp(name, first_word, length) ? NULL : strchr(name + length, '-');
	const char *end = dash ? strchr(dash + 1, '-') : NULL;
	uint64_t pid, birth;
	if (!end || number_parse_decimal(name + length, (size_t)(dash - name) - length, &pid) ||
	    number_parse_hex(dash + 1, (size_t)(end - dash) - 1, false, &birth) || pid > UINT32_MAX)
		return NULL;
	if (ret)
		*ret = (struct etw_mark){(uint32_t)pid, birth};
	return end + 1;
}

bool etw_mark_is_alive(const struct etw_calls *calls, struct etw_mark mark)
{
	return calls->is_running(calls->context, mark.pid, mark.birth);
}
