// SPDX-License-Identifier: Apache-2.0

#include "server/http/connection_limit.h"

#include <sys/resource.h>

enum {
	CONNECTION_LIMIT_OTHERS = 256, // descriptors of stores, files and libraries
	CONNECTION_LIMIT_LEAST = 16,
};

unsigned connection_limit_raise(unsigned wanted)
{
	struct rlimit limit;
	rlim_t needed = (rlim_t)wanted + CONNECTION_LIMIT_OTHERS;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return CONNECTION_LIMIT_LEAST;
	if (limit.rlim_cur < needed) {
		struct rlimit raised = limit;
		raised.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
		if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
			limit = raised;
	}
	if (limit.rlim_cur >= needed)
		return wanted;
	return limit.rlim_cur > CONNECTION_LIMIT_OTHERS + CONNECTION_LIMIT_LEAST
		       ? (unsigned)limit.rlim_cur - CONNECTION_LIMIT_OTHERS
		       : CONNECTION_LIMIT_LEAST;
}
