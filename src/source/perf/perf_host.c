// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_host.h"

#include "base/file/first_line.h"
#include "base/text/number.h"
#include "catalog/core_list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// What cannot be read is tried: events are opened and closed again. The number of counters is the
// number of equal events that fit into a group, since the kernel checks at perf_event_open()
// whether a group could ever be scheduled (validate_group() of the drivers). Paths and formats are
// those of Documentation/ABI/testing/sysfs-bus-event_source-devices-* and proc(5).

const char perf_host_sysfs[] = "/sys/bus/event_source/devices";

enum { MAX_TRIED_COUNTERS = 32, ARM_SW_INCR = 0, SYSFS_LIST_MAX = 4096 };

/** A file descriptor, or -errno. */
static int open_event(uint32_t type, uint64_t config, enum perf_scope scope, int group)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = group < 0,
		.enable_on_exec = group < 0, // else Arm does not count it in as one of the group
		.exclude_kernel = scope == PERF_OWN_USER_CODE,
		.exclude_hv = 1,
	};
	bool whole_core = scope == PERF_WHOLE_CORE;
	long fd = syscall(SYS_perf_event_open, &attr, whole_core ? -1 : 0, whole_core ? 0 : -1,
			  group, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

int perf_host_try(uint32_t type, uint64_t config, enum perf_scope scope)
{
	int fd = open_event(type, config, scope, -1);
	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

int perf_host_try_cycles(void)
{
	return perf_host_try(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, PERF_OWN_USER_CODE);
}

bool perf_host_forbids_cycles(void)
{
	int errnum = perf_host_try_cycles();
	return errnum == EACCES || errnum == EPERM;
}

/** So many of this event fit into one group: the kernel checks at once whether it could count. */
static unsigned count_in_group(uint32_t type, uint64_t config)
{
	// 32: a PMU of Arm has at most 31 event counters and the cycle counter.
	int fds[MAX_TRIED_COUNTERS];
	unsigned num = 0;
	while (num < MAX_TRIED_COUNTERS) {
		int fd = open_event(type, config, PERF_OWN_USER_CODE, num ? fds[0] : -1);
		if (fd < 0)
			break;
		fds[num++] = fd;
	}
	for (unsigned i = 0; i < num; i++)
		close(fds[i]);
	return num;
}

/**
 * Events that have no counter of their own on any CPU. An Arm PMU need not have branches, but all
 * have SW_INCR.
 */
unsigned perf_host_count_counters(void)
{
	unsigned num = count_in_group(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	return num ? num : count_in_group(PERF_TYPE_RAW, ARM_SW_INCR);
}

int perf_host_paranoid(void)
{
	char line[32];
	int level;
	first_line_read("/proc/sys/kernel/perf_event_paranoid", line, sizeof(line));
	return sscanf(line, "%d", &level) == 1 ? level : INT_MIN;
}

bool perf_host_has_perfmon(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
	return !syscall(SYS_capget, &header, sets) &&
	       sets[CAP_TO_INDEX(CAP_PERFMON)].effective & CAP_TO_MASK(CAP_PERFMON);
}

bool perf_host_has_pmu(const char *name)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", perf_host_sysfs, name);
	return length > 0 && (size_t)length < sizeof(path) && access(path, F_OK) == 0;
}

int perf_host_pmu_type(const char *name)
{
	char path[PATH_MAX], line[32];
	int type;
	snprintf(path, sizeof(path), "%s/%s/type", perf_host_sysfs, name);
	first_line_read(path, line, sizeof(line));
	return sscanf(line, "%d", &type) == 1 ? type : -1;
}

unsigned perf_host_first_core(const char *pmu)
{
	char path[PATH_MAX], line[64];
	unsigned core;
	snprintf(path, sizeof(path), "%s/%s/cpus", perf_host_sysfs, pmu);
	first_line_read(path, line, sizeof(line));
	return sscanf(line, "%u", &core) == 1 ? core : 0;
}

unsigned perf_host_num_cores(void)
{
	long num = sysconf(_SC_NPROCESSORS_CONF);
	return num > 0 ? (unsigned)num : 1;
}

bool perf_host_core_is_online(unsigned core)
{
	char path[64], line[8];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", core);
	first_line_read(path, line, sizeof(line));
	return strcmp(line, "0") != 0; // without the file it cannot be switched off
}

/** That of x86 is called so; others, and those of cores that differ, list their cores. */
static int select_cpu_pmu(const struct dirent *entry)
{
	char file[NAME_MAX + sizeof("/cpus")];
	snprintf(file, sizeof(file), "%s/cpus", entry->d_name);
	return strcmp(entry->d_name, "cpu") == 0 || perf_host_has_pmu(file);
}

// The large cores of hybrid x86 come first: a code alone means them.
static int compare_cpu_pmus(const struct dirent **a, const struct dirent **b)
{
	int large =
		(strcmp((*b)->d_name, "cpu_core") == 0) - (strcmp((*a)->d_name, "cpu_core") == 0);
	return large ? large : strcmp((*a)->d_name, (*b)->d_name);
}

/** The cores of a list of sysfs, "0-3,8". False if there is none. */
static bool read_cores(const char *pmu, const char *file, cpu_set_t *ret)
{
	char path[PATH_MAX], line[SYSFS_LIST_MAX];
	snprintf(path, sizeof(path), "%s/%s/%s", perf_host_sysfs, pmu, file);
	first_line_read(path, line, sizeof(line));
	_cleanup_(core_list_deinit) struct core_list list = CORE_LIST_INIT;
	_cleanup_(error_destroyp) struct error *err = core_list_parse(line, CPU_SETSIZE, &list);
	CPU_ZERO(ret);
	for (size_t i = 0; i < list.num_cores; i++)
		CPU_SET(list.cores[i], ret);
	return !err;
}

// Documentation/ABI/testing/sysfs-bus-event_source-devices-uncore of the kernel.
bool perf_host_unit_cores(uint32_t type, cpu_set_t *ret)
{
	struct dirent **entries;
	int num = scandir(perf_host_sysfs, &entries, NULL, alphasort);
	bool is_found = false;
	for (int i = 0; i < num; i++) {
		const char *name = entries[i]->d_name;
		if (!is_found && *name != '.' && perf_host_pmu_type(name) == (int)type)
			is_found = read_cores(name, "cpumask", ret);
		free(entries[i]);
	}
	if (num >= 0)
		free(entries);
	return is_found;
}

void perf_host_cpu_types(struct perf_cpu_types *ret)
{
	*ret = (struct perf_cpu_types){0};
	struct dirent **entries;
	int num = scandir(perf_host_sysfs, &entries, select_cpu_pmu, compare_cpu_pmus);
	for (int i = 0; i < num; i++) {
		int type = perf_host_pmu_type(entries[i]->d_name);
		const char *name = entries[i]->d_name;
		if (type >= 0 && ret->num_types < PERF_MAX_CPU_PMUS &&
		    strlen(name) < PERF_PMU_NAME_MAX) {
			size_t place = ret->num_types++;
			ret->types[place] = (uint32_t)type;
			strcpy(ret->names[place], name);
			// On all of them, where it has no list.
			if (!read_cores(name, "cpus", &ret->cores[place]))
				memset(&ret->cores[place], UINT8_MAX, sizeof(cpu_set_t));
		}
		free(entries[i]);
	}
	if (num >= 0)
		free(entries);
}

void perf_host_thread_name(pid_t thread, char *name, int size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)thread);
	first_line_read(path, name, size);
}

