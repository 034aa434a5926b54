"""A file is read however it is written, and becomes UTF-8 line for line."""

import pytest

from ..support.taken import ENGINE, engine, said


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xef\xbb\xbfx = 'e'\n", "UTF-8 with a byte order mark"),
        ("x = 'é'\n".encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + "x = 'é'\n".encode("utf-16-be"), "UTF-16"),
        ("x = 'é'\n".encode("utf-32"), "UTF-32"),
        ("x = 'é'\n".encode("latin-1"), "Windows-1252"),
        ("x = '“'\n".encode("cp1252"), "Windows-1252"),
        (b"x = '\x81'\n", "Latin-1"),
        (b"# coding: koi8-r\nx = '\xc1'\n", "koi8-r"),
        (b"x = 1\ry = 2\r", "Macintosh"),
    ],
)
def test_an_odd_encoding_is_read_and_named(take, data, name):
    submission = take({"engine.py": data})
    engine(submission).decode("utf-8")
    assert name in said(submission)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x = 1\r\n\r\ny = 2\r\n", b"x = 1\n\ny = 2\n"),
        (b"x = 1\ry = 2\r", b"x = 1\ny = 2\n"),
        (b"x = 'a\x0cb'\n", b"x = 'a\x0cb'\n"),
        (b"\xef\xbb\xbfx = 1\n", b"x = 1\n"),
        ("# é\r\nx = 1".encode("utf-16"), "# é\nx = 1".encode()),
        ("x = 'é'".encode("latin-1"), "x = 'é'".encode()),
        (
            "#!/bin/python\n# -*- coding: latin-1 -*-\nx = 'é'".encode("latin-1"),
            "#!/bin/python\n# -*- coding: utf-8 -*-\nx = 'é'".encode(),
        ),
        (b"# vim: set fileencoding=cp1252 :\nx = '\x93'", "# vim: set fileencoding=utf-8 :\nx = '“'".encode()),
        (b"# coding: nonsense\nx = 1\n", b"# coding: utf-8\nx = 1\n"),
        ("# coding: ascii\nx = 'é'".encode(), "# coding: utf-8\nx = 'é'".encode()),
        (b"x = 1\n# coding: latin-1\n", b"x = 1\n# coding: latin-1\n"),
    ],
)
def test_the_source_becomes_utf8_line_for_line(take, data, expected):
    assert engine(take({"engine.py": data})) == expected


@pytest.mark.parametrize("codec", ["utf-7", "unicode_escape", "rot13", "zip", "punycode", "idna"])
def test_a_declared_codec_that_is_no_character_set_hides_no_code(take, codec):
    source = f"# coding: {codec}\n# +AAo-x = 1 \\n y = 2 é\n"
    assert engine(take({"engine.py": source.encode()})) == source.replace(codec, "utf-8").encode()


def test_windows_line_endings_are_not_worth_a_note(take):
    assert take({"engine.py": ENGINE.replace(b"\n", b"\r\n")}).notes == ()
