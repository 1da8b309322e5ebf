// SPDX-License-Identifier: Apache-2.0

/**
 * Runs `report`, `annotate` and `export` on damaged recordings:
 * run_mutated_recordings FOLDER FIRST NUM FILE...
 *
 * Mutation FIRST, FIRST + 1, ... takes the files in turn. wperf's main() is called in a child that
 * is forked once per BATCH mutations: starting a program for each takes longer than the commands
 * do. A command that dies, takes more than MAX_SECONDS of CPU time or more than MAX_RESIDENT of
 * memory is a finding: its file is kept in FOLDER as finding-N.data, and the next child goes on
 * behind it.
 */

#include "tests/fuzz/etl_mutation.h"
#include "tests/fuzz/recording_mutation.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int wperf_main(int argc, char **argv); /* src/cli/main.c */

enum {
	BATCH = 32, // each command confines the child once more (base/os/confinement.h)
	MAX_SECONDS = 10,
	MAX_WALL_SECONDS = 120, // without any progress, on a busy machine
	POLL_MS = 100,
	MAX_FINDINGS = 25, // one bug often shows itself by many files
	MAX_WORDS = 8,
	EXIT_MEMORY = 90,
	EXIT_UNKNOWN_CODE = 91,
};
#define MAX_RESIDENT (UINT64_C(1) << 30)

struct original {
	const char *path;
	uint8_t *bytes;
	size_t size;
};

/** What the child tells its parent while it works. */
struct progress {
	uint64_t mutation;
	unsigned command;
	uint64_t num_runs;   // of commands
	uint64_t num_worked; // exit code 0
	uint64_t max_resident;
};

struct runner {
	const char *folder;
	const struct original *originals;
	size_t num_originals;
	struct progress *progress;
	size_t num_findings;
};

// The words of a command; which of its forms is used depends on the mutation.
static const char *const reports[][MAX_WORDS] = {
	{"report"},
	{"report", "--tree", "down"},
	{"report", "--sort", "line"},
	{"report", "--sort", "thread"},
	{"report", "--tree", "callers", "-v"},
	{"report", "--json"},
};
// Beside the recording that it was made of; these two words are replaced by paths.
#define ORIGINAL "ORIGINAL"
#define PAGE     "PAGE"
static const char *const diffs[][MAX_WORDS] = {
	{"report", "--diff", ORIGINAL, "--html", PAGE},
	{"report", "--diff", ORIGINAL, "--json", "--fail-above", "5"},
	{"report", "--diff", ORIGINAL, "--sort", "line", "--html", PAGE},
};
static const char *const annotations[][MAX_WORDS] = {
	{"annotate"},
	{"annotate", "--disassemble"},
	{"annotate", "-v"},
};
static const char *const exports[][MAX_WORDS] = {
	{"export", "--format", "pprof"},       {"export", "--format", "firefox"},
	{"export", "--format", "speedscope"},  {"export", "--format", "collapsed"},
	{"export", "--format", "perf-script"}, {"export", "--format", "autofdo"},
};

#define FORMS(table)                                      \
	{                                                 \
		table, sizeof(table) / sizeof((table)[0]) \
	}
static const struct {
	const char *const (*forms)[MAX_WORDS];
	size_t num_forms;
} commands[] = {FORMS(reports), FORMS(diffs), FORMS(annotations), FORMS(exports)};
enum { NUM_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void die(const char *what, const char *on)
{
	fprintf(stderr, "error: cannot %s '%s'\n", what, on);
	exit(2);
}

static struct original read_original(const char *path)
{
	struct original original = {.path = path};
	struct stat status;
	FILE *file = fopen(path, "rb");
	if (!file || fstat(fileno(file), &status) != 0)
		die("open", path);
	original.size = (size_t)status.st_size;
	original.bytes = malloc(original.size + 1);
	if (!original.bytes || fread(original.bytes, 1, original.size, file) != original.size)
		die("read", path);
	fclose(file);
	return original;
}

static struct recording_mutation mutate(const struct runner *runner, uint64_t number)
{
	const struct original *original = &runner->originals[number % runner->num_originals];
	// Either kind of file says what it is: etl_mutation.h.
	bool is_perf_data = original->size >= 8 && !memcmp(original->bytes, "PERFILE2", 8);
	return is_perf_data ? recording_mutation_create(original->bytes, original->size, number)
			    : etl_mutation_create(original->bytes, original->size, number);
}

static void write_mutation(const struct runner *runner, uint64_t number, const char *path)
{
	struct recording_mutation mutation = mutate(runner, number);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, mutation.bytes, mutation.size) != (ssize_t)mutation.size)
		die("write", path);
	close(fd);
	recording_mutation_destroy(&mutation);
}

