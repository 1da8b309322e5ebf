// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_stacks.h"

#include "base/container/array.h"
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

// A part is 16 bytes: the time of its event, and a place that has the thread and either the number
// of a stack or, for a key, that of a meaning. The definition of a key fills the current meaning of
// it; later events with the key get a new one. So nothing has to be looked for when the definition
// comes at last. time_order sorts the parts by time; the second pass takes them from the front.
//
// Kernel and user parts are told apart by their addresses and not by the opcode: on Arm64 both may
// be in one event.

struct etl_stack_span {
	size_t first;
	uint32_t length;
};

struct etl_stack_key {
	uint64_t key;
	uint32_t waiting;      // the meaning that has no definition yet, or NOT_KNOWN
	uint32_t last;         // the stack of the last definition
	uint64_t last_time_ns; // its time; 0: none
};

enum { NOT_KNOWN = UINT32_MAX, LEFT_OUT = UINT32_MAX - 1 };

// Of the low half of a place: it is a meaning, not a stack.
#define PLACE_IS_MEANING (UINT32_C(1) << 31)

static const uint32_t tid_shift = 32;

struct span_key {
	const uint64_t *addresses;
	size_t length;
};

static bool is_span(const void *owner, uint32_t index, const void *key)
{
	const struct etl_stacks *stacks = owner;
	const struct span_key *wanted = key;
	const struct etl_stack_span *span = &stacks->spans[index];
	return span->length == wanted->length &&
	       !memcmp(stacks->addresses + span->first, wanted->addresses,
		       wanted->length * sizeof(uint64_t));
}

static bool is_key(const void *owner, uint32_t index, const void *key)
{
	return ((const struct etl_stacks *)owner)->keys[index].key == *(const uint64_t *)key;
}

/** The addresses behind those that are kept, where a new stack would stay. */
static struct error *etl_stacks_load(struct etl_stacks *stacks, const struct etl_event *event,
				     const struct etl_stack *stack)
{
	// At least one, so that an empty stack has a place, too.
	struct error *err = array_reserve(&stacks->addresses, &stacks->cap_addresses,
					  stacks->num_addresses + stack->num_addresses + 1);
	if (err)
		return err;
	uint64_t *to = stacks->addresses + stacks->num_addresses;
	bool is_wide = event->pointer_size == sizeof(*to);
	for (size_t i = 0; is_wide && i < stack->num_addresses; i++)
		to[i] = byte_order_load64(stack->addresses + i * sizeof(*to), false);
	for (size_t i = 0; !is_wide && i < stack->num_addresses; i++)
		to[i] = byte_order_load32(stack->addresses + i * sizeof(uint32_t), false);
	return NULL;
}

static struct error *etl_stacks_intern(struct etl_stacks *stacks, const struct etl_event *event,
				       const struct etl_stack *stack, uint32_t *ret)
{
	struct error *err = etl_stacks_load(stacks, event, stack);
	if (err)
		return err;
	const struct span_key key = {stacks->addresses + stacks->num_addresses,
				     stack->num_addresses};
	uint64_t hash = hash_bytes(key.addresses, key.length * sizeof(uint64_t));
	*ret = hash_table_find(&stacks->span_index, hash, is_span, stacks, &key);
	if (*ret != HASH_TABLE_NONE)
		return NULL;
	*ret = LEFT_OUT;
	if (key.length > stacks->max_addresses - stacks->num_addresses ||
	    stacks->num_spans >= stacks->max_addresses)
		return NULL;
	err = array_reserve(&stacks->spans, &stacks->cap_spans, stacks->num_spans + 1);
	if (!err)
		err = hash_table_insert(&stacks->span_index, hash, (uint32_t)stacks->num_spans);
	if (err)
		return err;
	*ret = (uint32_t)stacks->num_spans;
	stacks->spans[stacks->num_spans++] =
		(struct etl_stack_span){stacks->num_addresses, (uint32_t)key.length};
	stacks->num_addresses += key.length;
	return NULL;
}

static struct error *etl_stacks_find_key(struct etl_stacks *stacks, uint64_t key,
					 struct etl_stack_key **ret)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t index = hash_table_find(&stacks->key_index, hash, is_key, stacks, &key);
	if (index != HASH_TABLE_NONE) {
		*ret = &stacks->keys[index];
		return NULL;
	}
	struct error *err = array_reserve(&stacks->keys, &stacks->cap_keys, stacks->num_keys + 1);
	if (!err)
		err = hash_table_insert(&stacks->key_index, hash, (uint32_t)stacks->num_keys);
	if (err)
		return err;
	*ret = &stacks->keys[stacks->num_keys++];
	**ret = (struct etl_stack_key){.key = key, .waiting = NOT_KNOWN};
	return NULL;
}

