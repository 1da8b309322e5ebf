// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_calls.h"

struct error *etw_calls_open(struct etw_calls *ret)
{
	return error_with_hint(
		error_create(ERROR_ABSENT, "ETW is a part of Windows"),
		"on Linux, 'perf' is the source of samples; recordings of ETW (.etl) "
		"can be read here: wperf report -i FILE.etl");
}
