// SPDX-License-Identifier: Apache-2.0

#include "session/target.h"

#include "base/os/interrupt.h"
#include "base/thread/wake_event.h"
#include "process/process_watch.h"
#include "session/control/control_channel.h"
#include "session/program/program_path.h"

#include <stdlib.h>

// A wait has one file descriptor: the command's, or that of the only process. If several processes
// are watched, or processes and a command that is only a clock, target_wait() wakes up regularly
// (POLL_NS) and asks each, which is cheap for the few processes that a user names.

enum { POLL_NS = 100000000 }; // how often processes are checked that a wait does not include

/** The source sees the program from inside. */
static struct error *target_prepare_environment(const struct target_command *command,
						char *const **ret)
{
	_cleanup_free_ char *path = NULL;
	struct error *err = program_path_find(command->words[0], &path);
	return err ? err : command->source->ops->environment(command->source, path, ret);
}

struct error *target_spawn(struct target *target, const struct target_command *command)
{
	const struct source_ops *ops = command->source->ops;
	char *const *words = command->words;
	struct error *err = NULL;
	if (ops->traits.is_simulated)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "source '%s' simulates a machine and cannot run '%s'",
				     ops->traits.name, words[0]),
			"leave out the command, or use --source perf");
	if (ops->wrap_command)
		err = ops->wrap_command(command->source, words, command->sysroot, &words);
	char *const *environment = NULL;
	if (!err && ops->environment && !command->is_clock)
		err = target_prepare_environment(command, &environment);
	if (!err)
		err = child_spawn(words, environment, command->cores, command->num_cores,
				  command->output, &target->child);
	if (err)
		return err;
	target->has_command = true;
	target->is_clock = command->is_clock;
	// It takes the place of a watched process, which target_wait() polls from now on: see
	// must_check().
	target->fd = target->child.pidfd;
	return NULL;
}

struct error *target_watch(struct target *target, const uint32_t *pids, size_t num_pids)
{
	if (!num_pids)
		return NULL;
	target->watches = calloc(num_pids, sizeof(*target->watches));
	if (!target->watches)
		return &error_no_memory;
	for (size_t i = 0; i < num_pids; i++) {
		struct error *err = process_watch_open(pids[i], &target->watches[i]);
		if (err)
			return err;
		target->num_watches++;
	}
	if (num_pids == 1)
		target->fd = target->watches[0];
	return NULL;
}

struct error *target_release(struct target *target)
{
	if (!target->has_command || target->is_released)
		return NULL;
	target->is_released = true;
	return child_release(&target->child);
}

static bool have_processes_ended(const struct target *target)
{
	for (size_t i = 0; i < target->num_watches; i++)
		if (!process_watch_has_ended(target->watches[i]))
			return false;
	return true;
}

/** A wait has room for one end: that of a clock, or of the only process. */
static bool must_check(const struct target *target)
{
	return target->num_watches > 1 || (target->num_watches && target->has_command);
}

struct error *target_wait(const struct target *target, uint64_t timeout_ns, enum target_end *ret)
{
	if (must_check(target) && timeout_ns > POLL_NS)
		timeout_ns = POLL_NS;
	enum interrupt_wake wake;
	// A command comes first as well: it is carried out before the end is.
	int stop_fd = target->stop ? target->stop->fd : target->control ? target->control->fd : -1;
	struct error *err = interrupt_wait_with(target->fd, stop_fd, timeout_ns, &wake);
	if (err)
		return err;
	*ret = TARGET_TIME_UP;
	if (wake == INTERRUPT_WAKE_REQUESTED)
		*ret = target->control && !interrupt_requested() ? TARGET_COMMANDED
								 : TARGET_INTERRUPTED;
	else if (wake == INTERRUPT_WAKE_READY ||
		 (must_check(target) && have_processes_ended(target)))
		*ret = TARGET_ENDED;
	return NULL;
}

struct error *target_poll(const struct target *target, enum target_end *ret)
{
	return target_wait(target, 0, ret);
}

/** A clock that still runs when its processes have ended is not waited for: the run is over. */
struct error *target_collect(struct target *target)
{
	if (!target->has_command || target->child.has_ended ||
	    !process_watch_has_ended(target->child.pidfd))
		return NULL;
	return child_wait(&target->child);
}

struct target_command_end target_command_end(const struct target *target)
{
	return (struct target_command_end){
		.has_ended = target->child.has_ended,
		.exit_code = target->child.exit_code,
		.user_ns = target->child.user_ns,
		.system_ns = target->child.system_ns,
	};
}

void target_deinit(struct target *target)
{
	for (size_t i = 0; i < target->num_watches; i++)
		process_watch_close(&target->watches[i]);
	free(target->watches);
	child_deinit(&target->child);
	*target = (struct target)TARGET_INIT;
}
