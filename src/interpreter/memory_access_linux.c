// SPDX-License-Identifier: Apache-2.0

#include "interpreter/memory_access.h"

#include "base/os/privileges.h"
#include "process/memory/process_memory.h"
#include "process/thread/thread_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// Whether memory can be read depends on user, capabilities, dumpability, Yama and seccomp
// (ptrace(2), "Ptrace access mode checking"), so wperf tries instead of computing it. For a program
// that is yet to be started, start_child() forks a process that drops the privileges that such a
// program would not have, and waits; it is read, and stopped if that is needed, like the program
// would be.

enum { YAMA_ADMIN_ONLY = 2 };

static const char yama[] = "/proc/sys/kernel/yama/ptrace_scope";

/** 0 also where there is no such rule. */
static int yama_scope(void)
{
	int scope = 0;
	FILE *file = fopen(yama, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &scope) != 1)
		scope = 0;
	fclose(file);
	return scope;
}

static struct error *check_process(bool stops, uint32_t pid)
{
	struct error *err = process_memory_check(pid);
	return err || !stops ? err : thread_hold_check(pid);
}

/** Waits to be killed, with the rights that a program has which wperf starts. */
static void __attribute__((noreturn)) be_child(int ready)
{
	error_destroy(privileges_drop());
	close(ready);
	for (;;)
		pause();
}

/** @ret: a process that is ready to be read. */
static struct error *start_child(pid_t *ret)
{
	int ends[2];
	char byte;
	if (pipe2(ends, O_CLOEXEC))
		return error_create_errno(errno, "cannot start a process");
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		be_child(ends[1]);
	}
	int errnum = errno;
	close(ends[1]);
	while (pid > 0 && read(ends[0], &byte, 1) < 0 && errno == EINTR)
		continue;
	close(ends[0]);
	*ret = pid;
	return pid < 0 ? error_create_errno(errnum, "cannot start a process") : NULL;
}

/** At 3 the kernel takes no other number until the next boot (Documentation/.../Yama.rst). */
static struct error *refuse_by_yama(void)
{
	int scope = yama_scope();
	struct error *err = error_create(
		ERROR_FAILED, "no process can be read: kernel.yama.ptrace_scope is %d", scope);
	if (scope > YAMA_ADMIN_ONLY)
		return error_with_hint(err, "remove it from /etc/sysctl.d and reboot");
	return error_with_command(error_with_hint(err,
						  "as root: sysctl kernel.yama.ptrace_scope=1"),
				  "sudo sysctl kernel.yama.ptrace_scope=1");
}

/** The rules differ for children: Yama's scope 1 allows to read them, and no other processes. So
 * only a child shows what wperf may do with a program that it starts. */
static struct error *check_child(bool stops)
{
	pid_t pid;
	struct error *failed = start_child(&pid);
	if (failed)
		return failed;
	struct error *err = process_memory_check((uint32_t)pid);
	struct error *unstopped = err || !stops ? NULL : thread_hold_check((uint32_t)pid);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (!err)
		return unstopped;
	error_destroy(err);
	if (yama_scope() > 1)
		return refuse_by_yama();
	return error_with_hint(error_create(ERROR_FAILED,
					    "you cannot read the memory of your own processes"),
			       "a seccomp filter forbids process_vm_readv, as in some containers: "
			       "allow it, or run wperf outside the container");
}

struct error *memory_access_check(bool stops, const uint32_t *pids, size_t num_pids)
{
	struct error *err = num_pids ? NULL : check_child(stops);
	for (size_t i = 0; !err && i < num_pids; i++)
		err = check_process(stops, pids[i]);
	return err;
}

struct error *memory_access_probe(const char *language, struct probe *probe)
{
	char ability[64];
	snprintf(ability, sizeof(ability), "%s of running programs", language);
	if (geteuid() == 0)
		return probe_add_finding(probe, ability, PROBE_YES, "with -p", NULL);
	if (yama_scope() == 0)
		return probe_add_finding(probe, ability, PROBE_YES, "of this user, with -p", NULL);
	char detail[80];
	snprintf(detail, sizeof(detail),
		 "only of programs that wperf starts: kernel.yama.ptrace_scope is %d",
		 yama_scope());
	if (yama_scope() > YAMA_ADMIN_ONLY)
		return probe_add_finding(probe, ability, PROBE_NO, detail,
					 "remove it from /etc/sysctl.d and reboot");
	return probe_add_missing(probe, ability, detail,
				 "as root: sysctl kernel.yama.ptrace_scope=0",
				 "sudo sysctl kernel.yama.ptrace_scope=0");
}
