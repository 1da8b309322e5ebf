// SPDX-License-Identifier: Apache-2.0
// A program written for WindowsPerf's library, as its makers' own clients are: it calls everything,
// collects with NULL and takes item after item, and passes configurations that it never filled.
// C and C++ take it. What it prints is compared with what wperf prints.
//
//	compat_client list | stat | groups | timeline | sample PROGRAM |
//	               program PROGRAM | test | nulls | twice

#include "wperf-lib.h"

#include <stdio.h>
#include <string.h>

static int fail(const char *what)
{
	const wchar_t *error = wperf_last_error();
	printf("FAIL %s: %ls\n", what, error ? error : L"no reason");
	return 1;
}

static int check_list(void)
{
	LIST_CONF conf;
	EVENT_INFO event;
	METRIC_INFO metric;
	int num_events = -1, num_metrics = -1, num_pairs = -1, seen_events = 0, seen_pairs = 0;
	memset(&conf, 0, sizeof(conf)); // its makers' leave it as the stack was
	if (!wperf_list_events(&conf, NULL) || !wperf_list_num_events(&conf, &num_events))
		return fail("list_events");
	conf.list_event_types = CORE_EVT;
	while (wperf_list_events(&conf, &event)) {
		printf("event %04x %ls\n", (unsigned)event.id, event.name);
		seen_events += event.type == CORE_TYPE && event.desc != NULL;
	}
	if (!wperf_list_metrics(&conf, NULL) || !wperf_list_num_metrics(&conf, &num_metrics) ||
	    !wperf_list_num_metrics_events(&conf, &num_pairs))
		return fail("list_metrics");
	while (wperf_list_metrics(&conf, &metric)) {
		printf("metric %ls %04x\n", metric.metric_name, (unsigned)metric.event_idx);
		seen_pairs++;
	}
	printf("numbers %d %d %d\n", num_events, num_metrics, num_pairs);
	if (seen_events != num_events || seen_pairs != num_pairs || num_metrics > num_pairs)
		return fail("the numbers of the lists");
	return wperf_list_events(&conf, &event) ? fail("an item after the last") : 0;
}

static void print_counts(STAT_CONF *conf)
{
	STAT_INFO item;
	while (wperf_stat(conf, &item)) {
		printf("core %u event %04x value %llu scaled %llu rounds %llu/%llu",
		       (unsigned)item.core_idx, (unsigned)item.event_idx,
		       (unsigned long long)item.counter_value,
		       (unsigned long long)item.scaled_value,
		       (unsigned long long)item.multiplexed_scheduled,
		       (unsigned long long)item.multiplexed_round);
		if (item.evt_note.type == GROUP_EVT_NOTE)
			printf(" group %u", (unsigned)item.evt_note.note.group_note.group_id);
		if (item.evt_note.type == METRIC_EVT_NOTE)
			printf(" metric %ls %u", item.evt_note.note.metric_note.name,
			       (unsigned)item.evt_note.note.metric_note.group_id);
		printf("\n");
	}
}

static int check_stat(void)
{
	STAT_CONF conf;
	uint8_t cores[] = {2, 0};
	uint16_t events[] = {0x08, 0x1b};
	memset(&conf, 0, sizeof(conf));
	conf.num_cores = 2;
	conf.cores = cores;
	conf.num_events = 2;
	conf.events = events;
	conf.duration = 1;
	if (!wperf_stat(&conf, NULL))
		return fail("stat");
	print_counts(&conf);
	return 0;
}

static int check_groups(void)
{
	STAT_CONF conf;
	uint8_t cores[] = {1};
	uint16_t events[] = {0x08}, first[] = {0x03, 0x04}, second[] = {0x10, 0x12, 0x21};
	uint16_t *groups[] = {first, second};
	int sizes[] = {2, 3};
	const wchar_t *metrics[] = {L"imix"};
	memset(&conf, 0, sizeof(conf));
	conf.num_cores = 1;
	conf.cores = cores;
	conf.num_events = 1;
	conf.events = events;
	conf.group_events.num_groups = 2;
	conf.group_events.num_group_events = sizes;
	conf.group_events.events = groups;
	conf.num_metrics = 1;
	conf.metric_events = metrics;
	conf.duration = 1;
	if (!wperf_stat(&conf, NULL))
		return fail("stat of groups");
	print_counts(&conf);
	return 0;
}

static int check_timeline(void)
{
	STAT_CONF conf;
	uint8_t cores[] = {3};
	const wchar_t *metrics[] = {L"ipc"};
	memset(&conf, 0, sizeof(conf));
	conf.num_cores = 1;
	conf.cores = cores;
	conf.num_metrics = 1;
	conf.metric_events = metrics;
	conf.duration = 0.2;
	conf.timeline = true;
	conf.count_timeline = 3;
	conf.counting_interval = 0.5;
	wperf_set_verbose(true);
	if (!wperf_stat(&conf, NULL))
		return fail("timeline");
	print_counts(&conf);
	return 0;
}

static int check_sample(const wchar_t *program)
{
	SAMPLE_CONF conf;
	SAMPLE_INFO item;
	ANNOTATE_INFO line;
	SAMPLE_STATS stats;
	uint16_t events[] = {0x70, 0x11};
	uint32_t intervals[] = {100000, 200000};
	memset(&conf, 0, sizeof(conf));
	conf.pe_file = conf.pdb_file = conf.image_name = program;
	conf.num_events = 2;
	conf.events = events;
	conf.intervals = intervals;
	conf.duration = 1;
	conf.annotate = true;
	if (!wperf_sample(&conf, NULL) || !wperf_sample_stats(&conf, &stats))
		return fail("sample");
	while (wperf_sample(&conf, &item))
		printf("hot %04x %ls %u %.2f\n", (unsigned)item.event, item.symbol,
		       (unsigned)item.count, item.overhead);
	while (wperf_sample_annotate(&conf, &line))
		printf("line %04x %ls %ls:%u %llu\n", (unsigned)line.event, line.symbol,
		       line.source_file, (unsigned)line.line_number, (unsigned long long)line.hits);
	printf("samples %llu dropped %llu\n", (unsigned long long)stats.sample_generated,
	       (unsigned long long)stats.sample_dropped);
	return 0;
}

