// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// old_kernel PROGRAM [WORD...]: the program and what it starts get the answers of Linux 4.18, as
// far as a filter of system calls can give them:
// - Calls that came later do not exist. Since Linux 5.1 all architectures number new ones alike,
// from
//   424 on (include/uapi/asm-generic/unistd.h).
// - perf_event_open() refuses what its version of struct perf_event_attr had no name for: flags
// from
//   bit 29 (ksymbol) on, kinds of samples from bit 20 on, of reading from bit 4 on (EINVAL), and
//   what is not zero behind its 112 bytes (E2BIG).
// - bpf() accepts nothing (EINVAL), as its kernels know none of the types that wperf needs.
// The filter asks us about the last two; we read the attributes from the memory of the program.

enum {
	FIRST_NEW_CALL = 424,
	OLD_SIZE = 112,
	FIRST_NEW_FLAG = 29,
	FIRST_NEW_SAMPLE = 20,
	FIRST_NEW_READ = 4
};

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int install_filter(void)
{
	const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_NEW_CALL, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 3, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
	};
	const struct sock_fprog program = {sizeof(code) / sizeof(*code),
					   (struct sock_filter *)code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static bool send_fd(int line, int fd)
{
	char byte = 0, room[CMSG_SPACE(sizeof(fd))] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = room,
				 .msg_controllen = sizeof(room)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	*header = (struct cmsghdr){CMSG_LEN(sizeof(fd)), SOL_SOCKET, SCM_RIGHTS};
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(line, &message, 0) == 1;
}

static int receive_fd(int line)
{
	char byte, room[CMSG_SPACE(sizeof(int))];
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = room,
				 .msg_controllen = sizeof(room)};
	int fd = -1;
	if (recvmsg(line, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

/** What Linux 4.18 would answer to these attributes; 0: what this kernel answers. */
static int judge_attributes(const uint8_t *bytes, size_t size)
{
	struct perf_event_attr attr = {0};
	uint64_t flags;
	memcpy(&attr, bytes, size < sizeof(attr) ? size : sizeof(attr));
	// The flags are the eight bytes behind read_format.
	memcpy(&flags, (const uint8_t *)&attr + offsetof(struct perf_event_attr, read_format) + 8,
	       sizeof(flags));
	for (size_t i = OLD_SIZE; i < size; i++)
		if (bytes[i])
			return E2BIG;
	bool is_new = flags >> FIRST_NEW_FLAG || attr.sample_type >> FIRST_NEW_SAMPLE ||
		      attr.read_format >> FIRST_NEW_READ;
	return is_new ? EINVAL : 0;
}

static int judge_call(uint32_t pid, uint64_t address)
{
	uint8_t bytes[4096];
	uint32_t size;
	char path[64];
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	int memory = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = pread(memory, bytes, sizeof(bytes), (off_t)address);
	close(memory);
	if (length < PERF_ATTR_SIZE_VER0)
		return EFAULT;
	memcpy(&size, bytes + offsetof(struct perf_event_attr, size), sizeof(size));
	return size > length ? E2BIG : judge_attributes(bytes, size);
}

static void answer_call(int listener)
{
	struct seccomp_notif call = {0};
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
		return; // it was killed meanwhile
	int refusal = judge_call(call.pid, call.data.args[0]);
	struct seccomp_notif_resp answer = {
		.id = call.id,
		.error = -refusal,
		.flags = refusal ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE,
	};
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/** Until the process ends. A parent may read its memory where others may not (Yama). */
static void answer_calls(int listener, pid_t pid)
{
	struct pollfd fds[] = {
		{.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN},
		{.fd = listener, .events = POLLIN},
	};
	while (!fds[0].revents) {
		if (poll(fds, 2, -1) > 0 && fds[1].revents & POLLIN)
			answer_call(listener);
	}
}

static int become_program(char **words, int line)
{
	int listener = install_filter();
	if (listener < 0 || !send_fd(line, listener))
		return fail("old_kernel: no filter");
	close(listener);
	close(line);
	execvp(words[0], words);
	return fail(words[0]);
}

int main(int argc, char **argv)
{
	int line[2], status;
	if (argc < 2 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line))
		return fail("usage: old_kernel PROGRAM [WORD...]");
	pid_t pid = fork();
	if (pid < 0)
		return fail("fork");
	if (pid == 0)
		return become_program(argv + 1, line[1]);
	close(line[1]);
	// A Ctrl-C is for the program.
	signal(SIGINT, SIG_IGN);
	int listener = receive_fd(line[0]);
	if (listener >= 0)
		answer_calls(listener, pid);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
