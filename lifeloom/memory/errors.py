"""What can go wrong with a user's memory, in words that say what to do."""

from __future__ import annotations

from lifeloom.models.protocol import ModelError

__all__ = [
    "MediaGone",
    "MemoryBusy",
    "MemoryCorrupt",
    "MemoryExists",
    "MemoryFailure",
    "MemoryFormatError",
    "MemoryFull",
    "MemoryReadOnly",
    "NotRemembered",
    "OperationInvalid",
    "OtherEncoder",
    "OtherUser",
    "OutOfOrder",
    "TextInvalid",
    "TimeInvalid",
    "UserIdInvalid",
]


class MemoryFailure(ModelError):
    """A memory database cannot do what was asked. Nothing already remembered was lost."""


class UserIdInvalid(MemoryFailure):
    """A user's id is empty, too long, or holds control characters."""


class OtherUser(MemoryFailure):
    """A file, an export or a turn belongs to another user than the handle."""


class MemoryFormatError(MemoryFailure):
    """The file is none of Lifeloom's, or of a newer version. It was not touched."""


class MemoryCorrupt(MemoryFailure):
    """The file, or an export, is damaged: empty, cut short, overwritten, or it contradicts itself."""


class MemoryExists(MemoryFailure):
    """There is a file already where one was to be made. It was not touched."""


class MemoryReadOnly(MemoryFailure):
    """The file cannot be written, or is a link: a user's file is never one."""


class MemoryBusy(MemoryFailure):
    """Another process holds the file for longer than a write takes."""


class MemoryFull(MemoryFailure):
    """The disk is full."""


class OutOfOrder(MemoryFailure):
    """A turn is earlier than the one before it; the message names both times."""


class NotRemembered(MemoryFailure):
    """There is no such turn or memory."""


class OtherEncoder(MemoryFailure):
    """Vectors of another encoder, or of another length, than those in the file."""


class MediaGone(MemoryFailure):
    """A picture that a memory refers to is not in the file."""


class OperationInvalid(MemoryFailure):
    """An operation, or what goes with it, contradicts itself. Nothing of its job was applied."""


class TimeInvalid(MemoryFailure):
    """A time has no zone, or lies outside the years 1 to 9999 in UTC."""


class TextInvalid(MemoryFailure):
    """A text holds half of a surrogate pair, which no file can hold."""
