// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_program.h"

#include "base/container/array.h"
#include "object/cfi/cfi_expression.h"

// An interpreter for call frame instructions (DWARF 5, 6.4.2; opcodes in 7.24; 0x2c to 0x2f are
// vendors'). It runs the program of one FDE from the state that its CIE left, and stops whenever
// the location advances: each stop is a row (cfi_program_next()).
//
// Only three things are followed: the frame address (CFA), the return address and the frame
// pointer. All other registers share `ignored`, so that opcodes need no special cases. A register
// is in one of few places (struct cfi_place); what these cannot express is marked as unknown, and
// does not fail the function, as it matters only if the unwinder needs just that register there.
//
// Hostile input: the stack of DW_CFA_remember_state is bounded, a location never goes back,
// products are checked for overflow, and unknown opcodes fail, because their operands cannot be
// skipped. Each byte is read once, so a function makes hardly more rows than its FDE has bytes.

// The opcodes with an operand in their lower six bits.
enum {
	PACKED_MASK = 0xc0,
	PACKED_ADVANCE = 0x40,
	PACKED_OFFSET = 0x80,
	PACKED_RESTORE = 0xc0,
};

static struct cfi_place *place_in(struct cfi_state *state, struct cfi_program *program,
				  uint64_t reg)
{
	if (reg == program->common->return_register)
		return &state->return_address;
	return reg == program->registers->fp ? &state->frame_pointer : &program->ignored;
}

static void set_place(struct cfi_program *program, uint64_t reg, struct cfi_place place)
{
	*place_in(&program->state, program, reg) = place;
}

/** Offsets are divided by data_alignment_factor of the CIE to be short (DWARF 5, 6.4.1). */
static int64_t cfi_program_factored(struct cfi_program *program, int64_t value)
{
	int64_t product;
	if (__builtin_mul_overflow(value, program->common->data_factor, &product))
		program->bytes.failed = true;
	return program->bytes.failed ? 0 : product;
}

static int64_t read_factored(struct cfi_program *program)
{
	return cfi_program_factored(program, (int64_t)reader_uleb128(&program->bytes));
}

static int64_t read_signed_factored(struct cfi_program *program)
{
	return cfi_program_factored(program, reader_sleb128(&program->bytes));
}

static void save_at(struct cfi_program *program, uint64_t reg, int64_t offset)
{
	bool fits = offset >= INT32_MIN && offset <= INT32_MAX;
	set_place(program, reg,
		  (struct cfi_place){
			  .saved = CFI_SAVED_CFA,
			  .is_unknown = !fits,
			  .offset = fits ? (int32_t)offset : 0,
		  });
}

static void cfi_program_restore(struct cfi_program *program, uint64_t reg)
{
	// What nothing was said of at first is where it was: in its register.
	struct cfi_state initial = program->common->initial;
	set_place(program, reg, *place_in(&initial, program, reg));
}

static void cfi_program_advance(struct cfi_program *program, uint64_t steps)
{
	uint64_t distance;
	if (__builtin_mul_overflow(steps, program->common->code_factor, &distance) ||
	    __builtin_add_overflow(program->location, distance, &program->location))
		program->bytes.failed = true;
}

static struct reader read_expression(struct cfi_program *program)
{
	uint64_t length = reader_uleb128(&program->bytes);
	if (length > reader_left(&program->bytes))
		program->bytes.failed = true;
	return reader_sub(&program->bytes, (size_t)length);
}

static void do_nop(struct cfi_program *program)
{
}

static void do_set_loc(struct cfi_program *program)
{
	uint64_t location = cfi_pointer_read(&program->bytes, program->common->pointer_encoding,
					     &program->bases);
	if (location < program->location)
		program->bytes.failed = true;
	program->location = location;
}

static void do_advance1(struct cfi_program *program)
{
	cfi_program_advance(program, reader_u8(&program->bytes));
}

static void do_advance2(struct cfi_program *program)
{
	cfi_program_advance(program, reader_u16(&program->bytes));
}

static void do_advance4(struct cfi_program *program)
{
	cfi_program_advance(program, reader_u32(&program->bytes));
}

