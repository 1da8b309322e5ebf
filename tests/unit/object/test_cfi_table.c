// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_table.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "tests/unit/cfi_bytes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { START = 0x1000, SIZE = 0x100 };

static const char *const cfa_names[] = {
	[CFI_CFA_GAP] = "gap",      [CFI_CFA_UNKNOWN] = "unknown", [CFI_CFA_SP] = "sp",
	[CFI_CFA_FP] = "fp",        [CFI_CFA_PLT] = "plt",         [CFI_CFA_DEREF_SP] = "*sp",
	[CFI_CFA_DEREF_FP] = "*fp",
};

static void print_place(struct string_builder *text, const char *name, unsigned saved, int offset)
{
	static const char *const names[] = {[CFI_SAVED_CFA] = "cfa",
					    [CFI_SAVED_SP] = "sp",
					    [CFI_SAVED_FP] = "fp",
					    [CFI_SAVED_UNDEFINED] = "undefined"};
	if (saved == CFI_SAVED_UNDEFINED)
		string_builder_appendf(text, " %s=undefined", name);
	else if (saved != CFI_SAVED_SAME)
		string_builder_appendf(text, " %s=%s%+d", name, names[saved], offset);
}

/** `1000 sp+8 ra=cfa-8 fp=cfa-16; ...`: places that are the register itself are left out. */
static void print_rows(const struct cfi_table *table, struct string_builder *text)
{
	for (size_t i = 0; i < table->num_rows; i++) {
		const struct cfi_row *row = &table->rows[i];
		string_builder_appendf(text, "%s%" PRIx64 " %s", i ? "; " : "", row->address,
				       cfa_names[row->cfa]);
		if (row->cfa > CFI_CFA_UNKNOWN)
			string_builder_appendf(text, "%+d", row->cfa_offset);
		if (row->cfa_addend)
			string_builder_appendf(text, "(%d)", row->cfa_addend);
		print_place(text, "ra", row->return_address, row->return_offset);
		print_place(text, "fp", row->frame_pointer, row->frame_pointer_offset);
		string_builder_append(text, row->is_signal_frame ? " signal" : "");
		string_builder_append(text, row->is_return_address_signed ? " signed" : "");
	}
}

static void assert_section(const struct cfi_section *section, enum cfi_machine machine,
			   const char *expected, size_t num_bad)
{
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	assert_no_error(cfi_table_create(section, machine, &table));
	_cleanup_(string_builder_deinit) struct string_builder rows = STRING_BUILDER_INIT;
	print_rows(&table, &rows);
	assert_string_equal(string_builder_peek(&rows), expected);
	assert_int_equal(table.num_bad, num_bad);
}

static void assert_rows(const struct cfi_bytes *out, enum cfi_machine machine, const char *expected,
			size_t num_bad)
{
	struct cfi_section section = cfi_bytes_section(out);
	assert_section(&section, machine, expected, num_bad);
}

struct program {
	enum cfi_machine machine;
	const char *instructions;
	size_t length;
	const char *rows; /* up to the gap behind the function; NULL: damage */
};

#define CODE(bytes) bytes, sizeof(bytes) - 1
#define X86         CFI_X86_64
#define ARM         CFI_AARCH64
#define ENTRY       "1000 sp+8 ra=cfa-8"

