// SPDX-License-Identifier: Apache-2.0

#include "report/calls/waiting_frame.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "report/calls/wait_rule.h"

#include <inttypes.h>

// The kernel's functions say what a thread waits for, from the innermost one outwards: the first
// one that a rule knows. A page that has to be read is a page fault, whatever reads it. Where the
// kernel's frames are not there, the functions of the C library say the same, with fewer kinds.

static const struct wait_rule futex_rules[] = {
	{"take_gil", "GIL"},
	{"mutex", "lock"},
	{"rwlock", "lock"},
	{"lll_lock", "lock"},
	{"cond_", "condition"},
	{"clockjoin", "thread end"},
	{"pthread_join", "thread end"},
	{"sem_", "semaphore"},
};

// Beginnings of names. Linux 6.1 to 6.18; kernels before may have others, which are "other".
static const struct wait_rule kernel_rules[] = {
	{"anon_pipe_", "pipe"},
	{"pipe_", "pipe"},
	{"wait_for_partner", "pipe"},
	{"do_nanosleep", "sleep"},
	{"hrtimer_nanosleep", "sleep"},
	{"do_wait", "child"},
	{"kernel_wait4", "child"},
	{"wait_for_vfork_done", "child"},
	{"kernel_clone", "child"},
	{"ep_poll", "poll"},
	{"do_epoll_wait", "poll"},
	{"do_poll", "poll"},
	{"do_sys_poll", "poll"},
	{"do_select", "poll"},
	{"poll_schedule_timeout", "poll"},
	{"sk_wait_", "network"},
	{"sk_stream_wait_", "network"},
	{"__skb_", "network"},
	{"inet_", "network"},
	{"tcp_", "network"},
	{"unix_", "network"},
	{"sock_", "network"},
	{"io_schedule", "disk"},
	{"folio_wait_", "disk"},
	{"__folio_lock", "disk"},
	{"submit_bio_wait", "disk"},
	{"blk_", "disk"},
	{"jbd2_", "disk"},
	{"ext4_", "disk"},
	{"xfs_", "disk"},
	{"vfs_fsync", "disk"},
	{"do_sigtimedwait", "signal"},
	{"__x64_sys_pause", "signal"},
	{"__arm64_sys_pause", "signal"},
	{"sigsuspend", "signal"},
	{"n_tty_", "device"},
	{"tty_", "device"},
	{"ptrace_stop", "stop"},
	{"do_signal_stop", "stop"},
};

static const char *const fault_names[] = {"asm_exc_page_fault", "exc_page_fault", "do_page_fault",
					  "handle_mm_fault", "do_mem_abort"};

// Of the C library: its functions without versions and underscores.
static const struct wait_rule library_rules[] = {
	{"nanosleep", "sleep"}, {"usleep", "sleep"},   {"epoll_", "poll"},   {"poll", "poll"},
	{"select", "poll"},     {"wait4", "child"},    {"waitpid", "child"}, {"waitid", "child"},
	{"accept", "network"},  {"recv", "network"},   {"send", "network"},  {"connect", "network"},
	{"fsync", "disk"},      {"sigwait", "signal"}, {"pause", "signal"},
};

static const struct named_function *waiting_frame_function(const struct named_profile *profile,
							   uint32_t stack)
{
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	return &profile->functions[frame->function];
}

static const char *waiting_frame_text(const struct named_profile *profile, uint32_t stack)
{
	return named_profile_text(profile, waiting_frame_function(profile, stack)->name);
}

static bool waiting_frame_is_kernel(const struct named_profile *profile, uint32_t stack)
{
	return waiting_frame_function(profile, stack)->kind == FRAME_KERNEL;
}

uint32_t waiting_frame_leave_kernel(const struct named_profile *profile, uint32_t stack)
{
	while (stack != STACK_NONE && waiting_frame_is_kernel(profile, stack))
		stack = profile->stacks.nodes[stack].parent;
	return stack;
}

