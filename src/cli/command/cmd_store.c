// SPDX-License-Identifier: Apache-2.0
// `store put|list|trim STORE ...`: stores of a fleet, by hand and by scripts. `put` does what an
// agent and a server do, with a recording in place of the agent.

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/text/wall_time.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/stored/stored_choice.h"
#include "cli/option/stored/stored_profile.h"
#include "fleet/recording_windows.h"
#include "fleet/store/store_json.h"
#include "report/recorded/read_profile.h"
#include "view/layout/table.h"

#include <stdio.h>
#include <string.h>

/** What `put` has done so far. */
struct cmd_store_work {
	const struct options *options;
	struct store *store;
	struct store_put_result sums;
};

/** --label, --host or the recording's host, and the service. One more than @labels may hold. */
static struct error *cmd_store_labels(const struct options *options,
				      const struct named_profile *profile, struct arena *arena,
				      struct fleet_label **ret, size_t *ret_num)
{
	struct fleet_label *given;
	size_t num;
	struct error *err = stored_choice_labels(options, arena, &given, &num);
	if (err)
		return err;
	const char *host = named_profile_text(profile, profile->host);
	const struct fleet_label more[] = {
		{(char *)"service.name", (char *)options->service},
		{(char *)"host.name", (char *)host},
	};
	struct fleet_label *labels =
		arena_alloc_array(arena, num + ARRAY_SIZE(more), sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	memcpy(labels, more, sizeof(more));
	size_t num_more = options->host || !*host ? 1 : 2;
	memcpy(labels + num_more, given, num * sizeof(*given));
	*ret = labels;
	*ret_num = num + num_more;
	return NULL;
}

static struct error *cmd_store_read(const struct options *options, const char *path,
				    struct named_profile *ret)
{
	const struct read_request request = {
		.path = path,
		.is_forced = options->force,
		.is_anonymous = options->anonymous,
		.sysroots = options->sysroot,
		.symbol_path = options->pdb_places,
		.keeps_samples = true,
	};
	return read_profile(&request, stderr, ret);
}

static struct error *cmd_store_put_windows(struct cmd_store_work *work,
					   const struct recording_windows *windows)
{
	struct store_put_result result;
	_cleanup_free_ const struct fleet_batch **batches =
		calloc(windows->num_batches + 1, sizeof(*batches));
	if (!batches)
		return &error_no_memory;
	for (size_t i = 0; i < windows->num_batches; i++)
		batches[i] = &windows->batches[i];
	struct error *err =
		work->store->ops->put(work->store, batches, windows->num_batches, &result);
	if (err)
		return err;
	work->sums.num_stored += result.num_stored;
	work->sums.num_known += result.num_known;
	work->sums.num_too_old += result.num_too_old;
	return NULL;
}

static struct error *cmd_store_put_recording(struct cmd_store_work *work, const char *path)
{
	const struct options *options = work->options;
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	_cleanup_(recording_windows_deinit) struct recording_windows windows = {0};
	struct fleet_label *labels = NULL;
	struct recording_windows_request request = {
		.length_ns = options->window_ns == DURATION_NONE ? 60 * (uint64_t)STORE_SECOND_NS
								 : options->window_ns,
	};
	struct error *err = cmd_store_read(options, path, &profile);
	if (!err && options->since)
		err = stored_choice_time("--since", options->since, &request.start_wall_ns);
	if (!err && !request.start_wall_ns && !profile.start_wall_ns)
		err = error_with_hint(error_create(ERROR_FAILED,
						   "'%s' does not say when it was made", path),
				      "name the time with --since, as in --since 2026-03-01T12:30");
	if (!err)
		err = cmd_store_labels(options, &profile, &arena, &labels, &request.num_labels);
	request.labels = labels;
	if (!err)
		err = recording_windows_cut(&request, &profile, &windows);
	return err ? err : cmd_store_put_windows(work, &windows);
}

static struct error *cmd_store_put(const struct options *options, const char *place)
{
	const struct text_list *words = &options->arguments;
	if (words->num_items < 3)
		return error_with_hint(error_create(ERROR_USAGE, "missing recording"),
				       "write wperf store put STORE RECORDING --service NAME");
	if (!options->service)
		return error_with_hint(error_create(ERROR_USAGE, "missing service"),
				       "name what was recorded: --service shop");
	_cleanup_(store_closep) struct store *store = NULL;
	struct cmd_store_work work = {.options = options};
	struct error *err = stored_profile_open(options, place, STORE_CREATE, &store);
	work.store = store;
	for (size_t i = 2; !err && i < words->num_items; i++)
		err = cmd_store_put_recording(&work, words->items[i]);
	if (err || options->quiet)
		return err;
	printf("%zu window%s stored", work.sums.num_stored, work.sums.num_stored == 1 ? "" : "s");
	if (work.sums.num_known)
		printf(", %zu already there", work.sums.num_known);
	if (work.sums.num_too_old)
		printf(", %zu refused: older than what the store keeps", work.sums.num_too_old);
	putchar('\n');
	return NULL;
}

static struct error *cmd_store_list_events(const struct store_listing *listing)
{
	static const struct table_column columns[] = {
		{"service", TABLE_LEFT}, {"event", TABLE_LEFT}, {"unit", TABLE_LEFT},
		{"since", TABLE_LEFT},   {"until", TABLE_LEFT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < listing->num_events; i++) {
		const struct store_listed_event *event = &listing->events[i];
		table_add_string(table, event->service);
		table_add_string(table, event->event);
		table_add_string(table, event->unit);
		table_add_string(table, wall_time_format(event->first_ns).text);
		table_add_string(table, wall_time_format(event->end_ns).text);
	}
	if (!err)
		err = table_check(table);
	if (!err)
		table_print(table, TABLE_LAYOUT_WIDE, stdout);
	return err;
}

static struct error *cmd_store_list_labels(const struct store_listing *listing)
{
	static const struct table_column columns[] = {
		{"service", TABLE_LEFT}, {"label", TABLE_LEFT}, {"value", TABLE_LEFT}};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < listing->num_labels; i++) {
		table_add_string(table, listing->labels[i].service);
		table_add_string(table, listing->labels[i].key);
		table_add_string(table, listing->labels[i].value);
	}
	if (!err)
		err = table_check(table);
	if (!err && listing->num_labels) {
		putchar('\n');
		table_print(table, TABLE_LAYOUT_WIDE, stdout);
	}
	return err;
}

/** Nothing that is missing may look as if it were there. */
static struct error *cmd_store_list_services(const struct store_listing *listing)
{
	static const struct table_column columns[] = {
		{"service", TABLE_LEFT},
		{"batches", TABLE_RIGHT},
		{"batches dropped", TABLE_RIGHT},
		{"samples lost", TABLE_RIGHT},
	};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; !err && i < listing->num_services; i++) {
		table_add_string(table, listing->services[i].service);
		table_add_u64(table, listing->services[i].num_batches);
		table_add_u64(table, listing->services[i].num_dropped);
		table_add_u64(table, listing->services[i].num_lost);
	}
	if (!err)
		err = table_check(table);
	if (!err) {
		table_print(table, TABLE_LAYOUT_WIDE, stdout);
		putchar('\n');
	}
	return err;
}

