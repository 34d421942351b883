import re
from pathlib import Path

import pytest

import remembrancer
from foundation.errors import SettingsError
from remembrancer.settings import Settings, load_settings
from remembrancer.texts import TEXTS

ROOT = Path(__file__).parents[3]


def test_the_public_names_are_exactly_the_documented_ones():
    assert sorted(remembrancer.__all__) == sorted(remembrancer._HOMES)
    assert all(getattr(remembrancer, name) for name in remembrancer.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute"):
        _ = remembrancer.nothing


def test_every_setting_stands_in_the_example_file():
    example = (ROOT / ".env.example").read_text("utf-8")
    for name, setting in Settings.model_fields.items():
        assert f"# {name.upper() if setting.validation_alias else f'REMEMBRANCER_{name.upper()}'}=" in example


@pytest.mark.parametrize(
    ("name", "value"), [("log_level", "loud"), ("time_zone", "Mars/Base"), ("lang", "fr"), ("tenant", "")]
)
def test_a_wrong_setting_stops_the_start_with_its_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str):
    monkeypatch.setenv(f"REMEMBRANCER_{name.upper()}", value)
    with pytest.raises(SettingsError, match=f"REMEMBRANCER_{name.upper()}: "):
        load_settings()


def test_both_languages_use_the_same_words_in_every_text():
    placeholders = re.compile(r"\{(\w+)\}")
    for key, (zh, en) in TEXTS.items():
        assert set(placeholders.findall(zh)) == set(placeholders.findall(en)), key


def test_every_test_that_claims_and_threats_name_is_there():
    for page in ("CLAIMS.md", "THREATS.md"):
        named = re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)(?:::(\w+))?`", (ROOT / page).read_text("utf-8"))
        assert named
        for file, function in named:
            (path,) = [ROOT / file] if "/" in file else list((ROOT / "tests").rglob(file))
            assert path.exists(), f"{page}: {file}"
            assert not function or f"def {function}(" in path.read_text("utf-8"), f"{page}: {file}::{function}"


def test_the_wheel_packs_the_packages_and_never_the_tests():
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    packed = set(re.findall(r'"(\w+)"', text[text.index("[tool.hatch.build.targets.wheel]") :].split("\n\n")[0]))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks", "examples"}
    assert packed == packages
