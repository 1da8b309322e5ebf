// SPDX-License-Identifier: Apache-2.0

#include "symbols/kernel_symbols.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "symbols/jit/whole_file.h"

#include <stdlib.h>
#include <string.h>

// /proc/kallsyms has about 200,000 lines of `address type name [module]` (proc(5)). The text is
// read once and kept; symbols refer to it by offset. Lines come nearly sorted. Aliases of one
// address are reduced to the best name (kernel_symbols_badness()), and data symbols stay as ends of
// functions: nothing else says where the last function before them ends. All addresses are 0 if
// kptr_restrict hides them, which is an error with a hint.
//
//	ffffffff81000000 T _text
//	ffffffffc0a12340 t ext4_file_read_iter    [ext4]      (a tab in front of the module)

enum {
	MAX_FILE_SIZE = 1 << 28,
	MAX_MODULES = 4096,
	// Nothing says where the last function before a gap ends; none is longer than this.
	MAX_FUNCTION_SIZE = 1 << 20,
	AVERAGE_LINE = 40,
};

/** One line: `address type name` and, behind a tab, `[module]`. */
struct kallsyms_line {
	uint64_t address;
	char type;
	uint32_t name, name_length;
	uint32_t module, module_length; /* without brackets */
};

/** @ret_end: behind the number. */
static bool parse_address(const char *text, const char **ret_end, uint64_t *ret)
{
	enum { MAX_DIGITS = 16 };
	uint64_t value = 0;
	int count = 0;
	for (; count < MAX_DIGITS; count++) {
		char c = text[count];
		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	*ret_end = text + count;
	*ret = value;
	return count > 0;
}

static bool kernel_symbols_parse_line(const char *text, const char *line, const char *end,
				      struct kallsyms_line *ret)
{
	const char *rest;
	// The NUL behind the text ends each look ahead.
	if (!parse_address(line, &rest, &ret->address) || end - rest < 4 || rest[0] != ' ' ||
	    rest[2] != ' ')
		return false;
	ret->type = rest[1];
	const char *name = rest + 3;
	// Only a module's symbols have a tab.
	const char *name_end = memchr(name, '\t', (size_t)(end - name));
	ret->module_length = 0;
	if (name_end && end - name_end > 3 && name_end[1] == '[' && end[-1] == ']') {
		ret->module = (uint32_t)(name_end + 2 - text);
		ret->module_length = (uint32_t)(end - 1 - (name_end + 2));
	}
	ret->name = (uint32_t)(name - text);
	ret->name_length = (uint32_t)((name_end ? name_end : end) - name);
	return ret->name_length && ret->name_length <= UINT16_MAX;
}

/** 1 + its index. Symbols of a module stand together: the last one is most likely it. */
static struct error *kernel_symbols_find_module(struct kernel_symbols *symbols,
						const struct kallsyms_line *line, uint16_t *ret)
{
	*ret = 0;
	if (!line->module_length)
		return NULL;
	for (size_t i = symbols->num_modules; i > 0; i--) {
		// Names end at their bracket until all lines are read.
		const char *name = symbols->text + symbols->modules[i - 1];
		size_t length = line->module_length;
		if (strncmp(name, symbols->text + line->module, length) != 0 ||
		    (name[length] != '\0' && name[length] != ']'))
			continue;
		*ret = (uint16_t)i;
		return NULL;
	}
	// A symbol of one module too many keeps its name and is shown as the kernel's.
	if (symbols->num_modules >= MAX_MODULES)
		return NULL;
	struct error *err =
		array_reserve(&symbols->modules, &symbols->cap_modules, symbols->num_modules + 1);
	if (err)
		return err;
	symbols->modules[symbols->num_modules++] = line->module;
	*ret = (uint16_t)symbols->num_modules;
	return NULL;
}

static struct error *kernel_symbols_add_line(struct kernel_symbols *symbols,
					     const struct kallsyms_line *line)
{
	struct kernel_symbol symbol = {.address = line->address, .name = line->name};
	char type = line->type;
	// Code; W and w are weak symbols that are no data (nm(1)).
	if (type == 'T' || type == 't' || type == 'W' || type == 'w') {
		symbol.name_length = (uint16_t)line->name_length;
		struct error *err = kernel_symbols_find_module(symbols, line, &symbol.module);
		if (err)
			return err;
	}
	struct error *err =
		array_reserve(&symbols->items, &symbols->cap_items, symbols->num_items + 1);
	if (!err)
		symbols->items[symbols->num_items++] = symbol;
	return err;
}

/** @ret_addresses: whether any line has an address. */
static struct error *kernel_symbols_read_lines(struct kernel_symbols *symbols, size_t size,
					       bool *ret_addresses)
{
	const char *end = symbols->text + size;
	uint64_t all_bits = 0;
	struct error *err =
		array_reserve(&symbols->items, &symbols->cap_items, size / AVERAGE_LINE);
	for (const char *text = symbols->text; !err && text < end;) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;
		struct kallsyms_line line;
		if (kernel_symbols_parse_line(symbols->text, text, line_end, &line)) {
			all_bits |= line.address;
			err = kernel_symbols_add_line(symbols, &line);
		}
		text = line_end + 1;
	}
	*ret_addresses = all_bits != 0;
	return err;
}

