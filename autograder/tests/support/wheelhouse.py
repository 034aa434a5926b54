"""The wheels of what is installed here, made again: an image is built from them in a test, without a network.

The lock names them by the hashes that they have now, so that pip checks them as it does on Gradescope.
"""

import base64
import hashlib
import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from autograder.bundle.lock import LOCK
from autograder.bundle.zip_file import ZipMember, zip_bytes


def make_wheelhouse(directory):
    """Write a wheel of every package that the image's lock names for this Python; return the lock of them."""
    pins = [Requirement(line.rstrip(" \\")) for line in LOCK.read_text("utf-8").splitlines() if re.match(r"\w", line)]
    wanted = [pin.name for pin in pins if pin.marker is None or pin.marker.evaluate()]
    lines = []
    for distribution in map(metadata.distribution, wanted):
        wheel = write_wheel(distribution, directory)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        lines.append(f"{distribution.name}=={distribution.version} \\\n    --hash=sha256:{digest}\n")
    lock = directory / "lock.txt"
    lock.write_text("".join(lines), encoding="utf-8")
    return lock


def write_wheel(distribution, directory):
    """Write the wheel that a distribution was installed from, as far as it can be made again; return it."""
    wheel = directory / file_name(distribution)
    wheel.write_bytes(zip_bytes(members(distribution)))
    return wheel


def file_name(distribution):
    """Return the wheel's name, which lists every platform that its tags do."""
    tags = re.findall(r"^Tag: (\S+)-(\S+)-(\S+)$", distribution.read_text("WHEEL"), re.MULTILINE)
    pythons, abis, platforms = (".".join(dict.fromkeys(part)) for part in zip(*tags, strict=True))
    return f"{re.sub('[-.]+', '_', distribution.name)}-{distribution.version}-{pythons}-{abis}-{platforms}.whl"


def members(distribution):
    """Return the files that the wheel had: not the scripts and caches that pip made from it."""
    made = re.compile(r"\.\.|.*\.pyc$|.*\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json)$")
    files = [file for file in distribution.files if not made.match(file.as_posix())]
    found = [ZipMember(file.as_posix(), Path(file.locate()).read_bytes()) for file in files]
    record = "".join(f"{member.name},sha256={encoded(member.content)},{len(member.content)}\n" for member in found)
    place = next(member.name.partition("/")[0] for member in found if member.name.endswith(".dist-info/METADATA"))
    return [*found, ZipMember(f"{place}/RECORD", f"{record}{place}/RECORD,,\n".encode())]


def encoded(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
