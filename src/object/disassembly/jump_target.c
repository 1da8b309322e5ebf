// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/jump_target.h"

#include "base/text/number.h"

#include <stddef.h>
#include <string.h>

// The target is parsed from the text, because LLVM's C interface gives no operands. Immediates
// have "#" before them on AArch64 and "$" on x86, so the last number after a blank is the target;
// indirect jumps have none.

bool jump_target_parse(const char *text, uint64_t *ret)
{
	// "jne", "jmp" of x86; "b", "b.ne", "cbz", "tbnz" of AArch64.
	static const char *const starts[] = {"j",   "b\t",  "b ",   "b.",     "cbz", "cbnz",
					     "tbz", "tbnz", "loop", "lock j", NULL};
	bool is_jump = false;
	for (size_t i = 0; starts[i] && !is_jump; i++)
		is_jump = strncmp(text, starts[i], strlen(starts[i])) == 0;
	if (!is_jump)
		return false;
	// The last operand. Immediates have another sign before them: tbz w0, #0x3, 0x40.
	const char *target = NULL;
	for (const char *at = strstr(text, "0x"); at; at = strstr(at + 1, "0x"))
		if (at > text && (at[-1] == ' ' || at[-1] == '\t'))
			target = at;
	if (!target)
		return false;
	size_t length = 2 + strspn(target + 2, "0123456789abcdefABCDEF");
	return number_parse_hex(target, length, true, ret) == NUMBER_OK;
}
