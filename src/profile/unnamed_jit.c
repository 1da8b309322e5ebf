// SPDX-License-Identifier: Apache-2.0

#include "profile/unnamed_jit.h"

#include "base/container/array.h"

#include <string.h>

// Code of a JIT compiler has no names unless its runtime writes them, and each runtime has its own
// switch for that. If many samples are in memory without a file, the advice names the switch: the
// processes with such samples vote, by the module of each of their samples and by their name, for
// the runtime that they look like.

enum { MAX_PROCESSES = 64 };

// Names of modules or processes, and what their manuals say about perf.
static const struct {
	const char *names[3];
	const char *advice;
} runtimes[] = {
	{{"node", "nodejs"}, "start node with --perf-basic-prof"},
	{{"libjvm.so", "java"},
	 "start java (17 or newer) with -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"},
	{{"libcoreclr.so", "dotnet"}, "set DOTNET_PerfMapEnabled=1 for the program"},
	{{"luajit", "libluajit-5.1.so.2"}, "build LuaJIT with -DLUAJIT_USE_PERFTOOLS"},
	{{"ruby"}, "start ruby with --yjit-perf"},
	{{"beam.smp"}, "start Erlang with +JPperf true"},
	{{"wasmtime"}, "start wasmtime with --profile=perfmap"},
};

static const char any_advice[] = "let its compiler write /tmp/perf-PID.map or a jit-PID.dump";

/** Processes with such samples; more than these are like these. */
struct processes {
	uint32_t pids[MAX_PROCESSES];
	size_t num;
};

static bool has_process(const struct processes *processes, uint32_t pid)
{
	for (size_t i = 0; i < processes->num; i++)
		if (processes->pids[i] == pid)
			return true;
	return false;
}

/** Where the sample was taken; NULL: not known. */
static const struct named_function *leaf_of(const struct named_profile *profile,
					    const struct named_sample *sample)
{
	if (sample->stack == STACK_NONE)
		return NULL;
	const struct stack_node *node = &profile->stacks.nodes[sample->stack];
	return &profile->functions[profile->frames[node->frame].function];
}

static const char *unnamed_jit_module_of(const struct named_profile *profile,
					 const struct named_function *function)
{
	return function && function->module != NAMED_NONE
		       ? named_profile_text(profile, profile->modules[function->module].name)
		       : "";
}

/** Memory without a file, as the kernel and .NET name it. */
static bool is_unnamed(const struct named_profile *profile, const struct named_function *leaf)
{
	const char *module = unnamed_jit_module_of(profile, leaf);
	// Memory without a file, as the kernel and .NET name it.
	bool is_memory = strcmp(module, "[memory]") == 0 || strncmp(module, "[anon", 5) == 0 ||
			 strncmp(module, "memfd:doublemapper", 18) == 0;
	return leaf && is_memory &&
	       strcmp(named_profile_text(profile, leaf->name), "[unknown]") == 0;
}

/** ARRAY_SIZE(runtimes): none of them. */
static size_t runtime_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++)
		for (size_t k = 0; k < ARRAY_SIZE(runtimes[i].names); k++)
			if (runtimes[i].names[k] && strcmp(runtimes[i].names[k], name) == 0)
				return i;
	return ARRAY_SIZE(runtimes);
}

/** The runtime that most samples of these processes point at, by module or by process. */
static const char *choose_advice(const struct named_profile *profile,
				 const struct processes *processes)
{
	uint64_t votes[ARRAY_SIZE(runtimes) + 1] = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->thread >= profile->num_threads)
			continue;
		const struct named_thread *thread = &profile->threads[sample->thread];
		if (!has_process(processes, thread->pid))
			continue;
		votes[runtime_of(unnamed_jit_module_of(profile, leaf_of(profile, sample)))] +=
			sample->count;
		votes[runtime_of(named_profile_text(profile, thread->process_name))] +=
			sample->count;
	}
	size_t best = ARRAY_SIZE(runtimes);
	// Votes for no known runtime do not count.
	votes[best] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++)
		if (votes[i] > votes[best])
			best = i;
	return best < ARRAY_SIZE(runtimes) ? runtimes[best].advice : any_advice;
}

struct unnamed_jit unnamed_jit_find(const struct named_profile *profile)
{
	struct processes processes = {.num = 0};
	uint64_t whole = 0, unnamed = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		whole += sample->count;
		if (!is_unnamed(profile, leaf_of(profile, sample)))
			continue;
		unnamed += sample->count;
		if (sample->thread >= profile->num_threads)
			continue;
		uint32_t pid = profile->threads[sample->thread].pid;
		if (processes.num < MAX_PROCESSES && !has_process(&processes, pid))
			processes.pids[processes.num++] = pid;
	}
	return (struct unnamed_jit){
		.percent = whole ? 100.0 * (double)unnamed / (double)whole : 0,
		.advice = choose_advice(profile, &processes),
	};
}
