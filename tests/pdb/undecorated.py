# SPDX-License-Identifier: Apache-2.0
"""Decorated names beside llvm-undname: those that the compiler makes here, those of PDBs of
Microsoft's tools, and some that neither makes. Usage: undecorated.py PROGRAM [FOLDER]
"""
import pathlib
import re
import shutil
import sys
import tempfile

import images

program, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/nowhere")
for tool in ("clang", "llvm-undname", "llvm-nm"):
    if not shutil.which(tool):
        print(f"no {tool}")
        sys.exit(77)

# Those that only other compilers make, old or rare.
RARE = """??_R0?AVC@@@8 ??_R0H@8 ??_R0PEAVC@ns@@@8 ??_R1A@?0A@EA@C@@8 ??_R2C@@8 ??_R3C@ns@@8 ??_R4C@@6B@
??_R4C@@6BD@@@ ??_7C@@6B@ ??_7C@ns@@6BA@@B@@@ ??_8C@@7B@ ??_9C@@$BA@AA ??_9C@@$BBA@AA
?f@C@@WBA@EAAHXZ ?f@C@@O7EAAXXZ ?f@C@@$4PPPPPPPM@A@EAAXXZ ?f@C@@$R4A@A@PPPPPPPM@7EAAXXZ
?f@C@@G7EAAHXZ ?f@@9 ?f@@$$J0YAXXZ ??__Ea@@YAXXZ ??__Fa@@YAXXZ ??__E?a@C@@0HA@@YAXXZ ??__F?a@C@@2VD@@A@@YAXXZ
??_B?1??f@@YAAAHXZ@51 ??_B?1??f@@YAAAHXZ@4IA ??__J?1??f@@YAAEAHXZ@51 ?x@?1??f@@YAXXZ@4HA
?x@?BA@??f@@YAXXZ@4HA ?x@?@??f@@YAXXZ@4HA ?f@?A0x1234abcd@@YAXXZ ?f@?A@@YAXXZ
??_C@_0M@LACCCNMM@hello?5world?$AA@ ??_C@_05CJBACGMB@ab?6?$AAc?$AA@ ??_C@_13FBECPPGE@?$AA?$CB?$AA?$AA@
.?AVC@@ .?AUpair@ns@@ .?AW4color@@ ??_GC@@UEAAPEAXI@Z ??_EC@@UEAAPEAXI@Z ??_FC@@QEAAXXZ
??_DC@@QEAAXXZ ??_OC@@QEAAXAEAV0@@Z ??_H@YAXPAXIHP6EPAX0@Z@Z ??_L@YAXPAXIHP6EX0@Z2@Z
??__M@YAHHH@Z ??__LC@@QEAAXXZ ??__K_x@@YAXK@Z ?f@@YAXP6MXXZ@Z ?f@@YAXQIFAH@Z ?f@@YAX$$QEAH@Z
?f@@YAXPEIAH@Z ?f@@YAXPEFAH@Z ?a@@3QEBHEB ?a@@3PEQC@@HEQ1@ ?a@@3P8C@@EAAXXZEQ1@ ?f@@YAXY02H@Z
?f@@YAXAEAY123H@Z ?f@@YAXAEAY02$$CBH@Z ?f@@YA?AVC@@XZ ?f@@YA?BVC@@XZ ??$f@$0A@@@YAXXZ ??$f@$0?0@@YAXXZ
??$f@$0PPPPPPPP@@@YAXXZ ??$f@$1?x@@3HA@@YAXXZ ??$f@$E?x@@3HA@@YAXXZ ??$f@$1?g@@YAXXZ@@YAXXZ
??$f@$H?g@C@@QEAAXXZ3@@YAXXZ ??$f@$I?g@C@@QEAAXXZ34@@YAXXZ ??$f@$J?g@C@@QEAAXXZ345@@YAXXZ ??$f@$F34@@YAXXZ
??$f@$G345@@YAXXZ ??$f@$$V@@YAXXZ ??$f@$S@@YAXXZ ??$f@$$BY02H@@YAXXZ ??$f@$$CBH@@YAXXZ ??$f@$$A6AHH@Z@@YAXXZ
??$f@$$A8@@BAHXZ@@YAXXZ ??$f@$$YUC@ns@@@@YAXXZ ?f@@YAX$$T@Z ?f@@YAX_N_J_K_W_S_U_Q@Z ?f@@YA_PXZ ?f@@YA_TXZ
?f@@YAXEFGIKCMNO@Z ?f@@YAXP6AXPEAX0@Z0@Z ?f@C@@QEGAAXXZ ?f@C@@QEHAAXXZ ?f@C@@QEGBAXXZ ?f@C@@QEBAXXZ
?f@C@@QECAXXZ ?f@C@@QEDAXXZ ?f@C@@SAXXZ ?f@C@@KAXXZ ?f@C@@CAXXZ ?f@C@@MEAAXXZ ?f@C@@EEAAXXZ ?f@@YQXXZ
?f@@YGXXZ ?f@@YIXXZ ?f@@YEXXZ ?f@@YAXHZZ ?f@@YAXZZ ??BC@@QEAAHXZ ??BC@@QEBAPEBDXZ ??$?BH@C@@QEAAHXZ
??0?$C@H@@QEAA@XZ ??$?0H@?$C@H@@QEAA@H@Z ??1?$C@V?$D@H@@@ns@@UEAA@XZ ??0C@?1??f@@YAXXZ@QEAA@XZ
?f@?$C@H@@YAXV1@0@Z ?f@a@b@c@d@e@f@g@h@i@j@k@@YAXXZ ?f@C@@2HA ?f@C@@1HA ?f@C@@0HB ?x@@3HC ?x@@3HD
?a@@3PEAY02HEA ?a@@3P6AHH@ZEA ?a@@3W4color@@A ?f@@YAXW4color@ns@@@Z ?f@@YAXTu@@Us@@Vc@@@Z
?f@?1??g@?1??h@@YAXXZ@YAXXZ@YAXXZ ??R<lambda_1>@?0??f@@YAXXZ@QEBA@XZ
?dtor$0@?0?f@4HA ?f ? ?? ??? ?f@ ?f@@ ?f@@Y ?f@@YA ?f@@YAX ?f@@YAXX ?f@@YAXH ?f@@YAX9@Z ??$f@H@@YA ??_R0 ??_Q
?f@@3 ?f@9@@YAXXZ ??$f@ ??_C@_0 ??@abcdef@ ?f@@YAXPEAY0A@H@Z""".split()

