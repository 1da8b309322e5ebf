// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/program.h"

#include "driver/sim/load.h"

// The functions of a program as tables: address, size, caller, and how often each kind of event is
// in them (per mille, separately for user and kernel code). program_find_function() turns a random
// number into a function by these shares; pick_instruction() prefers some hot instructions. Stacks
// are consistent: the frame address of a function is computed from its depth of calls, and
// program_read_frame() inverts that, so that the driver's walk over frames finds the callers of the
// table.

#define EXE    UINT64_C(0x7ff6e0a40000)
#define DLL    UINT64_C(0x7fff55cb0000)
#define KERNEL UINT64_C(0xfffff80102000000)

// Frames are as deep in a stack as their functions are in calls, and apart from each other.
#define STACK_END        UINT64_C(0x8c7f700000)
#define KERNEL_STACK_END UINT64_C(0xffffa60f54c90000)

enum {
	INSTRUCTION_BYTES = 4,
	NUM_HOT_SPOTS = 12, // of each function
	SPOT_STRIDE = 7,    // between them, in instructions
	PER_MILLE = 1000,
	FRAME_BYTES = 16,
	LEVEL_BYTES = 0x400, // of all frames at one depth
};

static const struct program_image images[] = {
	{"[sim]/python_d.exe", EXE, 0x20000, false},
	{"[sim]/python312_d.dll", DLL, 0xd00000, false},
	{"[sim]/ntoskrnl.exe", KERNEL, 0x1000000, true},
};

// Indexes of the table below.
enum {
	FN_MAIN,
	FN_INVOKE_MAIN,
	FN_PYMALLOC_ALLOC,
	FN_PY_ATOMIC_LOAD_32BIT_IMPL,
	FN_PYERR_CHECKSIGNALS,
	FN_PYEVAL_EVALFRAMEDEFAULT,
	FN_PY_DECREF_SPECIALIZED,
	FN_V_IADD,
	FN_V_ISUB,
	FN_X_ADD,
	FN_X_MUL,
	FN_K_MUL,
	FN_K_LOPSIDED_MUL,
	FN_LONG_POW,
	FN_PYLONG_NEW,
	FN_FILL_DIGITS_NEON,
	FN_KISYSTEMSERVICEEXIT,
	FN_KISYSTEMSERVICEHANDLER,
	FN_KECLOCKINTERRUPTNOTIFY,
	FN_MIZEROPHYSICALPAGE,
	FN_MMACCESSFAULT,
	NUM_FUNCTIONS,
};

