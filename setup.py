"""All about the package is in pyproject.toml; here the cases, which stand beside the code, are put into the wheel."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CASES = Path(__file__).parent / "cases"


class WithCases(build_py):
    """The package, with the cases in it, so that `grognard check` works wherever it is installed."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:  # a checkout has them
            shutil.copytree(CASES, Path(self.build_lib) / "grognard" / "cases", dirs_exist_ok=True)


setup(cmdclass={"build_py": WithCases})
