/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_HOST_H
#define WPERF_BASE_OS_HOST_H

/** This machine and its operating system. */

#include <stdint.h>

enum { HOST_TEXT_SIZE = 128, HOST_CPU_ID_SIZE = 32 };

struct host {
	char name[HOST_TEXT_SIZE];
	char release[HOST_TEXT_SIZE];  /* of the system: "6.1.0-18-arm64", "10.0.26100" */
	char machine[HOST_TEXT_SIZE];  /* Linux' name on every system: "aarch64", "x86_64" */
	char cpu_id[HOST_CPU_ID_SIZE]; /* MIDR_EL1 of the first core, "0x..."; "" if not known */
	uint32_t cpus_available;       /* online or not */
	uint32_t cpus_online;
	uint64_t total_memory_kb; /* 0: not known */
};

struct host host_read(void);

#endif
