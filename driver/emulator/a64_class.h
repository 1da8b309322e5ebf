/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_A64_CLASS_H
#define WPERF_EMULATOR_A64_CLASS_H

/**
 * What an A64 instruction is to the events of the PMU, read from its word alone. An instruction
 * may be of several classes (an atomic loads and stores), or of none.
 */

#include <stdint.h>

enum a64_class {
	A64_LOAD,               /* reads memory: LD_SPEC */
	A64_STORE,              /* writes memory: ST_SPEC */
	A64_LOAD_EXCLUSIVE,     /* LDXR and its kin: LDREX_SPEC */
	A64_STORE_EXCLUSIVE,    /* STXR and its kin: STREX_SPEC */
	A64_LOAD_ACQUIRE,       /* with acquire semantics: RC_LD_SPEC */
	A64_STORE_RELEASE,      /* with release semantics: RC_ST_SPEC */
	A64_ATOMIC,             /* one that loads and stores at once: CAS, SWP, LDADD, ... */
	A64_PREFETCH,           /* PRFM: no load */
	A64_DATA,               /* integers, hints, and nearly all of SYSTEM: DP_SPEC */
	A64_VFP,                /* scalar floating point: VFP_SPEC */
	A64_ASE,                /* Advanced SIMD: ASE_SPEC */
	A64_CRYPTO,             /* AES, SHA, SM3, SM4, not PMULL: CRYPTO_SPEC */
	A64_SVE,                /* SVE and SME, loads and stores among them: SVE_INST_SPEC */
	A64_BRANCH_IMMED,       /* target in the word: BR_IMMED_SPEC */
	A64_BRANCH_INDIRECT,    /* target in a register, returns among them: BR_INDIRECT_SPEC */
	A64_BRANCH_RETURN,      /* RET and its kin: BR_RETURN_SPEC */
	A64_BRANCH_CONDITIONAL, /* may not be taken: B.cond, CBZ, TBZ, ... */
	A64_BRANCH_LINK,        /* calls: BL, BLR */
	A64_ISB,
	A64_DSB,
	A64_DMB,
	A64_SVC, /* system call: EXC_SVC */
	A64_HVC,
	A64_SMC,
	A64_BREAKPOINT, /* BRK, HLT */
	A64_SYSTEM,     /* MSR, MRS, SYS, CLREX, SB, ERET, ...: what is no barrier above */
	A64_HINT,       /* NOP, YIELD, BTI, PACIASP, ... */
	NUM_A64_CLASSES
};

/**
 * The set of classes, a bit for each: 1u << A64_LOAD and so on. A word that is no instruction may
 * have those of its neighbours, or none.
 */
uint32_t a64_classes(uint32_t word);

#endif