/** The peak since the last reset (proc(5): clear_refs), in bytes. */
static uint64_t take_peak_resident(void)
{
	uint64_t kb = 0;
	char line[128];
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmHWM: %" SCNu64, &kb) == 1)
			break;
	if (status)
		fclose(status);
	FILE *reset = fopen("/proc/self/clear_refs", "w");
	if (reset) {
		fputs("5", reset);
		fclose(reset);
	}
	return kb << 10;
}

static void limit_cpu_time(void)
{
	const struct itimerval limit = {.it_value = {.tv_sec = MAX_SECONDS}};
	setitimer(ITIMER_PROF, &limit, NULL); // SIGPROF ends the child
}

/** What the command is called with; the page's path is @page. */
static int fill_words(const struct runner *runner, const char *path, const char *page,
		      const char *words[MAX_WORDS + 4])
{
	const struct progress *progress = runner->progress;
	uint64_t round = progress->mutation / runner->num_originals;
	const char *original = runner->originals[progress->mutation % runner->num_originals].path;
	const char *const *form =
		commands[progress->command].forms[round % commands[progress->command].num_forms];
	int num_words = 0;
	const char *input = path;
	words[num_words++] = "wperf";
	for (size_t i = 0; i < MAX_WORDS && form[i]; i++) {
		const char *word = strcmp(form[i], PAGE) ? form[i] : page;
		// Every other time the damaged recording is the later one.
		bool is_later = !strcmp(word, ORIGINAL) && round % 2;
		if (!strcmp(word, ORIGINAL))
			word = is_later ? path : original;
		if (is_later)
			input = original;
		words[num_words++] = word;
	}
	words[num_words++] = "-i";
	words[num_words++] = input;
	return num_words;
}

static void run_command(const struct runner *runner, const char *path)
{
	struct progress *progress = runner->progress;
	const char *words[MAX_WORDS + 4] = {NULL};
	char page[4096 + sizeof(".html")];
	snprintf(page, sizeof(page), "%s.html", path);
	int num_words = fill_words(runner, path, page, words);
	limit_cpu_time();
	int code = wperf_main(num_words, (char **)words);
	progress->num_runs++;
	progress->num_worked += code == 0;
	if (code < 0 || code > 2)
		exit(EXIT_UNKNOWN_CODE);
	uint64_t resident = take_peak_resident();
	if (resident > progress->max_resident)
		progress->max_resident = resident;
	if (resident > MAX_RESIDENT)
		exit(EXIT_MEMORY);
}

/** In the child: from the mutation of @progress on. */
static void run_batch(struct runner *runner, uint64_t end, const char *path)
{
	struct progress *progress = runner->progress;
	prctl(PR_SET_PDEATHSIG, SIGKILL); // a run that is interrupted leaves nobody
	int nowhere = open("/dev/null", O_RDWR);
	for (int fd = 0; fd <= 2; fd++)
		dup2(nowhere, fd);
	for (; progress->mutation < end; progress->mutation++) {
		write_mutation(runner, progress->mutation, path);
		for (progress->command = 0; progress->command < NUM_COMMANDS; progress->command++)
			run_command(runner, path);
	}
	exit(0); // not _exit(): the sanitizer looks for leaks
}

