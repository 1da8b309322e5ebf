// SPDX-License-Identifier: Apache-2.0

/** The texts of -E and -C: a file of events up to the first 0x01, then one of metrics; then -m. */

#include "base/cleanup.h"
#include "catalog/event_list.h"
#include "catalog/file/extra_events.h"
#include "catalog/file/metric_file.h"
#include "catalog/metric.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_cpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Every metric that was taken can be asked for. */
static void ask_for_all(struct catalog *catalog)
{
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	if (metric_list_create(catalog, &metrics))
		abort();
	for (size_t i = 0; i < metrics.num_items; i++) {
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		if (metric_spec_parse(catalog, &metrics, metrics.items[i].name, &list))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *end = size ? memchr(text, '\x01', size) : NULL;
	size_t events_size = end ? (size_t)(end - text) : size;
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	error_destroy(extra_events_parse_file(&catalog, "events", text, events_size));
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	if (end)
		error_destroy(metric_file_parse(&catalog, "metrics", end + 1,
						size - events_size - 1, &warnings));
	ask_for_all(&catalog);
	return 0;
}
