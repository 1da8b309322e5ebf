// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/plugin_state.h"

#include "driver/emulator/a64_class.h"
#include "driver/emulator/plugin/block.h"
#include "driver/emulator/plugin/guest_exec.h"
#include "driver/emulator/plugin/guest_maps.h"
#include "driver/emulator/plugin/guest_memory.h"
#include "driver/emulator/plugin/guest_thread.h"
#include "driver/emulator/plugin/qemu_api.h"
#include "driver/emulator/plugin/sample_taker.h"
#include "driver/emulator/plugin/task_records.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// QEMU translates code in blocks that run from their beginning. on_translation() classifies the
// instructions of a block once (block.c) and registers the cheapest callback that serves the run
// (choose_call()): none but an inline addition for counting in one thread, one short function for
// sampling one event, or on_block() for everything. Accesses to memory are watched only if an event
// needs them.
//
// The plugin API of QEMU 7 has no access to registers, which stacks need. The generated code keeps
// the address of the CPU's state in a host register that calls preserve; WITH_CPU_STATE passes it
// on as an argument, and are_registers() checks that the registers are where they are expected, by
// the layout of the initial stack.
//
// After a clone with CLONE_VM, QEMU translates everything anew, now with calls instead of inline
// additions, which would race. Fork and exec keep the plugin: after_fork_in_child(), guest_exec.c.

#define EXPORTED __attribute__((visibility("default")))

// QEMU calls the plugin without a context of ours. This pointer stands for it; only the callbacks
// use it, and pass it on.
static struct plugin *own_plugin;

EXPORTED const int qemu_plugin_version = QEMU_PLUGIN_API;
EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc,
				 char **argv);

extern uintptr_t guest_base; // of the emulator

/** System calls by AArch64's numbers. */
enum guest_syscall {
	GUEST_PRCTL = 167,
	GUEST_MUNMAP = 215,
	GUEST_MREMAP = 216,
	GUEST_CLONE = 220,
	GUEST_EXECVE = 221,
	GUEST_MMAP = 222,
	GUEST_EXECVEAT = 281,
	GUEST_CLONE3 = 435,
};

enum { GUEST_MAP_FIXED = 0x10, GUEST_CLONE_VM = 0x100, GUEST_CLONE_VFORK = 0x4000 };

// Where QEMU 7 has x0 in the state of its CPU, which generated code keeps a register on.
enum { REGISTERS_OFFSET = 64 };

static bool is_sampling(const struct plugin *plugin)
{
	return plugin->config->mode == REGION_SAMPLES;
}

static void plugin_count(struct guest_thread *thread, enum measure measure, uint64_t address)
{
	if (thread->is_sampling)
		sample_taker_event(thread, measure, address);
	else
		thread->shared->totals[measure]++;
}

/** Whether the last branch was taken is known by where we are now. */
static void end_branch(struct guest_thread *thread, const struct block *block)
{
	struct branch branch = thread->last_branch;
	thread->last_branch = block->branch;
	if (branch.kind == BRANCH_NONE)
		return;
	// A branch is the last instruction of its block.
	uint64_t address = branch.next_address - 4;
	if (branch.kind == BRANCH_CONDITIONAL && block->address == branch.next_address) {
		plugin_count(thread, MEASURE_NOT_TAKEN, address);
		return;
	}
	plugin_count(thread, MEASURE_TAKEN, address);
	if (branch.kind != BRANCH_INDIRECT)
		plugin_count(thread, MEASURE_IMMED_TAKEN, address);
}

// A block of a known kind is one addition (region_find_vector()); others add to each of their
// measures.
static void count_block(struct guest_thread *thread, const struct block *block)
{
	if (block->vector < REGION_MAX_VECTORS) {
		thread->shared->counts[block->vector]++;
		return;
	}
	for (unsigned i = 0; i < NUM_BLOCK_MEASURES; i++)
		thread->shared->counts[region_unit_vector((enum measure)i)] +=
			block->counts.counts[i];
}

/** Is this where a program's registers are? At its beginning its stack says how it was called. */
static bool are_registers(const struct plugin *plugin, const struct guest_registers *registers)
{
	uint64_t num_arguments, first;
	return registers->sp % 16 == 0 && registers->x[29] == 0 && registers->x[30] == 0 &&
	       guest_memory_read_word(plugin, registers->sp, &num_arguments) && num_arguments > 0 &&
	       num_arguments < 1 << 20 &&
	       guest_memory_read_word(plugin, registers->sp + 8, &first) && first > registers->sp;
}

