// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/call_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

// The functions on a stack, outermost first.
static size_t functions_of(const struct named_profile *profile, uint32_t stack, uint32_t *ret)
{
	size_t length = stack == STACK_NONE ? 0 : profile->stacks.nodes[stack].depth;
	for (size_t i = length; i > 0; i--) {
		ret[i - 1] = profile->frames[profile->stacks.nodes[stack].frame].function;
		stack = profile->stacks.nodes[stack].parent;
	}
	return length;
}

static void reverse(uint32_t *items, size_t length)
{
	for (size_t i = 0; i < length / 2; i++) {
		uint32_t kept = items[i];
		items[i] = items[length - 1 - i];
		items[length - 1 - i] = kept;
	}
}

// The way from the root that a sample takes in a tree of this shape; false: it is not in it.
static bool way_of(const struct named_profile *profile, const struct call_tree_request *request,
		   uint32_t stack, uint32_t *way, size_t *ret_length)
{
	size_t length = functions_of(profile, stack, way);
	size_t first = 0;
	while (first < length && way[first] != request->function)
		first++;
	bool is_there = first < length;
	switch (request->shape) {
	case CALL_TREE_TOP_DOWN:
		*ret_length = length;
		return true;
	case CALL_TREE_BOTTOM_UP:
		reverse(way, length);
		*ret_length = length;
		return true;
	case CALL_TREE_CALLEES:
		if (is_there)
			memmove(way, way + first + 1, (length - first - 1) * sizeof(*way));
		*ret_length = is_there ? length - first - 1 : 0;
		return is_there;
	case CALL_TREE_CALLERS:
		reverse(way, first);
		*ret_length = first;
		return is_there;
	}
	return false;
}

static void assert_node(const struct named_profile *profile,
			const struct call_tree_request *request, const struct call_tree *tree,
			const uint32_t *path, const struct call_tree_node *node)
{
	struct named_total total = {0}, self = {0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		uint32_t way[MAX_DEPTH];
		size_t length;
		if (!way_of(profile, request, sample->stack, way, &length) ||
		    length < node->depth || memcmp(way, path, node->depth * sizeof(*way)) != 0)
			continue;
		struct named_total sum = {sample->count, sample->weight};
		named_total_add(&total, sum);
		if (length == node->depth)
			named_total_add(&self, sum);
	}
	assert_int_equal(node->total.weight, total.weight);
	assert_int_equal(node->total.count, total.count);
	assert_int_equal(node->self.weight, self.weight);
	assert_int_equal(node->self.count, self.count);
}

// Every node holds what is below it, and what is left out.
static void assert_complete(const struct call_tree *tree)
{
	for (size_t i = 0; i < tree->num_nodes; i++) {
		const struct call_tree_node *node = &tree->nodes[i];
		struct named_total sum = node->self;
		named_total_add(&sum, node->left_out);
		uint64_t last_weight = UINT64_MAX;
		bool was_last = true;
		for (size_t j = i + 1; j < tree->num_nodes && tree->nodes[j].depth > node->depth;
		     j++) {
			if (tree->nodes[j].depth != node->depth + 1)
				continue;
			assert_true(tree->nodes[j].total.weight <= last_weight);
			last_weight = tree->nodes[j].total.weight;
			was_last = tree->nodes[j].is_last;
			named_total_add(&sum, tree->nodes[j].total);
		}
		assert_true(was_last);
		assert_int_equal(sum.weight, node->total.weight);
		assert_int_equal(sum.count, node->total.count);
	}
}

static void assert_like_slow_way(const struct named_profile *profile,
				 const struct call_tree_request *request)
{
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	assert_no_error(call_tree_create(profile, request, &tree));
	uint32_t path[MAX_DEPTH];
	size_t num_last = 0;
	for (size_t i = 0; i < tree.num_nodes; i++) {
		const struct call_tree_node *node = &tree.nodes[i];
		if (node->depth)
			path[node->depth - 1] = node->function;
		assert_node(profile, request, &tree, path, node);
		assert_true(named_total_percent(node->total, tree.whole) >= request->min_percent);
		num_last += node->is_last;
	}
	assert_true(num_last > 0);
	assert_int_equal(tree.whole.weight, profile_total(profile, NAMED_NONE).weight);
	assert_complete(&tree);
}

static void test_sums_are_those_of_the_slow_way(void **state)
{
	for (uint32_t seed = 1; seed <= 6; seed++) {
		_cleanup_(named_profile_deinit) struct named_profile profile;
		fixture_random_profile(&profile, seed, 80);
		for (enum call_tree_shape shape = 0; shape <= CALL_TREE_CALLERS; shape++) {
			struct call_tree_request request = {.shape = shape, .function = 2};
			assert_like_slow_way(&profile, &request);
			request.min_percent = 1.5;
			assert_like_slow_way(&profile, &request);
			request.max_depth = 2;
			assert_like_slow_way(&profile, &request);
		}
	}
}

static void test_no_node_is_too_deep(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 1, 200);
	for (enum call_tree_shape shape = 0; shape <= CALL_TREE_CALLERS; shape++) {
		struct call_tree_request request = {.shape = shape, .max_depth = 2};
		_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
		assert_no_error(call_tree_create(&profile, &request, &tree));
		uint32_t deepest = 0;
		for (size_t i = 0; i < tree.num_nodes; i++)
			deepest = tree.nodes[i].depth > deepest ? tree.nodes[i].depth : deepest;
		assert_int_equal(deepest, 2);
	}
}

static void test_nothing_is_a_root(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	for (enum call_tree_shape shape = 0; shape <= CALL_TREE_CALLERS; shape++) {
		struct call_tree_request request = {.shape = shape};
		_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
		assert_no_error(call_tree_create(&profile, &request, &tree));
		assert_int_equal(tree.num_nodes, 1);
		assert_int_equal(tree.nodes[0].total.count, 0);
	}
}

int call_tree_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_those_of_the_slow_way),
		cmocka_unit_test(test_no_node_is_too_deep),
		cmocka_unit_test(test_nothing_is_a_root),
	};
	return cmocka_run_group_tests_name("call_tree", tests, NULL, NULL);
}