static struct error *etl_stacks_add_part(struct etl_stacks *stacks, const struct etl_stack *stack,
					 uint32_t what)
{
	if (stacks->num_parts == stacks->max_parts) {
		stacks->num_left_out++;
		return NULL;
	}
	stacks->num_parts++;
	return time_order_add(&stacks->parts, stack->time_ns,
			      (uint64_t)stack->tid << tid_shift | what);
}

static struct error *etl_stacks_add_meaning(struct etl_stacks *stacks, uint32_t *ret)
{
	struct error *err =
		array_reserve(&stacks->meanings, &stacks->cap_meanings, stacks->num_meanings + 1);
	if (err)
		return err;
	*ret = (uint32_t)stacks->num_meanings;
	stacks->meanings[stacks->num_meanings++] = NOT_KNOWN;
	return NULL;
}

static struct error *etl_stacks_refer(struct etl_stacks *stacks, const struct etl_event *event,
				      const struct etl_stack *stack)
{
	struct etl_stack_key *key;
	// There will be no place for this part either; its key would need one as well.
	if (stacks->num_parts == stacks->max_parts) {
		stacks->num_left_out++;
		return NULL;
	}
	struct error *err = etl_stacks_find_key(stacks, stack->key, &key);
	if (err)
		return err;
	// Defined at this very time, by another CPU.
	if (key->waiting == NOT_KNOWN && key->last_time_ns && key->last_time_ns == event->time_ns) {
		if (key->last != LEFT_OUT)
			return etl_stacks_add_part(stacks, stack, key->last);
		stacks->num_left_out++;
		return NULL;
	}
	if (key->waiting == NOT_KNOWN)
		err = etl_stacks_add_meaning(stacks, &key->waiting);
	return err ? err : etl_stacks_add_part(stacks, stack, key->waiting | PLACE_IS_MEANING);
}

static struct error *etl_stacks_define(struct etl_stacks *stacks, const struct etl_event *event,
				       const struct etl_stack *stack)
{
	struct etl_stack_key *key;
	uint32_t number;
	struct error *err = etl_stacks_find_key(stacks, stack->key, &key);
	if (!err)
		err = etl_stacks_intern(stacks, event, stack, &number);
	if (err)
		return err;
	if (key->waiting != NOT_KNOWN)
		stacks->meanings[key->waiting] = number;
	key->waiting = NOT_KNOWN;
	key->last = number;
	key->last_time_ns = event->time_ns;
	return NULL;
}

struct error *etl_stacks_add(struct etl_stacks *stacks, const struct etl_event *event,
			     const struct etl_stack *stack)
{
	uint32_t number;
	struct error *err;
	switch (event->opcode) {
	case ETL_STACK:
		err = etl_stacks_intern(stacks, event, stack, &number);
		if (err || number != LEFT_OUT)
			return err ? err : etl_stacks_add_part(stacks, stack, number);
		stacks->num_left_out++;
		return NULL;
	case ETL_STACK_KERNEL_KEY:
	case ETL_STACK_USER_KEY:
		return etl_stacks_refer(stacks, event, stack);
	case ETL_STACK_CREATED:
	case ETL_STACK_DELETED:
	case ETL_STACK_RUNDOWN:
		return etl_stacks_define(stacks, event, stack);
	default:
		return NULL;
	}
}

struct error *etl_stacks_end(struct etl_stacks *stacks)
{
	// Only numbers are looked at from now on.
	hash_table_deinit(&stacks->span_index);
	hash_table_deinit(&stacks->key_index);
	free(stacks->keys);
	stacks->keys = NULL;
	stacks->num_keys = stacks->cap_keys = 0;
	for (size_t i = 0; i < stacks->num_addresses; i++)
		stacks->addresses[i] = etl_address(stacks->width, stacks->addresses[i]);
	return time_order_end(&stacks->parts);
}

static size_t etl_part_count(const struct etl_stack_part *part, bool is_kernel)
{
	size_t num = 0;
	for (size_t i = 0; i < part->length; i++)
		num += record_is_kernel_address(part->addresses[i]) == is_kernel;
	return num;
}

/** The addresses of a mode, which are @num of them. */
static void etl_part_copy(const struct etl_stack_part *part, bool is_kernel, size_t num,
			  uint64_t *ret)
{
	if (num == part->length) {
		memcpy(ret, part->addresses, num * sizeof(*ret));
		return;
	}
	for (size_t i = 0; i < part->length; i++) {
		if (record_is_kernel_address(part->addresses[i]) == is_kernel)
			*ret++ = part->addresses[i];
	}
}

