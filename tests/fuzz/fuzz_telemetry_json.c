// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "catalog/file/telemetry_json.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	const struct cpu *cpu;
	error_destroy(telemetry_json_parse("fuzz.json", data, size, &arena, &cpu));
	return 0;
}