static const struct program_function functions[NUM_FUNCTIONS] = {
	{"main", "Programs/python.c", 10, EXE + 0x1260, 64, FN_INVOKE_MAIN, {0, 0, 0, 0}},
	{"invoke_main", "exe_common.inl", 78, EXE + 0x12b0, 96, FN_INVOKE_MAIN, {1, 1, 2, 1}},
	{"pymalloc_alloc",
	 "Objects/obmalloc.c",
	 1530,
	 DLL + 0x133a40,
	 356,
	 FN_PYLONG_NEW,
	 {9, 9, 16, 3}},
	{"_Py_atomic_load_32bit_impl",
	 "Include/internal/pycore_atomic.h",
	 399,
	 DLL + 0x138d40,
	 328,
	 FN_PYERR_CHECKSIGNALS,
	 {52, 54, 92, 8}},
	{"PyErr_CheckSignals",
	 "Modules/signalmodule.c",
	 1712,
	 DLL + 0x1eac90,
	 384,
	 FN_X_MUL,
	 {24, 26, 60, 4}},
	{"_PyEval_EvalFrameDefault",
	 "Python/ceval.c",
	 684,
	 DLL + 0x2c41a0,
	 17920,
	 FN_MAIN,
	 {38, 30, 120, 12}},
	{"_Py_DECREF_SPECIALIZED",
	 "Include/internal/pycore_object.h",
	 99,
	 DLL + 0x30a880,
	 120,
	 FN_PYEVAL_EVALFRAMEDEFAULT,
	 {5, 5, 14, 1}},
	{"v_iadd", "Objects/longobject.c", 1596, DLL + 0x3a3000, 256, FN_X_MUL, {42, 38, 44, 120}},
	{"v_isub", "Objects/longobject.c", 1627, DLL + 0x3a3250, 264, FN_K_MUL, {88, 72, 80, 180}},
	{"x_add", "Objects/longobject.c", 3305, DLL + 0x3a3820, 412, FN_K_MUL, {20, 18, 30, 60}},
	{"x_mul", "Objects/longobject.c", 3555, DLL + 0x3a4b00, 620, FN_K_MUL, {660, 702, 480, 90}},
	{"k_mul",
	 "Objects/longobject.c",
	 3650,
	 DLL + 0x3a4e00,
	 1284,
	 FN_K_LOPSIDED_MUL,
	 {12, 10, 18, 6}},
	{"k_lopsided_mul",
	 "Objects/longobject.c",
	 3832,
	 DLL + 0x3a5310,
	 540,
	 FN_LONG_POW,
	 {4, 3, 5, 2}},
	{"long_pow",
	 "Objects/longobject.c",
	 4665,
	 DLL + 0x3a6c40,
	 2040,
	 FN_PYEVAL_EVALFRAMEDEFAULT,
	 {3, 2, 4, 3}},
	{"_PyLong_New", "Objects/longobject.c", 143, DLL + 0x3a8f00, 220, FN_K_MUL, {6, 5, 9, 2}},
	{"fill_digits_neon",
	 "Objects/longobject.c",
	 240,
	 DLL + 0x3a9200,
	 196,
	 FN_LONG_POW,
	 {36, 25, 26, 508}},
	{"KiSystemServiceExit",
	 NULL,
	 0,
	 KERNEL + 0x1200,
	 416,
	 FN_KISYSTEMSERVICEHANDLER,
	 {110, 80, 160, 20}},
	{"KiSystemServiceHandler",
	 NULL,
	 0,
	 KERNEL + 0x1400,
	 640,
	 FN_KISYSTEMSERVICEHANDLER,
	 {180, 150, 260, 40}},
	{"KeClockInterruptNotify",
	 NULL,
	 0,
	 KERNEL + 0x9c00,
	 928,
	 FN_KISYSTEMSERVICEHANDLER,
	 {200, 160, 240, 30}},
	{"MiZeroPhysicalPage",
	 NULL,
	 0,
	 KERNEL + 0x21c100,
	 288,
	 FN_MMACCESSFAULT,
	 {220, 60, 60, 760}},
	{"MmAccessFault",
	 NULL,
	 0,
	 KERNEL + 0x2a0400,
	 2176,
	 FN_KISYSTEMSERVICEHANDLER,
	 {290, 550, 280, 150}},
};

// First event and last of a kind.
static const struct {
	uint16_t first, last;
	enum program_kind kind;
} kinds[] = {
	{0x03, 0x06, PROGRAM_LOADS},    // l1d_cache_refill, l1d_cache, l1d_tlb_refill, ld_retired
	{0x0c, 0x0e, PROGRAM_BRANCHES}, // pc_write_retired, br_immed_retired, br_return_retired
	{0x10, 0x10, PROGRAM_BRANCHES}, // br_mis_pred
	{0x12, 0x12, PROGRAM_BRANCHES}, // br_pred
	{0x13, 0x13, PROGRAM_LOADS},    // mem_access
	{0x15, 0x18, PROGRAM_LOADS},    // l1d_cache_wb to l2d_cache_wb
	{0x21, 0x22, PROGRAM_BRANCHES}, // br_retired, br_mis_pred_retired
	{0x25, 0x25, PROGRAM_LOADS},    // l1d_tlb
	{0x29, 0x2d, PROGRAM_LOADS},    // the level 3 cache, l2d_tlb_refill
	{0x40, 0x5f, PROGRAM_LOADS},    // caches and TLBs of data, reads and writes apart
	{0x66, 0x72, PROGRAM_LOADS},    // mem_access_rd to ldst_spec
	{0x74, 0x75, PROGRAM_VECTORS},  // ase_spec, vfp_spec
	{0x76, 0x7a, PROGRAM_BRANCHES}, // pc_write_spec to br_indirect_spec
	{0x8004, 0x80ff, PROGRAM_VECTORS}, // SIMD, SVE and floating point
	{0x810c, 0x811f, PROGRAM_BRANCHES},
};

