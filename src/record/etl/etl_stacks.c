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

static bool is_key(const void *owner, uint32_t index, const void *key)
{
	return ((const struct etl_stacks *)owner)->keys[index].key == *(const uint64_t *)key;
}

/** @ret: NULL if the key is new and there are too many. */
static struct error *etl_stacks_find_key(struct etl_stacks *stacks, uint64_t key,
					 struct etl_stack_key **ret)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t index = hash_table_find(&stacks->key_index, hash, is_key, stacks, &key);
	if (index != HASH_TABLE_NONE) {
		*ret = &stacks->keys[index];
		return NULL;
	}
	*ret = NULL;
	if (stacks->num_keys == stacks->max_keys)
		return NULL;
	struct error *err = array_reserve(&stacks->keys, &stacks->cap_keys, stacks->num_keys + 1);
	if (!err)
		err = hash_table_insert(&stacks->key_index, hash, (uint32_t)stacks->num_keys);
	if (err)
		return err;
	*ret = &stacks->keys[stacks->num_keys++];
	**ret = (struct etl_stack_key){.key = key, .waiting = NOT_KNOWN};
	return NULL;
}

static struct error *etl_stacks_add_part(struct etl_stacks *stacks,
					 const struct etl_stack_waiting *waiting)
{
	if (stacks->num_parts == stacks->max_parts) {
		stacks->num_left_out++;
		return NULL;
	}
	stacks->num_parts++;
	return time_order_add(&stacks->parts, waiting->time_ns,
			      (uint64_t)waiting->tid << tid_shift | waiting->what);
}

/** Its addresses behind those that wait already. */
static struct error *etl_stacks_load(struct etl_stacks *stacks, const struct etl_event *event,
				     const struct etl_stack *stack)
{
	// At least one, so that an empty stack has a place, too.
	struct error *err =
		array_reserve(&stacks->waiting_addresses, &stacks->cap_waiting_addresses,
			      stacks->num_waiting_addresses + stack->num_addresses + 1);
	if (err)
		return err;
	uint64_t *to = stacks->waiting_addresses + stacks->num_waiting_addresses;
	bool is_wide = event->pointer_size == sizeof(*to);
	for (size_t i = 0; is_wide && i < stack->num_addresses; i++)
		to[i] = byte_order_load64(stack->addresses + i * sizeof(*to), false);
	for (size_t i = 0; !is_wide && i < stack->num_addresses; i++)
		to[i] = byte_order_load32(stack->addresses + i * sizeof(uint32_t), false);
	return NULL;
}

static struct error *etl_stacks_intern(struct etl_stacks *stacks,
				       const struct etl_stack_waiting *waiting, uint32_t *ret)
{
	struct error *err =
		etl_stack_table_intern(&stacks->table, stacks->waiting_addresses + waiting->first,
				       waiting->length, waiting->hash, ret);
	if (!err && *ret == ETL_STACK_TABLE_NONE)
		*ret = LEFT_OUT;
	return err;
}

static void etl_stacks_prefetch_waiting(struct etl_stacks *stacks)
{
	for (size_t i = 0; i < stacks->num_waiting; i++) {
		struct etl_stack_waiting *waiting = &stacks->waiting[i];
		if (!waiting->is_known)
			waiting->what = etl_stack_table_guess(&stacks->table, waiting->hash);
	}
	for (size_t i = 0; i < stacks->num_waiting; i++) {
		const struct etl_stack_waiting *waiting = &stacks->waiting[i];
		if (!waiting->is_known)
			etl_stack_table_prefetch_addresses(&stacks->table, waiting->what);
	}
}

/** Those that wait get their parts, in the order in which they came. */
static struct error *etl_stacks_look_up(struct etl_stacks *stacks)
{
	struct error *err = NULL;
	etl_stacks_prefetch_waiting(stacks);
	for (size_t i = 0; !err && i < stacks->num_waiting; i++) {
		struct etl_stack_waiting *waiting = &stacks->waiting[i];
		if (!waiting->is_known)
			err = etl_stacks_intern(stacks, waiting, &waiting->what);
		if (!err && waiting->what == LEFT_OUT)
			stacks->num_left_out++;
		else if (!err)
			err = etl_stacks_add_part(stacks, waiting);
	}
	stacks->num_waiting = stacks->num_waiting_addresses = 0;
	return err;
}

/** One more waits, for which there is room. */
static struct error *etl_stacks_end_waiting(struct etl_stacks *stacks)
{
	stacks->num_waiting++;
	return stacks->num_waiting == ETL_STACKS_MAX_WAITING ? etl_stacks_look_up(stacks) : NULL;
}

/** A place among those that wait. */
static struct error *etl_stacks_wait(struct etl_stacks *stacks, const struct etl_event *event,
				     const struct etl_stack *stack, struct etl_stack_waiting *ret)
{
	struct error *err = etl_stacks_load(stacks, event, stack);
	if (err)
		return err;
	const uint64_t *addresses = stacks->waiting_addresses + stacks->num_waiting_addresses;
	*ret = (struct etl_stack_waiting){
		.time_ns = stack->time_ns,
		.hash = etl_stack_table_hash(addresses, stack->num_addresses),
		.first = stacks->num_waiting_addresses,
		.length = (uint32_t)stack->num_addresses,
		.tid = stack->tid,
	};
	etl_stack_table_prefetch(&stacks->table, ret->hash);
	return NULL;
}

