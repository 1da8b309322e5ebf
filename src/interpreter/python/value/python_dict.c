// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_dict.h"

#include "base/byte_order.h"
#include "interpreter/python/value/python_string.h"

// Follows PyDictObject and PyDictKeysObject (Objects/dict-common.h up to 3.10,
// Include/internal/pycore_dict.h since 3.11). A dict has a table of keys: a head, an index of
// hashes, and behind it the entries in the order of insertion. To iterate, the index is skipped:
// its size follows from dk_size (old) or dk_log2_index_bytes (new). Entries are hash, key and
// value, or key and value if all keys are strings. Split tables, of the attributes of instances,
// are shared by many dicts: their values are in ma_values.
//
// The size of the index comes from another process, so it is limited before it is used.

// From the number of entries on, a dict has not changed since 3.6.
enum {
	USED_TO_KEYS = 16,   // from ma_used to ma_keys
	USED_TO_VALUES = 24, // to ma_values
	MAX_DELETED = 256,   // in a row
	LARGEST_INDEX_BITS = 40,
};

/** The head of the table of keys, up to its index. */
enum {
	OLD_SIZE = 8,   /* dk_size, up to 3.10: places of the index */
	OLD_NUM = 32,   /* dk_nentries */
	OLD_HEAD = 40,  /* dk_indices */
	LOG2_BYTES = 9, /* dk_log2_index_bytes, since 3.11 */
	KIND = 10,      /* dk_kind */
	NUM = 24,       /* dk_nentries */
	HEAD = 32,      /* dk_indices */
};

enum keys_kind {
	KEYS_GENERAL, /* entries begin with a hash */
	KEYS_STRINGS,
	KEYS_SPLIT, /* values are elsewhere */
	NUM_KINDS,
};

static uint64_t old_index_size(uint64_t num_places)
{
	if (num_places <= UINT8_MAX)
		return num_places;
	return num_places * (num_places <= UINT16_MAX ? 2 : num_places <= UINT32_MAX ? 4 : 8);
}

static bool take_old_keys(struct python_dict *dict, uint64_t keys, const uint8_t *head)
{
	uint64_t num_places = byte_order_load64(head + OLD_SIZE, false);
	if (num_places >> LARGEST_INDEX_BITS)
		return false;
	dict->entries = keys + OLD_HEAD + old_index_size(num_places);
	dict->num = byte_order_load64(head + OLD_NUM, false);
	dict->entry_size = 24;
	dict->key_offset = 8;
	return true;
}

static bool python_dict_take_keys(struct python_dict *dict, uint64_t keys, const uint8_t *head)
{
	uint8_t log2_bytes = head[LOG2_BYTES], kind = head[KIND];
	if (log2_bytes > LARGEST_INDEX_BITS || kind >= NUM_KINDS)
		return false;
	dict->entries = keys + HEAD + (UINT64_C(1) << log2_bytes);
	dict->num = byte_order_load64(head + NUM, false);
	dict->entry_size = kind == KEYS_GENERAL ? 24 : 16;
	dict->key_offset = kind == KEYS_GENERAL ? 8 : 0;
	return true;
}

bool python_dict_read(const struct python_runtime *runtime, uint64_t address,
		      struct python_dict *ret)
{
	const struct python_layout *layout = &runtime->layout;
	uint64_t used = address + layout->dict_used, keys;
	struct python_dict dict = {0};
	const struct process_memory_part parts[] = {
		{used, &dict.num_used, sizeof(dict.num_used)},
		{used + USED_TO_KEYS, &keys, sizeof(keys)},
		{used + USED_TO_VALUES, &dict.values, sizeof(dict.values)},
	};
	uint8_t head[OLD_HEAD];
	bool is_old = layout->minor < 11;
	if (!process_memory_read_parts(&runtime->memory, parts, 3) ||
	    !process_memory_read(&runtime->memory, keys, head, is_old ? OLD_HEAD : HEAD) ||
	    !(is_old ? take_old_keys(&dict, keys, head) : python_dict_take_keys(&dict, keys, head)))
		return false;
	enum { VALUES_HEAD = 8 }; // four bytes, and those that align what follows
	if (dict.values && layout->minor >= 13)
		dict.values += VALUES_HEAD;
	*ret = dict;
	return true;
}

bool python_dict_read_values(const struct python_runtime *runtime, uint64_t keys, uint64_t values,
			     struct python_dict *ret)
{
	struct python_dict dict = {.values = values};
	uint8_t head[HEAD];
	if (!keys || !values || !process_memory_read(&runtime->memory, keys, head, HEAD) ||
	    !python_dict_take_keys(&dict, keys, head))
		return false;
	*ret = dict;
	return true;
}

static bool python_dict_read_entry(const struct python_runtime *runtime,
				   const struct python_dict *dict, uint64_t index,
				   struct python_dict_entry *ret)
{
	uint64_t key = dict->entries + index * dict->entry_size + dict->key_offset;
	const struct process_memory_part parts[] = {
		{key, &ret->key, sizeof(ret->key)},
		{dict->values ? dict->values + index * sizeof(ret->value) : key + sizeof(ret->key),
		 &ret->value, sizeof(ret->value)},
	};
	return process_memory_read_parts(&runtime->memory, parts, 2);
}

bool python_dict_next(const struct python_runtime *runtime, struct python_dict *dict,
		      struct python_dict_entry *ret)
{
	for (int i = 0; i < MAX_DELETED && dict->next < dict->num; i++) {
		struct python_dict_entry entry;
		if (!python_dict_read_entry(runtime, dict, dict->next++, &entry))
			return false;
		if (entry.key && entry.value) {
			*ret = entry;
			return true;
		}
	}
	return false;
}

uint64_t python_dict_find(const struct python_runtime *runtime, struct python_dict *dict,
			  const char *key, size_t max)
{
	struct python_dict_entry entry;
	for (size_t i = 0; i < max && python_dict_next(runtime, dict, &entry); i++)
		if (python_string_is(&runtime->memory, &runtime->layout, entry.key, key))
			return entry.value;
	return 0;
}
