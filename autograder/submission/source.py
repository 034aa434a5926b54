"""Python source as bytes → the same source as UTF-8 with newlines, line for line.

Nothing is parsed: compiling hostile text has crashed interpreters, and this process is the one that must not die.
"""

from __future__ import annotations

import codecs
import re

import msgspec

_COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)", re.ASCII)  # PEP 263
_BLANK = re.compile(r"^[ \t\f]*(?:#.*)?$")
_BOMS = (  # the longer first: UTF-32's little-endian mark begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_CHARSETS = re.compile(  # plain character sets only: UTF-7 and the like make code look like a comment
    r"utf_?8|u8|ascii|us_ascii|latin_?1|l1|iso_?8859_\d\d?|(?:cp|windows_?)(?:125\d|437|850|852|866|932|936|949|950)"
    r"|koi8_[ru]|mac_?roman|gb2312|gbk|gb18030|big5|shift_jis|sjis|euc_(?:jp|kr)"
)


class Source(msgspec.Struct, frozen=True):
    """One file as text, and what was unusual about how it was written."""

    text: str
    remarks: tuple[str, ...]

    @property
    def data(self) -> bytes:
        """Return the text as the bytes that are graded."""
        return self.text.encode("utf-8")


def decode(data: bytes) -> Source:
    """Return `data` as text with a newline for every line ending that Python knows: line numbers stay the same."""
    text, remarks = _characters(data)
    if re.search(r"\r(?!\n)", text):
        remarks.append("old Macintosh line endings (CR)")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(_with_true_cookie(text), tuple(remarks))


def _characters(data: bytes) -> tuple[str, list[str]]:
    for mark, encoding, name in _BOMS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding, name)
    declared = _declared(data)
    if data.isascii() or declared in ("", "utf-8") or not _CHARSETS.fullmatch(declared.replace("-", "_")):
        return _undeclared(data)
    try:
        return data.decode(declared), [f"the declared encoding {declared}"]
    except (LookupError, UnicodeDecodeError):
        return _undeclared(data)  # the declaration is wrong: go on as if there were none


def _marked(data: bytes, encoding: str, name: str) -> tuple[str, list[str]]:
    try:
        return data.decode(encoding), [name]
    except UnicodeDecodeError:
        return data.decode(encoding, "replace"), [f"{name}, with characters that could not be read"]


def _undeclared(data: bytes) -> tuple[str, list[str]]:
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), ["Windows-1252 (a superset of Latin-1) rather than UTF-8"]
    except UnicodeDecodeError:  # five bytes mean nothing in Windows-1252; all mean something in Latin-1
        return data.decode("latin-1"), ["Latin-1 rather than UTF-8"]


def _declared(data: bytes) -> str:
    """Return the encoding that a comment in the first two lines declares, or ""."""
    head = data[:1000].decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")
    found = _cookie(head.split("\n", 2))
    return found[1][2].lower().replace("_", "-") if found else ""


def _with_true_cookie(text: str) -> str:
    """Return `text` with a declaration of any other encoding changed to UTF-8, which it is now."""
    lines = text.split("\n", 2)
    found = _cookie(lines)
    if not found or found[1][2].lower().replace("_", "-") in ("utf-8", "utf8"):
        return text
    number, cookie = found
    lines[number] = cookie[1] + "utf-8" + lines[number][cookie.end() :]
    return "\n".join(lines)


def _cookie(lines: list[str]) -> tuple[int, re.Match[str]] | None:
    for number, line in enumerate(lines[:2]):
        cookie = _COOKIE.match(line)
        if cookie:
            return number, cookie
        if not _BLANK.match(line):
            return None  # only a blank or a comment may stand before a declaration
    return None