# What this llvm-undname does not know, or gets wrong.
BETTER = {
    "??_7C@ns@@6BA@@B@@@": "const ns::C::`vftable'{for `A's `B'}",
    "?f@C@@G7EAAHXZ": "[thunk]: private: virtual int __cdecl C::f`adjustor{8}'(void)",
    "?f@@YA_PXZ": "auto __cdecl f(void)",
    "?f@@YA_TXZ": "decltype(auto) __cdecl f(void)",
    "??B<lambda_1>@?0??main@@9@QBEP6AHH@ZXZ": "public: int (__cdecl *)(int) __thiscall `extern \"C\" "
    "main'::`1'::<lambda_1>::operator int (__cdecl *)(int)(void) const",
    "??B<lambda_1>@?0??main@@9@QEBAP6AHH@ZXZ": "public: int (__cdecl *)(int) __cdecl `extern \"C\" "
    "main'::`1'::<lambda_1>::operator int (__cdecl *)(int)(void) const",
}


def is_cut_text(name, declaration, theirs):
    """The name says that the text goes on."""
    return name.startswith("??_C@") and declaration == theirs + "..."


def made_names():
    names = set()
    with tempfile.TemporaryDirectory() as top:
        source = pathlib.Path(__file__).parent / "names.cpp"
        for machine in ("x86_64", "i686"):
            target = pathlib.Path(top, machine + ".obj")
            images.run(["clang", f"--target={machine}-pc-windows-msvc", "-std=c++17", "-O0", "-w",
                        "-fms-extensions", "-ffreestanding", "-c", source, "-o", target])
            for line in images.run(["llvm-nm", target]).splitlines():
                names.add(line.split(" ")[-1])
    return sorted(name for name in names if name.startswith("?"))


def recorded_names():
    names = set()
    for path in sorted(folder.glob("*/*.pdb")):
        text = images.run(["llvm-pdbutil", "dump", "--publics", path])
        names |= set(re.findall(r"S_PUB32 \[size = \d+\] `(\?.*)`", text))
    return sorted(names)


def theirs(names, *options):
    """One answer per name; the name itself where there is none."""
    text = images.subprocess.run(["llvm-undname", *options], input="\n".join(names) + "\n",
                                 capture_output=True, text=True, check=False).stdout
    blocks = text.split("\n\n")
    answers = []
    for name, block in zip(names, blocks):
        lines = block.strip("\n").split("\n")
        assert lines[0] == name, (name, lines)
        answers.append(lines[1] if len(lines) > 1 and lines[1] else name)
    return answers


def short_of(text):
    """What of it we write, too."""
    return re.sub(r"\b(class|struct|union|enum) ", "", text).replace("(void)", "()")


def is_comparable(text):
    """The names of what compilers make are not cut by these options, others are cut too much."""
    return not re.search(r"`|__cdecl( \* )?\(", text)


names = RARE + made_names() + recorded_names()
ours = images.run([program], input="\n".join(names) + "\n").splitlines()
assert len(ours) == len(names), (len(ours), len(names))
full = theirs(names)
short = theirs(names, "--no-access-specifier", "--no-calling-convention", "--no-member-type",
               "--no-return-type", "--no-variable-type")
failed = num_decorated = num_short = 0
for name, our, their, their_short in zip(names, ours, full, short):
    declaration, brief = our.split("\t")
    num_decorated += declaration != name
    good = declaration == BETTER.get(name, their) or is_cut_text(name, declaration, their)
    if is_comparable(brief) and name not in BETTER and not name.startswith("??_C@"):
        num_short += 1
        good = good and brief == short_of(their_short)
    if not good:
        print(f"{name}\n  ours   {declaration}\n  theirs {their}\n  ours   {brief}\n"
              f"  theirs {their_short}")
        failed += 1
print(f"{len(names)} names, {num_decorated} of them readable, {num_short} compared without return "
      f"types; {failed} wrong")
sys.exit(failed != 0)
