// SPDX-License-Identifier: Apache-2.0
// What it costs to count a few lines of code of one's own: with libwperf, and with the same group
// of events opened by perf_event_open(2). Both in turns; the median of all rounds, in microseconds.

#include "library/wperf.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NUM_ROUNDS = 21, NUM_TIMES = 20000, NUM_EVENTS = 3, NUM_WORDS = 3 + NUM_EVENTS };

static const char events[] = "{task-clock,page-faults,context-switches}";
static const unsigned codes[NUM_EVENTS] = {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
					   PERF_COUNT_SW_CONTEXT_SWITCHES};

/** What both are asked to do. */
struct subject {
	struct wperf_count *count;
	int fd; /* of the group's leader */
};

static void check(struct wperf_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "count_around: %s\n", wperf_error_message(error));
	exit(EXIT_FAILURE);
}

static int open_raw(void)
{
	int leader = -1;
	for (size_t i = 0; i < NUM_EVENTS; i++) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_SOFTWARE,
			.size = sizeof(attr),
			.config = codes[i],
			.disabled = i == 0,
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
		};
		int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
		if (fd < 0)
			exit(EXIT_FAILURE);
		leader = leader < 0 ? fd : leader;
	}
	return leader;
}

static void raw_section(const struct subject *subject)
{
	ioctl(subject->fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(subject->fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void raw_read(const struct subject *subject)
{
	unsigned long long words[NUM_WORDS];
	raw_section(subject);
	if (read(subject->fd, words, sizeof(words)) != sizeof(words))
		exit(EXIT_FAILURE);
}

static void raw_anew(const struct subject *subject)
{
	ioctl(subject->fd, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	raw_section(subject);
}

static void library_section(const struct subject *subject)
{
	check(wperf_count_resume(subject->count));
	check(wperf_count_stop(subject->count));
}

static void library_read(const struct subject *subject)
{
	check(wperf_count_start(subject->count));
	check(wperf_count_stop(subject->count));
	check(wperf_count_read(subject->count));
}

static void library_anew(const struct subject *subject)
{
	check(wperf_count_start(subject->count));
	check(wperf_count_stop(subject->count));
}

static double now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double time_of(void (*act)(const struct subject *), const struct subject *subject)
{
	double began = now_us();
	for (int i = 0; i < NUM_TIMES; i++)
		act(subject);
	return (now_us() - began) / NUM_TIMES;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;
	return (difference > 0) - (difference < 0);
}

static void show(const char *title, void (*raw)(const struct subject *),
		 void (*library)(const struct subject *), const struct subject *subject)
{
	double raw_us[NUM_ROUNDS], library_us[NUM_ROUNDS];
	for (int i = 0; i < NUM_ROUNDS; i++) {
		raw_us[i] = time_of(raw, subject);
		library_us[i] = time_of(library, subject);
	}
	qsort(raw_us, NUM_ROUNDS, sizeof(double), compare);
	qsort(library_us, NUM_ROUNDS, sizeof(double), compare);
	double base = raw_us[NUM_ROUNDS / 2], ours = library_us[NUM_ROUNDS / 2];
	printf("  %-34s raw %6.3f us   library %6.3f us   %5.2fx\n", title, base, ours,
	       ours / base);
}

int main(void)
{
	struct wperf_session *session = NULL;
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	struct subject subject = {.fd = open_raw()};
	config.events = events;
	config.scope = WPERF_SCOPE_THREAD;
	check(wperf_session_open(NULL, &session));
	check(wperf_count_open(session, &config, &subject.count));
	check(wperf_count_start(subject.count));
	check(wperf_count_stop(subject.count));
	printf("counting one's own code: a group of %d software events of a thread\n", NUM_EVENTS);
	show("on, off (adding up)", raw_section, library_section, &subject);
	show("on, off, read (from zero)", raw_read, library_read, &subject);
	show("on, off (from zero, not read)", raw_anew, library_anew, &subject);
	wperf_count_close(subject.count);
	wperf_session_close(session);
	return EXIT_SUCCESS;
}
