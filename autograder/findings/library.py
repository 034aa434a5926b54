"""Names of the standard library that are newer than Python 3.10, with the version that brought each.

Modules stand under ""; of the others those are listed that an engine may have a use for.
"""

from __future__ import annotations

from collections.abc import Mapping

Version = tuple[int, ...]  # (3, 12)

_BY_MODULE: Mapping[str, Mapping[int, str]] = {  # module: minor version: names
    "": {
        11: "tomllib wsgiref.types",
        14: "annotationlib compression compression.zstd concurrent.interpreters pathlib.types string.templatelib",
    },
    "builtins": {11: "BaseExceptionGroup ExceptionGroup", 13: "PythonFinalizationError"},
    "base64": {13: "z85decode z85encode"},
    "calendar": {
        12: "APRIL AUGUST DECEMBER Day FEBRUARY JANUARY JULY JUNE MARCH MAY Month NOVEMBER OCTOBER SEPTEMBER",
    },
    "collections.abc": {12: "Buffer"},
    "contextlib": {11: "chdir"},
    "copy": {13: "replace"},
    "csv": {12: "QUOTE_NOTNULL QUOTE_STRINGS"},
    "datetime": {11: "UTC"},
    "decimal": {14: "IEEEContext"},
    "enum": {
        11: "EnumCheck EnumType FlagBoundary ReprEnum StrEnum global_enum member nonmember property show_flag_values "
        "verify",
        13: "EnumDict",
    },
    "fnmatch": {14: "filterfalse"},
    "functools": {14: "Placeholder"},
    "glob": {13: "translate"},
    "hashlib": {11: "file_digest"},
    "heapq": {14: "heapify_max heappop_max heappush_max heappushpop_max heapreplace_max"},
    "inspect": {
        11: "getmembers_static ismethodwrapper",
        12: "BufferFlags getasyncgenlocals getasyncgenstate markcoroutinefunction",
        14: "ispackage",
    },
    "io": {14: "Reader Writer"},
    "itertools": {12: "batched"},
    "locale": {11: "getencoding"},
    "logging": {11: "getLevelNamesMapping"},
    "math": {11: "cbrt exp2", 12: "sumprod", 13: "fma"},
    "operator": {11: "call", 14: "is_none is_not_none"},
    "pathlib": {13: "UnsupportedOperation"},
    "queue": {13: "ShutDown"},
    "random": {12: "binomialvariate"},
    "re": {11: "NOFLAG", 13: "PatternError"},
    "statistics": {13: "kde kde_random"},
    "sys": {11: "exception", 12: "monitoring"},  # not what came with a patch of 3.10, or exists at times only
    "threading": {12: "setprofile_all_threads settrace_all_threads"},
    "types": {12: "get_original_bases", 13: "CapsuleType"},
    "typing": {
        11: "LiteralString Never NotRequired Required Self TypeVarTuple Unpack assert_never assert_type "
        "clear_overloads dataclass_transform get_overloads reveal_type",
        12: "TypeAliasType override",
        13: "NoDefault ReadOnly TypeIs get_protocol_members is_protocol",
        14: "evaluate_forward_ref",
    },
    "uuid": {14: "MAX NIL uuid6 uuid7 uuid8"},
    "warnings": {13: "deprecated"},
}

NAMES: Mapping[str, Mapping[str, Version]] = {
    module: {name: (3, minor) for minor, names in versions.items() for name in names.split()}
    for module, versions in _BY_MODULE.items()
}
