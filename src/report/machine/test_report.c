// SPDX-License-Identifier: Apache-2.0

#include "report/machine/test_report.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/midr.h"
#include "report/machine/machine_facts.h"
#include "view/layout/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Rows of names and values with WindowsPerf's names, in its order: first what would be counted
// (request.*), then the device, its registers, counters, and the events in the order in which they
// would go to the driver. Clients look a row up by its name and take the first one. Rows of ours
// are therefore last.
//
// A value that the source does not know is "not known" in the text; JSON leaves out the row if
// clients read a number from it.
//
//   request.ioctl_events [EVT_CORE]             True
//   pmu_device.product_name                     neoverse-n1
//   PMU_CTL_QUERY_HW_CFG [gpc_num]              0x0006
//   ioctl_events[EVT_CORE].index                8,27

static const struct table_column columns[] = {
	{"Test Name", TABLE_LEFT},
	{"Result", TABLE_LEFT},
};

/** What stands where this source cannot know the answer. */
static const char not_known[] = "not known";

struct test_report {
	struct table *table;
	bool only_known; /* clients read numbers from JSON: a row without one is left out */
	const struct session *session;
	const struct run_request *request;
};

static void test_report_put(struct test_report *report, const char *name, const char *result)
{
	table_add_string(report->table, name);
	table_add_string(report->table, result);
}

__attribute__((format(printf, 3, 4))) static void test_report_putf(struct test_report *report,
								   const char *name,
								   const char *format, ...)
{
	char result[1024];
	va_list args;
	va_start(args, format);
	// Longer texts go through put_builder().
	vsnprintf(result, sizeof(result), format, args);
	va_end(args);
	test_report_put(report, name, result);
}

static void put_unknown(struct test_report *report, const char *name)
{
	if (!report->only_known)
		test_report_put(report, name, not_known);
}

static void put_truth(struct test_report *report, const char *name, bool truth)
{
	test_report_put(report, name, truth ? "True" : "False");
}

/** A text that may be long; the builder is empty afterwards. */
static void put_builder(struct test_report *report, const char *name, struct string_builder *text)
{
	test_report_put(report, name, string_builder_peek(text));
	string_builder_deinit(text);
	*text = (struct string_builder)STRING_BUILDER_INIT;
}

static size_t num_placed(const struct test_report *report, enum event_class event_class)
{
	return report->request->placements[event_class].num_events;
}

static void put_requested_classes(struct test_report *report)
{
	put_truth(report, "request.ioctl_events [EVT_CORE]", num_placed(report, EVENT_CORE));
	put_truth(report, "request.ioctl_events [EVT_DSU]", num_placed(report, EVENT_DSU));
	put_truth(report, "request.ioctl_events [EVT_DMC_CLK/EVT_DMC_CLKDIV2]",
		  num_placed(report, EVENT_DMC_CLK) || num_placed(report, EVENT_DMC_CLKDIV2));
}

static void put_products(struct test_report *report)
{
	struct string_builder text = STRING_BUILDER_INIT;
	cpu_append_names(&text, ",");
	put_builder(report, "pmu_device.product []", &text);

	for (const struct cpu_alias *alias = cpu_aliases; alias->alias; alias++)
		string_builder_appendf(&text, "%s(%s:%s)", alias == cpu_aliases ? "" : ",",
				       alias->alias, alias->name);
	put_builder(report, "pmu_device.m_product_alias", &text);
}

static void put_device(struct test_report *report)
{
	const struct session *session = report->session;
	const struct cpu *cpu = session->catalog.cpu;
	test_report_put(report, "pmu_device.vendor_name",
			session->info.vendor_name ? session->info.vendor_name : not_known);
	test_report_put(report, "pmu_device.product_name", cpu ? cpu->name : "no Arm CPU");
	char extended[MACHINE_NAME_MAX];
	machine_extended_name(session, extended);
	test_report_put(report, "pmu_device.product_name(extended)", extended);
	put_products(report);
}

static void put_number_of_events(struct test_report *report)
{
	for (enum event_class event_class = 0; event_class < NUM_PMU_CLASSES; event_class++) {
		char name[80];
		snprintf(name, sizeof(name), "pmu_device.events_query(events) [%s]",
			 machine_class_tags[event_class]);
		test_report_putf(report, name, "%zu",
				 machine_num_events(report->session, event_class));
	}
}

static void put_hardware(struct test_report *report)
{
	struct machine_field fields[MACHINE_NUM_FIELDS];
	machine_fields(report->session, fields);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		char name[64];
		snprintf(name, sizeof(name), "PMU_CTL_QUERY_HW_CFG [%s]", fields[i].name);
		if (fields[i].is_known)
			test_report_putf(report, name, "0x%0*" PRIx64, fields[i].digits,
					 fields[i].value);
		else
			put_unknown(report, name);
	}
}

