/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_PLUGIN_QEMU_API_H
#define WPERF_EMULATOR_PLUGIN_QEMU_API_H

/**
 * The part of QEMU's plugin interface, version 1, that the plugin uses. No package has a header
 * of it; the functions are looked up in the emulator that loads the plugin.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QEMU_PLUGIN_API = 1 };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/** As much of it as a program (and not a whole machine) has. */
struct qemu_info_t {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
};

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void (*qemu_plugin_block_fn)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void (*qemu_plugin_exec_fn)(unsigned int vcpu, void *context);
typedef void (*qemu_plugin_access_fn)(unsigned int vcpu, qemu_plugin_meminfo_t info,
				      uint64_t address, void *context);
typedef void (*qemu_plugin_syscall_fn)(qemu_plugin_id_t id, unsigned int vcpu, int64_t number,
				       uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
				       uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
typedef void (*qemu_plugin_plain_fn)(qemu_plugin_id_t id);
typedef void (*qemu_plugin_exit_fn)(qemu_plugin_id_t id, void *context);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_block_fn fn);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, qemu_plugin_exec_fn fn,
					  enum qemu_plugin_cb_flags flags, void *context);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, enum qemu_plugin_op op,
					      void *where, uint64_t what);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_access_fn fn,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *context);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_syscall_fn fn);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_plugin_plain_fn fn);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_exit_fn fn, void *context);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t place);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#endif
