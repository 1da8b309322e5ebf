// SPDX-License-Identifier: Apache-2.0
// The texts of commands are files, text/commands/*.txt, of which the build makes rows of this array
// (docs/decisions/code.md). A command without a text, or a text without a command, does not
// compile.

#include "cli/help/command_text.h"

#include <assert.h>

const struct command_text command_texts[NUM_COMMANDS] = {
#include "command_texts.inc"
};

static_assert(NUM_COMMAND_TEXTS == NUM_COMMANDS, "each command has a text in text/commands");
