// SPDX-License-Identifier: Apache-2.0

#include "base/os/confinement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IS_ABSENT = 77, WAS_WRONG = 1 };

/** Of a line "Name:\tnumber" in /proc/self/status; -1: there is none. */
static int read_status(const char *name)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	int number = -1;
	size_t length = strlen(name);
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			sscanf(line + length + 1, "%d", &number);
	if (file)
		fclose(file);
	return number;
}

static bool fails_with(const char *what, long result, int errnum)
{
	bool is_right = result == -1 && errno == errnum;
	if (!is_right)
		fprintf(stderr, "%s: result %ld, errno %d, expected %d\n", what, result, errno,
			errnum);
	return is_right;
}

/** In a process of its own, confined; what @check says becomes its exit code. */
static void check_confined(bool with_network, bool (*check)(void))
{
	pid_t pid = fork();
	if (pid == 0) {
		struct error *err = confinement_begin(with_network);
		bool is_absent = err && err->code == ERROR_ABSENT;
		_exit(is_absent ? IS_ABSENT : !err && check() ? 0 : WAS_WRONG);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == IS_ABSENT)
		skip(); // an emulator, or a kernel without filters
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool is_in_status(void)
{
	return read_status("Seccomp") == 2 && read_status("NoNewPrivs") == 1;
}

static void the_kernel_says_so(void **state)
{
	check_confined(false, is_in_status);
	check_confined(true, is_in_status);
}

#define CALL(name, ...)             \
	{                           \
#name, SYS_##name,  \
		{                   \
			__VA_ARGS__ \
		}                   \
	}

/** With arguments that would harm nobody without the filter, either. */
static const struct {
	const char *name;
	long number;
	long arguments[5];
} refused[] = {
#ifndef CONFINEMENT_IS_SANITIZED
	CALL(execve, 0),
	CALL(ptrace, PTRACE_TRACEME),
#endif
	CALL(execveat, -1),
	CALL(socket, AF_UNIX, SOCK_STREAM, 0),
	CALL(connect, -1),
	CALL(sendto, -1),
	CALL(process_vm_readv, 1),
	CALL(process_vm_writev, 1),
	CALL(pidfd_open, 1),
	CALL(pidfd_getfd, -1),
	CALL(pidfd_send_signal, -1),
	CALL(kill, 1, 0),
	CALL(kill, -1, 0),
	CALL(tgkill, 1, 1, 0),
	CALL(tkill, 1, 0),
	CALL(mount, 0),
	CALL(umount2, 0),
	CALL(pivot_root, 0),
	CALL(chroot, 0),
	CALL(unshare, CLONE_NEWUSER),
	CALL(clone, CLONE_NEWUSER | SIGCHLD),
	CALL(setns, -1),
	CALL(bpf, -1),
	CALL(perf_event_open, 0, -1, -1, -1, -1),
	CALL(io_uring_setup, 0),
	CALL(userfaultfd, -1),
	CALL(init_module, 0),
	CALL(finit_module, -1),
	CALL(delete_module, 0),
	CALL(kexec_load, -1, -1),
	CALL(reboot, 0),
	CALL(setuid, -1),
	CALL(setresuid, -1, -1, -1),
	CALL(setgid, -1),
	CALL(capset, 0),
	CALL(keyctl, -1),
	CALL(add_key, 0),
	CALL(open_by_handle_at, -1),
	CALL(mknodat, -1, 0),
	CALL(ioctl, 0, TIOCSTI, 0),
};

static bool are_refused(void)
{
	bool are_right = true;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const long *words = refused[i].arguments;
		errno = 0;
		are_right &= fails_with(refused[i].name,
					syscall(refused[i].number, words[0], words[1], words[2],
						words[3], words[4]),
					EPERM);
	}
	return are_right && fails_with("clone3", syscall(SYS_clone3, NULL, 0), ENOSYS);
}

static void what_no_reader_needs_is_refused(void **state)
{
	check_confined(false, are_refused);
}

static void *do_nothing(void *argument)
{
	return argument;
}

/** What readers do, and what abort() and raise() need. */
static bool readers_work(void)
{
	char byte = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read(fd, &byte, 1) == 1;
	pthread_t thread;
	bool has_threads = pthread_create(&thread, NULL, do_nothing, NULL) == 0 &&
			   pthread_join(thread, NULL) == 0;
	signal(SIGUSR1, SIG_IGN);
	setfsuid(getuid());
	return is_read && has_threads && raise(SIGUSR1) == 0 && kill(getpid(), 0) == 0;
}

static void readers_go_on(void **state)
{
	check_confined(false, readers_work);
}

static bool has_network(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return fd >= 0;
}

static void servers_can_be_asked(void **state)
{
	check_confined(true, has_network);
}

static int line[2];

static void *wait_and_try(void *argument)
{
	char byte;
	bool is_told = read(line[0], &byte, 1) == 1;
	return is_told && fails_with("socket", socket(AF_UNIX, SOCK_STREAM, 0), EPERM) ? argument
										       : NULL;
}

/** A thread that was there before is confined, too. */
static void older_threads_are_confined(void **state)
{
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t thread;
		void *result = NULL;
		if (pipe(line) || pthread_create(&thread, NULL, wait_and_try, line))
			_exit(WAS_WRONG);
		struct error *err = confinement_begin(false);
		if (err)
			_exit(err->code == ERROR_ABSENT ? IS_ABSENT : WAS_WRONG);
		bool is_told = write(line[1], "", 1) == 1;
		pthread_join(thread, &result);
		_exit(is_told && result ? 0 : WAS_WRONG);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == IS_ABSENT)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

#ifdef __x86_64__
/** A kernel without the calls of 32-bit programs. */
static void has_none(int signal)
{
	_exit(0);
}

/** The same calls by other numbers: of 32-bit programs, and of the x32 ABI. */
static bool other_numbers_are_refused(void)
{
	enum { GETPID_OF_32_BITS = 20, X32_BIT = 0x40000000 };
	if (!fails_with("getpid of x32", syscall(X32_BIT + SYS_getpid), EPERM))
		return false;
	signal(SIGSEGV, has_none);
	long result = GETPID_OF_32_BITS;
	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "cc", "r8", "r9", "r10", "r11");
	return result == -EPERM;
}

static void no_other_abi_is_left(void **state)
{
	check_confined(false, other_numbers_are_refused);
}
#endif

int confinement_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_says_so),
		cmocka_unit_test(what_no_reader_needs_is_refused),
		cmocka_unit_test(readers_go_on),
		cmocka_unit_test(servers_can_be_asked),
		cmocka_unit_test(older_threads_are_confined),
#ifdef __x86_64__
		cmocka_unit_test(no_other_abi_is_left),
#endif
	};
	return cmocka_run_group_tests_name("confinement", tests, NULL, NULL);
}
