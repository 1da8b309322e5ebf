// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/a64_class.h"

#include <stddef.h>

// What the events count is written in the Arm Architecture Reference Manual (DDI 0487), chapter
// "PMU Event Descriptions". Where it leaves a choice, or says what one would not expect:
//  - DP_SPEC has MRS, MSR, SYS and hints too, but no barriers, CLREX and exceptions, and no
//    system instruction that writes memory (DC ZVA).
//  - PRFM may be a load, data processing or only one of LDST_SPEC: it is a class of its own here.
//  - Scalars of Advanced SIMD are ASE, with floating point, too: "fadd d0, d1, d2" is VFP, but
//    "fcmgt d0, d1, d2" and "add d0, d1, d2" are ASE. Conversions are VFP if one side of them is
//    a general register.
//  - Moves between the kinds of registers may be counted on either side: here FMOV is VFP, and
//    UMOV, SMOV, INS and DUP are ASE.
//  - PMULL of 64 bits came with the cryptographic instructions, but is counted as ASE by name.
//  - SVE_INST_SPEC may leave out what is no SIMD (CNTB, RDVL, ...): all of SVE is counted here.
//  - A return from an exception (ERET) is no procedure return; it is only a SYSTEM one here.
//  - LD<op> and SWP acquire nothing, whatever their name says, if they load to the zero register.

enum {
	LOAD = 1 << A64_LOAD,
	STORE = 1 << A64_STORE,
	LOAD_EXCLUSIVE = LOAD | 1 << A64_LOAD_EXCLUSIVE,
	STORE_EXCLUSIVE = STORE | 1 << A64_STORE_EXCLUSIVE,
	ACQUIRE = 1 << A64_LOAD_ACQUIRE,
	RELEASE = 1 << A64_STORE_RELEASE,
	ATOMIC = LOAD | STORE | 1 << A64_ATOMIC,
	PREFETCH = 1 << A64_PREFETCH,
	DATA = 1 << A64_DATA,
	VFP = 1 << A64_VFP,
	ASE = 1 << A64_ASE,
	CRYPTO = 1 << A64_CRYPTO,
	SVE = 1 << A64_SVE,
	IMMED = 1 << A64_BRANCH_IMMED,
	CONDITIONAL = IMMED | 1 << A64_BRANCH_CONDITIONAL,
	INDIRECT = 1 << A64_BRANCH_INDIRECT,
	RETURN = INDIRECT | 1 << A64_BRANCH_RETURN,
	LINK = 1 << A64_BRANCH_LINK,
	ISB = 1 << A64_ISB,
	DSB = 1 << A64_DSB,
	DMB = 1 << A64_DMB,
	SVC = 1 << A64_SVC,
	HVC = 1 << A64_HVC,
	SMC = 1 << A64_SMC,
	BREAKPOINT = 1 << A64_BREAKPOINT,
	SYSTEM = 1 << A64_SYSTEM,
	HINT = 1 << A64_HINT,
};

/** The words that have @value in the bits of @mask, unless an earlier row has them. */
struct row {
	uint32_t mask, value, classes;
};

#define ROW(mask, value, classes)          \
	{                                  \
		(mask), (value), (classes) \
	}

/** Four rows: one bit of the word says that it acquires, another one that it releases. */
#define ORDERED(acquire, release, mask, value, classes)                                        \
	ROW((mask) | (acquire) | (release), (value), (classes)),                               \
		ROW((mask) | (acquire) | (release), (value) | (acquire), (classes) | ACQUIRE), \
		ROW((mask) | (acquire) | (release), (value) | (release), (classes) | RELEASE), \
		ROW((mask), (value), (classes) | ACQUIRE | RELEASE)

/** Two rows: one bit says that it releases; what says that it acquires has no effect. */
#define RELEASING(release, mask, value, classes) \
	ROW((mask) | (release), (value), (classes)), ROW((mask), (value), (classes) | RELEASE)

static const struct row reserved_and_sme[] = {
	{0xfe200000, 0xe0000000, SVE | LOAD}, // a slice of ZA; LDR of ZA, ZT0
	{0xfe200000, 0xe0200000, SVE | STORE},
	{0xfea00000, 0xa0000000, SVE | LOAD}, // several vectors
	{0xfea00000, 0xa0200000, SVE | STORE},
	{0x80000000, 0x80000000, SVE},
};

// Prefetches first: their encodings are among those of loads.
static const struct row sve[] = {
	{0xffc08010, 0x85c00000, SVE | PREFETCH}, // PRFB .. PRFD, scalar plus immediate
	{0xfe60e010, 0x8400c000, SVE | PREFETCH}, // scalar plus scalar
	{0xfe60e010, 0x8400e000, SVE | PREFETCH}, // vector plus immediate, 32 bits
	{0xffa08010, 0x84200000, SVE | PREFETCH}, // scalar plus offsets of 32 bits
	{0xfe60e010, 0xc400e000, SVE | PREFETCH}, // vector plus immediate, 64 bits
	{0xffa08010, 0xc4200000, SVE | PREFETCH}, // scalar plus unpacked offsets
	{0xffe08010, 0xc4608000, SVE | PREFETCH}, // scalar plus offsets of 64 bits
	{0xfe000000, 0xe4000000, SVE | STORE},
	{0x9e000000, 0x84000000, SVE | LOAD},
	{0xfffffbe0, 0x4520e000, SVE | CRYPTO}, // AESMC, AESIMC
	{0xfffff800, 0x4522e000, SVE | CRYPTO}, // AESE, AESD
	{0xfffffc00, 0x4523e000, SVE | CRYPTO}, // SM4E
	{0xffe0f800, 0x4520f000, SVE | CRYPTO}, // SM4EKEY, RAX1
	{0, 0, SVE},
};

