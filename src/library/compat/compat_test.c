// SPDX-License-Identifier: Apache-2.0
// The rows of `wperf test` that the peer's library has, in its order, with values of their own
// types. A row whose value the source does not know is left out.

#include "catalog/placement.h"
#include "library/compat/compat_library.h"
#include "library/compat/compat_words.h"
#include "report/machine/machine_facts.h"
#include "session/setup/run_request.h"

#include <stdio.h>

/** The rows while they are filled; the first error ends it. */
struct test_rows {
	const struct session *session;
	const struct run_request *request;
	struct compat_items *items;
	struct error *err;
};

static void add_test_row(struct test_rows *rows, const char *name, TEST_INFO info)
{
	if (!rows->err)
		rows->err = compat_items_text(rows->items, name, &info.name);
	if (!rows->err)
		rows->err = compat_items_add(rows->items, &info);
}

static void add_truth(struct test_rows *rows, const char *name, bool value)
{
	add_test_row(rows, name, (TEST_INFO){.type = BOOL_RESULT, .bool_result = value});
}

static void compat_test_add_number(struct test_rows *rows, const char *name, bool is_known,
				   uint64_t value)
{
	if (is_known)
		add_test_row(rows, name, (TEST_INFO){.type = NUM_RESULT, .num_result = value});
}

static void compat_test_add_text(struct test_rows *rows, const char *name, const char *value)
{
	TEST_INFO info = {.type = WSTRING_RESULT};
	if (!rows->err)
		rows->err =
			compat_items_text(rows->items, value ? value : "", &info.wstring_result);
	add_test_row(rows, name, info);
}

static void add_classes(struct test_rows *rows)
{
	const struct placement *placements = rows->request->placements;
	add_truth(rows, "request.ioctl_events [EVT_CORE]", placements[EVENT_CORE].num_events);
	add_truth(rows, "request.ioctl_events [EVT_DSU]", placements[EVENT_DSU].num_events);
	add_truth(rows, "request.ioctl_events [EVT_DMC_CLK/EVT_DMC_CLKDIV2]",
		  placements[EVENT_DMC_CLK].num_events || placements[EVENT_DMC_CLKDIV2].num_events);
}

static void add_device(struct test_rows *rows)
{
	const struct session *session = rows->session;
	const struct cpu *cpu = session->catalog.cpu;
	char extended[MACHINE_NAME_MAX];
	machine_extended_name(session, extended);
	compat_test_add_text(rows, "pmu_device.vendor_name", session->info.vendor_name);
	compat_test_add_text(rows, "pmu_device.product_name", cpu ? cpu->name : NULL);
	compat_test_add_text(rows, "pmu_device.product_name(extended)", extended);
	for (size_t i = 0; i < NUM_PMU_CLASSES; i++) {
		char name[80];
		snprintf(name, sizeof(name), "pmu_device.events_query(events) [%s]",
			 machine_class_tags[i]);
		compat_test_add_number(rows, name, true, machine_num_events(session, i));
	}
}

static void add_hardware(struct test_rows *rows)
{
	struct machine_field fields[MACHINE_NUM_FIELDS];
	machine_fields(rows->session, fields);
	for (size_t i = 0; i < MACHINE_NUM_SHORT_FIELDS; i++) {
		char name[64];
		snprintf(name, sizeof(name), "PMU_CTL_QUERY_HW_CFG [%s]", fields[i].name);
		compat_test_add_number(rows, name, fields[i].is_known, fields[i].value);
	}
}

static void add_counters(struct test_rows *rows, const char *kind, bool is_known,
			 const unsigned *numbers)
{
	for (size_t i = 0; i < NUM_PMU_CLASSES; i++) {
		char name[64];
		snprintf(name, sizeof(name), "%s[%s]", kind, machine_class_tags[i]);
		compat_test_add_number(rows, name, is_known, numbers[i]);
	}
}

static enum evt_type type_of(const struct placed_event *placed)
{
	if (!placed->request)
		return EVT_PADDING;
	bool is_grouped = placed->request->group != EVENT_UNGROUPED;
	if (placed->request->metric)
		return is_grouped ? EVT_METRIC_GROUPED : EVT_METRIC_NORMAL;
	return is_grouped ? EVT_GROUPED : EVT_NORMAL;
}

static void add_events(struct test_rows *rows)
{
	const struct placement *placement = &rows->request->placements[EVENT_CORE];
	for (size_t i = 0; i < placement->num_events; i++) {
		TEST_INFO info = {.type = EVT_NOTE_RESULT};
		info.evt_note_result.index = (uint16_t)placement->events[i].event->code;
		info.evt_note_result.type = type_of(&placement->events[i]);
		add_test_row(rows, "ioctl_events[EVT_CORE]", info);
	}
}

static void compat_test_fill(struct test_rows *rows)
{
	const struct source_info *info = &rows->session->info;
	add_classes(rows);
	add_device(rows);
	add_hardware(rows);
	add_counters(rows, "gpc_nums", info->counters_known, info->counters.free);
	add_counters(rows, "fpc_nums", info->has_registers, info->fixed_counters);
	add_events(rows);
	compat_test_add_number(rows, "config.count.period", true,
			       rows->request->config.count_period_ms);
	compat_test_add_number(rows, "config.count.period_max", true, COUNT_PERIOD_MAX_MS);
	compat_test_add_number(rows, "config.count.period_min", true, COUNT_PERIOD_MIN_MS);
}

static struct error *collect_rows(const TEST_CONF *conf, struct session *session)
{
	_cleanup_(compat_words_deinit) struct compat_words words = COMPAT_WORDS_INIT;
	_cleanup_(run_request_deinit) struct run_request request = {0};
	_cleanup_(compat_items_destroyp) struct compat_items *items = NULL;
	struct error *err = compat_words_of_test(&words, conf);
	if (!err)
		err = run_request_create(&words.words, session, EVENT_SPEC_COUNT, &request,
					 &session->warnings);
	if (!err)
		err = compat_items_create(sizeof(TEST_INFO), &items);
	if (err)
		return err;
	struct test_rows rows = {.session = session, .request = &request, .items = items};
	compat_test_fill(&rows);
	return rows.err ? rows.err : compat_items_publish(COMPAT_TEST, &items);
}

bool wperf_test(PTEST_CONF test_conf, PTEST_INFO test_info)
{
	if (test_info)
		return compat_library_give(COMPAT_TEST, test_conf, test_info);
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err)
		err = test_conf ? collect_rows(test_conf, session) : compat_library_null(__func__);
	return compat_library_leave(err);
}
