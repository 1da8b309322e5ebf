#!/usr/bin/env bash
# Is every C file laid out as .clang-format says?
git ls-files -co --exclude-standard '*.c' '*.h' | xargs -P "$(nproc)" -n 50 clang-format --dry-run -Werror
