// SPDX-License-Identifier: Apache-2.0
// Each part is printed even if another one fails: without rights, Windows still lists its profile
// sources. Lines contain names of sessions and files of others, which may have any characters.

#include "report/machine/etw_state.h"

#include "base/container/array.h"
#include "source/etw/etw_calls.h"
#include "source/etw/etw_session.h"
#include "view/layout/safe_text.h"
#include "view/layout/table.h"

#include <stdio.h>
#include <string.h>

static void etw_state_print_lines(const char *lines, const char *before)
{
	for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
		fputs(before, stdout);
		safe_text_print(lines, (size_t)(end - lines), stdout);
		putchar('\n');
	}
}

/** Destroys @err, which may be NULL. */
static void etw_state_print_error(const char *what, struct error *err)
{
	if (!err)
		return;
	printf("%s%s\n", what, err->message);
	if (err->hint)
		printf("what to do:  %s\n", err->hint);
	error_destroy(err);
}

static struct error *etw_state_make_table(const struct etw_sources *sources, struct table **ret)
{
	static const struct table_column columns[] = {
		{"source", TABLE_LEFT}, {"interval", TABLE_RIGHT}, {"from", TABLE_RIGHT},
		{"to", TABLE_RIGHT},    {"id", TABLE_RIGHT},
	};
	struct error *err = table_create(columns, ARRAY_SIZE(columns), ret);
	for (size_t i = 0; !err && i < sources->num_items; i++) {
		const struct etw_source *source = &sources->items[i];
		table_add_string(*ret, etw_source_short_name(source));
		if (source->interval)
			table_add_u64(*ret, source->interval);
		else
			table_add_string(*ret, "unknown");
		table_add_u64(*ret, source->min_interval);
		table_add_u64(*ret, source->max_interval);
		table_add_u64(*ret, source->id);
	}
	return err ? err : table_check(*ret);
}

static struct error *etw_state_print_sources(const struct etw_calls *calls)
{
	_cleanup_(etw_sources_deinit) struct etw_sources sources = {0};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = etw_sources_list(calls, &sources);
	if (!err)
		err = etw_state_make_table(&sources, &table);
	if (err)
		return err;
	putchar('\n');
	table_print(table, TABLE_LAYOUT_WIDE, stdout);
	puts("\nThe interval of Timer is in units of 100 ns, all others are in events.");
	if (sources.max_counters)
		printf("Windows can use %u of these at once, besides Timer.\n",
		       sources.max_counters);
	if (sources.num_items == 1)
		puts("Windows has no events of the CPU here, as in most virtual machines.");
	return NULL;
}

static void etw_state_print_users(const struct etw_calls *calls)
{
	_cleanup_(string_builder_deinit) struct string_builder others = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder ours = STRING_BUILDER_INIT;
	struct error *err = etw_session_others(calls, &others);
	if (!err && others.length) {
		puts("\nCounters in use:");
		etw_state_print_lines(others.text, "    ");
	}
	etw_state_print_error("\ncannot show who uses counters: ", err);
	err = etw_session_ours(calls, &ours);
	if (!err && !ours.length)
		puts("\nwperf has changed nothing.");
	if (!err && ours.length) {
		puts("\nChanged by wperf:");
		etw_state_print_lines(ours.text, "    ");
		puts("'wperf etw --clean' cleans up after killed runs.");
	}
	etw_state_print_error("\ncannot show what wperf has changed: ", err);
}

struct error *etw_state_print(void)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	struct error *err = etw_calls_open(&calls);
	if (err)
		return err;
	struct error *refusal = etw_session_check(&calls);
	if (!refusal)
		puts("recording:   you may record with ETW");
	etw_state_print_error("recording:   ", refusal);
	etw_state_print_error("\n", etw_state_print_sources(&calls));
	etw_state_print_users(&calls);
	return NULL;
}

struct error *etw_state_clean(void)
{
	_cleanup_(etw_calls_close) struct etw_calls calls = ETW_CALLS_INIT;
	_cleanup_(string_builder_deinit) struct string_builder lines = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder kept = STRING_BUILDER_INIT;
	struct error *err = etw_calls_open(&calls);
	if (err)
		return err;
	err = etw_session_clean(&calls, &lines, &kept);
	if (lines.length)
		puts("Cleaned up:");
	etw_state_print_lines(string_builder_peek(&lines), "    ");
	if (kept.length) {
		puts("Recordings of killed runs, of all processes. Read them with 'wperf report -i "
		     "FILE', or delete them:");
		etw_state_print_lines(string_builder_peek(&kept), "    ");
	}
	if (!err && !lines.length && !kept.length)
		puts("nothing to clean up");
	return err;
}
