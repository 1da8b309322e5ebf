/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_SAMPLE_TAKER_H
#define WPERF_EMULATOR_SAMPLE_TAKER_H

/**
 * Samples: at the instruction that brings an event to its period. Callers are those of the
 * block's beginning, where the emulator has all registers in memory; within a block nobody is
 * called and nobody returns.
 */

#include "driver/emulator/plugin/guest_thread.h"

/** A block is about to run. */
void sample_taker_block(struct guest_thread *thread, const struct block *block);

/** The first sampled event has reached its period with this block. */
void sample_taker_overflow(struct guest_thread *thread, const struct block *block);

/** A measure that is neither of blocks nor of the model happened, at this instruction. */
void sample_taker_event(struct guest_thread *thread, enum measure measure, uint64_t address);

/** This instruction, or the block that begins there, was an access to the model. */
void sample_taker_model(struct guest_thread *thread, uint64_t address);

#endif
