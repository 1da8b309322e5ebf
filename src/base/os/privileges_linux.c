// SPDX-License-Identifier: Apache-2.0

#include "base/os/privileges.h"

#include "base/container/array.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// First the group, which needs the rights of the user, then the user: giving up user 0 clears all
// capabilities, and those of a file stay (capabilities(7), "Effect of user ID changes"). Of what is
// left then, only the list below is kept.

// None of them opens files, or traces processes.
static const unsigned kept_capabilities[] = {
	CAP_PERFMON, CAP_BPF,
	CAP_SYSLOG,   // addresses of the kernel
	CAP_IPC_LOCK, // buffers beyond the limit of locked memory
};

enum { NUM_WORDS = _LINUX_CAPABILITY_U32S_3, BITS_PER_WORD = 32 };

/** A bit for each capability, as in capset(2). */
struct capability_bits {
	uint32_t words[NUM_WORDS];
};

/** Keep no others. @ret: some are left. */
static struct error *privileges_keep(const struct capability_bits *kept, bool *ret)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[NUM_WORDS];
	bool are_left = false;
	// The calls themselves: functions for them are in libcap, which wperf does not need
	// otherwise.
	if (syscall(SYS_capget, &header, sets))
		return error_create_errno(errno, "cannot read wperf's capabilities");
	for (size_t i = 0; i < NUM_WORDS; i++) {
		sets[i].permitted &= kept->words[i];
		sets[i].effective &= kept->words[i];
		sets[i].inheritable &= kept->words[i];
		are_left |= sets[i].permitted != 0;
	}
	if (syscall(SYS_capset, &header, sets))
		return error_create_errno(errno, "cannot give up wperf's capabilities");
	*ret = are_left;
	return NULL;
}

// What has no more rights than its caller is a process like any other: the kernel lets the caller
// count and trace it, and what it forks.
static struct error *allow_tracing(void)
{
	if (prctl(PR_SET_DUMPABLE, 1))
		return error_create_errno(errno, "cannot let wperf be traced");
	return NULL;
}

/** AT_SECURE: set by the kernel when the file adds rights to those of the caller. */
static bool privileges_are_lent(void)
{
	return getauxval(AT_SECURE) && getuid() != 0;
}

struct error *privileges_limit(void)
{
	if (!privileges_are_lent())
		return NULL;
	struct capability_bits kept = {{0}};
	for (size_t i = 0; i < ARRAY_SIZE(kept_capabilities); i++)
		kept.words[kept_capabilities[i] / BITS_PER_WORD] |=
			1U << kept_capabilities[i] % BITS_PER_WORD;
	// The real user and group become the only ones.
	gid_t group = getgid();
	uid_t user = getuid();
	if (setresgid(group, group, group) || setresuid(user, user, user))
		return error_create_errno(errno, "cannot give up the rights of wperf's owner");
	bool are_left = true;
	struct error *err = privileges_keep(&kept, &are_left);
	return err || are_left ? err : allow_tracing();
}

struct error *privileges_drop_lent(void)
{
	return privileges_are_lent() ? privileges_drop() : NULL;
}

bool privileges_are_root(void)
{
	return geteuid() == 0;
}

struct error *privileges_drop(void)
{
	static const struct capability_bits none = {{0}};
	bool are_left;
	struct error *err = privileges_keep(&none, &are_left);
	return err ? err : allow_tracing();
}