/** The C library's and the loader's: who calls them is of interest. */
static bool waiting_frame_is_runtime(const struct named_profile *profile,
				     const struct named_function *function)
{
	static const char *const prefixes[] = {"libc.so", "libc-",   "libpthread", "ld-linux",
					       "ld-musl", "libm.so", "[vdso]"};
	if (function->kind != FRAME_NATIVE || function->module == NAMED_NONE)
		return false;
	const char *module = named_profile_text(profile, profile->modules[function->module].name);
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strncmp(module, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

uint32_t waiting_frame_find(const struct named_profile *profile, uint32_t stack)
{
	uint32_t found = NAMED_NONE, first = NAMED_NONE;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		const struct named_function *function = waiting_frame_function(profile, stack);
		uint32_t frame = profile->stacks.nodes[stack].frame;
		if (function->kind == FRAME_INTERPRETED)
			return frame;
		if (first == NAMED_NONE)
			first = frame;
		if (found == NAMED_NONE && function->kind != FRAME_MARKER &&
		    !waiting_frame_is_runtime(profile, function))
			found = frame;
	}
	return found == NAMED_NONE ? first : found;
}

const char *waiting_frame_futex_kind(const struct named_profile *profile, uint32_t stack)
{
	const char *kind = NULL;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		const struct named_function *function = waiting_frame_function(profile, stack);
		// Locks of CPython up to 3.12 are semaphores.
		if (function->kind == FRAME_INTERPRETED)
			return kind && strcmp(kind, "semaphore") == 0 ? "lock"
			       : kind                                 ? kind
								      : "futex";
		if (!kind)
			kind = wait_rule_find(futex_rules, ARRAY_SIZE(futex_rules),
					      named_profile_text(profile, function->name), true);
	}
	return kind ? kind : "futex";
}

static bool waiting_frame_begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool waiting_frame_is_fault(const struct named_profile *profile, uint32_t stack)
{
	for (; stack != STACK_NONE && waiting_frame_is_kernel(profile, stack);
	     stack = profile->stacks.nodes[stack].parent)
		for (size_t i = 0; i < ARRAY_SIZE(fault_names); i++)
			if (waiting_frame_begins(waiting_frame_text(profile, stack),
						 fault_names[i]))
				return true;
	return false;
}

/** NULL: no rule knows its functions in the kernel. */
static const char *waiting_frame_kernel_kind(const struct named_profile *profile, uint32_t stack,
					     uint32_t caller)
{
	for (; stack != caller; stack = profile->stacks.nodes[stack].parent) {
		const char *name = waiting_frame_text(profile, stack);
		if (waiting_frame_begins(name, "futex_") || waiting_frame_begins(name, "do_futex"))
			return waiting_frame_futex_kind(profile, caller);
		for (size_t i = 0; i < ARRAY_SIZE(kernel_rules); i++)
			if (waiting_frame_begins(name, kernel_rules[i].name))
				return kernel_rules[i].kind;
	}
	return NULL;
}

static const char *waiting_frame_library_kind(const struct named_profile *profile, uint32_t stack)
{
	const char *futex = waiting_frame_futex_kind(profile, stack);
	if (strcmp(futex, "futex") != 0)
		return futex;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		const struct named_function *function = waiting_frame_function(profile, stack);
		if (!waiting_frame_is_runtime(profile, function))
			return NULL;
		const char *kind =
			wait_rule_find(library_rules, ARRAY_SIZE(library_rules),
				       named_profile_text(profile, function->name), true);
		if (kind)
			return kind;
	}
	return NULL;
}

const char *waiting_frame_kind(const struct named_profile *profile, uint32_t stack)
{
	uint32_t caller = waiting_frame_leave_kernel(profile, stack);
	if (waiting_frame_is_fault(profile, stack))
		return "page fault";
	const char *kind = waiting_frame_kernel_kind(profile, stack, caller);
	if (!kind)
		kind = waiting_frame_library_kind(profile, caller);
	return kind ? kind : "other";
}

struct error *waiting_frame_name(const struct named_profile *profile,
				 const struct short_paths *paths, uint32_t frame,
				 struct string_builder *line, const char **ret_function)
{
	if (frame == NAMED_NONE) {
		string_builder_append(line, "[unknown]");
		*ret_function = "";
		return line->failed ? &error_no_memory : NULL;
	}
	const struct named_frame *named = &profile->frames[frame];
	const struct named_function *function = &profile->functions[named->function];
	*ret_function = named_profile_text(profile, function->name);
	if (function->kind == FRAME_INTERPRETED) {
		string_builder_append(line, short_path(paths, named->file));
		if (named->line)
			string_builder_appendf(line, ":%" PRIu32, named->line);
	} else if (named->line) {
		string_builder_appendf(line, "%s:%" PRIu32,
				       file_name_of(named_profile_text(profile, named->file)),
				       named->line);
	} else if (function->module != NAMED_NONE) {
		string_builder_append(
			line, named_profile_text(profile, profile->modules[function->module].name));
	}
	return line->failed ? &error_no_memory : NULL;
}