static int check_test(void)
{
	TEST_CONF conf;
	TEST_INFO item;
	uint16_t events[] = {0x08};
	const wchar_t *metrics[] = {L"imix"}, *unknown[] = {L"no_such_metric"};
	memset(&conf, 0, sizeof(conf));
	conf.num_events = 1;
	conf.events = events;
	conf.num_metrics = 1;
	conf.metric_events = metrics;
	if (!wperf_test(&conf, NULL))
		return fail("test");
	while (wperf_test(&conf, &item)) {
		if (item.type == NUM_RESULT)
			printf("%ls = %llu\n", item.name, (unsigned long long)item.num_result);
		else if (item.type == BOOL_RESULT)
			printf("%ls = %s\n", item.name, item.bool_result ? "true" : "false");
		else if (item.type == WSTRING_RESULT)
			printf("%ls = \"%ls\"\n", item.name, item.wstring_result);
		else
			printf("%ls = %04x note %d\n", item.name,
			       (unsigned)item.evt_note_result.index,
			       (int)item.evt_note_result.type);
	}
	conf.metric_events = unknown;
	if (wperf_test(&conf, NULL) || !wcsstr(wperf_last_error(), L"no_such_metric"))
		return fail("an unknown metric was taken");
	return 0;
}

/** A program that the library is to start: on one core, where the source runs programs. */
static int check_program(const wchar_t *program)
{
	STAT_CONF conf;
	uint8_t cores[] = {1, 2};
	uint16_t events[] = {0x08};
	memset(&conf, 0, sizeof(conf));
	conf.cores = cores;
	conf.num_events = 1;
	conf.events = events;
	conf.pe_file = program;
	conf.record_commandline = L"program \"one two\" three";
	for (conf.num_cores = 2; conf.num_cores; conf.num_cores--) {
		if (wperf_stat(&conf, NULL))
			return fail("a program was counted");
		printf("refused: %ls\n", wperf_last_error());
	}
	return 0;
}

/** What crashed there, and what is refused. */
static int check_nulls(void)
{
	LIST_CONF list;
	STAT_CONF stat;
	SAMPLE_CONF sample;
	STAT_INFO count;
	int number;
	memset(&list, 0, sizeof(list));
	memset(&stat, 0, sizeof(stat));
	memset(&sample, 0, sizeof(sample));
	bool any = wperf_stat(NULL, NULL) || wperf_sample(NULL, NULL) ||
		   wperf_sample_annotate(NULL, NULL) || wperf_sample_stats(NULL, NULL) ||
		   wperf_list_events(NULL, NULL) || wperf_list_metrics(NULL, NULL) ||
		   wperf_list_num_events(&list, NULL) || wperf_list_num_events(NULL, &number) ||
		   wperf_test(NULL, NULL) || wperf_num_cores(NULL) || wperf_version(NULL) ||
		   wperf_driver_version(NULL) || wperf_stat(&stat, &count);
	if (any)
		return fail("a NULL was taken");
	sample.record = true; // without a program, which crashed there
	if (wperf_sample(&sample, NULL))
		return fail("a sampling of nothing");
	printf("refused: %ls\n", wperf_last_error());
	stat.num_events = 3; // without a list of them
	if (wperf_stat(&stat, NULL))
		return fail("events of nowhere");
	printf("refused: %ls\n", wperf_last_error());
	return 0;
}

static int check_twice(void)
{
	int number = 0;
	VERSION_INFO version;
	if (!wperf_init() || !wperf_num_cores(&number) || number < 1)
		return fail("a second init");
	if (!wperf_close() || !wperf_close())
		return fail("a second close");
	if (wperf_num_cores(&number))
		return fail("cores of a closed library");
	printf("refused: %ls\n", wperf_last_error());
	if (!wperf_version(&version) || wperf_last_error())
		return fail("the version of a closed library");
	return wperf_init() ? 0 : fail("init after close");
}

static const wchar_t *wide(const char *text)
{
	static wchar_t copy[4096];
	for (size_t i = 0; i < 4095 && text[i]; i++)
		copy[i] = (unsigned char)text[i];
	return copy;
}

int main(int argc, char **argv)
{
	VERSION_INFO version;
	const char *what = argc > 1 ? argv[1] : "list";
	// Before anything is open this crashed there.
	if (!wperf_set_verbose(false) || !wperf_version(&version))
		return fail("before init");
	if (!wperf_init() || !wperf_driver_version(&version))
		return fail("init");
	int status = 1;
	if (!strcmp(what, "list"))
		status = check_list();
	else if (!strcmp(what, "stat"))
		status = check_stat();
	else if (!strcmp(what, "groups"))
		status = check_groups();
	else if (!strcmp(what, "timeline"))
		status = check_timeline();
	else if (!strcmp(what, "sample") && argc > 2)
		status = check_sample(wide(argv[2]));
	else if (!strcmp(what, "program") && argc > 2)
		status = check_program(wide(argv[2]));
	else if (!strcmp(what, "test"))
		status = check_test();
	else if (!strcmp(what, "nulls"))
		status = check_nulls();
	else if (!strcmp(what, "twice"))
		status = check_twice();
	return wperf_close() ? status : fail("close");
}