static void do_advance8(struct cfi_program *program)
{
	cfi_program_advance(program, reader_u64(&program->bytes));
}

static void do_offset(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	save_at(program, reg, read_factored(program));
}

static void do_offset_signed(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	save_at(program, reg, read_signed_factored(program));
}

static void do_offset_negative(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	int64_t offset = read_factored(program);
	save_at(program, reg, offset == INT64_MIN ? offset : -offset);
}

static void do_restore(struct cfi_program *program)
{
	cfi_program_restore(program, reader_uleb128(&program->bytes));
}

static void do_undefined(struct cfi_program *program)
{
	set_place(program, reader_uleb128(&program->bytes),
		  (struct cfi_place){.saved = CFI_SAVED_UNDEFINED});
}

static void do_same_value(struct cfi_program *program)
{
	set_place(program, reader_uleb128(&program->bytes),
		  (struct cfi_place){.saved = CFI_SAVED_SAME});
}

// A register that is saved in another one is not followed: the other one's value is not known.
static void do_register(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	bool is_same = reader_uleb128(&program->bytes) == reg;
	set_place(program, reg, (struct cfi_place){.is_unknown = !is_same});
}

static void do_remember(struct cfi_program *program)
{
	if (program->num_remembered == CFI_MAX_REMEMBERED) {
		program->bytes.failed = true;
		return;
	}
	program->remembered[program->num_remembered++] = program->state;
}

static void do_restore_state(struct cfi_program *program)
{
	if (!program->num_remembered) {
		program->bytes.failed = true;
		return;
	}
	program->state = program->remembered[--program->num_remembered];
}

static void do_def_cfa(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	int64_t offset = (int64_t)reader_uleb128(&program->bytes);
	program->state.cfa = (struct cfi_frame_address){.reg = reg, .offset = offset};
}

static void do_def_cfa_signed(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	int64_t offset = read_signed_factored(program);
	program->state.cfa = (struct cfi_frame_address){.reg = reg, .offset = offset};
}

// A new register or offset alone makes sense only where the other one is.
static void do_def_cfa_register(struct cfi_program *program)
{
	struct cfi_frame_address *cfa = &program->state.cfa;
	cfa->reg = reader_uleb128(&program->bytes);
	cfa->form = CFI_CFA_UNKNOWN;
}

static void set_cfa_offset(struct cfi_program *program, int64_t offset)
{
	struct cfi_frame_address *cfa = &program->state.cfa;
	cfa->offset = offset;
	cfa->form = CFI_CFA_UNKNOWN;
}

static void do_def_cfa_offset(struct cfi_program *program)
{
	set_cfa_offset(program, (int64_t)reader_uleb128(&program->bytes));
}

static void do_def_cfa_offset_signed(struct cfi_program *program)
{
	set_cfa_offset(program, read_signed_factored(program));
}

static void do_def_cfa_expression(struct cfi_program *program)
{
	struct reader expression = read_expression(program);
	program->state.cfa = cfi_expression_frame_address(expression, program->registers);
}

static void do_expression(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	struct reader expression = read_expression(program);
	set_place(program, reg, cfi_expression_place(expression, program->registers));
}

/** Values that are computed, not saved: compilers do not use them for what a walk needs. */
static void do_val_offset(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	reader_uleb128(&program->bytes);
	set_place(program, reg, (struct cfi_place){.is_unknown = true});
}

static void do_val_expression(struct cfi_program *program)
{
	uint64_t reg = reader_uleb128(&program->bytes);
	read_expression(program);
	set_place(program, reg, (struct cfi_place){.is_unknown = true});
}

// AArch64 signs return addresses in unused upper bits (pointer authentication), from one
// instruction of the prologue to one of the epilogue.
static void do_negate_ra_state(struct cfi_program *program)
{
	program->state.is_return_address_signed ^= true;
}

/** How much of the stack arguments of a call take: matters for exceptions only. */
static void do_args_size(struct cfi_program *program)
{
	reader_uleb128(&program->bytes);
}

typedef void (*instruction_fn)(struct cfi_program *program);

