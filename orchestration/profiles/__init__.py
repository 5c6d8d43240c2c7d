"""Loading profiles: a TOML file, environment overrides, and errors that name the line."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from lifeloom.child_environment import holds_secret
from resources.profile import Profile

__all__ = ["ProfileError", "builtin_profiles", "load_profile", "profile_path"]

_FOLDER = Path(__file__).parent
_PREFIX = "LIFELOOM_"
_KEY = re.compile(
    r"\b(sk-[\w-]{16,}|AIza[\w-]{30,}|AKIA[0-9A-Z]{16}|(hf_|gsk_|gh[a-z]_|xai-|pplx-|r8_)[A-Za-z0-9]{30,}"
    r"|(nvapi-|github_pat_)[\w-]{30,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,})"
)
"""How the keys of the usual providers look."""
_RESERVED = {"LIFELOOM_PROFILE", "LIFELOOM_HOME", "LIFELOOM_MLFLOW_SERVER"}
"""Variables of Lifeloom that are not values of a profile."""


class ProfileError(Exception):
    """A profile or an override cannot be used. The message names the place and what is allowed."""


def builtin_profiles() -> list[str]:
    """Return the names of the profiles that come with Lifeloom."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def profile_path(name: str) -> Path:
    """Return the file of a profile: a built-in name, or the path of a TOML file.

    Raises:
        ProfileError: there is no such profile.
    """
    builtin = _FOLDER / f"{name}.toml"
    if re.fullmatch(r"[a-z0-9_-]{1,64}", name) and builtin.is_file():
        return builtin
    if name.endswith(".toml") and len(name) < 4096 and Path(name).is_file():
        return Path(name)
    raise ProfileError(
        f"There is no profile {name!r}. LIFELOOM_PROFILE (or --profile) takes one of "
        f"{', '.join(builtin_profiles())}, or the path of a .toml file."
    )


def load_profile(name: str | None = None, environment: Mapping[str, str] | None = None) -> Profile:
    """Load a profile and apply ``LIFELOOM_<SECTION>__<KEY>`` overrides.

    Args:
        name: built-in name or path; None: ``LIFELOOM_PROFILE``, else ``demo``.
        environment: the variables to look at; None: the process's own.

    Raises:
        ProfileError: unknown profile, unreadable TOML, unknown key or a value out of range.
    """
    environment = os.environ if environment is None else environment
    path = profile_path(name or environment.get("LIFELOOM_PROFILE") or "demo")
    data: dict[str, Any] | None = None
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        unreadable = f"{path.name} is not readable TOML: {_KEY.sub('(a key)', str(error))}"
    if data is None:  # raised here, as below: what was caught may hold a key that was put into the file
        raise ProfileError(unreadable)
    origins = _override(data, environment)
    problems = [_not_a_key(place, path.name, text, origins) for place, value in _texts(data) if _KEY.search(value)]
    if not problems:
        try:
            return Profile.model_validate(data)
        except ValidationError as error:
            found = error.errors()
            wrong = {detail["loc"][:-1] for detail in found}
            # where an item is wrong, that too few are left says nothing more
            told = [one for one in found if one["type"] != "too_short" or one["loc"] not in wrong]
            problems = [_explain(detail, path.name, text, origins) for detail in told]
    raise ProfileError("\n".join(problems))


def _override(data: dict[str, Any], environment: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """Put the environment's values into ``data``; return which place came from which variable."""
    origins: dict[tuple[str, ...], str] = {}
    for variable in sorted(environment):
        if not variable.startswith(_PREFIX) or variable in _RESERVED:
            continue
        path = tuple(part.lower() for part in variable.removeprefix(_PREFIX).split("__"))
        if len(path) == 1 and path[0] not in Profile.model_fields:
            if holds_secret(variable):
                continue  # keys of models, and paths of their files, as profiles name them
            raise ProfileError(_unknown_variable(variable))
        place = data
        for part in path[:-1]:
            child = place.setdefault(part, {})
            if not isinstance(child, dict):
                raise ProfileError(f"{variable}: {part} is a value, not a section")
            place = child
        place[path[-1]] = _value(path, environment[variable])
        origins[path] = variable
    return origins


def _unknown_variable(variable: str) -> str:
    """Return what is wrong with a variable that names nothing, with the likeliest that does."""
    known = [*sorted(_RESERVED), *(_PREFIX + "__".join(path).upper() for path in _paths(Profile))]
    close = difflib.get_close_matches(variable, known, n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]}?" if close else ""
    return (
        f"{variable} is no setting of Lifeloom: values of a profile are {_PREFIX}<SECTION>__<KEY>, two underscores "
        f"between section and key.{hint} (A variable that holds a key ends in _KEY, one that names "
        "the key's file in _KEY_FILE.)"
    )


