"""Builds the extension: the static library by CMake, from the sources two folders up, then the C files of src/.

GRAZE_BUILD names a folder in which the target graze_static has been built already.
"""

import os
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent


def build_library(folder):
    """Builds graze_static and returns its file."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_COMMAND=OFF"]
    subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(folder), *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "--target", "graze_static", "-j", str(os.cpu_count() or 1)],
                   check=True, stdout=subprocess.DEVNULL)
    return folder / "libgraze.a"


class Build(build_ext):
    """Links the library's own objects in, so that an installed package needs no libgraze.so."""

    def build_extension(self, ext):
        given = os.environ.get("GRAZE_BUILD")
        library = Path(given) / "libgraze.a" if given else build_library(Path(self.build_temp).resolve() / "library")
        ext.extra_objects = [str(library)]
        super().build_extension(ext)


extension = Extension(
    "graze._graze",
    sources=[f"src/{name}.c" for name in ("module", "arrays", "robot", "world", "checker", "motion")],
    include_dirs=[str(SOURCE / "include")],
    depends=["src/binding.h"],
    libraries=["expat", "jansson", "yaml", "m"],
    extra_compile_args=["-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-fvisibility=hidden"],
    py_limited_api=True,
)

setup(ext_modules=[extension], cmdclass={"build_ext": Build}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
