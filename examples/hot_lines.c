/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the ten hottest lines of a recording:  hot_lines [perf.data]
 *
 *	cc hot_lines.c $(pkg-config --cflags --libs libwperf) -o hot_lines
 */

#include <wperf.h>

#include <inttypes.h>
#include <stdio.h>

enum { NUM_ROWS = 10 };

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
	struct wperf_hot *hot;
	struct wperf_error *error = wperf_profile_hot(profile, WPERF_HOT_LINE, NULL, false, &hot);
	if (error)
		return error;
	struct wperf_hot_row row;
	for (size_t i = 0; i < NUM_ROWS && wperf_hot_row_at(hot, i, &row); i++)
		printf("%6.2f %% %8" PRIu64 "  %s\n", row.self_percent, row.self_count, row.label);
	wperf_hot_free(hot);
	return NULL;
}

int main(int argc, char **argv)
{
	struct wperf_profile_config config = WPERF_PROFILE_CONFIG_INIT;
	config.path = argc > 1 ? argv[1] : NULL; /* NULL: wperf.data */
	struct wperf_profile *profile;
	struct wperf_error *error = wperf_profile_open(&config, &profile);
	if (error)
		return fail(error);
	fputs(wperf_profile_notes(profile), stderr);
	error = print_lines(profile);
	wperf_profile_close(profile);
	return error ? fail(error) : 0;
}