static void find_registers(struct guest_thread *thread, const uint8_t *cpu_state)
{
	struct plugin *plugin = thread->plugin;
	const void *registers = cpu_state + REGISTERS_OFFSET;
	bool is_first = thread->shared == plugin->first_thread && !thread->num_instructions &&
			!plugin->region->has_no_registers;
	if (is_first && !are_registers(plugin, registers))
		plugin->region->has_no_registers = true;
	if (!plugin->region->has_no_registers)
		thread->registers = registers;
}

/** A block begins, and everything about it is wanted. @cpu_state: of the emulator. */
__attribute__((used)) static void on_block(unsigned vcpu, const struct block *block,
					   const uint8_t *cpu_state)
{
	struct plugin *plugin = own_plugin;
	struct guest_thread *thread = guest_thread_self(plugin);
	if (!thread->registers)
		find_registers(thread, cpu_state);
	if (thread->is_sampling)
		sample_taker_block(thread, block);
	else
		count_block(thread, block);
	if (plugin->wants_branches)
		end_branch(thread, block);
	if (thread->model) {
		memory_model_fetch(thread->model, block->address, block->num_instructions * 4);
		if (thread->is_sampling)
			sample_taker_model(thread, block->address);
	}
	if (plugin->config->num_windows > 1) {
		thread->window_left -=
			(int64_t)region_cycles(plugin->region, block->num_instructions);
		if (thread->window_left <= 0)
			guest_thread_next_window(thread);
	}
	thread->num_instructions += block->num_instructions;
}

/** The same for the most frequent wish: samples of one event that blocks say all about. */
__attribute__((used)) static void on_sampled_block(unsigned vcpu, const struct block *block,
						   const uint8_t *cpu_state)
{
	struct guest_thread *thread = guest_thread_self(own_plugin);
	thread->overflows[0].left -= block->weight;
	if (__builtin_expect(thread->overflows[0].left <= 0 || !thread->registers, 0)) {
		if (!thread->registers)
			find_registers(thread, cpu_state);
		sample_taker_overflow(thread, block);
	}
	thread->num_instructions += block->num_instructions;
}

/** And for counting what blocks say all about. */
__attribute__((used)) static void on_counted_block(unsigned vcpu, const struct block *block,
						   const uint8_t *cpu_state)
{
	count_block(guest_thread_self(own_plugin), block);
}

// Generated code keeps the address of the CPU's state in a register that calls preserve.
#if defined(__x86_64__)
#define PASS_CPU_STATE "	mov %rbp, %rdx\n	jmp "
#elif defined(__aarch64__)
#define PASS_CPU_STATE "	mov x2, x19\n	b "
#else
#error "the emulator's register for the state of its CPU is not known on this machine"
#endif

