// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "session/setup/count_setup.h"
#include "session/setup/sample_setup.h"

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// Nothing is shared: what two threads find at the same time, each in a session of its own, is what
// one finds alone. On simulated cores, whose results do not depend on time. With ThreadSanitizer
// this also finds what is shared without a lock.

enum { NS_PER_S = 1000000000, NUM_THREADS = 4, NUM_ROUNDS = 3 };

/** The text of a whole run; a failure is in it, as a thread cannot fail a test. */
typedef struct error *(*run_fn)(struct string_builder *text);

static struct error *open_sim(struct session *session)
{
	const struct session_config config = {.source = "sim,counters=4", .with_catalog = true};
	return session_open(session, &config);
}

static void add_counts(struct string_builder *text, const struct source_counts *counts)
{
	for (size_t i = 0; i < NUM_EVENT_CLASSES; i++) {
		const struct count_set *set = &counts->sets[i];
		for (size_t n = 0; n < set->num_units * set->num_columns; n++)
			string_builder_appendf(text, "%zu: %" PRIu64 "\n", n, set->counts[n].value);
	}
}

static struct error *count(struct string_builder *text)
{
	static const struct counted_word words[] = {
		{.spec = "ld_spec,st_spec,inst_spec,br_pred,vfp_spec,dp_spec,ase_spec"},
		{.is_metric = true, .spec = "imix"},
	};
	static const struct count_request asked = {
		.words = {.counted = words, .num_counted = ARRAY_SIZE(words)},
	};
	_cleanup_(session_close) struct session session = SESSION_INIT;
	_cleanup_(count_setup_deinit) struct count_setup setup = {.session = &session};
	_cleanup_(counting_destroyp) struct counting *counting = NULL;
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	bool is_over;
	struct error *err = open_sim(&session);
	if (!err)
		err = count_setup_find_events(&setup, &asked);
	if (!err)
		err = count_setup_finish(&setup);
	if (!err)
		err = counting_create(session.source, &setup.config, &counting);
	if (!err)
		err = counting_begin(counting, NS_PER_S);
	if (!err)
		err = counting_wait(counting, UINT64_MAX, &is_over);
	if (!err)
		err = counting_finish(counting, &result);
	if (!err)
		add_counts(text, &result.counts);
	return err;
}

/** Each sum, with the name and the line of its innermost frame. */
static void add_samples(struct string_builder *text, const struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *item = &profile->samples[i];
		const struct stack_node *node = &profile->stacks.nodes[item->stack];
		const struct named_frame *frame = &profile->frames[node->frame];
		string_builder_appendf(
			text, "%" PRIu32 ": %" PRIu32 " %" PRIu64 " %s:%" PRIu32 "\n", item->event,
			item->count, item->weight,
			named_profile_text(profile, profile->functions[frame->function].name),
			frame->line);
	}
}

static struct error *sample_all(struct sampling *sampling)
{
	bool is_over = false;
	struct error *err = sampling_begin(sampling, NS_PER_S);
	while (!err && !is_over)
		err = sampling_round(sampling, NS_PER_S / 10, &is_over);
	return err ? err : sampling_finish(sampling);
}

static struct error *sample(struct string_builder *text)
{
	static const struct counted_word word = {.spec = "ld_spec:100000,st_spec:50000"};
	static const struct sample_request asked = {
		.words = {.counted = &word, .num_counted = 1, .cores = "1"},
	};
	_cleanup_(session_close) struct session session = SESSION_INIT;
	_cleanup_(sample_setup_deinit) struct sample_setup setup = {.session = &session};
	_cleanup_(sampling_destroyp) struct sampling *sampling = NULL;
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer = NULL;
	const struct named_profile *profile;
	struct error *err = open_sim(&session);
	if (!err)
		err = sample_setup_find_events(&setup, &asked);
	if (!err)
		err = sample_setup_finish(&setup);
	if (!err)
		err = sampling_create(session.source, &setup.config, setup.builder, &sampling);
	if (!err)
		err = sample_all(sampling);
	if (!err)
		err = sample_setup_symbolizer(&setup, &symbolizer);
	if (!err)
		err = profile_builder_take(setup.builder, symbolizer, &profile);
	if (err)
		return err;
	string_builder_appendf(text, "%" PRIu64 " samples\n",
			       sampling_state(sampling).totals.num_generated);
	add_samples(text, profile);
	return NULL;
}

/** What one thread has to do. */
struct worker {
	pthread_t thread;
	run_fn run;
	struct string_builder text;
};

static void *work(void *data)
{
	struct worker *worker = data;
	_cleanup_(error_destroyp) struct error *err = worker->run(&worker->text);
	if (err)
		string_builder_appendf(&worker->text, "error: %s\n", err->message);
	return NULL;
}

/** Half of the threads count and half of them sample, at the same time. */
static void sessions_in_threads_find_what_one_finds(void **state)
{
	static const run_fn runs[] = {count, sample};
	struct string_builder alone[ARRAY_SIZE(runs)] = {STRING_BUILDER_INIT};
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		assert_no_error(runs[i](&alone[i]));
		assert_true(alone[i].length > 100);
	}
	for (int round = 0; round < NUM_ROUNDS; round++) {
		struct worker workers[NUM_THREADS];
		for (size_t i = 0; i < NUM_THREADS; i++) {
			workers[i] = (struct worker){.run = runs[i % ARRAY_SIZE(runs)]};
			assert_int_equal(
				pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
		}
		for (size_t i = 0; i < NUM_THREADS; i++) {
			assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
			assert_string_equal(string_builder_peek(&workers[i].text),
					    string_builder_peek(&alone[i % ARRAY_SIZE(runs)]));
			string_builder_deinit(&workers[i].text);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		string_builder_deinit(&alone[i]);
}

/** What belongs to the whole process, and to whoever wrote its program. */
struct process_state {
	void (*handlers[NSIG])(int);
	bool are_blocked[NSIG];
	struct rlimit files;
	int niceness;
};

static void process_state_read(struct process_state *state)
{
	memset(state, 0, sizeof(*state));
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	for (int signal = 1; signal < NSIG; signal++) {
		struct sigaction action = {.sa_handler = SIG_DFL};
		sigaction(signal, NULL, &action);
		state->handlers[signal] = action.sa_handler;
		state->are_blocked[signal] = sigismember(&blocked, signal) == 1;
	}
	getrlimit(RLIMIT_NOFILE, &state->files);
	state->niceness = getpriority(PRIO_PROCESS, 0);
}

static void the_process_stays_as_it_was(void **state)
{
	static char program[] = "true";
	static char *const words[] = {program, NULL};
	struct process_state before, meanwhile, after;
	struct string_builder text = STRING_BUILDER_INIT;
	signal(SIGINT, SIG_IGN);
	process_state_read(&before);
	assert_no_error(count(&text));
	assert_no_error(sample(&text));
	_cleanup_(child_deinit) struct child child = CHILD_INIT;
	assert_no_error(child_spawn(words, NULL, NULL, 0, CHILD_OUTPUT_OURS, &child));
	process_state_read(&meanwhile);
	assert_no_error(child_release(&child));
	assert_no_error(child_wait(&child));
	process_state_read(&after);
	signal(SIGINT, SIG_DFL);
	string_builder_deinit(&text);
	assert_memory_equal(&before, &meanwhile, sizeof(before));
	assert_memory_equal(&before, &after, sizeof(before));
}

int parallel_sessions_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_in_threads_find_what_one_finds),
		cmocka_unit_test(the_process_stays_as_it_was),
	};
	return cmocka_run_group_tests_name("parallel_sessions", tests, NULL, NULL);
}
