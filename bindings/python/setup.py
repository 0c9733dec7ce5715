"""Builds the extension: the static libraries by CMake, from the sources two folders up, then the C files of src/.

GRAZE_BUILD names a folder in which the targets graze_static and graze_picture have been built already.
"""

import os
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent


def build_library(folder):
    """Builds the two libraries in a folder."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_COMMAND=OFF", "-DGRAZE_BUILD_PICTURE=ON"]
    subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(folder), *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "--target", "graze_picture", "-j", str(os.cpu_count() or 1)],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


class Build(build_ext):
    """Links the library's own objects in, so that an installed package needs no libgraze.so."""

    def build_extension(self, ext):
        given = os.environ.get("GRAZE_BUILD")
        folder = Path(given) if given else build_library(Path(self.build_temp).resolve() / "library")
        ext.extra_objects = [str(folder / "libgraze_picture.a"), str(folder / "libgraze.a")]
        super().build_extension(ext)


extension = Extension(
    "graze._graze",
    sources=[f"src/{name}.c" for name in ("module", "arrays", "robot", "world", "checker", "motion", "plan", "bodies",
                                          "picture")],
    include_dirs=[str(SOURCE / "include"), str(SOURCE / "src")],
    depends=["src/binding.h"],
    libraries=["expat", "jansson", "yaml", "png", "m"],
    extra_compile_args=["-std=c17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-fvisibility=hidden"],
    py_limited_api=True,
)

setup(ext_modules=[extension], cmdclass={"build_ext": Build}, options={"bdist_wheel": {"py_limited_api": "cp311"}})
