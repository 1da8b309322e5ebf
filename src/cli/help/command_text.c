// SPDX-License-Identifier: Apache-2.0

#include "cli/help/command_text.h"

#include <assert.h>

const struct command_text command_texts[NUM_COMMANDS] = {
#include "command_texts.inc"
};

static_assert(NUM_COMMAND_TEXTS == NUM_COMMANDS, "each command has a text in text/commands");