static const struct program programs[] = {
	{X86, CODE(""), ENTRY},
	{X86, CODE("\0\0\0"), ENTRY},
	// push rbp, sub, and everything about it
	{X86, CODE("\x41\x0e\x10\x86\x02\x43\x0d\x06"),
	 ENTRY "; 1001 sp+16 ra=cfa-8 fp=cfa-16; 1004 fp+16 ra=cfa-8 fp=cfa-16"},
	// the five ways to move on
	{X86, CODE("\x41\x0e\x10\x02\x02\x0e\x18\x03\x03\0\x0e\x20\x04\x04\0\0\0\x0e\x28"),
	 ENTRY "; 1001 sp+16 ra=cfa-8; 1003 sp+24 ra=cfa-8; 1006 sp+32 ra=cfa-8; "
	       "100a sp+40 ra=cfa-8"},
	{X86, CODE("\x1d\x05\0\0\0\0\0\0\0\x0e\x10"), ENTRY "; 1005 sp+16 ra=cfa-8"},
	{X86, CODE("\x01\x20\x10\0\0\0\0\0\0\x0e\x10"), ENTRY "; 1020 sp+16 ra=cfa-8"},
	{X86, CODE("\x01\x20\x0f\0\0\0\0\0\0\x0e\x10"), NULL},
	// what lies behind the end is not there
	{X86, CODE("\x03\0\x01\x0e\x10"), ENTRY},
	{X86, CODE("\x03\xff\x7f\x0e\x10\x41\x0e\x18"), ENTRY},
	// nothing new is no new row
	{X86, CODE("\x41\x83\x02\x42\x0e\x08\x41\x8c\x03"), ENTRY},
	// offset_extended, restore, restore_extended
	{X86, CODE("\x05\x06\x02\x41\xc6\x41\x05\x06\x03\x41\x06\x06"),
	 "1000 sp+8 ra=cfa-8 fp=cfa-16; 1001 sp+8 ra=cfa-8; 1002 sp+8 ra=cfa-8 fp=cfa-24; "
	 "1003 sp+8 ra=cfa-8"},
	// restore brings back what the CIE said of the return address
	{X86, CODE("\x90\x02\x41\xd0"), "1000 sp+8 ra=cfa-16; 1001 sp+8 ra=cfa-8"},
	// undefined, same_value, register
	{X86, CODE("\x07\x06\x41\x08\x06\x41\x09\x06\x03\x41\x09\x06\x06"),
	 "1000 sp+8 ra=cfa-8 fp=undefined; 1001 sp+8 ra=cfa-8; "
	 "1002 sp+8 ra=cfa-8 fp=undefined; 1003 sp+8 ra=cfa-8"},
	{X86, CODE("\x41\x07\x10"), ENTRY "; 1001 unknown ra=undefined"},
	{X86, CODE("\x41\x09\x10\x01"), ENTRY "; 1001 unknown"},
	// remember, restore: the frame address, too
	{X86, CODE("\x41\x0a\x0e\x20\x86\x02\x41\x0b"),
	 ENTRY "; 1001 sp+32 ra=cfa-8 fp=cfa-16; 1002 sp+8 ra=cfa-8"},
	{X86, CODE("\x0a\x0e\x10\x0a\x0e\x18\x41\x0b\x41\x0b"),
	 "1000 sp+24 ra=cfa-8; 1001 sp+16 ra=cfa-8; 1002 sp+8 ra=cfa-8"},
	{X86, CODE("\x0b"), NULL},
	{X86, CODE("\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a"), ENTRY},
	{X86, CODE("\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a"), NULL},
	// def_cfa, _register, _offset and the signed ones
	{X86, CODE("\x0c\x06\x20\x41\x0d\x07\x41\x0e\x80\x02"),
	 "1000 fp+32 ra=cfa-8; 1001 sp+32 ra=cfa-8; 1002 sp+256 ra=cfa-8"},
	{X86, CODE("\x12\x06\x7e\x41\x13\x7d"), "1000 fp+16 ra=cfa-8; 1001 fp+24 ra=cfa-8"},
	{X86, CODE("\x0d\x0a\x41\x0d\x07"), "1000 unknown; 1001 sp+8 ra=cfa-8"},
	{X86, CODE("\x0e\xff\xff\xff\xff\x0f"), "1000 unknown"},
	// offset_extended_sf, negative_offset_extended
	{X86, CODE("\x11\x06\x7e\x41\x2f\x06\x03"),
	 "1000 sp+8 ra=cfa-8 fp=cfa+16; 1001 sp+8 ra=cfa-8 fp=cfa+24"},
	{X86, CODE("\x05\x06\xff\xff\xff\xff\x0f"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	{X86, CODE("\x05\x06\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), NULL},
	// val_offset, val_offset_sf, val_expression: nothing that rows know
	{X86, CODE("\x14\x06\x02"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	{X86, CODE("\x15\x06\x7e"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	{X86, CODE("\x16\x06\x02\x77\x08"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	{X86, CODE("\x14\x10\x02"), "1000 unknown"},
	// args_size
	{X86, CODE("\x2e\x10\x41\x0e\x10"), ENTRY "; 1001 sp+16 ra=cfa-8"},
	// expressions: linkers' stubs
	{X86, CODE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"), "1000 plt+11 ra=cfa-8"},
	{X86, CODE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x39\x2a\x33\x24\x22"), "1000 plt+9 ra=cfa-8"},
	{X86, CODE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x40\x2a\x33\x24\x22"), "1000 unknown"},
	{X86, CODE("\x0f\x0b\x77\x10\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22"), "1000 unknown"},
	// a register; a dereference, with an addend
	{X86, CODE("\x0f\x02\x77\x10"), "1000 sp+16 ra=cfa-8"},
	{X86, CODE("\x0f\x03\x92\x06\x10"), "1000 fp+16 ra=cfa-8"},
	{X86, CODE("\x0f\x03\x76\x78\x06"), "1000 *fp-8 ra=cfa-8"},
	{X86, CODE("\x0f\x04\x77\xa0\x01\x06"), "1000 *sp+160 ra=cfa-8"},
	{X86, CODE("\x0f\x06\x77\xd8\0\x06\x23\x08"), "1000 *sp+88(8) ra=cfa-8"},
	{X86, CODE("\x0f\x07\x77\xd8\0\x06\x23\x80\x01"), "1000 unknown"},
	{X86, CODE("\x0f\x03\x73\x08\x06"), "1000 unknown"},
	{X86, CODE("\x0f\x04\x77\x08\x06\x06"), "1000 unknown"},
	{X86, CODE("\x0f\0"), "1000 unknown"},
	{X86, CODE("\x0f\x02\x77\x10\x41\x0e\x20"), "1000 sp+16 ra=cfa-8; 1001 sp+32 ra=cfa-8"},
	{X86, CODE("\x0f\x03\x76\x78\x06\x41\x0e\x20"), "1000 *fp-8 ra=cfa-8; 1001 unknown"},
	{X86, CODE("\x0f\x03\x76\x78\x06\x41\x0c\x07\x08"),
	 "1000 *fp-8 ra=cfa-8; 1001 sp+8 ra=cfa-8"},
	{X86, CODE("\x0f\x09\x77\x10"), NULL},
	// saved where an expression says; forgotten at the return of a realigned function
	{X86, CODE("\x10\x10\x03\x77\xa8\x01\x10\x06\x03\x77\xf8\0"),
	 "1000 sp+8 ra=sp+168 fp=sp+120"},
	{X86, CODE("\x0f\x03\x76\x78\x06\x10\x06\x02\x76\0\x41\x0c\x07\x08"),
	 "1000 *fp-8 ra=cfa-8 fp=fp+0; 1001 sp+8 ra=cfa-8"},
	{X86, CODE("\x10\x06\x03\x76\0\x06"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	{X86, CODE("\x10\x06\x02\x73\0"), "1000 sp+8 ra=cfa-8 fp=undefined"},
	// opcodes that nobody has defined, and operands that are not there
	{X86, CODE("\x41\x17"), NULL},
	{X86, CODE("\x3f"), NULL},
	{X86, CODE("\x41\x0e\x10\x0c\x07"), NULL},
	{X86, CODE("\x03\x01"), NULL},
	// AArch64: leaf, frame record, signatures
	{ARM, CODE(""), "1000 sp+0"},
	{ARM,
	 CODE("\x41\x2d\x41\x0e\x20\x9d\x04\x9e\x03\x41\x0d\x1d\x48\x0c\x1f\0\xdd\xde\x41\x2d"),
	 "1000 sp+0; 1001 sp+0 signed; 1002 sp+32 ra=cfa-24 fp=cfa-32 signed; "
	 "1003 fp+32 ra=cfa-24 fp=cfa-32 signed; 100b sp+0 signed; 100c sp+0"},
	{ARM, CODE("\x41\x2c\x41\x2c"), "1000 sp+0; 1001 sp+0 signed; 1002 sp+0"},
	{ARM, CODE("\x0e\x80\x80\x10\x9d\x80\x80\x02\x9e\xff\xff\x01"),
	 "1000 sp+262144 ra=cfa-262136 fp=cfa-262144"},
};

static void test_instructions(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		const struct program *program = &programs[i];
		struct cfi_bytes out = {0};
		size_t common = program->machine == ARM ? put_common_aarch64(&out, "zR")
							: put_common_x86_64(&out, "zR");
		put_function(&out, common, START, SIZE, program->instructions, program->length);
		char expected[512];
		snprintf(expected, sizeof(expected), "%s; 1100 gap",
			 program->rows ? program->rows : "");
		assert_rows(&out, program->machine, program->rows ? expected : "1000 gap",
			    !program->rows);
	}
}

/** The same functions as before, and .debug_frame has no lengths of augmentation. */
static void test_debug_frame(void **state)
{
	struct cfi_bytes out = {.is_debug_frame = true};
	static const uint8_t push[] = {0x41, 0x0e, 0x10};
	size_t first = put_common_x86_64(&out, "");
	put_function(&out, first, 0x2000, 16, push, sizeof(push));
	size_t second = put_common_x86_64(&out, "");
	put_function(&out, first, 0x2010, 16, push, sizeof(push));
	put_function(&out, second, 0x1000, 16, push, sizeof(push));
	assert_rows(&out, CFI_X86_64,
		    "1000 sp+8 ra=cfa-8; 1001 sp+16 ra=cfa-8; 1010 gap; 2000 sp+8 ra=cfa-8; "
		    "2001 sp+16 ra=cfa-8; 2010 sp+8 ra=cfa-8; 2011 sp+16 ra=cfa-8; 2020 gap",
		    0);
}

static void put_debug_common_v4(struct cfi_bytes *out, uint8_t address_size)
{
	static const uint8_t rest[] = {1, 0x78, 16, 0x0c, 7, 8, 0x90, 1};
	begin_entry(out, UINT32_MAX);
	put_u8(out, 4);
	put_u8(out, 0);
	put_u8(out, address_size);
	put_u8(out, 0);
	put_bytes(out, rest, sizeof(rest));
	end_entry(out);
}

static void test_version_4(void **state)
{
	struct cfi_bytes out = {.is_debug_frame = true};
	put_debug_common_v4(&out, 8);
	put_function(&out, 0, 0x2000, 16, "", 0);
	assert_rows(&out, CFI_X86_64, "2000 sp+8 ra=cfa-8; 2010 gap", 0);

	struct cfi_bytes narrow = {.is_debug_frame = true};
	put_debug_common_v4(&narrow, 4);
	put_function(&narrow, 0, 0x2000, 16, "", 0);
	assert_rows(&narrow, CFI_X86_64, "", 2);
}

/** Lengths of 64 bits: .debug_frame's numbers of entries have as many, .eh_frame's have not. */
static void test_wide_lengths(void **state)
{
	static const uint8_t common[] = {1, 'z', 'R', 0, 1, 0x78, 16, 1, 0, 0x0c, 7, 8, 0x90, 1};
	struct cfi_bytes out = {0};
	put_u32(&out, UINT32_MAX);
	put_u64(&out, 4 + sizeof(common));
	put_u32(&out, 0);
	put_bytes(&out, common, sizeof(common));
	size_t function = out.size;
	put_u32(&out, UINT32_MAX);
	put_u64(&out, 4 + 8 + 8 + 1);
	put_u32(&out, (uint32_t)function + 12);
	put_u64(&out, 0x3000);
	put_u64(&out, 8);
	put_u8(&out, 0);
	assert_rows(&out, CFI_X86_64, "3000 sp+8 ra=cfa-8; 3008 gap", 0);

	static const uint8_t debug_common[] = {3, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1};
	struct cfi_bytes debug = {.is_debug_frame = true};
	put_u32(&debug, UINT32_MAX);
	put_u64(&debug, 8 + sizeof(debug_common));
	put_u64(&debug, UINT64_MAX);
	put_bytes(&debug, debug_common, sizeof(debug_common));
	put_u32(&debug, UINT32_MAX);
	put_u64(&debug, 8 + 16);
	put_u64(&debug, 0);
	put_u64(&debug, 0x3000);
	put_u64(&debug, 8);
	assert_rows(&debug, CFI_X86_64, "3000 sp+8 ra=cfa-8; 3008 gap", 0);
}

struct encoding {
	uint8_t encoding;
	const char *start; /* of the function, as bytes, and its size */
	size_t length;
	const char *rows; /* NULL: cannot be read */
};

#define AT(address, end) #address " sp+8 ra=cfa-8; " #end " gap"

// The section is at 0x10000, text at 0x20000, data at 0x30000; a start is read at 0x10024.
static const struct encoding encodings[] = {
	{0x00, CODE("\0\x10\0\0\0\0\0\0\x10\0\0\0\0\0\0\0"), AT(1000, 1010)},
	{0x01, CODE("\x80\x20\x10"), AT(1000, 1010)},
	{0x02, CODE("\0\x10\x10\0"), AT(1000, 1010)},
	{0x03, CODE("\0\x10\0\0\x10\0\0\0"), AT(1000, 1010)},
	{0x04, CODE("\0\x10\0\0\0\0\0\0\x10\0\0\0\0\0\0\0"), AT(1000, 1010)},
	{0x09, CODE("\x80\x20\x10"), AT(1000, 1010)},
	{0x0a, CODE("\0\x10\x10\0"), AT(1000, 1010)},
	{0x0b, CODE("\0\x10\0\0\x10\0\0\0"), AT(1000, 1010)},
	{0x0c, CODE("\0\x10\0\0\0\0\0\0\x10\0\0\0\0\0\0\0"), AT(1000, 1010)},
	{0x1b, CODE("\0\0\0\0\x10\0\0\0"), AT(10024, 10034)},
	{0x1b, CODE("\xfc\xff\xff\xff\x10\0\0\0"), AT(10020, 10030)},
	{0x1a, CODE("\xfc\xff\x10\0"), AT(10020, 10030)},
	{0x2b, CODE("\x10\0\0\0\x10\0\0\0"), AT(20010, 20020)},
	{0x3b, CODE("\x10\0\0\0\x10\0\0\0"), AT(30010, 30020)},
	{0x50, CODE("\0\0\0\0\0\x10\0\0\0\0\0\0\x10\0\0\0\0\0\0\0"), AT(1000, 1010)},
	// of a function, of what another pointer points at, of sizes that do not exist
	{0x4b, CODE("\0\x10\0\0\x10\0\0\0"), NULL},
	{0x9b, CODE("\0\x10\0\0\x10\0\0\0"), NULL},
	{0x05, CODE("\0\x10\0\0\x10\0\0\0"), NULL},
	{0xff, CODE("\0\x10\0\0\x10\0\0\0"), NULL},
	// ends before it begins
	{0x0b, CODE("\0\x10\0\0\xf0\xff\xff\xff"), NULL},
	{0x03, CODE("\0\x10\0\0\x10\0\0"), NULL},
};

static void test_pointer_encodings(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(encodings); i++) {
		static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
		const struct encoding *encoding = &encodings[i];
		struct cfi_bytes out = {0};
		begin_common(&out, "zR", &encoding->encoding, 1, 0x78, 16);
		put_bytes(&out, initial, sizeof(initial));
		while ((out.size + 8) % 0x24 != 0)
			put_u8(&out, 0);
		end_entry(&out);
		begin_entry(&out, (uint32_t)out.size + 4);
		put_bytes(&out, encoding->start, encoding->length);
		if (encoding->rows)
			put_u8(&out, 0);
		end_entry(&out);
		struct cfi_section section = cfi_bytes_section(&out);
		section.address = 0x10000;
		section.text_address = 0x20000;
		section.data_address = 0x30000;
		assert_section(&section, CFI_X86_64, encoding->rows ? encoding->rows : "",
			       !encoding->rows);
	}
}

struct augmentation {
	const char *letters;
	const char *data;
	size_t length;
	const char *rows; /* NULL: not understood */
};

static const struct augmentation augmentations[] = {
	{"zR", CODE("\0"), AT(1000, 1010)},
	{"zPLR", CODE("\x03\x11\x22\x33\x44\x1b\0"), AT(1000, 1010)},
	{"zPLR", CODE("\x9b\x11\x22\x33\x44\x1b\0"), AT(1000, 1010)},
	{"zPR", CODE("\xff\0"), AT(1000, 1010)},
	{"zR", CODE("\0\x11\x22\x33"), AT(1000, 1010)},
	{"zRS", CODE("\0"), "1000 sp+8 ra=cfa-8 signal; 1010 gap"},
	{"zRB", CODE("\0"), AT(1000, 1010)},
	{"zRG", CODE("\0"), AT(1000, 1010)},
	{"zR?", CODE("\0\x11"), AT(1000, 1010)},
	{"zPR", CODE("\x03\x11\x22"), NULL},
	{"R", CODE(""), NULL},
	{"zR", CODE(""), NULL},
};

static void test_augmentations(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(augmentations); i++) {
		static const uint8_t initial[] = {0x0c, 7, 8, 0x90, 1};
		const struct augmentation *augmentation = &augmentations[i];
		struct cfi_bytes out = {0};
		begin_common(&out, augmentation->letters, augmentation->data, augmentation->length,
			     0x78, 16);
		put_bytes(&out, initial, sizeof(initial));
		end_entry(&out);
		put_function(&out, 0, 0x1000, 0x10, "", 0);
		bool is_good = augmentation->rows;
		assert_rows(&out, CFI_X86_64, is_good ? augmentation->rows : "", is_good ? 0 : 2);
	}
}

/** An old compiler's "eh" has a pointer behind its letters. */
static void test_old_augmentation(void **state)
{
	static const uint8_t rest[] = {1, 0x78, 16, 0x0c, 7, 8, 0x90, 1};
	struct cfi_bytes out = {0};
	begin_entry(&out, 0);
	put_bytes(&out, "\1eh", 4);
	put_u64(&out, 0x1234);
	put_bytes(&out, rest, sizeof(rest));
	end_entry(&out);
	begin_entry(&out, (uint32_t)out.size + 4);
	put_u64(&out, 0x1000);
	put_u64(&out, 0x10);
	end_entry(&out);
	assert_rows(&out, CFI_X86_64, AT(1000, 1010), 0);
}

static void test_overlap(void **state)
{
	static const uint8_t deeper[] = {0x0e, 16, 0x48, 0x0e, 24};
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	put_function(&out, common, 0x1040, 0x10, "", 0);
	put_function(&out, common, 0x1000, 0x20, deeper, sizeof(deeper));
	put_function(&out, common, 0x1004, 0x08, "", 0);
	put_function(&out, common, 0x1004, 0x80, deeper, sizeof(deeper)); // a second of one start
	put_function(&out, common, 0x1050, 0, deeper, sizeof(deeper));    // empty
	assert_rows(&out, CFI_X86_64,
		    "1000 sp+16 ra=cfa-8; 1004 sp+8 ra=cfa-8; 100c gap; 1040 sp+8 ra=cfa-8; "
		    "1050 gap",
		    0);
}

/** A damaged entry costs itself; a damaged length costs what comes behind it. */
static void test_damage(void **state)
{
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	put_function(&out, common, 0x1000, 0x10, "\x3f", 1);
	put_function(&out, common, 0x1010, 0x10, "", 0);
	put_function(&out, common + 4, 0x1020, 0x10, "", 0); // there is no CIE
	put_u32(&out, 0);                                    // a terminator in the middle
	put_function(&out, common, 0x1030, 0x10, "", 0);
	put_function(&out, common, UINT64_MAX - 7, 0x10, "", 0); // goes round
	assert_rows(&out, CFI_X86_64,
		    "1000 gap; 1010 sp+8 ra=cfa-8; 1020 gap; 1030 sp+8 ra=cfa-8; 1040 gap", 3);
	out.size -= 1;
	assert_rows(&out, CFI_X86_64,
		    "1000 gap; 1010 sp+8 ra=cfa-8; 1020 gap; 1030 sp+8 ra=cfa-8; 1040 gap", 3);
}

/** However it is cut off: no crash, and rows of whole entries only. */
static void test_cut_off(void **state)
{
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	put_function(&out, common, 0x1000, 0x10, "\x41\x0e\x10", 3);
	for (size_t size = 0; size < out.size; size++) {
		_cleanup_free_ uint8_t *exact = malloc(size + 1);
		memcpy(exact + 1, out.bytes, size);
		struct cfi_section section = {.data = exact + 1, .size = size};
		_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
		assert_no_error(cfi_table_create(&section, CFI_X86_64, &table));
		assert_int_equal(table.num_rows, 0);
	}
}

static void test_empty(void **state)
{
	struct cfi_section section = {0};
	assert_section(&section, CFI_X86_64, "", 0);
	struct cfi_table table = CFI_TABLE_INIT;
	assert_null(cfi_table_find(&table, 0));
	cfi_table_deinit(&table);
}

static void test_find(void **state)
{
	enum { FUNCTIONS = 100 };
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	for (uint64_t i = 0; i < FUNCTIONS; i++)
		put_function(&out, common, 0x1000 + i * 32, 16, "\x44\x0e\x10", 3);
	struct cfi_section section = cfi_bytes_section(&out);
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	assert_no_error(cfi_table_create(&section, CFI_X86_64, &table));
	assert_null(cfi_table_find(&table, 0xfff));
	for (uint64_t offset = 0; offset < FUNCTIONS * 32; offset++) {
		uint64_t in_function = offset % 32;
		uint64_t begin = in_function < 4 ? 0 : in_function < 16 ? 4 : 16;
		const struct cfi_row *row = cfi_table_find(&table, 0x1000 + offset);
		assert_non_null(row);
		assert_int_equal(row->address, 0x1000 + offset - in_function + begin);
	}
	assert_int_equal(cfi_table_find(&table, UINT64_MAX)->cfa, CFI_CFA_GAP);
}

static void assert_entry(uint64_t entry, const char *expected)
{
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	put_function(&out, common, 0x1000, 16, "", 0);
	put_function(&out, common, 0x2000, 16, "", 0);
	struct cfi_section section = cfi_bytes_section(&out);
	section.entry_address = entry;
	assert_section(&section, CFI_X86_64, expected, 0);
}

/** Assembly that the kernel starts has no caller, unless a function's own rules are there. */
static void test_entry(void **state)
{
#define FUNCTION(START, END) START " sp+8 ra=cfa-8; " END " gap"
#define BOTH                 FUNCTION("1000", "1010") "; " FUNCTION("2000", "2010")
#define NOBODY               " unknown ra=undefined"
	assert_entry(0, BOTH);
	assert_entry(0x1000, BOTH);
	assert_entry(0x200f, BOTH);
	assert_entry(0xf00, "f00" NOBODY "; f80 gap; " BOTH);
	assert_entry(0xff0, "ff0" NOBODY "; " BOTH);
	assert_entry(0x1010,
		     "1000 sp+8 ra=cfa-8; 1010" NOBODY "; 1090 gap; " FUNCTION("2000", "2010"));
	assert_entry(0x1800, FUNCTION("1000", "1010") "; 1800" NOBODY
						      "; 1880 gap; " FUNCTION("2000", "2010"));
	assert_entry(0x2800, BOTH "; 2800" NOBODY "; 2880 gap");
	assert_entry(UINT64_MAX, BOTH);
#undef NOBODY
#undef BOTH
#undef FUNCTION
}

static void test_row_size(void **state)
{
	assert_int_equal(sizeof(struct cfi_row), 24);
}

int cfi_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_version_4),
		cmocka_unit_test(test_wide_lengths),
		cmocka_unit_test(test_pointer_encodings),
		cmocka_unit_test(test_augmentations),
		cmocka_unit_test(test_old_augmentation),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_row_size),
	};
	return cmocka_run_group_tests_name("cfi_table", tests, NULL, NULL);
}
