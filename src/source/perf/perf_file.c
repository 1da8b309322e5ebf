// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_file.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_file_open(const struct perf_event_attr *attr, pid_t thread, int core, int leader)
{
	long fd;
	do {
		fd = syscall(SYS_perf_event_open, attr, thread, core, leader, PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : (int)fd;
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
