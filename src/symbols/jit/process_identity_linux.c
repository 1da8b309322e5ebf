// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/process_identity.h"

#include "base/text/number.h"
#include "symbols/jit/whole_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// /proc/PID/status has one item in each line (proc(5)). "Uid" has the real, effective, saved and
// file system user; "NSpid" the process's PID in each PID namespace from ours to its own, in which
// it names its files: /tmp/perf-1.map in a container may be that of our process 4711.

enum { MAX_STATUS_SIZE = 1 << 16 };

/** The @field-th number of a line of /proc/PID/status, counted from 0; the last one if there are
 *  fewer. @label: with the line break before it and ":\t" behind. */
static bool process_identity_find_number(const char *status, const char *label, unsigned field,
					 uint32_t *ret)
{
	const char *text = strstr(status, label);
	if (!text)
		return false;
	text += strlen(label);
	for (; field && text[strcspn(text, "\t\n")] == '\t'; field--)
		text += strcspn(text, "\t\n") + 1;
	uint64_t number;
	if (number_parse_decimal(text, strcspn(text, "\t\n"), &number) != NUMBER_OK ||
	    number > UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	return true;
}

struct process_identity process_identity_of(uint32_t pid, bool may_be_here)
{
	struct process_identity identity = {.inner_pid = pid, .user = geteuid()};
	if (!may_be_here)
		return identity;
	char path[sizeof("/proc/4294967295/status")];
	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	_cleanup_(whole_file_deinit) struct whole_file status = WHOLE_FILE_INIT;
	struct error *err = whole_file_read_kernel(&status, path, MAX_STATUS_SIZE);
	// The process may have ended. Its files may still be there, under the PID that we know.
	if (err) {
		error_destroy(err);
		return identity;
	}
	enum { EFFECTIVE = 1, INNERMOST = 64 };
	identity.is_here =
		process_identity_find_number(status.bytes, "\nUid:\t", EFFECTIVE, &identity.user);
	process_identity_find_number(status.bytes, "\nNSpid:\t", INNERMOST, &identity.inner_pid);
	return identity;
}
