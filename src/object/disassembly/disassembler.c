// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/disassembler.h"

#include "base/container/array.h"
#include "base/os/shared_library.h"
#include "base/thread/library_lock.h"
#include "object/disassembly/disassembler_hint.h"

#include <stdio.h>
#include <string.h>

// The C interface of LLVM (llvm-c/Disassembler.h), loaded at run time: it is large, and only
// commands that show code need it. load_library() tries file names and versions from the newest to
// the oldest; the C interface has been stable for all of them. The declarations are copied so that
// no LLVM is needed to build.
//
// Two quirks are hidden: a lookup function must be given for jumps to be printed with their target
// (look_up_nothing()), and the lock prefix of x86 is decoded as an instruction of its own, which
// disassembler_decode() joins with the next one. Bytes that decode to nothing are shown as
// <unknown>, four for AArch64 and one for x86, and decoding goes on behind them.

enum {
	NEWEST_MAJOR = 30, // so far there is 22; what is not there costs nothing
	OLDEST_MAJOR = 14, // the one of Debian 12
	// From here on "+all" means every extension of AArch64.
	MAJOR_WITH_ALL = 15,
	PRINT_HEXADECIMAL = 2, // LLVMDisassembler_Option_PrintImmHex
	MAX_TEXT = 256,
};

// Until then each one must be named, and a name that is not known is complained of on stderr.
static const char aarch64_features[] =
	"+v9.2a,+crypto,+sha3,+sm4,+fullfp16,+fp16fml,+dotprod,+bf16,+i8mm,+f32mm,+f64mm,+sve2,"
	"+sve2-aes,+sve2-sha3,+sve2-sm4,+sve2-bitperm,+sme,+sme-f64,+sme-i64,+mte,+rand,+sb,+ssbs,"
	"+predres,+tme,+ls64,+brbe,+spe,+rcpc-immo,+pauth,+lse,+lor,+ccidx,+bti,+hbc,+mops";

static const struct {
	const char *name, *triple;
} machines[] = {
	[OBJECT_MACHINE_X86_64] = {"X86", "x86_64-linux-gnu"},
	[OBJECT_MACHINE_AARCH64] = {"AArch64", "aarch64-linux-gnu"},
};

/** As in llvm-c/Disassembler.h; what a reference is called, if it has a name. */
typedef const char *(*lookup_fn)(void *context, uint64_t value, uint64_t *type, uint64_t address,
				 const char **name);
typedef void *(*create_fn)(const char *triple, const char *cpu, const char *features, void *context,
			   int tag, void *get_operand, lookup_fn lookup);
typedef void (*dispose_fn)(void *disassembler);
typedef int (*set_options_fn)(void *disassembler, uint64_t options);
typedef size_t (*decode_fn)(void *disassembler, uint8_t *bytes, uint64_t size, uint64_t address,
			    char *text, size_t text_size);
typedef void (*get_version_fn)(unsigned *major, unsigned *minor, unsigned *patch);
typedef void (*initialize_fn)(void);

struct disassembler {
	void *library;
	unsigned major;
	enum object_machine machine;
	void *context; // LLVM's own disassembler
	dispose_fn dispose;
	decode_fn decode;
	char name[40];
};

void disassembler_destroy(struct disassembler *disassembler)
{
	if (!disassembler)
		return;
	if (disassembler->context)
		disassembler->dispose(disassembler->context);
	shared_library_close(disassembler->library);
	free(disassembler);
}

/** Distributions and times have called it differently; the last one is that of Windows. */
static const char *const file_names[] = {"libLLVM.so.%u.1", "libLLVM-%u.so.1", "libLLVM-%u.so",
					 "LLVM-C.dll"};

static bool load_library(struct disassembler *disassembler)
{
	for (unsigned major = NEWEST_MAJOR; major >= OLDEST_MAJOR; major--) {
		for (size_t i = 0; i < ARRAY_SIZE(file_names); i++) {
			char name[40];
			snprintf(name, sizeof(name), file_names[i], major);
			disassembler->library = shared_library_open(name);
			disassembler->major = major;
			if (disassembler->library)
				return true;
		}
	}
	return false;
}

/** A function by its name, into a variable of its type. */
static bool disassembler_load(const struct disassembler *disassembler, const char *name, void *ret)
{
	return shared_library_find(disassembler->library, name, ret);
}

/** The parts of the library that a machine needs; one may be left out of a build. They go into a
 *  list of the library, which has no lock of its own. */
static bool initialize_machine(const struct disassembler *disassembler)
{
	static const char *const parts[] = {"TargetInfo", "TargetMC", "Disassembler"};
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char name[64];
		snprintf(name, sizeof(name), "LLVMInitialize%s%s",
			 machines[disassembler->machine].name, parts[i]);
		initialize_fn initialize;
		if (!disassembler_load(disassembler, name, &initialize))
			return false;
		library_lock();
		initialize();
		library_unlock();
	}
	return true;
}

