// SPDX-License-Identifier: Apache-2.0
// Samples real programs, others and itself, through wperf.h alone; sampling.py starts it with the
// name of a test. What is wrong ends it with a message.

#include <wperf.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MS = 1000000,
	SECOND = 1000 * MS,
	WORK = 300, // milliseconds of CPU time
	SKIPPED = 77,
};

#define CHECK(condition)                                                            \
	do {                                                                        \
		if (!(condition)) {                                                 \
			fprintf(stderr, "line %d: not %s\n", __LINE__, #condition); \
			exit(1);                                                    \
		}                                                                   \
	} while (0)

static _Thread_local volatile uint64_t result;

static void fine(struct wperf_error *error)
{
	if (!error)
		return;
	const char *hint = wperf_error_hint(error);
	fprintf(stderr, "%s\nhint: %s\n", wperf_error_message(error), hint ? hint : "-");
	exit(hint && strstr(hint, "perf_event_paranoid") ? SKIPPED : 1);
}

static void fails(struct wperf_error *error, enum wperf_error_kind kind, const char *words)
{
	CHECK(error);
	fprintf(stderr, "expected: %s\n", wperf_error_message(error));
	CHECK(wperf_error_kind_of(error) == kind);
	CHECK(strstr(wperf_error_message(error), words));
	wperf_error_free(error);
}

static double cpu_seconds(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / SECOND;
}

/** Two functions that are told apart by their names. */
static __attribute__((noinline)) void burn_one(int milliseconds)
{
	double end = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + milliseconds / 1e3;
	while (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		for (uint64_t i = 0; i < 100000; i++)
			result += i * i % 7;
}

static __attribute__((noinline)) void burn_two(int milliseconds)
{
	double end = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + milliseconds / 1e3;
	while (cpu_seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		for (uint64_t i = 0; i < 100000; i++)
			result += i * i % 11;
}

static struct wperf_session *open_session(void)
{
	struct wperf_session *session;
	fine(wperf_session_open(NULL, &session));
	return session;
}

static struct wperf_sampling_config config_of(enum wperf_scope scope)
{
	struct wperf_sampling_config config = WPERF_SAMPLING_CONFIG_INIT;
	config.events = "cpu-clock";
	config.scope = scope;
	return config;
}

struct run {
	struct wperf_session *session;
	struct wperf_sampling *sampling;
	struct wperf_profile *profile;
};

static struct run run_start(const struct wperf_sampling_config *config)
{
	struct run run = {.session = open_session()};
	fine(wperf_sampling_open(run.session, config, &run.sampling));
	fine(wperf_sampling_start(run.sampling));
	return run;
}

static void run_stop(struct run *run)
{
	fine(wperf_sampling_stop(run->sampling, &run->profile));
	fputs(wperf_profile_notes(run->profile), stderr);
}

static void run_end(struct run *run)
{
	wperf_sampling_close(run->sampling);
	wperf_session_close(run->session);
	wperf_profile_close(run->profile);
}

static void print_hot(const struct wperf_profile *profile, enum wperf_hot_key key)
{
	struct wperf_hot *hot;
	struct wperf_hot_row row;
	fine(wperf_profile_hot(profile, key, NULL, false, &hot));
	for (size_t i = 0; wperf_hot_row_at(hot, i, &row); i++)
		printf("%" PRIu64 " %s\n", row.self_count, row.label);
	wperf_hot_free(hot);
}

static size_t count_threads(const struct wperf_profile *profile)
{
	struct wperf_profile_facts facts;
	wperf_profile_describe(profile, &facts);
	return facts.num_threads;
}

/** Is there a thread of this process with that name? */
static bool has_thread(const char *name)
{
	bool is_found = false;
	DIR *folder = opendir("/proc/self/task");
	CHECK(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		char path[64], comm[32] = "";
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/comm", entry->d_name);
		FILE *file = fopen(path, "re");
		if (!file)
			continue;
		if (fscanf(file, "%31s", comm) == 1 && strcmp(comm, name) == 0)
			is_found = true;
		fclose(file);
	}
	closedir(folder);
	return is_found;
}

static void *burn_in_thread(void *name)
{
	pthread_setname_np(pthread_self(), name);
	burn_two(WORK);
	return NULL;
}

static atomic_bool is_started;

/** However long the start takes, there is something to sample after it. */
static void *burn_from_before(void *name)
{
	pthread_setname_np(pthread_self(), name);
	while (!is_started)
		burn_two(1);
	burn_two(WORK);
	return NULL;
}

/** A thread that was joined stays in /proc until the kernel has taken it apart. */
static void wait_for_end_of_thread(const char *name)
{
	for (int i = 0; i < 10000 && has_thread(name); i++)
		nanosleep(&(struct timespec){.tv_nsec = MS}, NULL);
	CHECK(!has_thread(name));
}

/** One thread runs before, one begins while it is sampled; that of the library is not there. */
static void test_threads(char **words)
{
	pthread_t early, late;
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
	pthread_create(&early, NULL, burn_from_before, "early");
	struct run run = run_start(&config);
	is_started = true;
	pthread_create(&late, NULL, burn_in_thread, "late");
	CHECK(has_thread("wperf"));
	burn_one(WORK);
	pthread_join(early, NULL);
	pthread_join(late, NULL);
	run_stop(&run);
	wait_for_end_of_thread("wperf");
	print_hot(run.profile, WPERF_HOT_THREAD);
	CHECK(count_threads(run.profile) == 3);
	run_end(&run);
}

static void test_one_thread(char **words)
{
	pthread_t other, late;
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_THREAD);
	pthread_create(&other, NULL, burn_in_thread, "other");
	struct run run = run_start(&config);
	pthread_create(&late, NULL, burn_in_thread, "late");
	burn_one(WORK);
	pthread_join(other, NULL);
	pthread_join(late, NULL);
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	CHECK(count_threads(run.profile) == 1);
	run_end(&run);
}

static void test_pid(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.pids = words[0];
	config.with_callers = true;
	struct run run = run_start(&config);
	fine(wperf_sampling_wait(run.sampling, 0, NULL)); // until it ends
	CHECK(wperf_sampling_is_over(run.sampling));
	CHECK(wperf_sampling_exit_code(run.sampling) == -1);
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	run_end(&run);
}

static void test_command(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.command = words;
	config.with_callers = true;
	struct run run = run_start(&config);
	CHECK(wperf_sampling_exit_code(run.sampling) == -1);
	fine(wperf_sampling_wait(run.sampling, 0, NULL));
	run_stop(&run);
	printf("exit code %d\n", wperf_sampling_exit_code(run.sampling));
	struct wperf_profile_facts facts;
	wperf_profile_describe(run.profile, &facts);
	print_hot(run.profile, facts.language[0] ? WPERF_HOT_PYTHON_LINE : WPERF_HOT_FUNCTION);
	run_end(&run);
}

/** What a command has in use at its end. */
static void test_memory(char **words)
{
	struct wperf_session_config memory = WPERF_SESSION_CONFIG_INIT;
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	memory.source = "memory";
	config.events = "heap:64K";
	config.command = words;
	config.with_callers = true;
	struct run run = {0};
	fine(wperf_session_open(&memory, &run.session));
	fine(wperf_sampling_open(run.session, &config, &run.sampling));
	fine(wperf_sampling_start(run.sampling));
	fine(wperf_sampling_wait(run.sampling, 0, NULL));
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	run_end(&run);
	// It samples only what it starts.
	config.command = NULL;
	fine(wperf_session_open(&memory, &run.session));
	struct wperf_error *refused = wperf_sampling_open(run.session, &config, &run.sampling);
	CHECK(refused &&
	      strstr(wperf_error_message(refused), "only in programs that wperf starts"));
	wperf_error_free(refused);
	wperf_session_close(run.session);
}

/** 40 MB, half of them freed again. */
static void __attribute__((noinline)) keep_memory(void)
{
	enum { SIZE = 10000, NUM = 4000 };
	static void *volatile kept[NUM];
	for (size_t i = 0; i < NUM; i++)
		kept[i] = malloc(SIZE);
	for (size_t i = 0; i < NUM; i += 2)
		free(kept[i]);
}

static void be_keeper(char **words)
{
	keep_memory();
}

static struct wperf_sampling *cancelled;
static atomic_int num_signals;

static void cancel_by_signal(int signal)
{
	atomic_fetch_add(&num_signals, 1);
	wperf_sampling_cancel(cancelled);
}

static void *cancel_by_thread(void *data)
{
	usleep(50000);
	wperf_sampling_cancel(cancelled);
	return NULL;
}

static void test_cancel(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
	struct run run = run_start(&config);
	cancelled = run.sampling;
	pthread_t thread;
	pthread_create(&thread, NULL, cancel_by_thread, NULL);
	fails(wperf_sampling_wait(run.sampling, 0, NULL), WPERF_ERROR_CANCELLED, "cancelled");
	pthread_join(thread, NULL);
	// Signals of the caller are its own: they come to its handler, in its thread.
	signal(SIGALRM, cancel_by_signal);
	setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 50000}}, NULL);
	fails(wperf_sampling_wait(run.sampling, 0, NULL), WPERF_ERROR_CANCELLED, "cancelled");
	CHECK(atomic_load(&num_signals) == 1);
	burn_one(WORK);
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	run_end(&run);
}