static struct error *etl_stacks_add_addresses(struct etl_stacks *stacks,
					      const struct etl_event *event,
					      const struct etl_stack *stack)
{
	struct error *err =
		etl_stacks_wait(stacks, event, stack, &stacks->waiting[stacks->num_waiting]);
	if (err)
		return err;
	stacks->num_waiting_addresses += stack->num_addresses;
	return etl_stacks_end_waiting(stacks);
}

/** Behind those that wait: parts of equal times keep their order. */
static struct error *etl_stacks_add_known(struct etl_stacks *stacks, const struct etl_stack *stack,
					  uint32_t what)
{
	stacks->waiting[stacks->num_waiting] = (struct etl_stack_waiting){
		.time_ns = stack->time_ns,
		.tid = stack->tid,
		.what = what,
		.is_known = true,
	};
	return etl_stacks_end_waiting(stacks);
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
	if (!key) {
		stacks->num_left_out++;
		return NULL;
	}
	// Defined at this very time, by another CPU.
	if (key->waiting == NOT_KNOWN && key->last_time_ns && key->last_time_ns == event->time_ns)
		return etl_stacks_add_known(stacks, stack, key->last);
	if (key->waiting == NOT_KNOWN)
		err = etl_stacks_add_meaning(stacks, &key->waiting);
	return err ? err : etl_stacks_add_known(stacks, stack, key->waiting | PLACE_IS_MEANING);
}

static struct error *etl_stacks_define(struct etl_stacks *stacks, const struct etl_event *event,
				       const struct etl_stack *stack)
{
	struct etl_stack_key *key;
	struct etl_stack_waiting waiting;
	uint32_t number;
	struct error *err = etl_stacks_find_key(stacks, stack->key, &key);
	// Events with a key that has no place are left out and counted.
	if (!err && !key)
		return NULL;
	if (!err)
		err = etl_stacks_wait(stacks, event, stack, &waiting);
	if (!err)
		err = etl_stacks_intern(stacks, &waiting, &number);
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
	switch (event->opcode) {
	case ETL_STACK:
		return etl_stacks_add_addresses(stacks, event, stack);
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

size_t etl_stack_count_kernel(const uint64_t *addresses, size_t length)
{
	size_t num = 0;
	for (size_t i = 0; i < length; i++)
		num += record_is_kernel_address(addresses[i]);
	return num;
}

struct error *etl_stacks_end(struct etl_stacks *stacks)
{
	struct error *err = etl_stacks_look_up(stacks);
	if (err)
		return err;
	struct etl_stack_table *table = &stacks->table;
	etl_stack_table_end(table);
	hash_table_deinit(&stacks->key_index);
	free(stacks->keys);
	stacks->keys = NULL;
	stacks->num_keys = stacks->cap_keys = 0;
	for (size_t i = 0; i < table->num_addresses; i++)
		table->addresses[i] = etl_address(stacks->width, table->addresses[i]);
	for (size_t i = 0; i < table->num_spans; i++)
		table->spans[i].num_kernel = (uint32_t)etl_stack_count_kernel(
			table->addresses + table->spans[i].first, table->spans[i].length);
	return time_order_end(&stacks->parts);
}

static size_t etl_part_count(const struct etl_stack_part *part, bool is_kernel)
{
	return is_kernel ? part->num_kernel : part->length - part->num_kernel;
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
	return what == LEFT_OUT || what == NOT_KNOWN ? NULL : &stacks->table.spans[what];
}

/** The number of the stack of a part that comes later; ETL_STACK_TABLE_NONE: it has none. */
static uint32_t etl_stacks_look_ahead(const struct etl_stacks *stacks, size_t ahead)
{
	struct time_order_entry part;
	if (!time_order_peek(&stacks->parts, ahead, &part))
		return ETL_STACK_TABLE_NONE;
	uint32_t what = (uint32_t)part.place;
	if (what & PLACE_IS_MEANING)
		what = stacks->meanings[what & ~PLACE_IS_MEANING];
	return what == LEFT_OUT || what == NOT_KNOWN ? ETL_STACK_TABLE_NONE : what;
}

static void etl_stacks_prefetch(const struct etl_stacks *stacks)
{
	enum { SPANS_AHEAD = 16, ADDRESSES_AHEAD = 8 };
	uint32_t span = etl_stacks_look_ahead(stacks, SPANS_AHEAD);
	if (span != ETL_STACK_TABLE_NONE)
		__builtin_prefetch(&stacks->table.spans[span]);
	etl_stack_table_prefetch_addresses(&stacks->table,
					   etl_stacks_look_ahead(stacks, ADDRESSES_AHEAD));
}

enum { PARTS = 8 /* of one event; there are at most two but for hostile files */ };

static size_t etl_stacks_collect(struct etl_stacks *stacks, uint64_t time_ns, uint32_t tid,
				 struct etl_stack_part ret[PARTS])
{
	struct time_order_entry part;
	while (time_order_peek(&stacks->parts, 0, &part) && part.time_ns < time_ns) {
		time_order_take(&stacks->parts, &part);
		etl_stacks_prefetch(stacks);
	}
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
			ret[num++] = (struct etl_stack_part){stacks->table.addresses + span->first,
							     span->length, span->num_kernel};
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
	etl_stack_table_deinit(&stacks->table);
	free(stacks->waiting_addresses);
	free(stacks->meanings);
	free(stacks->keys);
	free(stacks->chain);
	hash_table_deinit(&stacks->key_index);
	time_order_deinit(&stacks->parts);
	*stacks = (struct etl_stacks)ETL_STACKS_INIT;
}