static void put_counter_map(struct test_report *report)
{
	const struct source_info *info = &report->session->info;
	static const char map[] = "PMU_CTL_QUERY_HW_CFG [counter_idx_map]";
	static const char device_id[] = "PMU_CTL_QUERY_HW_CFG [device_id_str]";
	struct string_builder text = STRING_BUILDER_INIT;
	// Of the counters that the driver may use, the number that each has in the PMU.
	for (size_t i = 0; info->has_registers && i < COUNTER_INDEX_MAP_SIZE; i++)
		string_builder_appendf(&text, "%s%u", i ? "," : "",
				       info->registers.counter_index_map[i]);
	if (info->has_registers)
		put_builder(report, map, &text);
	else
		put_unknown(report, map);
	if (info->device_id)
		test_report_put(report, device_id, info->device_id);
	else
		put_unknown(report, device_id);
}

static void put_counters(struct test_report *report, const char *kind, const unsigned *numbers,
			 bool known)
{
	for (enum event_class event_class = 0; event_class < NUM_PMU_CLASSES; event_class++) {
		char name[64];
		snprintf(name, sizeof(name), "%s[%s]", kind, machine_class_tags[event_class]);
		if (known)
			test_report_putf(report, name, "%u", numbers[event_class]);
		else
			put_unknown(report, name);
	}
}

static void put_placement(struct test_report *report, enum event_class event_class)
{
	const struct placement *placement = &report->request->placements[event_class];
	struct string_builder codes = STRING_BUILDER_INIT;
	struct string_builder notes = STRING_BUILDER_INIT;
	for (size_t i = 0; i < placement->num_events; i++) {
		const struct placed_event *placed = &placement->events[i];
		char note[PLACEMENT_NOTE_MAX];
		string_builder_appendf(&codes, "%s%" PRIu64, i ? "," : "", placed->event->code);
		string_builder_appendf(&notes, "%s(%s)", i ? "," : "",
				       placement_note(placed, note));
	}
	char name[64];
	snprintf(name, sizeof(name), "ioctl_events[%s].index", machine_class_tags[event_class]);
	put_builder(report, name, &codes);
	snprintf(name, sizeof(name), "ioctl_events[%s].note", machine_class_tags[event_class]);
	put_builder(report, name, &notes);
}

static void put_config(struct test_report *report)
{
	test_report_putf(report, "config.count.period", "%" PRIu32,
			 report->request->config.count_period_ms);
	test_report_putf(report, "config.count.period_max", "%d", COUNT_PERIOD_MAX_MS);
	test_report_putf(report, "config.count.period_min", "%d", COUNT_PERIOD_MIN_MS);
}

static void put_spe(struct test_report *report)
{
	const struct source_info *info = &report->session->info;
	test_report_put(report, "spe_device.version_name", source_info_spe_version(info));
	if (!info->has_spe || !info->has_registers)
		return;
	test_report_putf(report, "spe_device.pmbidr_el1_value", "0x%020" PRIx64,
			 info->registers.pmbidr);
	test_report_putf(report, "spe_device.pmsidr_el1_value", "0x%020" PRIx64,
			 info->registers.pmsidr);
}

/** What the peer does not have stands behind its rows: clients find theirs by the first match. */
static void put_source(struct test_report *report)
{
	const struct source_info *info = &report->session->info;
	test_report_put(report, "source.name", report->session->source->ops->traits.name);
	test_report_put(report, "source.description", info->description);
	struct string_builder cpus = STRING_BUILDER_INIT;
	for (unsigned i = 0; info->core_midr && i < info->num_cores; i++)
		string_builder_appendf(&cpus, "%s%s", i ? "," : "",
				       info->core_midr[i] ? midr_find_cpu(info->core_midr[i])->name
							  : "no Arm CPU");
	put_builder(report, "source.core_products", &cpus);
}

static void fill_report(struct test_report *report)
{
	const struct source_info *info = &report->session->info;
	put_requested_classes(report);
	put_device(report);
	put_number_of_events(report);
	test_report_putf(report, "pmu_device.sampling.INTERVAL_DEFAULT", "0x%x",
			 EVENT_DEFAULT_INTERVAL);
	test_report_put(report, "pmu_device.version_name", source_info_pmu_version(info));
	put_hardware(report);
	put_counter_map(report);
	put_counters(report, "gpc_nums", info->counters.free, info->counters_known);
	put_counters(report, "fpc_nums", info->fixed_counters, info->has_registers);
	for (enum event_class event_class = 0; event_class < NUM_PMU_CLASSES; event_class++)
		put_placement(report, event_class);
	put_config(report);
	put_spe(report);
	put_source(report);
}

struct error *test_report_write(const struct session *session, const struct run_request *request,
				struct output_request output)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	if (err)
		return err;
	struct test_report report = {
		.table = table,
		.only_known = output_writes_json(output),
		.session = session,
		.request = request,
	};
	fill_report(&report);
	return output_write_table(output, "Test_Results", table);
}
