# SPDX-License-Identifier: Apache-2.0
"""%wperf and %%wperf of IPython and Jupyter."""
from __future__ import annotations

import html
import os
import tempfile
from typing import Any, Optional

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand  # type: ignore[import] # has no types

from ._library import Error
from ._profile import Profile
from ._recording import record


class ShownProfile:
    """The page in a notebook, the hot lines in a terminal."""

    def __init__(self, profile: Profile, height: int) -> None:
        self.profile = profile
        self.height = height

    def __repr__(self) -> str:
        return self.profile.table()

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.profile.export(path)
            with open(path, encoding="utf-8") as page:
                text = page.read()
        # In a frame of its own: the page's styles and scripts leave those of the notebook alone.
        return f'<div><iframe srcdoc="{html.escape(text)}" width="100%" height="{self.height}" ' \
               'style="border: 0"></iframe></div>'


@magics_class
class WperfMagics(Magics):  # type: ignore[misc]
    @no_var_expand  # type: ignore[misc] # braces are those of the statement
    @line_cell_magic  # type: ignore[misc]
    def wperf(self, line: str, cell: Optional[str] = None) -> Optional[ShownProfile]:
        """Profile a statement (%wperf) or a cell (%%wperf), and show where its time goes.

        %wperf [-e EVENTS] [-F HZ] [-k] [-w] [-t] [-o FILE] [--height=PIXELS] STATEMENT

        -e EVENTS: what is sampled; default: time on a CPU. -F HZ: samples a second. -k: also code of the
        kernel. -w: also where threads wait. -t: only the table of hot lines. -o FILE: also write a page
        (.html), a recording (.data) or an export. --height: of the page, 700 if left out.
        """
        options, statement = self.parse_options(line, "e:F:kwto:", "height=", posix=False, strict=False,
                                                preserve_non_opts=True)
        try:
            recording = record(options.get("o"), events=options.get("e"), frequency=int(options.get("F", 0)),
                               kernel="k" in options, off_cpu="w" in options)
            with recording:
                self.shell.run_cell(statement if cell is None else cell)
        except Error as error:
            print(f"error: {error}")
            return None
        profile = recording.profile
        if profile.notes:
            print(profile.notes.rstrip())
        if "t" in options:
            print(profile.table())
            return None
        return ShownProfile(profile, int(options.get("height", 700)))


def load(shell: Any) -> None:
    shell.register_magics(WperfMagics)
