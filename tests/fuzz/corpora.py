"""The fuzz corpora: one archive for each target, `corpus/TARGET_seed_corpus.zip`, as OSS-Fuzz names them."""

import re
import zipfile
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"


def path_of(target):
    return CORPUS / f"{target}_seed_corpus.zip"


def targets():
    return sorted(path.name.removesuffix("_seed_corpus.zip") for path in CORPUS.glob("*_seed_corpus.zip"))


def read(target):
    """Name -> bytes, sorted by name; empty where there is no archive."""
    if not path_of(target).exists():
        return {}
    with zipfile.ZipFile(path_of(target)) as archive:
        return {name: archive.read(name) for name in sorted(archive.namelist())}


def unpack(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in read(target).items():
        (folder / name).write_bytes(data)


def write(target, inputs):
    """Writes the archive; the same inputs give the same bytes."""
    CORPUS.mkdir(exist_ok=True)
    with zipfile.ZipFile(path_of(target), "w") as archive:
        for name in sorted(inputs):
            assert re.fullmatch(r"[\w.-]+", name), name
            archive.writestr(zipfile.ZipInfo(name), inputs[name], zipfile.ZIP_DEFLATED, 9)
