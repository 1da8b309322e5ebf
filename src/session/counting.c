// SPDX-License-Identifier: Apache-2.0

#include "session/counting.h"

#include "base/interrupt.h"
#include "session/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { POLL_NS = 100000000 }; // how often several processes are asked whether they are there

struct counting {
	struct source *source;
	struct count_plan plan;
	struct child child;
	bool has_command, is_released;
	int target_fd;         /* of a single process that is watched, or -1 */
	uint64_t simulated_ns; /* time of a source that passes it at our word */
	uint64_t duration_ns;
	uint64_t began_ns, began_epoch_ns;
	enum counting_end end;
};

void counting_result_deinit(struct counting_result *result)
{
	source_counts_deinit(&result->counts);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool is_simulated(const struct counting *counting)
{
	return counting->source->ops->pass_time != NULL;
}

static uint64_t now_ns(const struct counting *counting)
{
	return is_simulated(counting) ? counting->simulated_ns : clock_ns(CLOCK_MONOTONIC);
}

/** The command waits before its first instruction until the first count begins. */
static struct error *prepare_command(struct counting *counting, char *const *command)
{
	if (is_simulated(counting))
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' plays a machine of its own and "
						    "cannot run '%s'",
						    counting->source->ops->name, command[0]),
				       "leave the command out, or take --source perf");
	struct count_plan *plan = &counting->plan;
	struct error *err = child_spawn(command, plan->cores, plan->num_cores, &counting->child);
	if (err)
		return err;
	counting->has_command = true;
	counting->target_fd = counting->child.pidfd;
	// It stays on the cores it was bound to, so counting the process is counting there.
	plan->num_cores = 0;
	plan->pids = &counting->child.pid;
	plan->num_pids = 1;
	plan->enable_on_exec = true;
	return NULL;
}

static struct error *watch_processes(struct counting *counting)
{
	const struct count_plan *plan = &counting->plan;
	if (counting->has_command || plan->num_pids != 1)
		return NULL;
	counting->target_fd = (int)syscall(SYS_pidfd_open, plan->pids[0], 0);
	if (counting->target_fd >= 0)
		return NULL;
	return error_create_errno(errno, "cannot watch process %d", (int)plan->pids[0]);
}

struct error *counting_create(struct source *source, const struct counting_config *config,
			      struct counting **ret)
{
	_cleanup_(counting_destroyp) struct counting *counting = calloc(1, sizeof(*counting));
	if (!counting)
		return &error_no_memory;
	counting->source = source;
	counting->plan = config->plan;
	counting->child = (struct child)CHILD_INIT;
	counting->target_fd = -1;
	struct error *err = interrupt_install();
	if (!err && config->command)
		err = prepare_command(counting, config->command);
	if (!err)
		err = watch_processes(counting);
	if (!err)
		err = source->ops->count_open(source, &counting->plan);
	if (err)
		return err;
	*ret = take_ptr(counting);
	return NULL;
}

void counting_destroy(struct counting *counting)
{
	if (!counting)
		return;
	counting->source->ops->count_close(counting->source);
	if (!counting->has_command && counting->target_fd >= 0)
		close(counting->target_fd);
	child_deinit(&counting->child);
	interrupt_uninstall();
	free(counting);
}

static void note_begin(struct counting *counting)
{
	counting->began_ns = now_ns(counting);
	counting->began_epoch_ns = is_simulated(counting) ? 0 : clock_ns(CLOCK_REALTIME);
}

struct error *counting_begin(struct counting *counting, uint64_t duration_ns)
{
	const struct source_ops *ops = counting->source->ops;
	if (is_simulated(counting) && duration_ns == COUNTING_FOREVER)
		return error_with_hint(error_create(ERROR_USAGE, "simulated time would never end"),
				       "say how long to count with --timeout");
	bool starts_command = counting->has_command && !counting->is_released;
	counting->duration_ns = duration_ns;
	counting->end = COUNTING_TIME_UP;
	struct error *err = starts_command ? NULL : ops->count_reset(counting->source);
	if (!err)
		err = ops->count_start(counting->source);
	note_begin(counting);
	if (err || !starts_command)
		return err;
	counting->is_released = true;
	return child_release(&counting->child);
}

