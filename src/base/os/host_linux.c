// SPDX-License-Identifier: Apache-2.0

#include "base/os/host.h"

#include "base/file/first_line.h"

#include <stdio.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

// Only on Arm (Documentation/arch/arm64/cpu-feature-registers.rst of the kernel); elsewhere the
// file is missing and the text stays empty. The kernel offers it for each core, and this is the
// first one's.
static const char midr_path[] = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";

struct host host_read(void)
{
	struct host host = {
		.cpus_available = (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
		.cpus_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN),
	};
	struct utsname names;
	if (uname(&names) == 0) {
		snprintf(host.name, sizeof(host.name), "%s", names.nodename);
		snprintf(host.release, sizeof(host.release), "%s", names.release);
		snprintf(host.machine, sizeof(host.machine), "%s", names.machine);
	}
	// In units of mem_unit bytes, so that 32-bit systems can say more than 4 GiB (sysinfo(2)).
	struct sysinfo memory;
	if (sysinfo(&memory) == 0)
		host.total_memory_kb = (uint64_t)memory.totalram * memory.mem_unit / 1024;
	first_line_read(midr_path, host.cpu_id, sizeof(host.cpu_id));
	return host;
}