uint32_t perf_host_process_of(uint32_t thread)
{
	char path[64], line[256];
	unsigned process = 0;
	snprintf(path, sizeof(path), "/proc/%u/status", thread);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	// Tgid is the process of a thread (proc(5)).
	while (fgets(line, sizeof(line), file) && sscanf(line, "Tgid: %u", &process) != 1)
		continue;
	fclose(file);
	return process;
}

// Documentation/arch/arm64/cpu-feature-registers.rst: the kernel shows the register per core.
uint64_t perf_host_midr(unsigned core)
{
	char path[128], line[32];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		 core);
	first_line_read(path, line, sizeof(line));
	uint64_t midr;
	return number_parse_hex(line, strlen(line), true, &midr) == NUMBER_OK ? midr : 0;
}

/** The value in "key<blanks>: value", if the line is one of this key. */
static const char *perf_host_value_of(const char *line, const char *key)
{
	size_t length = strlen(key);
	if (strncmp(line, key, length) != 0)
		return NULL;
	line += length;
	line += strspn(line, " \t");
	return *line == ':' ? line + 1 + strspn(line + 1, " ") : NULL;
}

struct error *perf_host_cpuinfo(const char *key, char **ret)
{
	*ret = NULL;
	FILE *file = fopen("/proc/cpuinfo", "re");
	if (!file)
		return NULL;
	char line[4096];
	const char *value = NULL;
	while (!value && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		value = perf_host_value_of(line, key);
	}
	fclose(file);
	if (!value)
		return NULL;
	*ret = strdup(value);
	return *ret ? NULL : &error_no_memory;
}

uint32_t perf_host_max_frequency(void)
{
	char line[32];
	unsigned frequency;
	first_line_read("/proc/sys/kernel/perf_event_max_sample_rate", line, sizeof(line));
	return sscanf(line, "%u", &frequency) == 1 ? frequency : UINT32_MAX;
}

// CPUID leaf 1, ECX bit 31, which hypervisors set; Arm has no such flag.
bool perf_host_is_virtual(void)
{
	_cleanup_free_ char *flags = NULL;
	error_destroy(perf_host_cpuinfo("flags", &flags));
	return flags && strstr(flags, " hypervisor");
}