static struct error *cmd_store_list_json(const struct options *options,
					 const struct store_listing *listing)
{
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(options_output_request(options), &output);
	if (err)
		return err;
	store_json_write_listing(listing, output.json);
	return output_close(&output);
}

static struct error *cmd_store_list(const struct options *options, const char *place)
{
	_cleanup_(store_closep) struct store *store = NULL;
	_cleanup_(store_listing_deinit) struct store_listing listing = {0};
	struct error *err = stored_profile_open(options, place, STORE_READ, &store);
	if (!err)
		err = store->ops->list(store, &listing);
	if (!err && options->json)
		return cmd_store_list_json(options, &listing);
	if (!err)
		err = cmd_store_list_services(&listing);
	if (!err)
		err = cmd_store_list_events(&listing);
	return err ? err : cmd_store_list_labels(&listing);
}

static uint64_t cmd_store_limit(uint64_t now_ns, uint64_t keep_ns, uint64_t usual_ns)
{
	uint64_t length_ns = keep_ns == DURATION_NONE ? usual_ns : keep_ns;
	return length_ns < now_ns ? now_ns - length_ns : 0;
}

static struct error *cmd_store_trim(const struct options *options, const char *place)
{
	_cleanup_(store_closep) struct store *store = NULL;
	uint64_t now_ns = clock_ns(CLOCK_REALTIME);
	struct error *err = stored_profile_open(options, place, STORE_WRITE, &store);
	if (!err)
		err = store->ops->roll_up(store, now_ns);
	return err ? err
		   : store->ops->retain(
			     store,
			     cmd_store_limit(now_ns, options->keep_ns, STORE_KEEP_WINDOWS_NS),
			     cmd_store_limit(now_ns, options->keep_hours_ns, STORE_KEEP_HOURS_NS));
}

struct error *command_store(const struct options *options, int *ret_exit)
{
	static const struct {
		const char *word;
		struct error *(*run)(const struct options *options, const char *place);
		size_t max_words; // 0: any number
		bool has_json;
	} verbs[] = {
		{"put", cmd_store_put, 0, false},
		{"list", cmd_store_list, 2, true},
		{"trim", cmd_store_trim, 2, false},
	};
	const struct text_list *words = &options->arguments;
	const char *word = words->num_items ? words->items[0] : "";
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verbs[i].word, word) != 0)
			continue;
		if (words->num_items < 2)
			return error_with_hint(error_create(ERROR_USAGE, "missing store"),
					       "write wperf store %s sqlite:FILE", word);
		if (verbs[i].max_words && words->num_items > verbs[i].max_words)
			return error_create(ERROR_USAGE, "unexpected word '%s'",
					    words->items[verbs[i].max_words]);
		if (options->json && !verbs[i].has_json)
			return error_create(ERROR_USAGE, "'store %s' writes no JSON", word);
		return verbs[i].run(options, words->items[1]);
	}
	struct error *err = *word ? error_create(ERROR_USAGE, "store cannot '%s'", word)
				  : error_create(ERROR_USAGE, "store needs a word");
	return error_with_hint(err, "it takes put, list or trim");
}