static const struct row data[] = {
	{0, 0, DATA},
};

static const struct row branches_and_system[] = {
	{0xfc000000, 0x14000000, IMMED},           // B
	{0xfc000000, 0x94000000, IMMED | LINK},    // BL
	{0x7c000000, 0x34000000, CONDITIONAL},     // CBZ, CBNZ, TBZ, TBNZ
	{0xff000000, 0x54000000, CONDITIONAL},     // B.cond, BC.cond
	{0xffc0001f, 0x5500001f, RETURN},          // RETAASPPC, RETABSPPC
	{0xfee00000, 0xd6000000, INDIRECT},        // BR, BRAA, ...
	{0xfee00000, 0xd6200000, INDIRECT | LINK}, // BLR, BLRAA, ...
	{0xffe00000, 0xd6400000, RETURN},          // RET, RETAA, ...
	{0xfe000000, 0xd6000000, SYSTEM},          // ERET, DRPS
	{0xffe0001f, 0xd4000001, SVC},
	{0xffe0001f, 0xd4000002, HVC},
	{0xffe0001f, 0xd4000003, SMC},
	{0xffe0001f, 0xd4200000, BREAKPOINT}, // BRK
	{0xffe0001f, 0xd4400000, BREAKPOINT}, // HLT
	{0xff000000, 0xd4000000, SYSTEM},     // DCPS1, TCANCEL, ...
	{0xfffff01f, 0xd503201f, HINT | DATA},
	{0xfffff3ff, 0xd503323f, DSB}, // DSB ..nXS
	{0xfffff0ff, 0xd503309f, DSB}, // SSBB and PSSBB among them
	{0xfffff0ff, 0xd50330bf, DMB},
	{0xfffff0ff, 0xd50330df, ISB},
	{0xfffff000, 0xd5033000, SYSTEM},        // CLREX, SB, TCOMMIT
	{0xfffff000, 0xd5233000, SYSTEM},        // TSTART, TTEST
	{0xffffffff, 0xd500401f, DATA},          // CFINV
	{0xffffffff, 0xd500403f, DATA},          // XAFLAG
	{0xffffffff, 0xd500405f, DATA},          // AXFLAG
	{0xffffffe0, 0xd50b7420, SYSTEM},        // DC ZVA
	{0xffffffe0, 0xd50b7460, SYSTEM},        // DC GVA
	{0xffffffe0, 0xd50b7480, SYSTEM},        // DC GZVA
	{0xff000000, 0xd5000000, SYSTEM | DATA}, // MSR, MRS, SYS, WFET, ...
};

static const struct row exclusives_and_pairs[] = {
	{0x3e400000, 0x28000000, STORE},                           // STP, STNP, STGP
	{0x3e400000, 0x28400000, LOAD},                            // LDP, LDNP, LDPSW
	ORDERED(1 << 22, 1 << 15, 0xbfa00000, 0x08200000, ATOMIC), // CASP
	ORDERED(1 << 22, 1 << 15, 0x3fa00000, 0x08a00000, ATOMIC), // CAS
	{0x3fc08000, 0x08000000, STORE_EXCLUSIVE},                 // STXR, STXP
	{0x3fc08000, 0x08008000, STORE_EXCLUSIVE | RELEASE},       // STLXR, STLXP
	{0x3fc08000, 0x08400000, LOAD_EXCLUSIVE},                  // LDXR, LDXP
	{0x3fc08000, 0x08408000, LOAD_EXCLUSIVE | ACQUIRE},        // LDAXR, LDAXP
	{0x3fe00000, 0x08800000, STORE | RELEASE},                 // STLR, STLLR
	{0x3fe00000, 0x08c00000, LOAD | ACQUIRE},                  // LDAR, LDLAR
};

static const struct row simd_structures_and_pairs[] = {
	{0x3e400000, 0x2c000000, STORE},           // STP, STNP
	{0x3e400000, 0x2c400000, LOAD},            // LDP, LDNP
	{0xbffffc00, 0x0d018400, STORE | RELEASE}, // STL1
	{0xbffffc00, 0x0d418400, LOAD | ACQUIRE},  // LDAP1
	{0xbe400000, 0x0c000000, STORE},           // ST1 .. ST4
	{0xbe400000, 0x0c400000, LOAD},            // LD1 .. LD4R
};

