"""Every prompt, a Markdown file each, loaded by name and language.

A file is `NAME.LANG.md`: a first line that says which node uses it, then one `## field` heading a field.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from foundation.errors import NotFoundError

_FIELD = re.compile(r"^## (?P<name>[a-z_]+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's named fields."""

    name: str
    lang: str
    fields: dict[str, str]

    def fill(self, field: str, **values: str) -> str:
        """The field's text with `$name` replaced.

        Raises:
            NotFoundError: the prompt has no such field.
            KeyError: a placeholder got no value.
        """
        if field not in self.fields:
            raise NotFoundError(f"prompt {self.name}.{self.lang} has no field {field!r}: it has {sorted(self.fields)}")
        return Template(self.fields[field]).substitute(values)


@cache
def load(name: str, lang: str) -> Prompt:
    """The prompt `name` in `lang` ("zh" or "en").

    Raises:
        NotFoundError: there is no such file.
    """
    path = files(__package__) / f"{name}.{lang}.md"
    if not path.is_file():
        raise NotFoundError(f"there is no prompt {name}.{lang}.md: add it to prompts/")
    parts = _FIELD.split(path.read_text(encoding="utf-8"))
    return Prompt(name, lang, {key: text.strip() for key, text in zip(parts[1::2], parts[2::2], strict=True)})