static uint64_t resident_of(pid_t pid)
{
	char path[64];
	uint64_t pages = 0;
	snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	FILE *statm = fopen(path, "r");
	if (!statm || fscanf(statm, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	if (statm)
		fclose(statm);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/** Waits for the child, and ends it where it takes too much. @return: of waitpid(). */
static int watch(const struct progress *progress, pid_t child, const char **why)
{
	int status = 0;
	uint64_t last_run = progress->num_runs;
	double last = now();
	const struct timespec pause = {.tv_nsec = POLL_MS * 1000000};
	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	while (waitpid(child, &status, WNOHANG) == 0) {
		if (progress->num_runs != last_run) {
			last_run = progress->num_runs;
			last = now();
		}
		if (now() - last > MAX_WALL_SECONDS)
			*why = "does not end";
		if (resident_of(child) > MAX_RESIDENT + MAX_RESIDENT / 4)
			*why = "takes too much memory";
		if (*why)
			kill(child, SIGKILL);
		sigtimedwait(&children, NULL, &pause);
	}
	return status;
}

static const char *explain(int status)
{
	static char text[64];
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		return "takes too much CPU time";
	if (WIFSIGNALED(status))
		return strsignal(WTERMSIG(status));
	if (WEXITSTATUS(status) == EXIT_MEMORY)
		return "takes too much memory";
	snprintf(text, sizeof(text), "exit code %d", WEXITSTATUS(status));
	return text;
}

static void note_finding(struct runner *runner, const char *why)
{
	const struct progress *progress = runner->progress;
	const char *const *form = commands[progress->command % NUM_COMMANDS].forms[0];
	char path[4096];
	snprintf(path, sizeof(path), "%s/finding-%" PRIu64 ".data", runner->folder,
		 progress->mutation);
	write_mutation(runner, progress->mutation, path);
	printf("finding: %s, made from '%s', %s: %s\n", path,
	       runner->originals[progress->mutation % runner->num_originals].path, form[0], why);
	fflush(stdout);
	runner->num_findings++;
}

/** As far as one child comes. */
static void run_child(struct runner *runner, uint64_t end, const char *path)
{
	const char *why = NULL;
	pid_t child = fork();
	if (child < 0)
		die("fork for", path);
	if (child == 0)
		run_batch(runner, end, path);
	int status = watch(runner->progress, child, &why);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	// Leaks are found at the end, and belong to any mutation of the batch.
	note_finding(runner, why ? why : explain(status));
	if (runner->progress->mutation < end)
		runner->progress->mutation++;
}

static void run_all(struct runner *runner, uint64_t first, uint64_t num)
{
	struct progress *progress = runner->progress;
	char path[4096], page[4096 + sizeof(".html")];
	snprintf(path, sizeof(path), "%s/mutation-%" PRIu64 ".data", runner->folder, first);
	progress->mutation = first;
	while (progress->mutation < first + num && runner->num_findings < MAX_FINDINGS) {
		uint64_t left = first + num - progress->mutation;
		run_child(runner, progress->mutation + (left < BATCH ? left : BATCH), path);
	}
	unlink(path);
	snprintf(page, sizeof(page), "%s.html", path);
	unlink(page);
	printf("%" PRIu64 " mutations, %" PRIu64 " commands, %" PRIu64 " of them worked, at most "
	       "%" PRIu64 " MB, %zu findings\n",
	       progress->mutation - first, progress->num_runs, progress->num_worked,
	       progress->max_resident >> 20, runner->num_findings);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		die("run without", "FOLDER FIRST NUM FILE...");
	size_t num_originals = (size_t)argc - 4;
	struct original *originals = calloc(num_originals, sizeof(*originals));
	for (size_t i = 0; originals && i < num_originals; i++)
		originals[i] = read_original(argv[4 + i]);
	struct progress *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!originals || progress == MAP_FAILED)
		die("get memory for", argv[4]);
	struct runner runner = {argv[1], originals, num_originals, progress, 0};
	// Waited for with sigtimedwait(), which needs it blocked.
	sigset_t children;
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	run_all(&runner, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
	for (size_t i = 0; i < num_originals; i++)
		free(originals[i].bytes);
	free(originals);
	return runner.num_findings != 0;
}
