// SPDX-License-Identifier: Apache-2.0
// Input: the text of /proc/PID/cgroup.

#include "agent/cgroup_names.h"

#include "base/text/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** UTF-8 without control characters, as the header says. */
static void check_text(const char *text, size_t size)
{
	size_t length = strlen(text);
	if (length >= size)
		abort();
	for (size_t i = 0; i < length;) {
		uint32_t code_point;
		size_t taken = utf8_sequence(text + i, length - i, &code_point);
		if (!taken || code_point < ' ' || (code_point >= 0x7f && code_point < 0xa0))
			abort();
		i += taken;
	}
}

static void check_id(const char *text, size_t length)
{
	if (*text && strlen(text) != length)
		abort();
	for (; *text; text++)
		if (!isxdigit((unsigned char)*text) && *text != '-')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cgroup_names names;
	cgroup_names_parse((const char *)data, size, &names);
	check_text(names.unit, sizeof(names.unit));
	check_id(names.container, CGROUP_NAMES_ID_SIZE - 1);
	check_id(names.pod, CGROUP_NAMES_POD_SIZE - 1);
	return 0;
}
