// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_dictionary.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "fleet/otlp/otlp_fields.h"
#include "fleet/otlp/otlp_frame_type.h"

#include <string.h>

// Numbers of the profile become numbers of the dictionary by one array for each table; 0 there is
// "not yet", as 0 is never given away but to the zero value. Entries of all tables are written into
// one message as they come, since only the order within a table counts. Strings are last.
//
// A location of OTLP is a place in the machine code with a line for each function that was inlined
// there, but our frames are one for each function. So frames become groups: an inlined frame joins
// that of its caller, and a group is a location. A group is a path in a stack table of its own: the
// outermost function first.
//
//	our stack, leaf first      groups           locations
//	copy, inlined   0x40       {main:9, copy}   address 0x40, lines copy, main:9
//	main:9          0x40       {main:9}         (not used)
//	start           0x90       {start}          address 0x90, line start

// An attribute: what tells it from others.
struct otlp_attribute_key {
	uint64_t key, type, value; // the value of a text is the number of its string
};

struct otlp_function_key {
	uint32_t name, linkage_name, file, line;
};

struct otlp_dictionary {
	const struct named_profile *profile;
	struct protobuf_message body;               // entries of all tables but the strings
	struct protobuf_message entry, inner, list; // one that is being written
	struct protobuf_message locations;          // of a stack
	struct string_table strings;
	uint32_t *string_of, *mapping_of, *function_of, *stack_of; // by number of the profile
	struct stack_table groups;
	uint32_t *group_of_frame, *group_of_stack; // of a frame that is no inlined one; of a node
	uint32_t *location_of;                     // by group
	bool *is_noted;                            // by node of the profile's stacks
	bool *is_stack;                            // the same: not only part of one
	bool keeps_order;
	struct otlp_attribute_key *attributes;
	struct otlp_function_key *functions;
	size_t num_attributes, cap_attributes, num_functions, cap_functions;
	struct hash_table attribute_index, function_index;
	uint32_t num_entries[OTLP_NUM_TABLES];
	bool has_failed; // no memory
};

static bool otlp_dictionary_check(struct otlp_dictionary *dictionary, struct error *err)
{
	dictionary->has_failed |= err != NULL;
	error_destroy(err);
	return !err;
}

uint32_t otlp_dictionary_string(struct otlp_dictionary *dictionary, const char *text)
{
	uint32_t number = 0;
	otlp_dictionary_check(dictionary, string_table_intern(&dictionary->strings, text, &number));
	return number;
}

// A string of the profile.
static uint32_t otlp_dictionary_own_string(struct otlp_dictionary *dictionary, uint32_t string)
{
	uint32_t *number = &dictionary->string_of[string];
	if (!*number)
		*number = otlp_dictionary_string(dictionary,
						 named_profile_text(dictionary->profile, string));
	return *number;
}

static uint32_t otlp_dictionary_add_entry(struct otlp_dictionary *dictionary, enum otlp_table table)
{
	protobuf_message_nested(&dictionary->body, table, &dictionary->entry);
	return dictionary->num_entries[table]++;
}

void otlp_dictionary_write_list(struct protobuf_message *message, uint32_t field,
				struct protobuf_message *list)
{
	if (list->bytes.length)
		protobuf_message_nested(message, field, list);
}

static bool otlp_dictionary_has_attribute(const void *owner, uint32_t index, const void *key)
{
	const struct otlp_dictionary *dictionary = owner;
	return memcmp(&dictionary->attributes[index], key, sizeof(*dictionary->attributes)) == 0;
}

static void otlp_dictionary_write_attribute(struct otlp_dictionary *dictionary,
					    const struct otlp_attribute_key *key)
{
	uint32_t name = otlp_dictionary_string(dictionary, otlp_key_name((enum otlp_key)key->key));
	if (key->type == OTLP_VALUE_TEXT)
		protobuf_message_text(&dictionary->inner, OTLP_VALUE_TEXT,
				      string_table_get(&dictionary->strings, (uint32_t)key->value));
	else
		protobuf_message_number(&dictionary->inner, (uint32_t)key->type, key->value);
	protobuf_message_u64(&dictionary->entry, OTLP_ATTRIBUTE_KEY, name);
	protobuf_message_nested(&dictionary->entry, OTLP_ATTRIBUTE_VALUE, &dictionary->inner);
	otlp_dictionary_add_entry(dictionary, OTLP_ATTRIBUTES);
}

