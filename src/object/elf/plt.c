// SPDX-License-Identifier: Apache-2.0

#include "object/elf/plt.h"

#include "base/byte_order.h"
#include "base/container/array.h"
#include "base/reader.h"

#include <elf.h>
#include <string.h>

// A PLT stub jumps through a slot in the GOT, and a relocation (JUMP_SLOT or GLOB_DAT) names the
// symbol of each slot. So find_slots() reads the relocations into an array sorted by address, and
// add_stubs() goes over sections named ".plt*", decodes the jump in each stub, and looks up its
// slot. Decoding is needed because stubs are not in the order of relocations in general (.plt.sec,
// -z now, lld).
//
// Stubs begin at multiples of 8 bytes; what does not decode to a jump through a known slot is
// skipped, like the header of the PLT. The patterns are those of GNU ld and lld: x86-64 with an
// optional endbr64 (IBT) and bnd (MPX) prefix, AArch64 with an optional bti.

/** A slot that the loader fills with the address of a function. */
struct slot {
	uint64_t address;
	const char *name;
};

struct slot_list {
	struct slot *items;
	size_t num_items, cap_items;
};

static void slot_list_deinit(struct slot_list *list)
{
	free(list->items);
}

/** The name of a symbol, or NULL. */
static const char *symbol_name(const struct elf_image *image, const struct elf_section *symbols,
			       uint32_t index)
{
	if (symbols->link >= image->num_sections)
		return NULL;
	struct object_bytes bytes = elf_image_bytes(image, symbols);
	struct reader reader = reader_create(bytes.data, bytes.size);
	reader_seek(&reader, (size_t)index * sizeof(Elf64_Sym));
	uint32_t offset = reader_u32(&reader);
	if (reader.failed)
		return NULL;
	bytes = elf_image_bytes(image, &image->sections[symbols->link]);
	reader = reader_create(bytes.data, bytes.size);
	reader_seek(&reader, offset);
	const char *name = reader_string(&reader);
	return name && name[0] ? name : NULL;
}

static struct error *add_slots(const struct elf_image *image, const struct elf_section *section,
			       struct slot_list *slots)
{
	const struct elf_section *symbols = &image->sections[section->link];
	struct object_bytes bytes = elf_image_bytes(image, section);
	struct reader reader = reader_create(bytes.data, bytes.size);
	while (reader_left(&reader) >= sizeof(Elf64_Rela)) {
		uint64_t address = reader_u64(&reader);
		uint64_t info = reader_u64(&reader);
		reader_skip(&reader, 8); // r_addend
		uint32_t type = ELF64_R_TYPE(info);
		bool fills_slot =
			image->machine == OBJECT_MACHINE_X86_64
				? type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT
				: type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
		if (!fills_slot)
			continue;
		const char *name = symbol_name(image, symbols, ELF64_R_SYM(info));
		if (!name)
			continue;
		struct error *err =
			array_reserve(&slots->items, &slots->cap_items, slots->num_items + 1);
		if (err)
			return err;
		slots->items[slots->num_items++] = (struct slot){address, name};
	}
	return NULL;
}

static int compare_slots(const void *left, const void *right)
{
	const struct slot *a = left, *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

static struct error *find_slots(const struct elf_image *image, struct slot_list *slots)
{
	for (size_t i = 0; i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		if (section->type != SHT_RELA || !(section->flags & SHF_ALLOC) ||
		    section->link >= image->num_sections)
			continue;
		struct error *err = add_slots(image, section, slots);
		if (err)
			return err;
	}
	if (slots->num_items)
		qsort(slots->items, slots->num_items, sizeof(*slots->items), compare_slots);
	return NULL;
}

/** The slot that a stub jumps through; 0 if it is none. */
static uint64_t slot_of_x86_64(const uint8_t *code, size_t size, uint64_t address)
{
	// [endbr64] [bnd] jmp *offset(%rip)
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t at = size >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64))
			    ? sizeof(endbr64)
			    : 0;
	at += at < size && code[at] == 0xf2;
	if (size < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	int32_t offset = (int32_t)byte_order_load32(code + at + 2, false);
	return address + at + 6 + (uint64_t)(int64_t)offset;
}

static uint64_t slot_of_aarch64(const uint8_t *code, size_t size, uint64_t address)
{
	// [bti c]; adrp x16, page; ldr x17, [x16, #offset]
	static const uint32_t bti_c = 0xd503245f;
	size_t at = size >= 4 && byte_order_load32(code, false) == bti_c ? 4 : 0;
	if (size < at + 8)
		return 0;
	uint32_t adrp = byte_order_load32(code + at, false);
	uint32_t ldr = byte_order_load32(code + at + 4, false);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	// ADRP (Arm ARM, C6.2): immhi in bits 23:5, immlo in 30:29, a distance in pages of 4 KB.
	uint64_t pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	if (pages & 1 << 20) // 21 bits with a sign
		pages |= UINT64_MAX << 21;
	uint64_t page = ((address + at) & ~(uint64_t)0xfff) + (pages << 12);
	// LDR (immediate), unsigned offset: imm12 in bits 21:10, in units of the eight bytes
	// loaded.
	return page + (uint64_t)(ldr >> 10 & 0xfff) * 8;
}

enum { STUB_STEP = 8, STUB_SIZE = 16 };

static struct error *add_stubs(const struct elf_image *image, struct object_bytes code,
			       const struct slot_list *slots, uint64_t stub_size,
			       struct symbol_table *table)
{
	for (size_t at = 0; at < code.size; at += STUB_STEP) {
		uint64_t address = code.address + at;
		struct slot key = {
			.address =
				image->machine == OBJECT_MACHINE_X86_64
					? slot_of_x86_64(code.data + at, code.size - at, address)
					: slot_of_aarch64(code.data + at, code.size - at, address)};
		const struct slot *slot = bsearch(&key, slots->items, slots->num_items,
						  sizeof(*slots->items), compare_slots);
		if (!slot)
			continue;
		char *name = arena_printf(&table->names, "%s@plt", slot->name);
		struct error *err = name ? symbol_table_add_stub(table, address, stub_size, name)
					 : &error_no_memory;
		if (err)
			return err;
	}
	return NULL;
}

struct error *plt_add_symbols(const struct elf_image *image, struct symbol_table *table)
{
	if (image->machine == OBJECT_MACHINE_OTHER)
		return NULL;
	_cleanup_(slot_list_deinit) struct slot_list slots = {0};
	struct error *err = find_slots(image, &slots);
	for (size_t i = 0; !err && slots.num_items && i < image->num_sections; i++) {
		const struct elf_section *section = &image->sections[i];
		if (strncmp(section->name, ".plt", 4) != 0 || !(section->flags & SHF_EXECINSTR))
			continue;
		struct object_bytes code = elf_image_bytes(image, section);
		// Sections of stubs say their size, some linkers 0 or 4.
		uint64_t size = section->entry_size >= STUB_STEP ? section->entry_size : STUB_SIZE;
		err = add_stubs(image, code, &slots, size, table);
	}
	return err;
}