static size_t etl_chain_join_mode(const struct etl_stack_part *parts, size_t num_parts, uint64_t ip,
				  bool is_kernel, uint64_t *ret)
{
	// The first part that has any.
	size_t num = 0, which = 0;
	for (size_t i = 0; i < num_parts && !num; i++) {
		num = etl_part_count(&parts[i], is_kernel);
		which = i;
	}
	bool has_ip = ip && record_is_kernel_address(ip) == is_kernel;
	if (!num && !has_ip)
		return 0;
	uint64_t *to = ret;
	*to++ = is_kernel ? RECORD_CONTEXT_KERNEL : RECORD_CONTEXT_USER;
	if (num)
		etl_part_copy(&parts[which], is_kernel, num, to);
	if (has_ip && (!num || *to != ip)) {
		memmove(to + 1, to, num * sizeof(*to));
		*to++ = ip;
	}
	return (size_t)(to - ret) + num;
}

size_t etl_chain_join(const struct etl_stack_part *parts, size_t num_parts, uint64_t ip,
		      uint64_t *ret)
{
	if (num_parts == 0)
		return 0;
	// The kernel was called by the program: its part is nearer to the leaf. Who was in user
	// mode had none: it is that of another event of the same thread and time.
	bool was_in_user_mode = ip && !record_is_kernel_address(ip);
	size_t length = was_in_user_mode ? 0 : etl_chain_join_mode(parts, num_parts, ip, true, ret);
	return length + etl_chain_join_mode(parts, num_parts, ip, false, ret + length);
}

/** The stack of a part; NULL, and counted, if it is not known. */
static const struct etl_stack_span *etl_stacks_part(struct etl_stacks *stacks, uint64_t place)
{
	uint32_t what = (uint32_t)place;
	if (what & PLACE_IS_MEANING)
		what = stacks->meanings[what & ~PLACE_IS_MEANING];
	if (what == LEFT_OUT)
		stacks->num_left_out++;
	if (what == NOT_KNOWN)
		stacks->num_unknown++;
	return what == LEFT_OUT || what == NOT_KNOWN ? NULL : &stacks->spans[what];
}

enum { PARTS = 8 /* of one event; there are at most two but for hostile files */ };

static size_t etl_stacks_collect(struct etl_stacks *stacks, uint64_t time_ns, uint32_t tid,
				 struct etl_stack_part ret[PARTS])
{
	struct time_order_entry part;
	while (time_order_peek(&stacks->parts, 0, &part) && part.time_ns < time_ns)
		time_order_take(&stacks->parts, &part);
	size_t num = 0;
	// Bounded: a file may give all its stacks one time.
	enum { MOST_OF_A_TIME = 4096 };
	for (size_t i = 0; num < PARTS && i < MOST_OF_A_TIME &&
			   time_order_peek(&stacks->parts, i, &part) && part.time_ns == time_ns;
	     i++) {
		if (part.place >> tid_shift != tid)
			continue;
		stacks->num_matched++;
		const struct etl_stack_span *span = etl_stacks_part(stacks, part.place);
		if (span)
			ret[num++] = (struct etl_stack_part){stacks->addresses + span->first,
							     span->length};
	}
	return num;
}

struct error *etl_stacks_find(struct etl_stacks *stacks, uint64_t time_ns, uint32_t tid,
			      uint64_t ip, const uint64_t **ret, size_t *ret_length)
{
	struct etl_stack_part parts[PARTS];
	size_t num = etl_stacks_collect(stacks, time_ns, tid, parts);
	size_t room = ETL_CHAIN_MORE;
	for (size_t i = 0; i < num; i++)
		room += parts[i].length;
	struct error *err = array_reserve(&stacks->chain, &stacks->cap_chain, room);
	if (err)
		return err;
	*ret_length = etl_chain_join(parts, num, ip, stacks->chain);
	*ret = stacks->chain;
	return NULL;
}

uint64_t etl_stacks_num_unmatched(const struct etl_stacks *stacks)
{
	return stacks->num_parts > stacks->num_matched ? stacks->num_parts - stacks->num_matched
						       : 0;
}

void etl_stacks_deinit(struct etl_stacks *stacks)
{
	free(stacks->addresses);
	free(stacks->spans);
	free(stacks->meanings);
	free(stacks->keys);
	free(stacks->chain);
	hash_table_deinit(&stacks->span_index);
	hash_table_deinit(&stacks->key_index);
	time_order_deinit(&stacks->parts);
	*stacks = (struct etl_stacks)ETL_STACKS_INIT;
}
