// SPDX-License-Identifier: Apache-2.0

#include "view/huffman_code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 2 * HUFFMAN_MAX_SYMBOLS };

/** The symbols that come, the rarest first, and the tree above them. */
struct tree {
	size_t num_leaves;
	uint32_t symbols[HUFFMAN_MAX_SYMBOLS];
	uint32_t weights[MAX_NODES]; /* of leaves, then of inner nodes, each ascending */
	uint32_t parents[MAX_NODES];
	uint32_t num_of_length[HUFFMAN_MAX_BITS + 1];
};

void huffman_code_init(struct huffman_code *code, size_t num_symbols)
{
	*code = (struct huffman_code){.num_symbols = num_symbols};
}

static void use_two_symbols(struct huffman_code *code)
{
	size_t used = 0;
	for (size_t i = 0; i < code->num_symbols; i++)
		used += code->counts[i] != 0;
	for (size_t i = 0; used < 2; i++) {
		if (!code->counts[i]) {
			code->counts[i] = 1;
			used++;
		}
	}
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

static void add_leaves(struct tree *tree, const struct huffman_code *code)
{
	uint64_t keys[HUFFMAN_MAX_SYMBOLS];
	for (uint32_t i = 0; i < code->num_symbols; i++)
		if (code->counts[i])
			keys[tree->num_leaves++] = (uint64_t)code->counts[i] << 32 | i;
	qsort(keys, tree->num_leaves, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < tree->num_leaves; i++) {
		tree->symbols[i] = (uint32_t)keys[i];
		tree->weights[i] = (uint32_t)(keys[i] >> 32);
	}
}

// Inner nodes are made in the order of their weights: the two lightest nodes are always the next
// leaf and the next inner node, or two of one kind.
static void join_nodes(struct tree *tree)
{
	size_t leaf = 0, inner = tree->num_leaves;
	for (size_t node = tree->num_leaves; node < 2 * tree->num_leaves - 1; node++) {
		tree->weights[node] = 0;
		for (int child = 0; child < 2; child++) {
			bool takes_leaf =
				leaf < tree->num_leaves &&
				(inner == node || tree->weights[leaf] <= tree->weights[inner]);
			size_t taken = takes_leaf ? leaf++ : inner++;
			tree->parents[taken] = (uint32_t)node;
			tree->weights[node] += tree->weights[taken];
		}
	}
}

static void count_lengths(struct tree *tree, unsigned max_bits)
{
	uint32_t depths[MAX_NODES];
	size_t root = 2 * tree->num_leaves - 2;
	depths[root] = 0;
	for (size_t node = root; node-- > 0;) {
		depths[node] = depths[tree->parents[node]] + 1;
		if (node < tree->num_leaves)
			tree->num_of_length[depths[node] < max_bits ? depths[node] : max_bits]++;
	}
}

// Leaves that were too deep are now at the greatest depth, where there is no room for all of them:
// a leaf from above moves one down, and one from the bottom becomes its neighbour.
static void make_room(struct tree *tree, unsigned max_bits)
{
	uint32_t taken = 0;
	for (unsigned length = 1; length <= max_bits; length++)
		taken += tree->num_of_length[length] << (max_bits - length);
	for (; taken > UINT32_C(1) << max_bits; taken--) {
		unsigned length = max_bits - 1;
		while (!tree->num_of_length[length])
			length--;
		tree->num_of_length[length]--;
		tree->num_of_length[length + 1] += 2;
		tree->num_of_length[max_bits]--;
	}
}

static void assign_lengths(const struct tree *tree, unsigned max_bits, struct huffman_code *code)
{
	memset(code->lengths, 0, sizeof(code->lengths));
	size_t leaf = 0;
	for (unsigned length = max_bits; length; length--)
		for (uint32_t i = 0; i < tree->num_of_length[length]; i++)
			code->lengths[tree->symbols[leaf++]] = (uint8_t)length;
}

static uint16_t reversed(uint32_t bits, unsigned length)
{
	uint32_t result = 0;
	for (; length; length--, bits >>= 1)
		result = result << 1 | (bits & 1);
	return (uint16_t)result;
}

static void assign_codes(const struct tree *tree, struct huffman_code *code)
{
	uint32_t next[HUFFMAN_MAX_BITS + 1] = {0};
	for (unsigned length = 2; length <= HUFFMAN_MAX_BITS; length++)
		next[length] = (next[length - 1] + tree->num_of_length[length - 1]) << 1;
	for (size_t i = 0; i < code->num_symbols; i++) {
		unsigned length = code->lengths[i];
		if (length)
			code->codes[i] = reversed(next[length]++, length);
	}
}

void huffman_code_build(struct huffman_code *code, unsigned max_bits)
{
	use_two_symbols(code);
	struct tree tree = {0};
	add_leaves(&tree, code);
	join_nodes(&tree);
	count_lengths(&tree, max_bits);
	make_room(&tree, max_bits);
	assign_lengths(&tree, max_bits, code);
	assign_codes(&tree, code);
}

uint64_t huffman_code_cost(const struct huffman_code *code)
{
	uint64_t bits = 0;
	for (size_t i = 0; i < code->num_symbols; i++)
		bits += (uint64_t)code->counts[i] * code->lengths[i];
	return bits;
}
