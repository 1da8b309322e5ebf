// SPDX-License-Identifier: Apache-2.0

#include "session/setup/value_places.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/probe_values.h"
#include "object/probe_arguments.h"

#include <string.h>

_Static_assert((int)PROBE_VALUES_MAX == (int)PROBE_MAX_VALUES, "as many as a sample has room for");
_Static_assert((int)PROBE_MAX_CONDITIONS == (int)VALUE_MAX_CONDITIONS, "as many as are checked");

enum object_machine value_places_machine(void)
{
	struct host host = host_read();
	return strcmp(host.machine, "aarch64") == 0 ? OBJECT_MACHINE_AARCH64
						    : OBJECT_MACHINE_X86_64;
}

static struct error *no_such_argument(const struct value_search *search,
				      const struct probe_value *value)
{
	if (search->arguments)
		return error_with_hint(
			error_create(ERROR_FAILED, "'%s': %s cannot be read", search->event,
				     value->label),
			"the probe has %zu arguments, at '%s'; registers and memory beside them "
			"can be read",
			probe_arguments_count(search->arguments), search->arguments);
	return error_with_hint(error_create(ERROR_FAILED, "'%s': %s cannot be read", search->event,
					    value->label),
			       "%s",
			       "only arguments in registers are read: the first 6 numbers "
			       "and pointers on x86-64, 8 on AArch64");
}

static struct error *value_places_find_argument(const struct value_search *search,
						const struct probe_value *value,
						struct probe_argument *ret)
{
	bool is_found;
	if (!value->argument)
		is_found = probe_argument_of_return(search->machine, ret);
	else if (search->arguments)
		is_found = probe_argument_find(search->arguments, value->argument, search->machine,
					       ret);
	else if (search->is_inside)
		return error_with_hint(error_create(ERROR_FAILED, "'%s': %s cannot be read",
						    search->event, value->label),
				       "the place is inside a function, where its arguments may "
				       "have left their registers: probe its beginning");
	else
		is_found = probe_argument_of_call(value->argument, search->machine, ret);
	return is_found ? NULL : no_such_argument(search, value);
}

static uint8_t value_register(uint8_t reg)
{
	return reg == PROBE_NO_REGISTER ? VALUE_NO_REGISTER : reg;
}

static uint8_t shift_of(uint8_t scale)
{
	return (uint8_t)__builtin_ctz(scale ? scale : 1U);
}

static struct error *value_places_add(const struct value_search *search,
				      const struct probe_value *value, struct value_place *ret)
{
	static const uint8_t kinds[] = {
		[PROBE_ARGUMENT_CONSTANT] = VALUE_CONSTANT,
		[PROBE_ARGUMENT_REGISTER] = VALUE_REGISTER,
		[PROBE_ARGUMENT_MEMORY] = VALUE_MEMORY,
	};
	struct probe_argument argument = {0}; // the analyzer follows errors that are none
	struct error *err = value_places_find_argument(search, value, &argument);
	if (err)
		return err;
	*ret = (struct value_place){
		.displacement = argument.displacement,
		.kind = kinds[argument.kind],
		.reg = value_register(argument.reg),
		.index = value_register(argument.index),
		.scale_shift = shift_of(argument.scale),
		.size = argument.size,
		.is_signed = argument.is_signed,
		.is_string = value->is_string,
	};
	// The user knows better. A string's address is a whole register, without a sign.
	if (value->bits) {
		ret->size = (uint8_t)(value->bits / 8);
		ret->is_signed = !value->is_unsigned;
	}
	if (value->is_string)
		ret->is_signed = false;
	return NULL;
}

static uint8_t outcomes_of(enum probe_comparison comparison)
{
	static const uint8_t outcomes[PROBE_NUM_COMPARISONS] = {
		[PROBE_EQUAL] = VALUE_IS_EQUAL,
		[PROBE_UNEQUAL] = VALUE_IS_LESS | VALUE_IS_GREATER,
		[PROBE_LESS] = VALUE_IS_LESS,
		[PROBE_AT_MOST] = VALUE_IS_LESS | VALUE_IS_EQUAL,
		[PROBE_GREATER] = VALUE_IS_GREATER,
		[PROBE_AT_LEAST] = VALUE_IS_GREATER | VALUE_IS_EQUAL,
	};
	return outcomes[comparison];
}

/** An unsigned number is never below 0. */
static struct error *check_sign(const struct value_search *search,
				const struct probe_condition *condition,
				const struct value_place *place)
{
	const struct probe_value *value = &condition->value;
	if (condition->number >= 0 || value->bits || place->is_signed)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "'%s': the probe says %s is unsigned: it cannot be "
					    "compared with a negative number",
					    search->event, value->label),
			       "if it is signed all the same, write %s:s%u", value->label,
			       place->size * 8U);
}

struct error *value_places_find(const struct value_search *search, struct value_probe *ret)
{
	const struct probe_values *values = search->point->values;
	struct value_probe probe = {
		.num_values = (uint8_t)values->num_items,
		.num_conditions = (uint8_t)values->num_conditions,
		.is_kernel = search->point->kind == PROBE_POINT_KERNEL,
	};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < values->num_items; i++) {
		err = value_places_add(search, &values->items[i], &probe.places[i]);
		if (values->items[i].is_string)
			probe.strings |= (uint8_t)(1U << i);
		else if (!probe.places[i].is_signed)
			probe.is_unsigned |= (uint8_t)(1U << i);
	}
	for (size_t i = 0; !err && i < values->num_conditions; i++) {
		const struct probe_condition *condition = &values->conditions[i];
		size_t place = VALUE_FIRST_CONDITION + i;
		err = value_places_add(search, &condition->value, &probe.places[place]);
		if (!err)
			err = check_sign(search, condition, &probe.places[place]);
		probe.compared[place] = condition->number;
		probe.outcomes[place] = outcomes_of(condition->comparison);
	}
	if (!err)
		*ret = probe;
	return err;
}
