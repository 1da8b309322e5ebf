// SPDX-License-Identifier: Apache-2.0

#include "session/target.h"

#include "base/interrupt.h"
#include "process/process_watch.h"

enum { POLL_NS = 100000000 }; // how often several processes are asked whether they are there

static struct error *check_machine(const struct target_command *command)
{
	if (!command->source->ops->pass_time)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "source '%s' simulates a machine and cannot run '%s'",
					    command->source->ops->name, command->words[0]),
			       "leave out the command, or use --source perf");
}

struct error *target_spawn(struct target *target, const struct target_command *command)
{
	const struct source_ops *ops = command->source->ops;
	char *const *words = command->words;
	struct error *err = check_machine(command);
	if (!err && ops->wrap_command)
		err = ops->wrap_command(command->source, words, command->sysroot, &words);
	if (!err)
		err = child_spawn(words, command->cores, command->num_cores, command->output,
				  &target->child);
	if (err)
		return err;
	target->has_command = true;
	target->fd = target->child.pidfd;
	target->pids = &target->child.pid;
	target->num_pids = 1;
	return NULL;
}

struct error *target_watch(struct target *target, const uint32_t *pids, size_t num_pids)
{
	target->pids = pids;
	target->num_pids = num_pids;
	return num_pids == 1 ? process_watch_open(pids[0], &target->fd) : NULL;
}

struct error *target_release(struct target *target)
{
	if (!target->has_command || target->is_released)
		return NULL;
	target->is_released = true;
	return child_release(&target->child);
}

/** Are all of several processes gone? */
static bool are_gone(const struct target *target)
{
	for (size_t i = 0; i < target->num_pids; i++)
		if (!process_watch_has_ended(target->pids[i]))
			return false;
	return target->num_pids > 0;
}

static bool must_ask(const struct target *target)
{
	return target->fd < 0 && target->num_pids > 0;
}

struct error *target_wait(const struct target *target, uint64_t timeout_ns, enum target_end *ret)
{
	if (must_ask(target) && timeout_ns > POLL_NS)
		timeout_ns = POLL_NS;
	enum interrupt_wake wake;
	struct error *err = interrupt_wait(target->fd, timeout_ns, &wake);
	if (err)
		return err;
	*ret = TARGET_TIME_UP;
	if (wake == INTERRUPT_WAKE_REQUESTED)
		*ret = TARGET_INTERRUPTED;
	else if (wake == INTERRUPT_WAKE_READY || (must_ask(target) && are_gone(target)))
		*ret = TARGET_ENDED;
	return NULL;
}

struct error *target_poll(const struct target *target, enum target_end *ret)
{
	return target_wait(target, 0, ret);
}

struct error *target_collect(struct target *target)
{
	return target->has_command ? child_wait(&target->child) : NULL;
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
	if (!target->has_command)
		process_watch_close(&target->fd);
	child_deinit(&target->child);
	*target = (struct target)TARGET_INIT;
}
