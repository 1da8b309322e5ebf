// SPDX-License-Identifier: Apache-2.0

#include "object/names/cpp_name_weight.h"

#undef ARRAY_SIZE // libiberty's
#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

// libiberty parses a name to a tree in which parts are shared (substitutions of the Itanium C++
// ABI, 5.1.10), and prints shared parts again each time: some hundred characters can print as more
// than any disk holds. Here the tree is walked with a memory of what each part weighs (hash table
// of `visits`), so that the time grows with the number of different parts.
//
// The difficulty are template parameters (T_, T0_): what they print depends on the template they
// are in. So the key of a visit is the part with its scope, a linked list of templates whose
// arguments count there (struct scope). Where libiberty's choice depends on more than that, the
// largest weight of all possibilities is taken: the result is an upper bound. Pack expansions
// multiply by the length of the longest pack.
//
// cpp_name_is_parseable() comes even before the parser, which reads arguments of conversion
// operators twice, and so takes time that doubles with each level.

enum {
	MAX_WEIGHT = 1 << 17, // some milliseconds of printing
	MAX_VISITS = 1 << 12, // ... and of weighing
	MAX_DEPTH = 1100,     // libiberty gives up at 1,024
	PART_WEIGHT = 8,      // of the words around its parts
	MAX_CONVERTED_ARGUMENTS = 6,
	NO_SCOPE = 0,
};

/** A template whose arguments its parameters stand for; within arguments the outer one counts. */
struct scope {
	const struct demangle_component *template;
	uint32_t outer;
};

/** A part, and what its meaning depends on. */
struct part {
	const struct demangle_component *component;
	const struct demangle_component *template; // around it, if the name has conversions
	uint64_t scope;
};

struct visit {
	struct part part;
	uint64_t weight; // 0: it is being weighed
};

struct scale {
	bool has_conversions, has_folds;
	bool failed;
	unsigned depth;
	struct scope *scopes;
	size_t num_scopes, cap_scopes;
	struct visit *visits;
	size_t num_visits, cap_visits;
	struct hash_table index;
};

bool cpp_name_is_parseable(const char *mangled)
{
	unsigned count = 0;
	// "cv" is the code of conversion operators; elsewhere in a name it only makes this
	// stricter.
	if (!strstr(mangled, "cv"))
		return true;
	for (const char *at = strchr(mangled, 'T'); at; at = strchr(at + 1, 'T')) {
		// Behind a 'T' is the number of a parameter, with '_' at its end, then 'I' if that
		// has arguments.
		const char *behind = at + 1;
		while (ascii_is_digit(*behind) || (*behind >= 'A' && *behind <= 'Z'))
			behind++;
		behind += *behind == '_';
		count += *behind == 'I';
	}
	return count <= MAX_CONVERTED_ARGUMENTS;
}

static bool is_part(const void *owner, uint32_t index, const void *key)
{
	return !memcmp(&((const struct scale *)owner)->visits[index].part, key,
		       sizeof(struct part));
}

static bool is_list(const struct demangle_component *component)
{
	return component && component->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST;
}

static const struct demangle_component *left_of(const struct demangle_component *component)
{
	return component->u.s_binary.left;
}

static const struct demangle_component *right_of(const struct demangle_component *component)
{
	return component->u.s_binary.right;
}

static uint64_t cpp_name_weight_weigh(struct scale *scale, struct part part);

static uint64_t weigh_other(struct scale *scale, struct part part,
			    const struct demangle_component *other)
{
	part.component = other;
	return other ? cpp_name_weight_weigh(scale, part) : 0;
}

/** A pack prints one of its elements at a time, but all of them in a fold expression. */
static uint64_t cpp_name_weight_weigh_argument(struct scale *scale, struct part part)
{
	if (!is_list(part.component) || scale->has_folds)
		return cpp_name_weight_weigh(scale, part);
	uint64_t largest = 0;
	for (const struct demangle_component *list = part.component; is_list(list);
	     list = right_of(list)) {
		uint64_t weight = weigh_other(scale, part, left_of(list));
		largest = weight > largest ? weight : largest;
	}
	return largest;
}