static const struct row loads_and_stores[] = {
	{0xff000000, 0xd8000000, PREFETCH},        // PRFM (literal)
	{0x3f000000, 0x18000000, LOAD},            // LDR, LDRSW (literal)
	{0x3fe00c00, 0x19c00400, STORE},           // SETP, SETM, SETE
	{0x3f200c00, 0x19000400, LOAD | STORE},    // CPYFP, CPYFM, CPYFE
	{0x3fe00c00, 0x19000000, STORE | RELEASE}, // STLUR
	{0x3f200c00, 0x19000000, LOAD | ACQUIRE},  // LDAPUR
	{0xbf600c00, 0x99000800, STORE | RELEASE}, // STILP; STLR (pre-index)
	{0xbf600c00, 0x99400800, LOAD | ACQUIRE},  // LDIAPP; LDAPR (post-index)
	{0xffffec00, 0xd91f0c00, STORE},           // GCSSTR, GCSSTTR
	{0xff600c00, 0xd9600000, LOAD},            // LDG, LDGM
	{0xff200000, 0xd9200000, STORE},           // STG, STZG, ST2G, STZ2G, STGM, STZGM
	ORDERED(1 << 23, 1 << 22, 0xbf200000, 0x19200000, ATOMIC), // SWPP, LDCLRP, RCWCAS, ...
	{0xffe00c00, 0xf8800000, PREFETCH},                        // PRFUM
	{0xffe00c00, 0xf8a00800, PREFETCH},                        // PRFM (register), RPRFM
	{0xffc00000, 0xf9800000, PREFETCH},                        // PRFM (immediate)
	{0xff200400, 0xf8200400, LOAD},                            // LDRAA, LDRAB
	{0xfffffc00, 0xf83f9000, STORE},                           // ST64B
	{0xffe0fc00, 0xf820a000, STORE},                           // ST64BV0
	{0xffe0fc00, 0xf820b000, STORE},                           // ST64BV
	{0xfffffc00, 0xf83fd000, LOAD},                            // LD64B
	{0x3fe0fc00, 0x38a0c000, LOAD | ACQUIRE},                  // LDAPR
	RELEASING(1 << 22, 0x3f208c1f, 0x3820001f, ATOMIC), // LDADD, ... to the zero register
	RELEASING(1 << 22, 0x3f20fc1f, 0x3820801f, ATOMIC), // SWP to the zero register
	ORDERED(1 << 23, 1 << 22, 0x3f200c00, 0x38200000, ATOMIC), // LDADD, SWP, RCWCLR, ...
	{0x3ec00000, 0x38000000, STORE},
	{0x3e000000, 0x38000000, LOAD},
};

static const struct row simd_loads_and_stores[] = {
	{0x3f000000, 0x1c000000, LOAD},            // LDR (literal)
	{0x3fe00c00, 0x1dc00400, STORE},           // SETGP, SETGM, SETGE
	{0x3f200c00, 0x1d000400, LOAD | STORE},    // CPYP, CPYM, CPYE
	{0x3f600c00, 0x1d000800, STORE | RELEASE}, // STLUR
	{0x3f600c00, 0x1d400800, LOAD | ACQUIRE},  // LDAPUR
	{0x3e400000, 0x3c000000, STORE},
	{0x3e400000, 0x3c400000, LOAD},
};

static const struct row simd_and_floating_point[] = {
	{0xff3e0c00, 0x4e280800, CRYPTO}, // AESE, AESD, AESMC, AESIMC
	{0xffe08c00, 0x5e000000, CRYPTO}, // SHA1C .. SHA256SU1
	{0xfffe0c00, 0x5e280800, CRYPTO}, // SHA1H, SHA1SU1, SHA256SU0
	{0xff000000, 0xce000000, CRYPTO}, // SHA512, SHA3, SM3, SM4
	{0x50000000, 0x10000000, VFP},    {0x80000000, 0x00000000, ASE},
};

struct group {
	const struct row *rows;
	size_t num_rows;
};

#define GROUP(rows)                                      \
	{                                                \
		(rows), sizeof(rows) / sizeof((rows)[0]) \
	}

/** The manual's top level of the encodings: by bits 28 to 25. */
static const struct group groups[16] = {
	[0x0] = GROUP(reserved_and_sme),
	[0x2] = GROUP(sve),
	[0x4] = GROUP(exclusives_and_pairs),
	[0x5] = GROUP(data),
	[0x6] = GROUP(simd_structures_and_pairs),
	[0x7] = GROUP(simd_and_floating_point),
	[0x8] = GROUP(data),
	[0x9] = GROUP(data),
	[0xa] = GROUP(branches_and_system),
	[0xb] = GROUP(branches_and_system),
	[0xc] = GROUP(loads_and_stores),
	[0xd] = GROUP(data),
	[0xe] = GROUP(simd_loads_and_stores),
	[0xf] = GROUP(simd_and_floating_point),
};

uint32_t a64_classes(uint32_t word)
{
	const struct group *group = &groups[word >> 25 & 0xf];
	for (size_t i = 0; i < group->num_rows; i++) {
		if ((word & group->rows[i].mask) == group->rows[i].value)
			return group->rows[i].classes;
	}
	return 0;
}