static void otlp_dictionary_add(struct otlp_dictionary *dictionary, struct protobuf_message *list,
				enum otlp_key key, enum otlp_value_field type, uint64_t value)
{
	struct otlp_attribute_key wanted = {key, type, value};
	uint64_t hash = hash_bytes(&wanted, sizeof(wanted));
	uint32_t found = hash_table_find(&dictionary->attribute_index, hash,
					 otlp_dictionary_has_attribute, dictionary, &wanted);
	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)dictionary->num_attributes;
		struct error *err = array_reserve(&dictionary->attributes,
						  &dictionary->cap_attributes, (size_t)found + 1);
		if (!err)
			err = hash_table_insert(&dictionary->attribute_index, hash, found);
		if (!otlp_dictionary_check(dictionary, err))
			return;
		dictionary->attributes[dictionary->num_attributes++] = wanted;
		otlp_dictionary_write_attribute(dictionary, &wanted);
	}
	// Behind the zero value.
	protobuf_message_packed(list, (uint64_t)found + 1);
}

void otlp_dictionary_add_text(struct otlp_dictionary *dictionary, struct protobuf_message *list,
			      enum otlp_key key, const char *text)
{
	otlp_dictionary_add(dictionary, list, key, OTLP_VALUE_TEXT,
			    otlp_dictionary_string(dictionary, text));
}

void otlp_dictionary_add_number(struct otlp_dictionary *dictionary, struct protobuf_message *list,
				enum otlp_key key, uint64_t number)
{
	otlp_dictionary_add(dictionary, list, key, OTLP_VALUE_INT, number);
}

void otlp_dictionary_add_flag(struct otlp_dictionary *dictionary, struct protobuf_message *list,
			      enum otlp_key key)
{
	otlp_dictionary_add(dictionary, list, key, OTLP_VALUE_BOOL, true);
}

static void otlp_dictionary_write_mapping(struct otlp_dictionary *dictionary,
					  const struct named_module *module)
{
	const struct named_profile *profile = dictionary->profile;
	struct protobuf_message *list = &dictionary->list;
	if (module->build_id)
		otlp_dictionary_add_text(dictionary, list, OTLP_KEY_BUILD_ID,
					 named_profile_text(profile, module->build_id));
	otlp_dictionary_add_text(dictionary, list, OTLP_KEY_MODULE_NAME,
				 named_profile_text(profile, module->name));
	if (!module->path)
		otlp_dictionary_add_text(dictionary, list, OTLP_KEY_MODULE_PATH, "");
	if (module->pid)
		otlp_dictionary_add_number(dictionary, list, OTLP_KEY_MODULE_PROCESS, module->pid);
	uint32_t file =
		otlp_dictionary_own_string(dictionary, module->path ? module->path : module->name);
	protobuf_message_u64(&dictionary->entry, OTLP_MAPPING_FILE, file);
	otlp_dictionary_write_list(&dictionary->entry, OTLP_MAPPING_ATTRIBUTES, list);
}

static uint32_t otlp_dictionary_mapping(struct otlp_dictionary *dictionary, uint32_t module)
{
	if (module == NAMED_NONE)
		return 0;
	uint32_t *number = &dictionary->mapping_of[module];
	if (*number)
		return *number;
	otlp_dictionary_write_mapping(dictionary, &dictionary->profile->modules[module]);
	return *number = otlp_dictionary_add_entry(dictionary, OTLP_MAPPINGS);
}

static bool otlp_dictionary_has_function(const void *owner, uint32_t index, const void *key)
{
	const struct otlp_dictionary *dictionary = owner;
	return memcmp(&dictionary->functions[index], key, sizeof(*dictionary->functions)) == 0;
}

// Ours may differ in what a function of OTLP has no field for: their module and kind.
static uint32_t otlp_dictionary_intern_function(struct otlp_dictionary *dictionary,
						const struct otlp_function_key *key)
{
	uint64_t hash = hash_bytes(key, sizeof(*key));
	uint32_t found = hash_table_find(&dictionary->function_index, hash,
					 otlp_dictionary_has_function, dictionary, key);
	if (found != HASH_TABLE_NONE)
		return found + 1;
	found = (uint32_t)dictionary->num_functions;
	struct error *err = array_reserve(&dictionary->functions, &dictionary->cap_functions,
					  (size_t)found + 1);
	if (!err)
		err = hash_table_insert(&dictionary->function_index, hash, found);
	if (!otlp_dictionary_check(dictionary, err))
		return 0;
	dictionary->functions[dictionary->num_functions++] = *key;
	protobuf_message_u64(&dictionary->entry, OTLP_FUNCTION_NAME, key->name);
	protobuf_message_u64(&dictionary->entry, OTLP_FUNCTION_LINKAGE_NAME, key->linkage_name);
	protobuf_message_u64(&dictionary->entry, OTLP_FUNCTION_FILE, key->file);
	protobuf_message_u64(&dictionary->entry, OTLP_FUNCTION_LINE, key->line);
	return otlp_dictionary_add_entry(dictionary, OTLP_FUNCTIONS);
}

