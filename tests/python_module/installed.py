# SPDX-License-Identifier: Apache-2.0
"""Where pip has installed the wheel."""
import pathlib


def package_of(venv):
    """The folder that is imported."""
    return next(pathlib.Path(venv).glob("lib/python3*/site-packages/wperf"))
