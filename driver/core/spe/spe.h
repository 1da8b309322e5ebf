/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SPE_SPE_H
#define WPERF_DRIVER_CORE_SPE_SPE_H

/**
 * Statistical profiling (SPE) on one core: the hardware writes packets into a buffer, from which
 * clients take them away while it goes on. No interrupt is needed: when the buffer is full the
 * hardware stops by itself, and the next take starts it again; what was not profiled meanwhile is
 * the difference between the PMU's event sample_filtrate and the records.
 */

#include "driver/core/call.h"
#include "driver/core/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bits of the registers. */
#define DRIVER_PMSCR_E0SPE     (UINT64_C(1) << 0)
#define DRIVER_PMSCR_E1SPE     (UINT64_C(1) << 1)
#define DRIVER_PMSCR_PA        (UINT64_C(1) << 4)
#define DRIVER_PMSCR_TS        (UINT64_C(1) << 5)
#define DRIVER_PMSIRR_RND      (UINT64_C(1) << 0)
#define DRIVER_PMSIRR_INTERVAL UINT64_C(0xffffff00)
#define DRIVER_PMSFCR_FE       (UINT64_C(1) << 0)
#define DRIVER_PMSFCR_FT       (UINT64_C(1) << 1)
#define DRIVER_PMSFCR_FL       (UINT64_C(1) << 2)
#define DRIVER_PMSFCR_B        (UINT64_C(1) << 16)
#define DRIVER_PMSFCR_LD       (UINT64_C(1) << 17)
#define DRIVER_PMSFCR_ST       (UINT64_C(1) << 18)
#define DRIVER_PMBLIMITR_E     (UINT64_C(1) << 0)
#define DRIVER_PMBLIMITR_LIMIT (~UINT64_C(0xfff))
#define DRIVER_PMBSR_COLL      (UINT64_C(1) << 16)
#define DRIVER_PMBSR_S         (UINT64_C(1) << 17)

/** PMSIDR_EL1.Interval: the shortest interval that the hardware's maker recommends. */
static inline uint32_t driver_spe_min_interval(uint64_t pmsidr)
{
	static const uint16_t intervals[16] = {256, 0, 512, 768, 1024, 1536, 2048, 3072, 4096};
	uint32_t interval = intervals[driver_register_field(pmsidr, 11, 8)];
	return interval ? interval : 4096;
}

/** PMSIDR_EL1.CountSize: counters of latency have 16 bits, or 12, and stop at their largest. */
static inline uint64_t driver_spe_max_latency(uint64_t pmsidr)
{
	enum { COUNTS_16_BITS = 3 };
	return driver_register_field(pmsidr, 19, 16) == COUNTS_16_BITS ? 0xffff : 0xfff;
}

/** Values of the registers of the same names. */
struct driver_spe_settings {
	uint64_t pmscr, pmsirr, pmsfcr, pmsevfr, pmslatfr;
};

struct driver_spe {
	struct driver_registers registers;
	unsigned cpu;
	uint8_t *buffer; /* whole pages; NULL: none */
	size_t size;
	size_t start, end; /* what was not taken yet; the hardware may be further */
	bool is_running;
	bool is_suspended; /* while the computer sleeps */
	struct driver_spe_settings settings;
};

/** Has this CPU SPE, and may we use it? Its buffer may belong to who is above us. */
bool driver_spe_exists(const struct driver_registers *registers, unsigned cpu);

/** @memory: of the buffer; NULL: there is none, and nothing else may be called but _forget(). */
void driver_spe_init(struct driver_spe *spe, const struct driver_registers *registers, unsigned cpu,
		     void *memory, size_t size);

/** Begin anew, with an empty buffer. */
void driver_spe_start(struct driver_spe *spe, const struct driver_spe_settings *settings);

/** What was not taken stays. */
void driver_spe_stop(struct driver_spe *spe);

/** The computer is going to sleep, and has woken: what profiles pauses meanwhile. */
void driver_spe_suspend(struct driver_spe *spe);
void driver_spe_resume(struct driver_spe *spe);

/** Bytes that can be taken. */
uint64_t driver_spe_size(struct driver_spe *spe);

/** Answer @call with at most so many bytes, and as many as it has room for. */
void driver_spe_take(struct driver_spe *spe, uint64_t max_bytes, struct driver_call *call);

/** Stop, and keep nothing. */
void driver_spe_forget(struct driver_spe *spe);

#endif