/** Less is better: functions before data, names without underscores in front before others. */
static unsigned kernel_symbols_badness(const struct kernel_symbols *symbols,
				       const struct kernel_symbol *symbol)
{
	if (!symbol->name_length)
		return UINT32_MAX;
	unsigned underscores = 0;
	while (symbols->text[symbol->name + underscores] == '_')
		underscores++;
	return underscores;
}

static int compare_symbols(const void *left, const void *right)
{
	const struct kernel_symbol *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/** Keep the best name of each address, and of data that stands together the first. */
static void kernel_symbols_drop_aliases(struct kernel_symbols *symbols)
{
	struct kernel_symbol *items = symbols->items;
	size_t num_kept = 0;
	for (size_t i = 0; i < symbols->num_items; i++) {
		struct kernel_symbol *last = num_kept ? &items[num_kept - 1] : NULL;
		if (!last || last->address != items[i].address) {
			// A second symbol of data in a row ends nothing: the first already does.
			if (!last || last->name_length || items[i].name_length)
				items[num_kept++] = items[i];
		} else if (kernel_symbols_badness(symbols, &items[i]) <
			   kernel_symbols_badness(symbols, last)) {
			*last = items[i];
		}
	}
	symbols->num_items = num_kept;
}

/** The file's words are read, so they may be changed: names of modules get their end. */
struct error *kernel_symbols_parse(struct kernel_symbols *symbols, char *text, size_t size)
{
	*symbols = (struct kernel_symbols){.text = text};
	bool has_addresses;
	struct error *err = kernel_symbols_read_lines(symbols, size, &has_addresses);
	if (err)
		return err;
	if (!has_addresses)
		return error_with_command(
			error_with_hint(
				error_create(ERROR_FAILED, "the kernel hides its addresses"),
				"as root: sysctl kernel.kptr_restrict=0; without root, also "
				"kernel.perf_event_paranoid=1"),
			"sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
	bool is_sorted = true;
	for (size_t i = 1; i < symbols->num_items; i++)
		is_sorted &= symbols->items[i - 1].address <= symbols->items[i].address;
	if (!is_sorted)
		qsort(symbols->items, symbols->num_items, sizeof(*symbols->items), compare_symbols);
	kernel_symbols_drop_aliases(symbols);
	// The file's words are read, so they may be changed: names of modules get their end.
	for (size_t i = 0; i < symbols->num_modules; i++) {
		char *name = symbols->text + symbols->modules[i];
		name[strcspn(name, "]\n")] = '\0';
	}
	return NULL;
}

struct error *kernel_symbols_load(struct kernel_symbols *symbols, const char *path)
{
	_cleanup_(whole_file_deinit) struct whole_file file = WHOLE_FILE_INIT;
	struct error *err = whole_file_read_kernel(&file, path, MAX_FILE_SIZE);
	return err ? err : kernel_symbols_parse(symbols, take_ptr(file.bytes), file.size);
}

bool kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t address,
			 struct kernel_place *ret)
{
	size_t count = BISECT_U64(symbols->items, symbols->num_items, address, address);
	const struct kernel_symbol *symbol = count ? &symbols->items[count - 1] : NULL;
	if (!symbol || !symbol->name_length || address - symbol->address >= MAX_FUNCTION_SIZE)
		return false;
	*ret = (struct kernel_place){
		.name = symbols->text + symbol->name,
		.name_length = symbol->name_length,
		.module = symbol->module ? symbols->text + symbols->modules[symbol->module - 1]
					 : NULL,
		.address = symbol->address,
	};
	return true;
}

void kernel_symbols_deinit(struct kernel_symbols *symbols)
{
	free(symbols->text);
	free(symbols->items);
	free(symbols->modules);
	*symbols = (struct kernel_symbols)KERNEL_SYMBOLS_INIT;
}