struct seen {
	int num_calls;
	struct wperf_progress last;
};

static bool see_progress(void *data, const struct wperf_progress *progress)
{
	struct seen *seen = data;
	CHECK(progress->elapsed_ns >= seen->last.elapsed_ns);
	CHECK(progress->num_samples >= seen->last.num_samples);
	CHECK(progress->done >= seen->last.done && progress->whole == SECOND);
	seen->last = *progress;
	seen->num_calls++;
	return true;
}

static void test_progress(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
	pthread_t thread;
	struct run run = run_start(&config);
	pthread_create(&thread, NULL, burn_in_thread, "busy");
	struct seen seen = {0};
	const struct wperf_watch watch = {.progress = see_progress, .data = &seen};
	fine(wperf_sampling_wait(run.sampling, SECOND, &watch));
	pthread_join(thread, NULL);
	CHECK(seen.num_calls >= 2 && seen.num_calls <= 10);
	CHECK(seen.last.num_samples > 0 && seen.last.elapsed_ns > 0);
	CHECK(!wperf_sampling_is_over(run.sampling));
	run_stop(&run);
	run_end(&run);
}

static const char *own_path;

struct other {
	char *function;
	struct run run;
};

static void *sample_other(void *data)
{
	struct other *other = data;
	char *words[] = {(char *)own_path, other->function, NULL};
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.command = words;
	other->run = run_start(&config);
	fine(wperf_sampling_wait(other->run.sampling, 0, NULL));
	run_stop(&other->run);
	CHECK(wperf_sampling_exit_code(other->run.sampling) == 0);
	return NULL;
}

