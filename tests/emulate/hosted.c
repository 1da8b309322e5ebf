// SPDX-License-Identifier: Apache-2.0
// A program with a C library: hosted MODE ROUNDS [FILE]. modes[] says what it can do.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUM_THREADS = 4 };

extern char **environ;
extern void loop_int(long rounds, void *memory);

static _Alignas(64) long memory[NUM_THREADS + 1][32];

static int run_loop(long rounds, const char *file)
{
	loop_int(rounds, memory[0]);
	return 0;
}

struct job {
	long rounds;
	int number;
};

static void *thread_main(void *context)
{
	struct job *job = context;
	char name[16];
	snprintf(name, sizeof(name), "job-%d", job->number);
	pthread_setname_np(pthread_self(), name);
	loop_int(job->rounds, memory[job->number + 1]);
	return NULL;
}

static int run_threads(long rounds, const char *file)
{
	pthread_t threads[NUM_THREADS];
	struct job jobs[NUM_THREADS];
	for (int i = 0; i < NUM_THREADS; i++) {
		jobs[i] = (struct job){rounds * (i + 1), i};
		pthread_create(&threads[i], NULL, thread_main, &jobs[i]);
	}
	for (int i = 0; i < NUM_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int run_fork(long rounds, const char *file)
{
	int status = 1;
	pid_t child = fork();
	if (child == 0) {
		loop_int(rounds, memory[0]);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

/** @file: a program, or a script. */
static int run_spawn(long rounds, const char *file)
{
	char text[24];
	snprintf(text, sizeof(text), "%ld", rounds);
	char *words[] = {(char *)file, (char *)"loop", text, NULL};
	pid_t child;
	int status = 1;
	if (posix_spawn(&child, file, NULL, NULL, words, environ) == 0)
		waitpid(child, &status, 0);
	return status != 0;
}

static int run_self(long rounds, const char *file)
{
	return run_spawn(rounds, "/proc/self/exe");
}

static int run_exec_by_fd(long rounds, const char *file)
{
	char text[24];
	snprintf(text, sizeof(text), "%ld", rounds);
	char *words[] = {(char *)file, (char *)"loop", text, NULL};
	FILE *program = fopen(file, "re");
	if (program)
		fexecve(fileno(program), words, environ);
	return 9;
}

static int run_system(long rounds, const char *command)
{
	return system(command) != 0;
}

static int run_plugged(long rounds, const char *file)
{
	void *library = dlopen(file, RTLD_NOW);
	void (*loop)(long, volatile long *) = NULL;
	if (library)
		*(void **)&loop = dlsym(library, "plugged_loop");
	if (!loop)
		return 9;
	loop(rounds, memory[0]);
	return dlclose(library);
}

static const struct {
	const char *name;
	int (*function)(long rounds, const char *file);
} modes[] = {
	{"loop", run_loop},   {"threads", run_threads},       {"fork", run_fork},
	{"spawn", run_spawn}, {"system", run_system},         {"plugged", run_plugged},
	{"self", run_self},   {"exec_by_fd", run_exec_by_fd},
};

int main(int num_words, char **words)
{
	for (size_t i = 0; num_words > 2 && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, words[1]) == 0)
			return modes[i].function(strtol(words[2], NULL, 10), words[3]);
	return 2;
}
