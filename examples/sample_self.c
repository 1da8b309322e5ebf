/* SPDX-License-Identifier: Apache-2.0 */

/* Samples itself for about a second, and prints its ten hottest lines.
 *
 *	cc -g sample_self.c $(pkg-config --cflags --libs libwperf) -o sample_self
 */

#include <wperf.h>

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum { NUM_ROWS = 10, UNIT = 3000 };

static volatile uint64_t result;

/* Of the work, 70 % are in hot(), 20 % in warm() and 10 % in cool(). */

static __attribute__((noinline)) void hot(uint64_t num)
{
	for (uint64_t i = 0; i < num; i++)
		result += i * i % 7;
}

static __attribute__((noinline)) void warm(uint64_t num)
{
	for (uint64_t i = 0; i < num; i++)
		result += i * i % 7;
}

static __attribute__((noinline)) void cool(uint64_t num)
{
	for (uint64_t i = 0; i < num; i++)
		result += i * i % 7;
}

static void work(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC;
	while (clock() < end) {
		hot(7 * UNIT);
		warm(2 * UNIT);
		cool(1 * UNIT);
	}
}

static int fail(struct wperf_error *error)
{
	const char *hint = wperf_error_hint(error);
	fprintf(stderr, "%s\n", wperf_error_message(error));
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
	wperf_error_free(error);
	return 1;
}

static struct wperf_error *print_lines(const struct wperf_profile *profile)
{
	struct wperf_hot *lines;
	struct wperf_error *error = wperf_profile_hot(profile, WPERF_HOT_LINE, NULL, false, &lines);
	if (error)
		return error;
	struct wperf_hot_row row;
	for (size_t i = 0; i < NUM_ROWS && wperf_hot_row_at(lines, i, &row); i++)
		printf("%6.2f %% %8" PRIu64 "  %s\n", row.self_percent, row.self_count, row.label);
	wperf_hot_free(lines);
	return NULL;
}

/* The work is done between start and stop; a thread of the library takes the samples. */
static struct wperf_error *sample(struct wperf_session *session, struct wperf_profile **ret)
{
	struct wperf_sampling_config config = WPERF_SAMPLING_CONFIG_INIT;
	config.scope = WPERF_SCOPE_PROCESS;
	config.events = "cpu-clock";
	struct wperf_sampling *sampling;
	struct wperf_error *error = wperf_sampling_open(session, &config, &sampling);
	if (error)
		return error;
	error = wperf_sampling_start(sampling);
	if (!error) {
		work();
		error = wperf_sampling_stop(sampling, ret);
	}
	wperf_sampling_close(sampling);
	return error;
}

int main(void)
{
	struct wperf_session *session;
	struct wperf_error *error = wperf_session_open(NULL, &session);
	if (error)
		return fail(error);
	struct wperf_profile *profile;
	error = sample(session, &profile);
	wperf_session_close(session);
	if (error)
		return fail(error);
	fputs(wperf_profile_notes(profile), stderr);
	error = print_lines(profile);
	wperf_profile_close(profile);
	return error ? fail(error) : 0;
}