static void test_two(char **words)
{
	struct other others[] = {{.function = "burn_one"}, {.function = "burn_two"}};
	pthread_t threads[2];
	for (size_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, sample_other, &others[i]);
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < 2; i++) {
		printf("command %s\n", others[i].function);
		print_hot(others[i].run.profile, WPERF_HOT_FUNCTION);
		run_end(&others[i].run);
	}
}

static void test_recording(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
	config.recording = words[0];
	config.with_callers = true;
	struct run run = run_start(&config);
	burn_one(WORK);
	burn_two(WORK);
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	run_end(&run);
}

/** The disk is full: the profile is complete, and says that the recording is not. */
static void test_full_disk(char **words)
{
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){8192, 8192});
	for (int i = 0; i < 2; i++) {
		struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
		config.recording = words[0];
		struct run run = run_start(&config);
		burn_one(WORK);
		if (i == 0) {
			run_stop(&run);
			CHECK(strstr(wperf_profile_notes(run.profile), "is not complete"));
			print_hot(run.profile, WPERF_HOT_FUNCTION);
		} else {
			fails(wperf_sampling_stop(run.sampling, NULL), WPERF_ERROR_FAILED,
			      "is not complete");
		}
		run_end(&run);
	}
}

/** The child has no part in it, and does not end it. */
static void test_fork(char **words)
{
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_PROCESS);
	struct run run = run_start(&config);
	pid_t child = fork();
	if (child == 0) {
		struct wperf_profile *profile;
		fails(wperf_sampling_stop(run.sampling, &profile), WPERF_ERROR_USAGE, "process");
		fails(wperf_sampling_wait(run.sampling, 0, NULL), WPERF_ERROR_USAGE, "process");
		wperf_sampling_close(run.sampling);
		burn_two(WORK);
		_exit(0);
	}
	burn_one(WORK);
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	run_stop(&run);
	print_hot(run.profile, WPERF_HOT_FUNCTION); // what it starts is sampled, too
	run_end(&run);
}

