// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/bpf_namespace.h"

#include <stddef.h>
#include <sys/stat.h>

enum {
	FIRST_PID_NAMESPACE = 0xEFFFFFFC, // the number that its file in /proc always has
};

struct error *bpf_namespace_check(void)
{
	struct stat namespace;
	if (stat("/proc/self/ns/pid", &namespace) || namespace.st_ino == FIRST_PID_NAMESPACE)
		return NULL;
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "process IDs differ from the kernel's in this PID namespace"),
		"run wperf outside the container");
}
