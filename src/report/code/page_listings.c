// SPDX-License-Identifier: Apache-2.0
// The page of a profile shows machine code without access to the files, so the code of the hottest
// functions is put into it: decoded once, in the order of their samples, until 40 functions or
// 50,000 instructions are reached. A function that would be too long is skipped, and the next one
// may still fit.

#include "report/code/page_listings.h"

#include "base/cleanup.h"
#include "base/container/bisect.h"
#include "base/file/file_name.h"
#include "object/disassembly/jump_target.h"
#include "profile/hot/hot_list.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_FUNCTIONS = 40,
	MAX_INSTRUCTIONS = 50000, // together: some megabytes of the page
};

void page_listings_deinit(struct page_listings *listings)
{
	for (size_t i = 0; i < listings->num_items; i++) {
		code_listing_deinit(&listings->listings[i]);
		free(listings->instructions[i]);
	}
	free(listings->items);
	free(listings->listings);
	free(listings->instructions);
	code_files_deinit(&listings->codes);
	*listings = (struct page_listings)PAGE_LISTINGS_INIT;
}

/** The kernel of Linux is no file; that of Windows is several. */
static bool may_be_listed(const struct named_profile *profile, uint32_t function)
{
	const struct named_function *named = &profile->functions[function];
	if (named->kind != FRAME_KERNEL || named->module == NAMED_NONE)
		return named->kind == FRAME_NATIVE;
	uint32_t path = profile->modules[named->module].path;
	return file_name_has_drive(named_profile_text(profile, path));
}

static size_t page_listings_choose_functions(const struct named_profile *profile,
					     const struct hot_list *list, uint32_t *ret)
{
	size_t count = 0;
	for (size_t i = 0; i < list->num_entries && count < MAX_FUNCTIONS; i++) {
		uint32_t function = list->entries[i].item;
		if (function != NAMED_NONE && list->entries[i].self.count &&
		    may_be_listed(profile, function))
			ret[count++] = function;
	}
	return count;
}

static size_t page_listings_count_rows(const struct code_listing *listing)
{
	size_t count = 0;
	for (size_t i = 0; i < listing->num_pieces; i++)
		count += listing->pieces[i].num_rows;
	return count;
}

static int compare_instructions(const void *left, const void *right)
{
	const struct report_instruction *a = left;
	const struct report_instruction *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

/** The page shows lines of the function's own file. */
static uint32_t own_line(const struct code_row *row, const char *file)
{
	if (row->file && strcmp(row->file, file) == 0)
		return row->line;
	// For inlined code from another file, the line in this file that it was inlined at.
	return row->own_file && strcmp(row->own_file, file) == 0 ? row->own_line : 0;
}

/** Jumps within the listing get the number of the instruction that they go to. */
static void page_listings_find_targets(struct report_instruction *instructions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t address;
		if (!jump_target_parse(instructions[i].text, &address))
			continue;
		size_t number = BISECT_U64(instructions, count, address, address);
		if (number && instructions[number - 1].address == address)
			instructions[i].target = (uint32_t)number;
	}
}

/** Takes the listing over. */
static struct error *add_listing(struct page_listings *listings,
				 const struct named_profile *profile, uint32_t function,
				 struct code_listing *listing)
{
	size_t num_rows = page_listings_count_rows(listing), count = 0;
	struct report_instruction *instructions = calloc(num_rows, sizeof(*instructions));
	if (!instructions)
		return &error_no_memory;
	const char *file = named_profile_text(profile, profile->functions[function].file);
	for (size_t i = 0; i < listing->num_pieces; i++) {
		const struct code_piece *piece = &listing->pieces[i];
		for (size_t j = 0; j < piece->num_rows; j++)
			instructions[count++] = (struct report_instruction){
				.address = piece->rows[j].address,
				.text = piece->rows[j].text,
				.line = own_line(&piece->rows[j], file),
			};
	}
	// Pieces are in the order of their first samples; the page wants addresses.
	qsort(instructions, count, sizeof(*instructions), compare_instructions);
	page_listings_find_targets(instructions, count);
	size_t index = listings->num_items++;
	listings->instructions[index] = instructions;
	listings->listings[index] = *listing;
	listings->items[index] = (struct report_listing){function, instructions, count};
	*listing = (struct code_listing)CODE_LISTING_INIT;
	return NULL;
}

/** Functions whose code is not to be had, and what would be too much, are left out. */
static struct error *add_functions(struct page_listings *listings,
				   const struct named_profile *profile,
				   const struct annotation *annotation)
{
	size_t num_left = MAX_INSTRUCTIONS;
	for (size_t i = 0; i < annotation->num_parts; i++) {
		const struct annotation_part *part = &annotation->parts[i];
		_cleanup_(code_listing_deinit) struct code_listing listing = CODE_LISTING_INIT;
		struct error *err = code_listing_create(&listings->codes, part, &listing);
		if (err && err->code == ERROR_NO_MEMORY)
			return err;
		error_destroy(err);
		size_t num_rows = page_listings_count_rows(&listing);
		if (!num_rows || num_rows > num_left)
			continue;
		num_left -= num_rows;
		err = add_listing(listings, profile, part->item, &listing);
		if (err)
			return err;
	}
	return NULL;
}

struct error *page_listings_create(const struct named_profile *profile, const char *sysroots,
				   struct page_listings *ret)
{
	_cleanup_(page_listings_deinit) struct page_listings listings = {
		.items = calloc(MAX_FUNCTIONS, sizeof(*listings.items)),
		.listings = calloc(MAX_FUNCTIONS, sizeof(*listings.listings)),
		.instructions = calloc(MAX_FUNCTIONS, sizeof(*listings.instructions)),
	};
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	if (!listings.items || !listings.listings || !listings.instructions)
		return &error_no_memory;
	uint32_t functions[MAX_FUNCTIONS];
	struct error *err = code_files_init(&listings.codes, profile, sysroots);
	if (!err)
		err = hot_list_create(profile, HOT_FUNCTION, HOT_BY_SELF, NULL, &list);
	if (!err)
		err = annotation_create(profile, NULL, ANNOTATION_OF_FUNCTIONS, functions,
					page_listings_choose_functions(profile, &list, functions),
					&annotation);
	if (!err)
		err = add_functions(&listings, profile, &annotation);
	if (err)
		return err;
	*ret = listings;
	listings = (struct page_listings)PAGE_LISTINGS_INIT;
	return NULL;
}
