// SPDX-License-Identifier: Apache-2.0

	.text
	.global loop_of_sums, loop_of_sums_end
	.p2align 6
loop_of_sums:
	add	x9, x9, #1
	eor	x10, x10, x9
	subs	x0, x0, #1
	b.ne	loop_of_sums
	ret
loop_of_sums_end:

	.global loop_of_loads, loop_of_loads_end
	.p2align 6
loop_of_loads:
	ldr	x9, loaded
	eor	x10, x10, x9
	subs	x0, x0, #1
	b.ne	loop_of_loads
	ret
loop_of_loads_end:
	.p2align 3
loaded:
	.quad	0
