// SPDX-License-Identifier: Apache-2.0
// WindowsPerf's `detect` has the first table, devices, and its JSON has that table alone. Ours come
// behind it, in JSON only with -v.

#include "report/machine/detection.h"

#include "base/container/array.h"
#include "report/machine/probing.h"
#include "view/layout/table.h"

#include <string.h>

static const struct table_column device_columns[] = {
	{"Device Instance ID", TABLE_LEFT},
	{"Hardware IDs", TABLE_LEFT},
};
static const struct table_column ability_columns[] = {
	{"Source", TABLE_LEFT},
	{"Ability", TABLE_LEFT},
	{"Here", TABLE_LEFT},
	{"Detail", TABLE_LEFT},
};
static const struct table_column hint_columns[] = {
	{"Source", TABLE_LEFT},
	{"Ability", TABLE_LEFT},
	{"Command", TABLE_LEFT},
	{"What to do", TABLE_LEFT},
};

struct detection {
	struct table *devices, *abilities, *hints;
};

static void detection_deinit(struct detection *detection)
{
	table_destroy(detection->devices);
	table_destroy(detection->abilities);
	table_destroy(detection->hints);
}

static struct error *detection_create_tables(struct detection *detection)
{
	struct error *err =
		table_create(device_columns, ARRAY_SIZE(device_columns), &detection->devices);
	if (!err)
		err = table_create(ability_columns, ARRAY_SIZE(ability_columns),
				   &detection->abilities);
	if (!err)
		err = table_create(hint_columns, ARRAY_SIZE(hint_columns), &detection->hints);
	return err;
}

static struct error *add_probe(void *context, const char *source, const struct probe *probe)
{
	struct detection *detection = context;
	for (size_t i = 0; i < probe->num_devices; i++) {
		table_add_string(detection->devices, probe->devices[i].instance);
		table_add_string(detection->devices, probe->devices[i].hardware);
	}
	for (size_t i = 0; i < probe->num_findings; i++) {
		const struct probe_finding *finding = &probe->findings[i];
		table_add_string(detection->abilities, source);
		table_add_string(detection->abilities, finding->ability);
		table_add_string(detection->abilities, probe_state_name(finding->state));
		table_add_string(detection->abilities, finding->detail);
		// Hints have a table of their own: they are sentences, and would make the columns
		// of the abilities too wide.
		if (!finding->hint)
			continue;
		table_add_string(detection->hints, source);
		table_add_string(detection->hints, finding->ability);
		table_add_string(detection->hints, finding->command ? finding->command : "");
		table_add_string(detection->hints, finding->hint);
	}
	return NULL;
}

static void write_detection(const struct detection *detection, bool verbose, struct output *output)
{
	if (output->text) {
		table_print(detection->devices, output->layout, output->text);
		fputc('\n', output->text);
		table_print(detection->abilities, output->layout, output->text);
		// Everything works: there is nothing to do.
		if (table_num_rows(detection->hints)) {
			fputc('\n', output->text);
			table_print(detection->hints, output->layout, output->text);
		}
	}
	if (output->json) {
		json_begin_object(output->json);
		json_key(output->json, "Devices");
		table_write_json(detection->devices, output->json);
		if (verbose) { // clients of the peer know one key
			json_key(output->json, "Abilities");
			table_write_json(detection->abilities, output->json);
			json_key(output->json, "Hints");
			table_write_json(detection->hints, output->json);
		}
		json_end_object(output->json);
	}
}

struct error *detection_write(const char *source, bool is_verbose,
			      struct output_request output_request)
{
	_cleanup_(detection_deinit) struct detection detection = {0};
	struct error *err = detection_create_tables(&detection);
	if (!err)
		err = probing_visit(source, add_probe, &detection);
	if (!err)
		err = table_check(detection.devices);
	if (!err)
		err = table_check(detection.abilities);
	if (!err)
		err = table_check(detection.hints);
	if (err)
		return err;
	_cleanup_(output_deinit) struct output output;
	err = output_open(output_request, &output);
	if (err)
		return err;
	write_detection(&detection, is_verbose, &output);
	return output_close(&output);
}
