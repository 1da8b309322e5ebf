# SPDX-License-Identifier: Apache-2.0
"""Checks that the rooms below the command line have no state of the whole process.

check_globals.py BUILD

libwperf is made of all rooms but src/cli: several sessions in several threads of a program that is not
ours. It looks into the objects of the static libraries, for two things: writable variables, also those
inside functions, and calls that change or use what belongs to the whole process. Each one that is fine
is in a table here, with its reason. Variables of a thread (_Thread_local) are always fine.
"""
import pathlib
import re
import subprocess
import sys

VARIABLES = {
    "base/error.c": {"error_no_memory": "never written: error_with_hint() and error_destroy() leave it alone"},
    "base/interrupt_linux.c": {"interrupt": "of the handlers of signals, which only commands install"},
    "base/library_lock_linux.c": {"library_state_lock": "a lock, for the states of other libraries"},
    "base/mapping_guard_linux.c": {"guard": "of the handler of SIGBUS, which only main() installs; it has a lock"},
    "base/terminal_screen_linux.c": {"open_screen": "of handlers: a second Ctrl-C, and another size of the window"},
    "source/bpf_library.c": {"silence": "what libbpf has once for the process; library_lock()"},
}

# Only src/cli may call them: they change the process.
OF_PROGRAMS = """child_keep_ends confinement_begin crowded_target_precede file_size_limit_make_error
interrupt_install interrupt_uninstall interrupt_use_hangup interrupt_use_moments mapping_guard_install privileges_drop_lent privileges_limit
prompt_thread_precede standard_streams_init terminal_screen_open"""

OF_PROCESSES = """_Exit _exit abort alarm atexit chdir clearenv dup2 exit fchdir fork freopen
kill mlockall nice perror personality popen posix_spawn posix_spawnp prctl prlimit printf putchar putenv puts
quick_exit raise sched_setaffinity setegid setenv seteuid setfsgid setfsuid setgid setgroups setitimer
setlocale setns setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setuid sigaction
sigaltstack signal signalfd sigprocmask stderr stdin stdout system umask unsetenv unshare vfork vprintf"""

# One answer for all threads in a buffer of the C library.
UNSAFE = """asctime ctime drand48 ecvt fcvt getgrgid getgrnam getlogin getopt getopt_long getpwnam getpwuid
gmtime hsearch lgamma localtime rand random readdir64_r srand srandom strsignal strtok tmpnam ttyname"""

FUNCTIONS = set((OF_PROGRAMS + " " + OF_PROCESSES + " " + UNSAFE).split())

IN_CHILD = "in a forked child, before it becomes the program"
A_WORD = "\"-\" for a file"
CALLS = {
    "base/file_rights_linux.c": {"setfsuid": "of this thread; set back at once", "setfsgid": "likewise"},
    "base/file_size_limit_linux.c": {"sigaction": "file_size_limit_make_error()"},
    "base/interrupt_linux.c": {name: "in the handler, or to install it"
                               for name in ("kill", "raise", "sigaction", "signal")},
    "base/mapping_guard_linux.c": {name: "in the handler, or to install it" for name in ("raise", "sigaction")},
    "base/confinement_linux.c": {"prctl": "confinement_begin()"},
    "base/privileges_linux.c": {name: "privileges_limit(), or in a forked child"
                                for name in ("prctl", "setresgid", "setresuid")},
    "base/user_group_linux.c": {"posix_spawn": "user_group_find(), of groups of a network, and user_group_create()"},
    "base/terminal_screen_linux.c": {"raise": "Ctrl-Z: terminal_screen_suspend()",
                                     "sigaction": "terminal_screen_watch_size(), until the screen is closed"},
    "interpreter/memory_access_linux.c": {"fork": "a child that may be read or not", "kill": "ends this child"},
    "record/perf_data_reader.c": {"stdin": A_WORD},
    "record/spe_pieces.c": {"stdin": A_WORD},
    "server/connection_limit.c": {"setrlimit": "of descriptors, when a server starts"},
    "session/child_linux.c": {"_exit": IN_CHILD, "dup2": IN_CHILD, "fork": "starts a program",
                              "kill": "of the child, while its number is its own", "sched_setaffinity": "of the child",
                              "signal": "child_keep_ends()"},
    "session/crowded_target.c": {"prompt_thread_precede": "crowded_target_precede()"},
    "source/memory_sampling.c": {"kill": "signal 0: is there such a process?"},
    "source/memory_slots.c": {"kill": "signal 0: is there such a process?"},
    "source/perf_file.c": {"setrlimit": "where the request has raises_limits"},
}

# Reports are printed. That is no part of the library's calls. Compilers make puts() of printf().
PRINTS = {"printf", "putchar", "puts", "stderr", "stdout"}


def objects(build):
    """Each object of the rooms: its room and source file, and its lines of `objdump -t`."""
    archives = sorted([*build.glob("src/*/lib*.a"), *build.glob("driver/core/lib*.a"), *build.glob("driver/sim/lib*.a")])
    for archive in archives:
        # What is made of several rooms is no room.
        if archive.parent.name == "cli" or archive.stem == "libwperf":
            continue
        listing = subprocess.run(["objdump", "-t", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 text=True, check=True).stdout
        for part in re.split(r"^(?=\S+:\s+file format)", listing, flags=re.M)[1:]:
            name, _, lines = part.partition(":")
            yield f"{archive.parent.name}/{name.removesuffix('.o')}", lines.splitlines()


def is_writable(section):
    return section == "*COM*" or section.startswith((".bss", ".data")) and not section.startswith(".data.rel.ro")


def read_symbols(lines):
    """The writable variables of an object, and what it takes from others."""
    variables, undefined = set(), set()
    for line in lines:
        columns = re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$", line)
        if not columns:
            continue
        flags, section, name = columns.groups()
        if section == "*UND*":
            # Of fortified builds: __printf_chk.
            undefined.add(re.sub(r"^__(\w+)_chk$", r"\1", name))
        elif flags.endswith("O") and is_writable(section):
            variables.add(re.sub(r"\.\d+$", "", name)) # inside a function: name.0
    return variables, undefined


def compare(kind, advice, found, table):
    faults = [f"src/{path}: {kind} {name}: {advice}, or list it in tests/lint/check_globals.py"
              for path, names in found.items() for name in sorted(names - set(table.get(path, {})))]
    return faults + [f"tests/lint/check_globals.py: src/{path} no longer has {kind} {name}"
                     for path, names in table.items() for name in sorted(set(names) - found.get(path, set()))]


def main():
    variables, calls = {}, {}
    for path, lines in objects(pathlib.Path(sys.argv[1])):
        here, undefined = read_symbols(lines)
        allowed = PRINTS if path.startswith("report/") else set()
        variables[path] = variables.get(path, set()) | here
        calls[path] = calls.get(path, set()) | (undefined & FUNCTIONS) - allowed
    faults = compare("the writable variable", "move it into a struct that the caller passes", variables, VARIABLES)
    faults += compare("the call of", "it changes the whole process, or is not for threads", calls, CALLS)
    print("\n".join(faults))
    return bool(faults) or len(variables) < 300


if __name__ == "__main__":
    sys.exit(main())