/** plugin_call_<function>(): the same with one argument more. */
#define WITH_CPU_STATE(function)                                             \
	void plugin_call_##function(unsigned vcpu, void *block);             \
	__asm__(".text\n"                                                    \
		".hidden plugin_call_" #function "\n"                        \
		".globl plugin_call_" #function "\n"                         \
		".type plugin_call_" #function ", %function\n"               \
		"plugin_call_" #function ":\n" PASS_CPU_STATE #function "\n" \
		".size plugin_call_" #function ", . - plugin_call_" #function "\n")

WITH_CPU_STATE(on_block);
WITH_CPU_STATE(on_sampled_block);
WITH_CPU_STATE(on_counted_block);

/** As little as the run needs. NULL: the generated code can do it alone. */
static qemu_plugin_exec_fn choose_call(const struct plugin *plugin)
{
	const struct region_config *config = plugin->config;
	bool is_plain = !plugin->wants_branches && !plugin->wants_memory && !plugin->wants_model;
	if (!is_plain || config->num_windows > 1 || config->num_sampled > 1)
		return plugin_call_on_block;
	if (is_sampling(plugin))
		return plugin_call_on_sampled_block;
	return plugin->is_threaded ? plugin_call_on_counted_block : NULL;
}

enum { WIDEST_ACCESS = 8 }; // what is wider is several, whatever the emulator makes of it

static void note_accesses(uint64_t at, uint64_t address, uint32_t size, bool is_store)
{
	struct guest_thread *thread = guest_thread_self(own_plugin);
	uint32_t piece = size < WIDEST_ACCESS ? size : WIDEST_ACCESS;
	for (uint32_t done = 0; done < size; done += piece, address += piece) {
		plugin_count(thread, MEASURE_ACCESSES, at);
		plugin_count(thread, is_store ? MEASURE_WRITES : MEASURE_READS, at);
		if (address & (piece - 1)) {
			plugin_count(thread, MEASURE_UNALIGNED_ACCESSES, at);
			plugin_count(thread,
				     is_store ? MEASURE_UNALIGNED_WRITES : MEASURE_UNALIGNED_READS,
				     at);
		}
		if (!thread->model)
			continue;
		memory_model_data(thread->model, address, piece, is_store);
		if (thread->is_sampling)
			sample_taker_model(thread, at);
	}
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *context)
{
	note_accesses((uint64_t)context, address, 1u << qemu_plugin_mem_size_shift(info),
		      qemu_plugin_mem_is_store(info));
}

/**
 * An atomic instruction loads and stores. The emulator says both one after the other as long as
 * there is one thread, and the store alone when there are more; so the store stands for both.
 */
static void on_atomic_store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			    void *context)
{
	if (!qemu_plugin_mem_is_store(info))
		return;
	uint32_t size = 1u << qemu_plugin_mem_size_shift(info);
	note_accesses((uint64_t)context, address, size, false);
	note_accesses((uint64_t)context, address, size, true);
}

/** What is there is no load of the program's: the emulator compares it. */
static void on_exclusive_store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
			       void *context)
{
	if (qemu_plugin_mem_is_store(info))
		on_access(vcpu, info, address, context);
}

/** Does the run want something of this kind? */
static bool plugin_wants(const struct region_config *config, bool is_counted,
			 bool (*is_of_kind)(enum measure measure))
{
	for (uint32_t i = 0; i < config->num_sampled; i++)
		is_counted = is_counted || is_of_kind(config->sampled[i].measure);
	return is_counted;
}

static void watch_accesses(const struct qemu_plugin_tb *tb)
{
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint32_t word;
		memcpy(&word, qemu_plugin_insn_data(insn), sizeof(word));
		uint32_t classes = a64_classes(word);
		qemu_plugin_access_fn call = on_access;
		if (classes & 1u << A64_ATOMIC)
			call = on_atomic_store;
		else if (classes & 1u << A64_STORE_EXCLUSIVE)
			call = on_exclusive_store;
		// Its own choice of loads or stores is no good in QEMU 7.
		qemu_plugin_register_vcpu_mem_cb(insn, call, QEMU_PLUGIN_CB_R_REGS,
						 QEMU_PLUGIN_MEM_RW,
						 (void *)qemu_plugin_insn_vaddr(insn));
	}
}

/** The generated code adds by itself: there is only one thread. */
static void add_inline(const struct plugin *plugin, struct qemu_plugin_tb *tb,
		       const struct block *block)
{
	uint64_t *counts = plugin->first_thread->counts;
	if (block->vector < REGION_MAX_VECTORS) {
		qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64,
							 &counts[block->vector], 1);
		return;
	}
	for (unsigned i = 0; i < NUM_BLOCK_MEASURES; i++)
		if (block->counts.counts[i])
			qemu_plugin_register_vcpu_tb_exec_inline(
				tb, QEMU_PLUGIN_INLINE_ADD_U64,
				&counts[region_unit_vector((enum measure)i)],
				block->counts.counts[i]);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct plugin *plugin = own_plugin;
	struct block *block = block_create(plugin, tb);
	if (!block)
		return;
	if (is_sampling(plugin))
		guest_maps_note_code(plugin, block->address);
	qemu_plugin_exec_fn call = choose_call(plugin);
	if (call)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, call, QEMU_PLUGIN_CB_R_REGS, block);
	else
		add_inline(plugin, tb, block);
	if (plugin->wants_memory || plugin->wants_model)
		watch_accesses(tb);
}

static void on_flush(qemu_plugin_id_t id)
{
	block_destroy_all(own_plugin);
}

