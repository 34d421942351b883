"""The one error tree.

RemembrancerError            what a caller may catch; one line: what happened, and what to do
├── UsageError               the caller's input is wrong (exit code 2)
│   ├── SettingsError        a setting has a value that is not allowed
│   └── PolicyError          the policy file is wrong; names the line
├── NotFoundError            no such thing in this tenant; a foreign thing is not found, too
├── RefusedError             the thing exists, but this may not be done to it
│   ├── AlreadyDecidedError  another decision won; says whose and when
│   ├── ExpiredError         nobody decided in time; it can be opened again
│   ├── NotAllowedError      this person may not decide this
│   ├── ThreadPausedError    new input for a thread that waits for a person
│   ├── ThreadAnsweredError  an answer to a question of the past, which was answered already
│   └── ThreadBusyError      another process is running this thread
├── UnreadableError          a file could not be read; says why
├── UnavailableError         a model or service does not answer; says which
└── StorageError             a database or file is damaged, too new, or can't be written
"""


class RemembrancerError(RuntimeError):
    """Anything this project raises on purpose: one line that says what happened and what to do.

    A `RuntimeError`, because LangGraph's server passes on the words of the well-known kinds only, and of others says
    that something internal went wrong.
    """

    exit_code = 1


class UsageError(RemembrancerError):
    """The caller's input is wrong."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting has a value that is not allowed."""


class PolicyError(UsageError):
    """The policy file is wrong."""


class NotFoundError(RemembrancerError):
    """Nothing of that id in this tenant."""


class RefusedError(RemembrancerError):
    """The thing exists, but this may not be done to it now."""


class AlreadyDecidedError(RefusedError):
    """Another decision on the same review won."""


class ExpiredError(RefusedError):
    """Nobody decided the review in time."""


class NotAllowedError(RefusedError):
    """This person may not decide this review."""


class ThreadPausedError(RefusedError):
    """New input was sent to a thread that waits for a person."""


class ThreadAnsweredError(RefusedError):
    """An answer was sent to an old checkpoint, whose question was answered and gone on from already."""


class ThreadBusyError(RefusedError):
    """Another process is running this thread."""


class UnreadableError(RemembrancerError):
    """A file could not be read as what it claims to be; `reason` is a short code for counting and routing."""

    def __init__(self, message: str, reason: str = "unreadable") -> None:
        super().__init__(message)
        self.reason = reason


class UnavailableError(RemembrancerError):
    """A model or another service does not answer, or only with errors."""


class StorageError(RemembrancerError):
    """A database or file is damaged, written by a newer version, or can't be written."""