/** libiberty may remember outer arguments from another place: the largest of all counts. */
static uint64_t weigh_parameter(struct scale *scale, struct part part)
{
	uint64_t largest = 0;
	long number = part.component->u.s_number.number;
	for (uint64_t i = part.scope; i != NO_SCOPE; i = scale->scopes[i].outer) {
		const struct demangle_component *list = right_of(scale->scopes[i].template);
		for (long left = number; is_list(list) && left > 0; left--)
			list = right_of(list);
		part.component = is_list(list) ? left_of(list) : NULL;
		part.scope = scale->scopes[i].outer;
		uint64_t weight = part.component ? cpp_name_weight_weigh_argument(scale, part) : 0;
		largest = weight > largest ? weight : largest;
	}
	return largest;
}

static uint64_t cpp_name_weight_add_scope(struct scale *scale,
					  const struct demangle_component *template, uint64_t outer)
{
	struct error *err =
		array_reserve(&scale->scopes, &scale->cap_scopes, scale->num_scopes + 1);
	if (err) {
		error_destroy(err);
		scale->failed = true;
		return NO_SCOPE;
	}
	scale->scopes[scale->num_scopes] = (struct scope){template, (uint32_t)outer};
	return scale->num_scopes++;
}

static bool is_qualifier_of_function(enum demangle_component_type type)
{
	switch (type) {
	case DEMANGLE_COMPONENT_RESTRICT_THIS:
	case DEMANGLE_COMPONENT_VOLATILE_THIS:
	case DEMANGLE_COMPONENT_CONST_THIS:
	case DEMANGLE_COMPONENT_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_TRANSACTION_SAFE:
	case DEMANGLE_COMPONENT_NOEXCEPT:
	case DEMANGLE_COMPONENT_THROW_SPEC:
		return true;
	default:
		return false;
	}
}

static const struct demangle_component *skip_qualifiers(const struct demangle_component *name)
{
	while (name && is_qualifier_of_function(name->type))
		name = left_of(name);
	return name;
}

static uint64_t cpp_name_weight_weigh_function(struct scale *scale, struct part part)
{
	const struct demangle_component *function = part.component;
	// Parameters in a function's type stand for the arguments of its template, if it is one.
	const struct demangle_component *name = skip_qualifiers(left_of(function));
	if (name && name->type == DEMANGLE_COMPONENT_LOCAL_NAME) {
		name = right_of(name);
		if (name && name->type == DEMANGLE_COMPONENT_DEFAULT_ARG)
			name = name->u.s_unary_num.sub;
		name = skip_qualifiers(name);
	}
	uint64_t weight = weigh_other(scale, part, left_of(function));
	if (name && name->type == DEMANGLE_COMPONENT_TEMPLATE)
		part.scope = cpp_name_weight_add_scope(scale, name, part.scope);
	return weight + weigh_other(scale, part, right_of(function));
}

/** Parameters in what it converts to are those of the template around it. */
static uint64_t weigh_conversion(struct scale *scale, struct part part)
{
	const struct demangle_component *type = left_of(part.component);
	uint64_t weight = weigh_other(scale, part, type);
	if (part.template)
		part.scope = cpp_name_weight_add_scope(scale, part.template, part.scope);
	return weight + weigh_other(scale, part, type);
}

static uint64_t weigh_both(struct scale *scale, struct part part)
{
	const struct demangle_component *component = part.component;
	if (scale->has_conversions && component->type == DEMANGLE_COMPONENT_TEMPLATE)
		part.template = component;
	return weigh_other(scale, part, left_of(component)) +
	       weigh_other(scale, part, right_of(component));
}

/** It is searched for its pack, and printed for each element of that. */
static uint64_t weigh_expansion(struct scale *scale, struct part part)
{
	uint64_t weight = weigh_other(scale, part, left_of(part.component));
	// The longest of all packs that parameters may stand for here.
	size_t longest = 1;
	for (uint64_t i = part.scope; i != NO_SCOPE; i = scale->scopes[i].outer) {
		const struct demangle_component *list = right_of(scale->scopes[i].template);
		for (; is_list(list); list = right_of(list)) {
			size_t length = 0;
			for (const struct demangle_component *pack = left_of(list); is_list(pack);
			     pack = right_of(pack))
				length++;
			longest = length > longest ? length : longest;
		}
	}
	return weight * (1 + longest);
}