/** Are all of several processes gone? */
static bool targets_are_gone(const struct counting *counting)
{
	const struct count_plan *plan = &counting->plan;
	for (size_t i = 0; i < plan->num_pids; i++)
		if (kill(plan->pids[i], 0) == 0 || errno != ESRCH)
			return false;
	return plan->num_pids > 0;
}

static struct error *wait_for_targets(struct counting *counting, uint64_t timeout_ns,
				      bool *ret_over)
{
	bool must_ask = counting->target_fd < 0 && counting->plan.num_pids > 0;
	if (must_ask && timeout_ns > POLL_NS)
		timeout_ns = POLL_NS;
	enum interrupt_wake wake;
	struct error *err = interrupt_wait(counting->target_fd, timeout_ns, &wake);
	if (err)
		return err;
	if (wake == INTERRUPT_WAKE_REQUESTED)
		counting->end = COUNTING_INTERRUPTED;
	else if (wake == INTERRUPT_WAKE_READY || (must_ask && targets_are_gone(counting)))
		counting->end = COUNTING_TARGET_ENDED;
	*ret_over = counting->end != COUNTING_TIME_UP;
	return NULL;
}

static uint64_t time_left(const struct counting *counting)
{
	if (counting->duration_ns == COUNTING_FOREVER)
		return UINT64_MAX;
	uint64_t elapsed = now_ns(counting) - counting->began_ns;
	return elapsed < counting->duration_ns ? counting->duration_ns - elapsed : 0;
}

static struct error *pass_time(struct counting *counting, uint64_t duration_ns)
{
	counting->simulated_ns += duration_ns;
	return counting->source->ops->pass_time(counting->source, duration_ns);
}

struct error *counting_wait(struct counting *counting, uint64_t at_most_ns, bool *ret_over)
{
	uint64_t left = time_left(counting);
	*ret_over = is_simulated(counting);
	if (is_simulated(counting))
		return pass_time(counting, left);
	struct error *err =
		wait_for_targets(counting, left < at_most_ns ? left : at_most_ns, ret_over);
	if (!err && !*ret_over)
		*ret_over = time_left(counting) == 0;
	return err;
}

struct error *counting_finish(struct counting *counting, struct counting_result *ret)
{
	const struct source_ops *ops = counting->source->ops;
	struct error *err = NULL;
	if (counting->has_command && counting->end == COUNTING_TARGET_ENDED)
		err = child_wait(&counting->child);
	if (!err)
		err = ops->count_stop(counting->source);
	ret->elapsed_ns = now_ns(counting) - counting->began_ns;
	ret->started_ns = counting->began_epoch_ns;
	ret->end = counting->end;
	return err ? err : ops->count_read(counting->source, &ret->counts);
}

struct error *counting_pause(struct counting *counting, uint64_t duration_ns,
			     enum counting_end *ret)
{
	*ret = COUNTING_TIME_UP;
	if (is_simulated(counting))
		return pass_time(counting, duration_ns);
	counting->duration_ns = duration_ns ? duration_ns : 1; // 0 would be for ever
	counting->began_ns = now_ns(counting);
	bool is_over = false;
	struct error *err = NULL;
	while (!err && !is_over)
		err = counting_wait(counting, UINT64_MAX, &is_over);
	*ret = counting->end;
	return err;
}

struct counting_command_end counting_command_end(const struct counting *counting)
{
	return (struct counting_command_end){
		.has_ended = counting->child.has_ended,
		.exit_code = counting->child.exit_code,
		.user_ns = counting->child.user_ns,
		.system_ns = counting->child.system_ns,
	};
}
