// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_calls.h"

struct error *etw_calls_open(struct etw_calls *ret)
{
	return error_with_hint(error_create(ERROR_ABSENT, "ETW exists only on Windows"),
			       "on Linux, wperf samples with 'perf'; it reads ETW recordings: "
			       "wperf report -i FILE.etl");
}