static const instruction_fn instructions[] = {
	[0x00] = do_nop,
	[0x01] = do_set_loc,
	[0x02] = do_advance1,
	[0x03] = do_advance2,
	[0x04] = do_advance4,
	[0x05] = do_offset,
	[0x06] = do_restore,
	[0x07] = do_undefined,
	[0x08] = do_same_value,
	[0x09] = do_register,
	[0x0a] = do_remember,
	[0x0b] = do_restore_state,
	[0x0c] = do_def_cfa,
	[0x0d] = do_def_cfa_register,
	[0x0e] = do_def_cfa_offset,
	[0x0f] = do_def_cfa_expression,
	[0x10] = do_expression,
	[0x11] = do_offset_signed,
	[0x12] = do_def_cfa_signed,
	[0x13] = do_def_cfa_offset_signed,
	[0x14] = do_val_offset,
	[0x15] = do_val_offset, // signed: the same bytes to skip
	[0x16] = do_val_expression,
	[0x1d] = do_advance8,        // DW_CFA_MIPS_advance_loc8
	[0x2c] = do_negate_ra_state, // DW_CFA_AARCH64_negate_ra_state_with_pc
	[0x2d] = do_negate_ra_state, // DW_CFA_AARCH64_negate_ra_state
	[0x2e] = do_args_size,       // DW_CFA_GNU_args_size
	[0x2f] = do_offset_negative, // DW_CFA_GNU_negative_offset_extended
};

static void cfi_program_step(struct cfi_program *program)
{
	uint8_t opcode = reader_u8(&program->bytes);
	uint8_t operand = opcode & (uint8_t)~PACKED_MASK;
	switch (opcode & PACKED_MASK) {
	case PACKED_ADVANCE:
		cfi_program_advance(program, operand);
		break;
	case PACKED_OFFSET:
		save_at(program, operand, read_factored(program));
		break;
	case PACKED_RESTORE:
		cfi_program_restore(program, operand);
		break;
	default:
		if (opcode < ARRAY_SIZE(instructions) && instructions[opcode])
			instructions[opcode](program);
		else
			program->bytes.failed = true;
	}
}

static void cfi_program_prepare(struct cfi_program *program, struct reader section,
				struct cfi_pointer_bases bases,
				const struct cfi_registers *registers,
				const struct cfi_common *common)
{
	program->bytes = section;
	program->bytes.failed = false;
	program->bases = bases;
	program->registers = registers;
	program->common = common;
	program->ignored = (struct cfi_place){0};
	program->num_remembered = 0;
}

void cfi_program_init(struct cfi_program *program, struct reader section,
		      struct cfi_pointer_bases bases, const struct cfi_registers *registers,
		      const struct cfi_common *common, const struct cfi_function *function)
{
	cfi_program_prepare(program, section, bases, registers, common);
	program->bytes.offset = function->instructions;
	program->bytes.size = function->instructions_end;
	program->state = common->initial;
	program->location = program->row_start = function->start;
	program->end = function->end;
}

bool cfi_program_next(struct cfi_program *program, struct cfi_row *ret)
{
	if (program->row_start >= program->end)
		return false;
	// All instructions up to the next advance are about this row.
	while (program->location == program->row_start && reader_left(&program->bytes))
		cfi_program_step(program);
	if (program->bytes.failed)
		return false;
	struct cfi_row row = cfi_state_row(&program->state, program->registers);
	row.address = program->row_start;
	row.is_signal_frame = program->common->is_signal_frame;
	bool is_last = program->location == program->row_start;
	program->row_start = is_last ? program->end : program->location;
	*ret = row;
	return true;
}

bool cfi_program_initial(struct cfi_common *common, struct reader section,
			 struct cfi_pointer_bases bases, const struct cfi_registers *registers)
{
	struct cfi_program program;
	cfi_program_prepare(&program, section, bases, registers, common);
	program.bytes.offset = common->instructions;
	program.bytes.size = common->end;
	program.state = (struct cfi_state)CFI_STATE_INIT;
	program.location = program.row_start = program.end = 0;
	while (reader_left(&program.bytes))
		cfi_program_step(&program);
	// A CIE has no addresses, so an instruction that advances is damage.
	common->initial = program.state;
	return !program.bytes.failed && program.location == 0;
}
