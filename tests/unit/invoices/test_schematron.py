"""The user's own schematron: failures become findings, and what did not run says so."""

import builtins
from pathlib import Path

import pytest

from foundation.errors import UsageError
from invoices.schematron import NO_XML, NOT_INSTALLED, Schematron

RULES = """<xsl:stylesheet version="2.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:svrl="http://purl.oclc.org/dsdl/svrl">
  <xsl:template match="/"><svrl:schematron-output>
    <xsl:if test="not(//*[local-name() = 'ID'])">
      <svrl:failed-assert id="DEMO-1" flag="fatal" location="/Invoice"><svrl:text> needs a
        number </svrl:text></svrl:failed-assert></xsl:if>
    <xsl:if test="not(//*[local-name() = 'Note'])">
      <svrl:failed-assert id="DEMO-2" flag="warning" location="/Invoice"><svrl:text>may say more</svrl:text>
      </svrl:failed-assert></xsl:if>
  </svrl:schematron-output></xsl:template>
</xsl:stylesheet>"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "demo.xslt"
    path.write_text(RULES, "utf-8")
    return path


def test_a_failed_assertion_is_a_finding_and_a_warning_a_hint(rules: Path) -> None:
    pytest.importorskip("saxonche", reason="the extra en16931 is not installed")
    found = Schematron(rules).examine(b"<Invoice/>", "a.xml")
    assert isinstance(found, tuple)
    assert [(one.rule, one.severity, one.asks) for one in found] == [
        ("schematron:DEMO-1", "review", True),
        ("schematron:DEMO-2", "hint", False),
    ]
    assert found[0].message["en"] == "Rule DEMO-1 failed: needs a number"
    assert Schematron(rules).examine(b"<Invoice><ID>1</ID><Note>x</Note></Invoice>", "a.xml") == ()


def test_without_the_processor_it_says_that_it_did_not_run(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "saxonche":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert Schematron(rules).examine(b"<Invoice/>", "a.xml") == NOT_INSTALLED


def test_a_file_that_is_no_xml_is_not_judged(rules: Path) -> None:
    assert Schematron(rules).examine(b"%PDF-1.7", "a.pdf") == NO_XML


def test_a_wrong_rule_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such rule file"):
        Schematron(tmp_path / "none.xslt")
    source = tmp_path / "rules.sch"
    source.write_text("<schema/>")
    with pytest.raises(UsageError, match="compile it to XSLT"):
        Schematron(source)
    pytest.importorskip("saxonche", reason="the extra en16931 is not installed")
    broken = tmp_path / "broken.xslt"
    broken.write_text("<a/>")
    with pytest.raises(UsageError, match="can't be run"):
        Schematron(broken).examine(b"<Invoice/>", "a.xml")
