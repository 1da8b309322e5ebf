// SPDX-License-Identifier: Apache-2.0

/** The words of -e: the first byte chooses the grammar, SPE has its own. */

#include "base/cleanup.h"
#include "catalog/event_spec.h"
#include "catalog/placement.h"
#include "catalog/spe_spec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_cpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void place_all(const struct event_list *list)
{
	for (enum event_class i = EVENT_CORE; event_class_is_pmu(i); i++) {
		_cleanup_(placement_deinit) struct placement placement = PLACEMENT_INIT;
		struct error *err =
			placement_create(list, i, fake_counters.free[i], 128, &placement);
		// What was parsed can be placed, unless it is too much.
		if (err && err->code != ERROR_USAGE)
			abort();
		error_destroy(err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	_cleanup_free_ char *spec = calloc(size, 1);
	if (!spec)
		return 0;
	memcpy(spec, data + 1, size - 1);
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, data[0] & 2 ? &fake_cpu : NULL, &fake_counters);
	// Its PMUs are those of this machine; words with terms reach the folder's parser.
	if (data[0] & 8)
		catalog.sysfs_folder = "/sys/bus/event_source/devices";
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	enum event_spec_mode mode = data[0] & 1 ? EVENT_SPEC_SAMPLE : EVENT_SPEC_COUNT;
	_cleanup_(error_destroyp) struct error *err =
		event_spec_parse(&catalog, spec, mode, NULL, &list);
	if (mode == EVENT_SPEC_COUNT && !err)
		place_all(&list);
	struct spe_filters filters;
	const struct spe_filter_table table = {spe_driver_filters, spe_num_driver_filters, 1024};
	error_destroy(spe_spec_parse(spec, data[0] & 4 ? &table : NULL, &filters));
	return 0;
}
