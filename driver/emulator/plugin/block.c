// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/block.h"

#include "driver/emulator/a64_class.h"
#include "driver/emulator/plugin/guest_memory.h"
#include "driver/emulator/plugin/plugin_state.h"

#include <stdlib.h>
#include <string.h>

// A block is the emulator's: it is allocated when code is translated and lives until the emulator
// flushes all its translations, so that slabs that are freed together suffice. Only the last
// instruction of a block can be a branch. Whether it was taken is known at the next block
// (end_branch() of plugin.c).

enum { BLOCKS_PER_SLAB = 1024, INSTRUCTION_SIZE = 4 };

/** Blocks come by the ten thousand and go all at once. */
struct slab {
	struct slab *next;
	size_t num_blocks;
	struct block blocks[BLOCKS_PER_SLAB];
};

// Translation is under a lock of the emulator, and so is the end of all blocks.
static struct block *block_allocate(struct plugin *plugin)
{
	struct slab *slab = plugin->slabs;
	if (!slab || slab->num_blocks == BLOCKS_PER_SLAB) {
		slab = malloc(sizeof(*slab));
		if (!slab)
			return NULL;
		slab->next = plugin->slabs;
		slab->num_blocks = 0;
		plugin->slabs = slab;
	}
	return &slab->blocks[slab->num_blocks++];
}

void block_destroy_all(struct plugin *plugin)
{
	while (plugin->slabs) {
		struct slab *next = plugin->slabs->next;
		free(plugin->slabs);
		plugin->slabs = next;
	}
}

/** Only the last instruction of a block can be a branch. */
static enum branch_kind block_kind_of(uint32_t classes)
{
	if (classes & 1u << A64_BRANCH_CONDITIONAL)
		return BRANCH_CONDITIONAL;
	if (classes & 1u << A64_BRANCH_IMMED)
		return BRANCH_IMMED;
	return classes & 1u << A64_BRANCH_INDIRECT ? BRANCH_INDIRECT : BRANCH_NONE;
}

struct block *block_create(struct plugin *plugin, const struct qemu_plugin_tb *tb)
{
	struct block *block = block_allocate(plugin);
	if (!block)
		return NULL;
	size_t num = qemu_plugin_tb_n_insns(tb);
	*block = (struct block){
		.address = qemu_plugin_tb_vaddr(tb),
		.num_instructions = (uint32_t)num,
	};
	uint32_t classes = 0;
	for (size_t i = 0; i < num; i++) {
		uint32_t word;
		memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(tb, i)), sizeof(word));
		classes = a64_classes(word);
		for (unsigned measure = 0; measure < NUM_BLOCK_MEASURES; measure++)
			block->counts.counts[measure] +=
				measure_has_classes((enum measure)measure, classes);
	}
	block->branch = (struct branch){
		.next_address = block->address + num * INSTRUCTION_SIZE,
		.kind = block_kind_of(classes),
	};
	const struct region_config *config = plugin->config;
	if (config->mode == REGION_COUNTS)
		block->vector = region_find_vector(plugin->region, &block->counts);
	else
		block->weight = block_weight(block, config->sampled[0].measure, config);
	return block;
}

uint32_t block_weight(const struct block *block, enum measure measure,
		      const struct region_config *config)
{
	if (!measure_is_of_blocks(measure))
		return 0;
	return measure == MEASURE_CYCLES ? block->num_instructions * config->cycles_per_1000
					 : block->counts.counts[measure];
}

// Read again from the program: what the emulator gave at the translation is gone by now.
uint64_t block_find(const struct block *block, enum measure measure, uint64_t n,
		    const struct plugin *plugin)
{
	for (uint32_t i = 0; i < block->num_instructions; i++) {
		uint32_t word;
		uint64_t address = block->address + i * INSTRUCTION_SIZE;
		if (guest_memory_read(plugin, address, &word, sizeof(word)) != sizeof(word))
			break;
		n -= measure_has_classes(measure, a64_classes(word));
		if (n == 0)
			return address;
	}
	return block->address; // its code has changed meanwhile
}