static uint32_t otlp_dictionary_function(struct otlp_dictionary *dictionary, uint32_t function)
{
	uint32_t *number = &dictionary->function_of[function];
	if (*number)
		return *number;
	const struct named_function *named = &dictionary->profile->functions[function];
	struct otlp_function_key key = {
		.name = otlp_dictionary_own_string(dictionary, named->name),
		.linkage_name = otlp_dictionary_own_string(dictionary, named->linkage_name),
		.file = otlp_dictionary_own_string(dictionary, named->file),
		.line = named->line,
	};
	return *number = otlp_dictionary_intern_function(dictionary, &key);
}

// A frame that nothing names has no line: the receiver may find its name.
static bool otlp_dictionary_is_nameless(const struct named_profile *profile,
					const struct named_frame *frame)
{
	const struct named_function *function = &profile->functions[frame->function];
	return !function->linkage_name && !function->file && !function->line && !frame->file &&
	       !frame->line && function->module != NAMED_NONE &&
	       strcmp(named_profile_text(profile, function->name), "[unknown]") == 0;
}

// @frame: the outermost function of the location.
static void otlp_dictionary_describe_frame(struct otlp_dictionary *dictionary,
					   const struct named_frame *frame)
{
	const struct named_profile *profile = dictionary->profile;
	const struct named_function *function = &profile->functions[frame->function];
	struct protobuf_message *list = &dictionary->list;
	otlp_dictionary_add_text(dictionary, list, OTLP_KEY_FRAME_TYPE,
				 otlp_frame_type_name(function->kind, profile->language));
	if (frame->file != function->file)
		otlp_dictionary_add_text(dictionary, list, OTLP_KEY_FRAME_FILE,
					 named_profile_text(profile, frame->file));
	if (frame->is_inlined)
		otlp_dictionary_add_flag(dictionary, list, OTLP_KEY_FRAME_INLINED);
	if (frame->is_compiled)
		otlp_dictionary_add_flag(dictionary, list, OTLP_KEY_FRAME_COMPILED);
}

static void otlp_dictionary_write_line(struct otlp_dictionary *dictionary,
				       const struct named_frame *frame)
{
	// It is known already: nothing is written into @entry meanwhile.
	uint32_t function = otlp_dictionary_function(dictionary, frame->function);
	protobuf_message_u64(&dictionary->inner, OTLP_LINE_FUNCTION, function);
	protobuf_message_u64(&dictionary->inner, OTLP_LINE_LINE, frame->line);
	protobuf_message_nested(&dictionary->entry, OTLP_LOCATION_LINES, &dictionary->inner);
}

static uint32_t otlp_dictionary_write_location(struct otlp_dictionary *dictionary, uint32_t group)
{
	const struct named_profile *profile = dictionary->profile;
	const struct stack_node *nodes = dictionary->groups.nodes;
	uint32_t outermost = group;
	for (; nodes[outermost].parent != STACK_NONE; outermost = nodes[outermost].parent)
		otlp_dictionary_function(dictionary,
					 profile->frames[nodes[outermost].frame].function);
	const struct named_frame *outer = &profile->frames[nodes[outermost].frame];
	otlp_dictionary_function(dictionary, outer->function);
	uint32_t mapping =
		otlp_dictionary_mapping(dictionary, profile->functions[outer->function].module);
	otlp_dictionary_describe_frame(dictionary, outer);
	protobuf_message_u64(&dictionary->entry, OTLP_LOCATION_MAPPING, mapping);
	protobuf_message_u64(&dictionary->entry, OTLP_LOCATION_ADDRESS, outer->address);
	bool is_nameless = nodes[group].depth == 1 && otlp_dictionary_is_nameless(profile, outer);
	for (uint32_t i = group; !is_nameless && i != STACK_NONE; i = nodes[i].parent)
		otlp_dictionary_write_line(dictionary, &profile->frames[nodes[i].frame]);
	otlp_dictionary_write_list(&dictionary->entry, OTLP_LOCATION_ATTRIBUTES, &dictionary->list);
	return otlp_dictionary_add_entry(dictionary, OTLP_LOCATIONS);
}

static uint32_t otlp_dictionary_location(struct otlp_dictionary *dictionary, uint32_t group)
{
	uint32_t *number = &dictionary->location_of[group];
	if (!*number)
		*number = otlp_dictionary_write_location(dictionary, group);
	return *number;
}