const struct program_image *program_images(size_t *ret_num)
{
	*ret_num = sizeof(images) / sizeof(images[0]);
	return images;
}

const struct program_function *program_functions(size_t *ret_num)
{
	*ret_num = NUM_FUNCTIONS;
	return functions;
}

bool program_is_kernel(const struct program_function *function)
{
	return function->address >= KERNEL;
}

enum program_kind program_kind_of_event(uint64_t event)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (event >= kinds[i].first && event <= kinds[i].last)
			return kinds[i].kind;
	}
	return PROGRAM_CYCLES;
}

static const struct program_function *program_find_function(enum program_kind kind, bool in_kernel,
							    unsigned position)
{
	unsigned end = 0;
	const struct program_function *last = functions;
	for (size_t i = 0; i < NUM_FUNCTIONS && end <= position; i++) {
		if (program_is_kernel(&functions[i]) != in_kernel)
			continue;
		last = &functions[i];
		end += last->per_mille[kind];
	}
	return last;
}

// The product of two equal numbers prefers small ones: some places are hotter than others.
static uint64_t pick_instruction(const struct program_function *function, unsigned random)
{
	unsigned spot = (random & 0xff) * (random & 0xff) * NUM_HOT_SPOTS >> 16;
	unsigned instruction = (spot + 1) * SPOT_STRIDE % (function->size / INSTRUCTION_BYTES);
	return function->address + instruction * INSTRUCTION_BYTES;
}

// One call in each caller, in the middle of it; its callee returns behind it.
static uint64_t return_address(const struct program_function *function)
{
	const struct program_function *caller = &functions[function->caller];
	return caller->address + caller->size / 2 / INSTRUCTION_BYTES * INSTRUCTION_BYTES;
}

static const struct program_function *caller_of(const struct program_function *function)
{
	const struct program_function *caller = &functions[function->caller];
	return caller == function ? NULL : caller; // the first ones have none
}

static uint64_t program_frame_address(const struct program_function *function)
{
	_Static_assert(NUM_FUNCTIONS * FRAME_BYTES <= LEVEL_BYTES, "frames of a level are apart");
	uint64_t address = program_is_kernel(function) ? KERNEL_STACK_END : STACK_END;
	// A level of the stack for each caller above it: frames go downwards, as on Arm.
	address -= LEVEL_BYTES - (uint64_t)(function - functions) * FRAME_BYTES;
	for (const struct program_function *above = function; (above = caller_of(above));)
		address -= LEVEL_BYTES;
	return address;
}

// The address of a frame tells its function, so that no stack need be written anywhere.
bool program_read_frame(uint64_t address, uint64_t *ret_next, uint64_t *ret_lr)
{
	const struct program_function *function =
		&functions[address % LEVEL_BYTES / FRAME_BYTES % NUM_FUNCTIONS];
	if (program_frame_address(function) != address)
		return false;
	const struct program_function *caller = caller_of(function);
	*ret_next = caller ? program_frame_address(caller) : 0;
	*ret_lr = caller ? return_address(function) : 0;
	return true;
}

struct program_place program_place(enum program_kind kind, bool in_kernel, uint64_t seed)
{
	uint64_t random = load_hash(seed);
	const struct program_function *function =
		program_find_function(kind, in_kernel, (unsigned)(random >> 32) % PER_MILLE);
	return (struct program_place){
		.pc = pick_instruction(function, (unsigned)random),
		.lr = return_address(function),
		.end = function->address + function->size,
		.fp = program_frame_address(function),
	};
}
