// SPDX-License-Identifier: Apache-2.0
// What the C runtime brings along for images of Arm64EC: the load configuration, and what it points
// to, as the linker fills it in.

	.section .rdata, "dr"
	.globl _load_config_used
	.p2align 3
_load_config_used:
	.word 0x140
	.fill 0xc4, 1, 0
	.xword __chpe_metadata
	.fill 0x70, 1, 0
	.globl __chpe_metadata
	.p2align 3
__chpe_metadata:
	.word 1
	.rva __hybrid_code_map
	.word __hybrid_code_map_count
	.fill 13, 4, 0
	.rva __arm64x_extra_rfe_table
	.word __arm64x_extra_rfe_table_size
	.fill 2, 4, 0

	.macro function name
	.globl "\name"
	.def "\name"
	.scl 2
	.type 32
	.endef
"\name":
	ret
	.endm

	.text
	function "#__chkstk_arm64ec"
	function "#__C_specific_handler_arm64ec"

	.macro pointer name
	.globl \name
\name:
	.xword 0
	.endm

	.data
	.p2align 3
	pointer __os_arm64x_dispatch_ret
	pointer __os_arm64x_dispatch_call
	pointer __os_arm64x_dispatch_call_no_redirect
	pointer __os_arm64x_check_icall
	pointer __os_arm64x_check_icall_cfg
	pointer __os_arm64x_check_call
	pointer __os_arm64x_dispatch_icall
	pointer __os_arm64x_dispatch_icall_cfg
