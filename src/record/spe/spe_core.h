/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_CORE_H
#define WPERF_RECORD_SPE_SPE_CORE_H

/** Cores, as far as their SPE packets differ: by implementer and part of the register MIDR_EL1. */

#include <stdint.h>

#define SPE_CORE(implementer, part) ((uint32_t)(implementer) << 24 | (uint32_t)(part) << 4)

/** Without what two samples of the same core may differ in: variant, revision. */
static inline uint32_t spe_core_of(uint32_t midr)
{
	return midr & SPE_CORE(0xff, 0xfff);
}

#define SPE_CORE_NEOVERSE_N1   SPE_CORE(0x41, 0xd0c)
#define SPE_CORE_NEOVERSE_N2   SPE_CORE(0x41, 0xd49)
#define SPE_CORE_NEOVERSE_V1   SPE_CORE(0x41, 0xd40)
#define SPE_CORE_NEOVERSE_V2   SPE_CORE(0x41, 0xd4f)
#define SPE_CORE_CORTEX_A720   SPE_CORE(0x41, 0xd81)
#define SPE_CORE_CORTEX_A720AE SPE_CORE(0x41, 0xd89)
#define SPE_CORE_CORTEX_A725   SPE_CORE(0x41, 0xd87)
#define SPE_CORE_CORTEX_X1C    SPE_CORE(0x41, 0xd4c)
#define SPE_CORE_CORTEX_X3     SPE_CORE(0x41, 0xd4e)
#define SPE_CORE_CORTEX_X925   SPE_CORE(0x41, 0xd85)
#define SPE_CORE_COBALT_100    SPE_CORE(0x6d, 0xd49) /* a Neoverse N2 */
#define SPE_CORE_AMPEREONE_A   SPE_CORE(0xc0, 0xac4)
#define SPE_CORE_HIP12         SPE_CORE(0x48, 0xd06)

/** No core: the data sources are those of perf_access.h, of any processor that perf knows. */
#define SPE_CORE_OF_PERF SPE_CORE(0x00, 0xfff)

#endif
