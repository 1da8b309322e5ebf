// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_file.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int perf_file_open_with(const struct perf_event_attr *attr, int target, int core, int leader,
			       unsigned long flags)
{
	long fd;
	do {
		fd = syscall(SYS_perf_event_open, attr, target, core, leader,
			     flags | PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : (int)fd;
}

int perf_file_open(const struct perf_event_attr *attr, pid_t thread, int core, int leader)
{
	return perf_file_open_with(attr, thread, core, leader, 0);
}

int perf_file_open_cgroup(const struct perf_event_attr *attr, int cgroup, int core, int leader)
{
	return perf_file_open_with(attr, cgroup, core, leader, PERF_FLAG_PID_CGROUP);
}

void perf_file_raise_limit(size_t num_files)
{
	rlim_t wanted = num_files + PERF_FILES_BESIDES;
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max >= wanted)
		return;
	limit.rlim_cur = limit.rlim_max = wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void perf_file_close_all(int *fds, size_t num_fds)
{
	while (num_fds-- > 0) {
		if (fds[num_fds] >= 0)
			close(fds[num_fds]);
		fds[num_fds] = -1;
	}
}