def _paths(model: type[BaseModel], start: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _paths(field.annotation, (*start, name))
        else:
            yield (*start, name)


def _value(path: tuple[str, ...], raw: str) -> Any:
    """Return ``raw`` as TOML would read it where the field is a list, else as text (pydantic converts)."""
    field = _field(path)
    if field is not None and typing.get_origin(field) is tuple:
        return [part.strip() for part in raw.split(",") if part.strip()]
    return raw


def _field(path: tuple[str, ...]) -> Any:
    annotation: Any = Profile
    for part in path:
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return None
        if part not in annotation.model_fields:
            return None
        annotation = annotation.model_fields[part].annotation
        if isinstance(annotation, types.UnionType):  # a section that may be left out
            annotation = next(one for one in typing.get_args(annotation) if one is not type(None))
    return annotation


def _explain(detail: ErrorDetails, file: str, text: str, origins: dict[tuple[str, ...], str]) -> str:
    """Return one error as ``place: what is wrong; what is allowed``."""
    path = tuple(str(part) for part in detail["loc"] if not isinstance(part, int))
    where = _origin(path, origins) or f"{file}, line {_line(text, path)}"
    key = ".".join(path) or "profile"
    if detail["type"] == "extra_forbidden":
        parent = _field(path[:-1])
        known = isinstance(parent, type) and issubclass(parent, BaseModel)
        allowed = ", ".join(parent.model_fields) if known else "none"
        return f"{where}: there is no {key}. Allowed here: {allowed}."
    if detail["type"] == "missing":
        return f"{file}: {key} is missing."
    message = detail["msg"].removeprefix("Value error, ")
    if isinstance(detail["input"], dict):  # a rule over several values, or a section that is none
        return f"{where}: {key}: {message}."
    shown = "(not shown)" if key.endswith("key_variable") or "@" in str(detail["input"]) else repr(detail["input"])
    return f"{where}: {key} = {shown} is not allowed: {message}.{_choices(_field(path))}"


def _texts(data: Mapping[str, Any], start: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text of a profile with its place; a name that looks like a key is a text of its section."""
    for name, value in data.items():
        if _KEY.search(name):
            yield start, name
        elif isinstance(value, Mapping):
            yield from _texts(value, (*start, name))
        else:
            yield from (((*start, name), str(one)) for one in (value if isinstance(value, list) else [value]))


def _not_a_key(path: tuple[str, ...], file: str, text: str, origins: dict[tuple[str, ...], str]) -> str:
    where = _origin(path, origins) or f"{file}, line {_line(text, path)}"
    return (
        f"{where}: {'.'.join(path) or 'profile'}: this looks like a key (not shown). Keys never stand in a profile: "
        "put it into an environment variable, and the variable's name into api_key_variable."
    )


def _origin(path: tuple[str, ...], origins: dict[tuple[str, ...], str]) -> str:
    """Return the variable that set ``path``, or one that set something in the section ``path``."""
    found = [variable for place, variable in origins.items() if place[: len(path)] == path]
    return ", ".join(sorted(found))


def _choices(annotation: Any) -> str:
    """Return the allowed values of a Literal, also inside a tuple, as a sentence."""
    if typing.get_origin(annotation) in (tuple, typing.Union, types.UnionType):
        annotation = typing.get_args(annotation)[0]
    if typing.get_origin(annotation) is typing.Literal:
        return f" Allowed: {', '.join(map(repr, typing.get_args(annotation)))}."
    return ""


def _line(text: str, path: tuple[str, ...]) -> int:
    """Return the line (from 1) on which the key or section ``path`` stands; the section's when unsure."""
    section: tuple[str, ...] = ()
    best = 1
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
        if header:
            section = tuple(part.strip().strip('"') for part in header.group(1).split("."))
            if path[: len(section)] == section:
                best = number
                if path == section:
                    return number
        key = re.match(r"\s*([A-Za-z0-9_.\"-]+)\s*=", line)
        if key and (*section, *key.group(1).strip('"').split(".")) == path:
            return number
    return best