uint32_t otlp_dictionary_stack(struct otlp_dictionary *dictionary, uint32_t stack)
{
	if (stack == STACK_NONE)
		return 0;
	uint32_t *number = &dictionary->stack_of[stack];
	if (*number)
		return *number;
	const struct stack_node *nodes = dictionary->profile->stacks.nodes;
	struct protobuf_message *locations = &dictionary->locations;
	while (stack != STACK_NONE) {
		uint32_t group = dictionary->group_of_stack[stack];
		protobuf_message_packed(locations, otlp_dictionary_location(dictionary, group));
		for (uint32_t i = dictionary->groups.nodes[group].depth; i > 0; i--)
			stack = nodes[stack].parent;
	}
	protobuf_message_nested(&dictionary->entry, OTLP_STACK_LOCATIONS, locations);
	return *number = otlp_dictionary_add_entry(dictionary, OTLP_STACKS);
}

void otlp_dictionary_note_stack(struct otlp_dictionary *dictionary, uint32_t stack)
{
	const struct stack_node *nodes = dictionary->profile->stacks.nodes;
	if (stack != STACK_NONE)
		dictionary->is_stack[stack] = true;
	// Whoever noted a node has noted its callers.
	while (stack != STACK_NONE && !dictionary->is_noted[stack]) {
		dictionary->is_noted[stack] = true;
		uint32_t group = dictionary->group_of_stack[stack];
		for (uint32_t i = dictionary->groups.nodes[group].depth; i > 0; i--)
			stack = nodes[stack].parent;
	}
}

struct otlp_dictionary_place {
	uint32_t frame, group;
};

static int otlp_dictionary_compare(const void *a, const void *b)
{
	const struct otlp_dictionary_place *left = a, *right = b;
	if (left->frame != right->frame)
		return left->frame < right->frame ? -1 : 1;
	return left->group < right->group ? -1 : left->group > right->group;
}

void otlp_dictionary_order(struct otlp_dictionary *dictionary)
{
	size_t num_groups = dictionary->groups.num_nodes, num_places = 0;
	_cleanup_free_ bool *is_used = calloc(num_groups + 1, sizeof(*is_used));
	_cleanup_free_ struct otlp_dictionary_place *places =
		calloc(num_groups + 1, sizeof(*places));
	if (!is_used || !places) {
		dictionary->has_failed = true;
		return;
	}
	for (size_t i = 0; i < dictionary->profile->stacks.num_nodes; i++)
		if (dictionary->is_noted[i])
			is_used[dictionary->group_of_stack[i]] = true;
	for (uint32_t i = 0; i < num_groups; i++)
		if (is_used[i])
			places[num_places++] = (struct otlp_dictionary_place){
				dictionary->groups.nodes[i].frame, i};
	qsort(places, num_places, sizeof(*places), otlp_dictionary_compare);
	for (size_t i = 0; i < num_places; i++)
		otlp_dictionary_location(dictionary, places[i].group);
	for (uint32_t i = 0; i < dictionary->profile->stacks.num_nodes; i++)
		if (dictionary->keeps_order && dictionary->is_stack[i])
			otlp_dictionary_stack(dictionary, i);
}

// A line has a function and a number: what else an inlined frame says has to be its caller's.
static bool otlp_dictionary_joins(const struct named_profile *profile,
				  const struct named_frame *frame, const struct named_frame *caller)
{
	const struct named_function *function = &profile->functions[frame->function];
	const struct named_function *around = &profile->functions[caller->function];
	return frame->is_inlined && !frame->is_compiled && !caller->is_compiled &&
	       frame->address == caller->address && frame->file == function->file &&
	       function->module == around->module && function->kind == around->kind;
}

static struct error *otlp_dictionary_group_alone(struct otlp_dictionary *dictionary, uint32_t frame,
						 uint32_t *ret)
{
	uint32_t *group = &dictionary->group_of_frame[frame];
	if (*group == STACK_NONE) {
		struct error *err = stack_table_push(&dictionary->groups, STACK_NONE, frame, group);
		if (err)
			return err;
	}
	*ret = *group;
	return NULL;
}

