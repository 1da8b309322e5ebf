// SPDX-License-Identifier: Apache-2.0
// Counts a loop of its own, and prints a table:
//
//	count_loop [EVENTS [SOURCE]]
//
//	cc count_loop.c $(pkg-config --cflags --libs libwperf)

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wperf.h>

enum { NUM_PAGES = 2000, PAGE_SIZE = 4096, SIMULATED_NS = 100000000 };

static int fail(struct wperf_error *error)
{
	const char *hint = wperf_error_hint(error);
	fprintf(stderr, "count_loop: %s\n", wperf_error_message(error));
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
	wperf_error_free(error);
	return EXIT_FAILURE;
}

/** What is counted: each fresh page is a page fault. */
static unsigned touch_pages(void)
{
	volatile unsigned char *pages = malloc((size_t)NUM_PAGES * PAGE_SIZE);
	unsigned sum = 0;
	for (size_t i = 0; pages && i < NUM_PAGES; i++) {
		pages[i * PAGE_SIZE] = (unsigned char)i;
		sum += pages[i * PAGE_SIZE];
	}
	free((void *)pages);
	return sum;
}

static struct wperf_error *count_loop(struct wperf_count *count)
{
	struct wperf_error *error = wperf_count_start(count);
	if (error)
		return error;
	touch_pages();
	error = wperf_count_stop(count);
	return error ? error : wperf_count_read(count);
}

/** A simulated machine runs a program of its own, while we wait. */
static struct wperf_error *count_simulated(struct wperf_count *count)
{
	struct wperf_error *error = wperf_count_start(count);
	if (!error)
		error = wperf_count_wait(count, SIMULATED_NS, NULL);
	if (!error)
		error = wperf_count_stop(count);
	return error ? error : wperf_count_read(count);
}

static void print_table(const struct wperf_count *count)
{
	struct wperf_value value;
	for (size_t i = 0; wperf_count_value_at(count, i, &value); i++) {
		const char *unit = value.unit ? value.unit : "";
		if (value.is_counted)
			printf("%18.2f %-6s %s", value.value, unit, value.event);
		else
			printf("%18s %-6s %s", "not counted", "", value.event);
		if (value.core != WPERF_NONE)
			printf(" of core %" PRIu32, value.core);
		putchar('\n');
	}
	printf("%18.6f s      elapsed\n", (double)wperf_count_elapsed_ns(count) / 1e9);
}

int main(int argc, char **argv)
{
	struct wperf_session_config machine = WPERF_SESSION_CONFIG_INIT;
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	struct wperf_session *session = NULL;
	struct wperf_count *count = NULL;

	// Without events, those that `wperf stat` counts.
	config.events = argc > 1 ? argv[1] : NULL;
	machine.source = argc > 2 ? argv[2] : NULL;
	struct wperf_error *error = wperf_session_open(&machine, &session);
	if (error)
		return fail(error);

	struct wperf_machine facts;
	wperf_session_machine(session, &facts);
	int is_simulated = strcmp(facts.source, "sim") == 0;
	config.scope = is_simulated ? WPERF_SCOPE_MACHINE : WPERF_SCOPE_THREAD;
	error = wperf_count_open(session, &config, &count);
	if (!error)
		error = is_simulated ? count_simulated(count) : count_loop(count);
	if (!error) {
		print_table(count);
		fputs(wperf_count_notes(count), stderr);
	}
	wperf_count_close(count);
	wperf_session_close(session);
	return error ? fail(error) : EXIT_SUCCESS;
}
