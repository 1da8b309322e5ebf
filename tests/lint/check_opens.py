# SPDX-License-Identifier: Apache-2.0
"""Checks who opens files, and how.

A program, its debug information or a recording may name a pipe, a device or a file of another
machine: base/file/foreign_file.h opens these. The functions here open whatever they are given, so only
the listed files may call them: with a name that the user has typed, or one of wperf's own.
"""
import pathlib
import re
import sys

ALLOWED = {
    "file_map_open": {
        "src/base/file/file_map_linux.c": "defines it",
        "src/base/file/file_map_win.c": "defines it",
        "src/base/http/bearer_token.c": "--token-file FILE",
        "src/catalog/catalog.c": "--events-dir, -E, --custom_metric_file",
        "src/catalog/file/metric_file.c": "--custom_metric_file",
        "src/catalog/file/telemetry_json.c": "files of --events-dir",
        "src/catalog/file/event_file.c": "-e @FILE",
        "src/fleet/otlp/otlp_file.c": "-i FILE",
        "src/report/sample/record_files.c": "-o FILE",
        "src/object/object.c": "symbols FILE; all others are foreign",
        "src/object/fetch/symbol_server.c": "what it has just downloaded",
        "src/record/etl/file/etl_file_set.c": "-i FILE",
        "src/record/perf_data/perf_data_reader.c": "-i FILE",
        "src/record/spe/spe_pieces.c": "-i FILE",
        "src/server/tenant/access_tokens.c": "--tokens FILE",
        "src/server/symbols/debug_uploader.c": "a word of the command line, and what is below it",
        "src/source/emulate/emulated_machine.c": "the memory of the emulator",
    },
    "file_path_kind": {
        "src/base/file/file_draft.c": "files that are written",
        "src/base/file/file_map_win.c": "why a file could not be opened",
        "src/session/recorder/part_names.c": "files that are written",
        "src/base/file/file_path_linux.c": "defines it",
        "src/base/file/file_path_win.c": "defines it",
        "src/cli/command/cmd_annotate.c": "a word of the command line",
        "src/cli/command/cmd_debug_upload.c": "a word of the command line, and what is below it",
        "src/cli/command/cmd_sample.c": "a word of the command line",
        "src/cli/option/option_session.c": "a word of the command line",
        "src/cli/option/program_words.c": "a word of the command line",
        "src/report/catalog/probe_listing.c": "a word of the command line",
        "src/report/sample/record_files.c": "-o FILE",
        "src/report/recorded/read_profile.c": "-i FILE",
        "src/server/symbols/debug_folder.c": "the server's own folder",
        "src/server/symbols/debug_parts.c": "the server's own folder",
        "src/session/program/child_linux.c": "the program to run",
        "src/session/program/program_line_win.c": "the program to run",
        "src/session/program/program_path_linux.c": "the program to run",
        "src/session/program/program_refusal.c": "the program to run",
        "src/source/etw/etw_clean.c": "a file of ours by its name, on this machine",
        "src/source/etw/etw_session.c": "the file of a session, which must not exist",
    },
}


def main():
    root = pathlib.Path(sys.argv[1])
    faults = []
    for function, allowed in ALLOWED.items():
        callers = {str(path.relative_to(root)) for path in root.glob("src/*/**/*.c")
                   if re.search(rf"\b{function}\(", path.read_text(encoding="utf-8"))}
        faults += [f"{path}: calls {function}() and is not listed in tests/lint/check_opens.py: "
                   "use foreign_file_open()" for path in sorted(callers - set(allowed))]
        faults += [f"tests/lint/check_opens.py: {path} no longer calls {function}()"
                   for path in sorted(set(allowed) - callers)]
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