static struct error *otlp_dictionary_group(struct otlp_dictionary *dictionary)
{
	const struct named_profile *profile = dictionary->profile;
	for (size_t i = 0; i < profile->num_frames; i++)
		dictionary->group_of_frame[i] = STACK_NONE;
	for (size_t i = 0; i < profile->stacks.num_nodes; i++) {
		// The caller's node comes before.
		const struct stack_node *node = &profile->stacks.nodes[i];
		const struct named_frame *frame = &profile->frames[node->frame];
		uint32_t *group = &dictionary->group_of_stack[i];
		bool joins = !dictionary->keeps_order && frame->is_inlined &&
			     node->parent != STACK_NONE &&
			     otlp_dictionary_joins(
				     profile, frame,
				     &profile->frames[profile->stacks.nodes[node->parent].frame]);
		struct error *err =
			joins ? stack_table_push(&dictionary->groups,
						 dictionary->group_of_stack[node->parent],
						 node->frame, group)
			      : otlp_dictionary_group_alone(dictionary, node->frame, group);
		if (err)
			return err;
	}
	dictionary->location_of =
		calloc(dictionary->groups.num_nodes + 1, sizeof(*dictionary->location_of));
	return dictionary->location_of ? NULL : &error_no_memory;
}

// The zero value of each table; that of the strings is "".
static struct error *otlp_dictionary_begin(struct otlp_dictionary *dictionary)
{
	uint32_t empty;
	for (enum otlp_table table = OTLP_MAPPINGS; table < OTLP_NUM_TABLES; table++)
		if (table != OTLP_STRINGS)
			otlp_dictionary_add_entry(dictionary, table);
	return string_table_intern(&dictionary->strings, "", &empty);
}

static bool otlp_dictionary_allocate(struct otlp_dictionary *dictionary)
{
	const struct named_profile *profile = dictionary->profile;
	const struct {
		uint32_t **numbers;
		size_t count;
	} arrays[] = {
		{&dictionary->string_of, profile->strings.num_entries},
		{&dictionary->mapping_of, profile->num_modules},
		{&dictionary->function_of, profile->num_functions},
		{&dictionary->stack_of, profile->stacks.num_nodes},
		{&dictionary->group_of_frame, profile->num_frames},
		{&dictionary->group_of_stack, profile->stacks.num_nodes},
	};
	dictionary->is_noted = calloc(profile->stacks.num_nodes + 1, sizeof(bool));
	dictionary->is_stack = calloc(profile->stacks.num_nodes + 1, sizeof(bool));
	if (!dictionary->is_noted || !dictionary->is_stack)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		*arrays[i].numbers = calloc(arrays[i].count + 1, sizeof(uint32_t));
		if (!*arrays[i].numbers)
			return false;
	}
	return true;
}

struct error *otlp_dictionary_create(const struct named_profile *profile, bool keeps_order,
				     struct otlp_dictionary **ret)
{
	_cleanup_(otlp_dictionary_destroyp) struct otlp_dictionary *dictionary =
		calloc(1, sizeof(*dictionary));
	if (!dictionary)
		return &error_no_memory;
	dictionary->profile = profile;
	dictionary->keeps_order = keeps_order;
	if (!otlp_dictionary_allocate(dictionary))
		return &error_no_memory;
	struct error *err = otlp_dictionary_group(dictionary);
	if (!err)
		err = otlp_dictionary_begin(dictionary);
	if (err)
		return err;
	*ret = take_ptr(dictionary);
	return NULL;
}

void otlp_dictionary_destroy(struct otlp_dictionary *dictionary)
{
	if (!dictionary)
		return;
	protobuf_message_deinit(&dictionary->body);
	protobuf_message_deinit(&dictionary->entry);
	protobuf_message_deinit(&dictionary->inner);
	protobuf_message_deinit(&dictionary->list);
	protobuf_message_deinit(&dictionary->locations);
	string_table_deinit(&dictionary->strings);
	stack_table_deinit(&dictionary->groups);
	hash_table_deinit(&dictionary->attribute_index);
	hash_table_deinit(&dictionary->function_index);
	free(dictionary->string_of);
	free(dictionary->mapping_of);
	free(dictionary->function_of);
	free(dictionary->stack_of);
	free(dictionary->group_of_frame);
	free(dictionary->group_of_stack);
	free(dictionary->location_of);
	free(dictionary->is_noted);
	free(dictionary->is_stack);
	free(dictionary->attributes);
	free(dictionary->functions);
	free(dictionary);
}

struct error *otlp_dictionary_finish(struct otlp_dictionary *dictionary, uint32_t field,
				     struct protobuf_message *message)
{
	for (uint32_t i = 0; i < dictionary->strings.num_entries; i++)
		protobuf_message_text(&dictionary->body, OTLP_STRINGS,
				      string_table_get(&dictionary->strings, i));
	protobuf_message_nested(message, field, &dictionary->body);
	bool has_failed = dictionary->has_failed || message->bytes.failed ||
			  dictionary->entry.bytes.failed || dictionary->inner.bytes.failed ||
			  dictionary->list.bytes.failed;
	return has_failed ? &error_no_memory : NULL;
}