static void on_syscall(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, uint64_t a1,
		       uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
		       uint64_t a8)
{
	struct plugin *plugin = own_plugin;
	switch (number) {
	case GUEST_CLONE:
		// The emulator translates everything anew after this call.
		if ((a1 & GUEST_CLONE_VM) && !(a1 & GUEST_CLONE_VFORK))
			plugin->is_threaded = true;
		break;
	case GUEST_CLONE3:
		plugin->is_threaded = true;
		break;
	case GUEST_EXECVE:
		guest_exec(plugin, GUEST_WORKING_FOLDER, a1, a2, a3);
		break;
	case GUEST_EXECVEAT:
		guest_exec(plugin, (int)a1, a2, a3, a4);
		break;
	case GUEST_MMAP:
		if (a4 & GUEST_MAP_FIXED)
			guest_maps_forget(&plugin->maps, a1, a2);
		break;
	case GUEST_MUNMAP:
	case GUEST_MREMAP:
		guest_maps_forget(&plugin->maps, a1, a2);
		break;
	case GUEST_PRCTL:
		if (is_sampling(plugin) && a1 == PR_SET_NAME) {
			char name[16] = ""; // TASK_COMM_LEN of the kernel
			guest_memory_read(plugin, a2, name, sizeof(name) - 1);
			task_records_name(guest_thread_self(plugin), name, false);
		}
		break;
	}
}

static struct region *plugin_open_region(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	void *memory = mmap(NULL, sizeof(struct region), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	int passed_fd; // by the program that became this one
	if (sscanf(path, "/proc/self/fd/%d", &passed_fd) == 1)
		close(passed_fd);
	if (memory == MAP_FAILED)
		return NULL;
	struct region *region = memory;
	return region->config.version == REGION_VERSION ? region : NULL;
}

static void before_fork(void)
{
	guest_maps_lock(&own_plugin->maps);
	own_plugin->forking_pid = getpid();
	own_plugin->forking_tid = gettid();
}

static void after_fork_in_parent(void)
{
	guest_maps_unlock(&own_plugin->maps);
}

static void after_fork_in_child(void)
{
	guest_maps_unlock(&own_plugin->maps);
	guest_thread_after_fork(own_plugin);
}

/** All zero, and as long as the process. A forked child has its own, at the same address. */
static struct plugin *plugin_create(void)
{
	void *memory = mmap(NULL, sizeof(struct plugin), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static const char *plugin_find_argument(int argc, char **argv, const char *key)
{
	size_t length = strlen(key);
	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], key, length) == 0)
			return argv[i] + length;
	return "";
}

static int plugin_fail(const char *what)
{
	fprintf(stderr, "wperf's emulated PMU: %s\n", what);
	return -1;
}

static void register_callbacks(qemu_plugin_id_t id)
{
	// There is no callback for the end of a thread: a destructor of its own memory is
	// (guest_thread.c).
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_flush_cb(id, on_flush);
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
	if (info->system_emulation || strcmp(info->target_name, "aarch64") != 0)
		return plugin_fail("it plays in AArch64 programs, not in whole machines");
	struct plugin *plugin = plugin_create();
	if (!plugin)
		return plugin_fail("there is no memory");
	own_plugin = plugin;
	plugin->region = plugin_open_region(plugin_find_argument(argc, argv, "region="));
	if (!plugin->region)
		return plugin_fail(
			"the wperf that started this program is gone, or of another version");
	const struct region_config *config = plugin->config = &plugin->region->config;
	plugin->guest_base = guest_base;
	guest_maps_init(&plugin->maps);
	plugin->wants_branches =
		plugin_wants(config, config->counts_branches, measure_is_of_branches);
	plugin->wants_memory = plugin_wants(config, config->counts_memory, measure_is_of_memory);
	plugin->wants_model = plugin_wants(config, config->counts_model, measure_is_of_model);
	if (is_sampling(plugin) && !ring_open(&plugin->ring, plugin->region))
		plugin->region->is_closed = true; // wperf has ended just now
	if (!guest_thread_init_first(plugin))
		return plugin_fail("no place for counts");
	const char *program = plugin_find_argument(argc, argv, "program=");
	if (!realpath(program, plugin->program))
		return plugin_fail("its program is not there");
	register_callbacks(id);
	if (is_sampling(plugin))
		task_records_name(guest_thread_self(plugin), basename(program), true);
	return 0;
}