// Without a lookup function, jumps say how far; with one that knows no name, they say where to.
static const char *look_up_nothing(void *context, uint64_t value, uint64_t *type, uint64_t address,
				   const char **name)
{
	*type = 0; // LLVMDisassembler_ReferenceType_InOut_None
	*name = NULL;
	return NULL;
}

static bool disassembler_create(struct disassembler *disassembler)
{
	create_fn create_disassembler;
	set_options_fn set_options;
	if (!disassembler_load(disassembler, "LLVMCreateDisasmCPUFeatures", &create_disassembler) ||
	    !disassembler_load(disassembler, "LLVMSetDisasmOptions", &set_options) ||
	    !disassembler_load(disassembler, "LLVMDisasmDispose", &disassembler->dispose) ||
	    !disassembler_load(disassembler, "LLVMDisasmInstruction", &disassembler->decode))
		return false;
	const char *features = ""; // x86 decodes all there is
	if (disassembler->machine == OBJECT_MACHINE_AARCH64)
		features = disassembler->major >= MAJOR_WITH_ALL ? "+all" : aarch64_features;
	disassembler->context = create_disassembler(machines[disassembler->machine].triple, "",
						    features, NULL, 0, NULL, look_up_nothing);
	if (disassembler->context)
		set_options(disassembler->context, PRINT_HEXADECIMAL);
	return disassembler->context;
}

struct error *disassembler_open(enum object_machine machine, struct disassembler **ret)
{
	if (machine == OBJECT_MACHINE_OTHER)
		return error_create(ERROR_FAILED,
				    "wperf can disassemble only x86-64 and AArch64 code");
	_cleanup_(disassembler_destroyp) struct disassembler *disassembler =
		calloc(1, sizeof(*disassembler));
	if (!disassembler)
		return &error_no_memory;
	disassembler->machine = machine;
	if (!load_library(disassembler) || !initialize_machine(disassembler) ||
	    !disassembler_create(disassembler))
		return error_with_hint(
			error_create(ERROR_FAILED, "no disassembler for %s is installed",
				     machine == OBJECT_MACHINE_AARCH64 ? "AArch64" : "x86-64"),
			"%s", disassembler_hint());
	// Old versions do not have the function: what is known is the version in the file's name.
	snprintf(disassembler->name, sizeof(disassembler->name), "LLVM %u", disassembler->major);
	get_version_fn get_version;
	if (disassembler_load(disassembler, "LLVMGetVersion", &get_version)) {
		unsigned major, minor, patch;
		get_version(&major, &minor, &patch);
		snprintf(disassembler->name, sizeof(disassembler->name), "LLVM %u.%u.%u", major,
			 minor, patch);
	}
	*ret = take_ptr(disassembler);
	return NULL;
}

/** One instruction, or as few bytes as there can be of none. */
static struct instruction decode_one(const struct disassembler *disassembler,
				     struct object_bytes code, char *text, size_t text_size)
{
	// All instructions of AArch64 have four bytes; one of x86 may begin at any byte.
	size_t unknown_size = disassembler->machine == OBJECT_MACHINE_AARCH64 ? 4 : 1;
	// It takes bytes that could be changed, and does not change them.
	size_t size = disassembler->decode(disassembler->context, (uint8_t *)code.data, code.size,
					   code.address, text, text_size);
	if (size && size <= code.size)
		return (struct instruction){code.address, (uint32_t)size,
					    text + strspn(text, "\t ")};
	size = unknown_size < code.size ? unknown_size : code.size;
	return (struct instruction){code.address, (uint32_t)size, "<unknown>"};
}

static struct object_bytes bytes_behind(struct object_bytes code, size_t size)
{
	return (struct object_bytes){code.data + size, code.size - size, code.address + size};
}

struct error *disassembler_decode(struct disassembler *disassembler, struct object_bytes code,
				  struct instruction_list *ret)
{
	while (code.size) {
		char text[MAX_TEXT], locked[MAX_TEXT + 8];
		struct instruction one = decode_one(disassembler, code, text, sizeof(text));
		if (!strcmp(one.text, "lock") && one.size < code.size) {
			char next_text[MAX_TEXT];
			struct instruction next =
				decode_one(disassembler, bytes_behind(code, one.size), next_text,
					   sizeof(next_text));
			snprintf(locked, sizeof(locked), "lock %s", next.text);
			one.size += next.size;
			one.text = locked;
		}
		struct error *err = instruction_list_add(ret, code.address, one.size, one.text);
		if (err)
			return err;
		code = bytes_behind(code, one.size);
	}
	return instruction_list_settle(ret);
}

const char *disassembler_name(const struct disassembler *disassembler)
{
	return disassembler->name;
}