/** The target is killed: a normal end, with all samples. */
static void test_killed(char **words)
{
	char *command[] = {(char *)own_path, "burn_one_and_die", NULL};
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.command = command;
	struct run run = run_start(&config);
	fine(wperf_sampling_wait(run.sampling, 0, NULL));
	run_stop(&run);
	CHECK(wperf_sampling_exit_code(run.sampling) == 128 + SIGKILL);
	print_hot(run.profile, WPERF_HOT_FUNCTION);
	run_end(&run);
}

/** A command that runs on is ended by the close, and none is left behind. */
static void test_close(char **words)
{
	char *command[] = {"sleep", "1000", NULL};
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.command = command;
	for (int i = 0; i < 3; i++) {
		struct run run = {.session = open_session()};
		fine(wperf_sampling_open(run.session, &config, &run.sampling));
		if (i > 0)
			fine(wperf_sampling_start(run.sampling));
		if (i > 1)
			fine(wperf_sampling_stop(run.sampling, NULL));
		run_end(&run);
		CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
		wait_for_end_of_thread("wperf");
	}
}

static void test_refusals(char **words)
{
	struct wperf_session *session = open_session();
	struct wperf_sampling *sampling = NULL;
	struct wperf_sampling_config config = config_of(WPERF_SCOPE_MACHINE);
	config.pids = "2147483646";
	fails(wperf_sampling_open(session, &config, &sampling), WPERF_ERROR_FAILED, "2147483646");
	config.pids = "one";
	fails(wperf_sampling_open(session, &config, &sampling), WPERF_ERROR_USAGE, "one");
	char *command[] = {"/no/such/program", NULL};
	config = config_of(WPERF_SCOPE_MACHINE);
	config.command = command;
	struct wperf_error *error = wperf_sampling_open(session, &config, &sampling);
	if (!error)
		error = wperf_sampling_start(sampling);
	fails(error, WPERF_ERROR_FAILED, "/no/such/program");
	if (sampling) // it has not begun
		fails(wperf_sampling_stop(sampling, NULL), WPERF_ERROR_USAGE, "does not run");
	wperf_sampling_close(sampling);
	config = config_of(WPERF_SCOPE_PROCESS);
	config.events = "cpu-clok";
	fails(wperf_sampling_open(session, &config, &sampling), WPERF_ERROR_USAGE, "cpu-clok");
	config = config_of(WPERF_SCOPE_PROCESS);
	config.recording = "/no/such/folder/wperf.data";
	fails(wperf_sampling_open(session, &config, &sampling), WPERF_ERROR_FAILED,
	      "/no/such/folder");
	wperf_session_close(session);
}

static void be_one(char **words)
{
	burn_one(WORK);
}

static void be_two(char **words)
{
	burn_two(WORK);
}

static void die(char **words)
{
	burn_one(WORK);
	raise(SIGKILL);
}

static const struct {
	const char *name;
	void (*run)(char **words);
} tests[] = {
	{"threads", test_threads},
	{"one_thread", test_one_thread},
	{"pid", test_pid},
	{"command", test_command},
	{"memory", test_memory},
	{"cancel", test_cancel},
	{"progress", test_progress},
	{"two", test_two},
	{"recording", test_recording},
	{"full_disk", test_full_disk},
	{"fork", test_fork},
	{"killed", test_killed},
	{"close", test_close},
	{"refusals", test_refusals},
	{"keep_memory", be_keeper},
	{"burn_one", be_one},
	{"burn_two", be_two},
	{"burn_one_and_die", die},
};

int main(int argc, char **argv)
{
	own_path = argv[0];
	for (size_t i = 0; argc > 1 && i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (strcmp(tests[i].name, argv[1]) != 0)
			continue;
		tests[i].run(argv + 2);
		return 0;
	}
	return 2;
}
