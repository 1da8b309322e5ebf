// SPDX-License-Identifier: Apache-2.0

#include "base/os/confinement.h"

#include "base/container/array.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// A classic BPF program for seccomp(2) over struct seccomp_data. It first compares the
// architecture, since the numbers of 32-bit calls mean other calls, and refuses x32 numbers. Then
// every listed call returns EPERM. A filter sees register arguments only: kill() and tgkill() are
// allowed for our own pid, clone() without namespaces, ioctl() without TIOCSTI; clone3() has its
// flags in memory, and returns ENOSYS so that the C library uses clone(). Everything else is
// allowed: the list names what an attacker would need.

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0 // none that we know
#endif

enum {
	// Numbers from here on are calls of the x32 ABI, where the same calls have others.
	X32_BIT = 0x40000000,
	// unshare(2) has these flags as well: a new user namespace gives all capabilities in it.
	NEW_NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
			 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
	NUM_MAX = 256, // instructions
};

static const int always_refused[] = {
	// Rings that do what the filter does not see.
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
#ifndef CONFINEMENT_IS_SANITIZED
	SYS_ptrace,
	SYS_execve,
#endif
	SYS_execveat,
	// Other processes: their memory, their files, signals to them.
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_process_madvise,
	SYS_process_mrelease,
	SYS_pidfd_open,
	SYS_pidfd_getfd,
	SYS_pidfd_send_signal,
	SYS_kcmp,
	SYS_tkill,
	SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo,
	// What is where in the file system, and new namespaces, in which a user is root.
	SYS_mount,
	SYS_umount2,
	SYS_mount_setattr,
	SYS_move_mount,
	SYS_open_tree,
	SYS_fsopen,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fspick,
	SYS_pivot_root,
	SYS_chroot,
	SYS_swapon,
	SYS_swapoff,
	SYS_unshare,
	SYS_setns,
	// Files by number, which passes by the rights of folders; devices.
	SYS_open_by_handle_at,
	SYS_mknodat,
	// Large parts of the kernel that an attacker could use.
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_fanotify_init,
	// The whole machine.
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_kexec_file_load,
	SYS_reboot,
	SYS_acct,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_syslog,
	SYS_vhangup,
	// Not setfsuid(), setfsgid() and setgroups(): base/file/file_rights.h needs them.
	SYS_setuid,
	SYS_setgid,
	SYS_setreuid,
	SYS_setregid,
	SYS_setresuid,
	SYS_setresgid,
	SYS_capset,
	// Keys of the user that are kept in the kernel.
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_adjtimex,
	SYS_clock_adjtime,
	SYS_sethostname,
	SYS_setdomainname,
#ifdef __x86_64__
	SYS_iopl,
	SYS_ioperm,
	SYS_mknod,
#endif
};

static const int refused_network[] = {
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,    SYS_listen,
	SYS_accept, SYS_accept4,    SYS_sendto,  SYS_sendmsg, SYS_sendmmsg,
};

struct filter {
	struct sock_filter code[NUM_MAX];
	unsigned short length;
};

static void confinement_add(struct filter *filter, struct sock_filter instruction)
{
	filter->code[filter->length++] = instruction;
}

static void confinement_load(struct filter *filter, size_t offset)
{
	confinement_add(filter,
			(struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void end_with(struct filter *filter, uint32_t action)
{
	confinement_add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void confinement_refuse(struct filter *filter, int errnum)
{
	end_with(filter, SECCOMP_RET_ERRNO | (uint32_t)errnum);
}

/** @test: one of the jumps; if it does not hold, the next @length instructions are left out. */
static void if_then(struct filter *filter, uint16_t test, uint32_t value, uint8_t length)
{
	confinement_add(filter, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | BPF_K | test),
							     value, 0, length));
}

static void refuse_all(struct filter *filter, const int *calls, size_t num_calls)
{
	for (size_t i = 0; i < num_calls; i++) {
		if_then(filter, BPF_JEQ, (uint32_t)calls[i], 1);
		confinement_refuse(filter, EPERM);
	}
}

/** The lower half of an argument, where one of 32 bits is. Both machines are little-endian. */
static void load_argument(struct filter *filter, size_t index)
{
	confinement_load(filter, offsetof(struct seccomp_data, args) + index * sizeof(uint64_t));
}

/** Signals to others; abort() and raise() send them to their own process. */
static void refuse_signals_to_others(struct filter *filter, int call)
{
	if_then(filter, BPF_JEQ, (uint32_t)call, 4);
	load_argument(filter, 0);
	if_then(filter, BPF_JEQ, (uint32_t)getpid(), 1);
	end_with(filter, SECCOMP_RET_ALLOW);
	confinement_refuse(filter, EPERM);
}

/** @test: of the argument. */
static void refuse_argument(struct filter *filter, int call, size_t index, uint16_t test,
			    uint32_t value)
{
	if_then(filter, BPF_JEQ, (uint32_t)call, 4);
	load_argument(filter, index);
	if_then(filter, test, value, 1);
	confinement_refuse(filter, EPERM);
	end_with(filter, SECCOMP_RET_ALLOW);
}

static void confinement_build(struct filter *filter, bool with_network)
{
	// Numbers mean something else in the calls of 32-bit programs. From here on the number is
	// loaded.
	confinement_load(filter, offsetof(struct seccomp_data, arch));
	confinement_add(filter,
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_K | BPF_JEQ, MACHINE, 1, 0));
	confinement_refuse(filter, EPERM);
	confinement_load(filter, offsetof(struct seccomp_data, nr));
	if_then(filter, BPF_JGE, X32_BIT, 1);
	confinement_refuse(filter, EPERM);
	refuse_all(filter, always_refused, ARRAY_SIZE(always_refused));
	if (!with_network)
		refuse_all(filter, refused_network, ARRAY_SIZE(refused_network));
	refuse_signals_to_others(filter, SYS_kill);
	refuse_signals_to_others(filter, SYS_tgkill);
	refuse_argument(filter, SYS_clone, 0, BPF_JSET, NEW_NAMESPACES);
	// Types into the terminal what the shell reads when wperf has ended.
	refuse_argument(filter, SYS_ioctl, 1, BPF_JEQ, TIOCSTI);
	// Its flags are in memory, which a filter cannot read. The C library then takes clone().
	if_then(filter, BPF_JEQ, SYS_clone3, 1);
	confinement_refuse(filter, ENOSYS);
	end_with(filter, SECCOMP_RET_ALLOW);
}

struct error *confinement_begin(bool with_network)
{
	struct filter filter = {.length = 0};
	if (MACHINE == 0)
		return error_create(ERROR_ABSENT, "no seccomp filter for this machine");
	confinement_build(&filter, with_network);
	const struct sock_fprog program = {.len = filter.length, .filter = filter.code};
	// The kernel wants it of those who may not administrate; besides, a file can no longer give
	// rights to what is run.
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error_create(ERROR_ABSENT, "no seccomp filter: no_new_privs is refused");
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
		return error_create(ERROR_ABSENT, "no seccomp filter: the kernel refuses it");
	return NULL;
}
