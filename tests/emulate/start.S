// SPDX-License-Identifier: Apache-2.0
// Where a program begins, and where its threads do.

#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_CLONE 220
#define SYS_RT_SIGRETURN 139

	.global	_start
	.type	_start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov	x0, sp
	mov	x29, #0
	mov	x30, #0
	bl	guest_main
	mov	x8, #SYS_EXIT_GROUP
	svc	#0
	.cfi_endproc
	.size	_start, . - _start

	// long start_thread(flags, stack, tid_address, function, argument)
	.global	start_thread
	.type	start_thread, %function
start_thread:
	.cfi_startproc
	mov	x5, x3
	mov	x6, x4
	mov	x4, x2			// CLONE_CHILD_CLEARTID
	mov	x3, #0
	mov	x8, #SYS_CLONE
	svc	#0
	cbz	x0, 1f
	ret
1:	mov	x29, #0
	mov	x30, #0
	mov	x0, x6
	blr	x5
	mov	x0, #0
	mov	x8, #SYS_EXIT
	svc	#0
	.cfi_endproc
	.size	start_thread, . - start_thread

	.global	return_from_signal
	.type	return_from_signal, %function
return_from_signal:
	mov	x8, #SYS_RT_SIGRETURN
	svc	#0
	.size	return_from_signal, . - return_from_signal

	.section .note.GNU-stack, "", %progbits