static uint64_t weigh_parts(struct scale *scale, struct part part)
{
	const struct demangle_component *component = part.component;
	switch (component->type) {
	case DEMANGLE_COMPONENT_NAME:
		return (uint64_t)component->u.s_name.len;
	case DEMANGLE_COMPONENT_SUB_STD:
		return (uint64_t)component->u.s_string.len;
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
		return 0;
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
		return weigh_parameter(scale, part);
	case DEMANGLE_COMPONENT_FIXED_TYPE:
		return weigh_other(scale, part, component->u.s_fixed.length);
	case DEMANGLE_COMPONENT_CTOR:
		return weigh_other(scale, part, component->u.s_ctor.name);
	case DEMANGLE_COMPONENT_DTOR:
		return weigh_other(scale, part, component->u.s_dtor.name);
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		return weigh_other(scale, part, component->u.s_extended_operator.name);
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		return weigh_other(scale, part, component->u.s_unary_num.sub);
	case DEMANGLE_COMPONENT_TYPED_NAME:
		return cpp_name_weight_weigh_function(scale, part);
	case DEMANGLE_COMPONENT_CONVERSION:
		return weigh_conversion(scale, part);
	case DEMANGLE_COMPONENT_PACK_EXPANSION:
		return weigh_expansion(scale, part);
	default:
		return weigh_both(scale, part);
	}
}

static bool add_visit(struct scale *scale, const struct part *part, uint64_t hash)
{
	struct error *err =
		array_reserve(&scale->visits, &scale->cap_visits, scale->num_visits + 1);
	if (!err)
		err = hash_table_insert(&scale->index, hash, (uint32_t)scale->num_visits);
	if (err) {
		error_destroy(err);
		return false;
	}
	scale->visits[scale->num_visits++] = (struct visit){.part = *part};
	return true;
}

/** Of a part that was not weighed before. */
static uint64_t weigh_new(struct scale *scale, const struct part *part, uint64_t hash)
{
	// The visit is noted before its parts are weighed: a part that contains itself finds it
	// open.
	size_t visit = scale->num_visits;
	if (visit == MAX_VISITS || scale->depth == MAX_DEPTH || !add_visit(scale, part, hash)) {
		scale->failed = true;
		return MAX_WEIGHT;
	}
	scale->depth++;
	uint64_t weight = PART_WEIGHT + weigh_parts(scale, *part);
	scale->depth--;
	if (weight >= MAX_WEIGHT)
		scale->failed = true;
	scale->visits[visit].weight = weight;
	return weight;
}

static uint64_t cpp_name_weight_weigh(struct scale *scale, struct part part)
{
	if (scale->failed)
		return MAX_WEIGHT;
	uint64_t hash = hash_bytes(&part, sizeof(part));
	uint32_t index = hash_table_find(&scale->index, hash, is_part, scale, &part);
	if (index == HASH_TABLE_NONE)
		return weigh_new(scale, &part, hash);
	// A part of itself has no end.
	if (!scale->visits[index].weight)
		scale->failed = true;
	return scale->visits[index].weight;
}

bool cpp_name_is_printable(const struct demangle_component *name, const char *mangled)
{
	struct scale scale = {
		.has_conversions = strstr(mangled, "cv") != NULL,
		.has_folds = strstr(mangled, "fl") || strstr(mangled, "fr") ||
			     strstr(mangled, "fL") || strstr(mangled, "fR"),
	};
	cpp_name_weight_add_scope(&scale, NULL, NO_SCOPE);
	cpp_name_weight_weigh(&scale, (struct part){.component = name});
	free(scale.scopes);
	free(scale.visits);
	hash_table_deinit(&scale.index);
	return !scale.failed;
}
