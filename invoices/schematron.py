"""The user's own schematron: a compiled rule file (XSLT that answers in SVRL) run over one XML invoice.

CEN's and the countries' rule files carry licences of their own, so none is shipped: the user names a copy. The
processor is the optional extra `en16931` (saxonche); without it the answer is "not executed", never "passed".
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from foundation.errors import UnreadableError, UsageError
from invoices.document import parse_xml
from invoices.findings import Finding, NotExecuted

if TYPE_CHECKING:
    from saxonche import PyXsltExecutable

RULE_PREFIX = "schematron:"
NOT_INSTALLED = NotExecuted(
    "未安装 en16931 组件，schematron 规则未执行（pip install 'remembrancer[en16931]'）",
    "the extra en16931 is not installed, so the schematron was not run (pip install 'remembrancer[en16931]')",
)
NO_XML = NotExecuted("不是 XML 发票，schematron 规则不适用", "no XML invoice, so the schematron does not apply")
_SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}
_MILD_FLAGS = frozenset({"warning", "information", "info"})


class Schematron:
    """One rule file, compiled once; use it in one thread, because the processor belongs to its process."""

    def __init__(self, path: Path) -> None:
        """Name the rule file.

        Raises:
            UsageError: there is no such file, or it is a `.sch` source, which must be compiled to XSLT first.
        """
        if not path.is_file():
            raise UsageError(f"{path}: there is no such rule file: name a schematron compiled to XSLT")
        if path.suffix.lower() == ".sch":
            raise UsageError(f"{path} is schematron source: compile it to XSLT first (the publishers ship both)")
        self._path = path
        self._compiled: PyXsltExecutable | None = None

    def examine(self, content: bytes, name: str) -> tuple[Finding, ...] | NotExecuted:
        """What the rule file says about one XML invoice: a finding for each assertion that failed.

        Raises:
            UsageError: the rule file can't be compiled, or its answer is no SVRL.
        """
        try:
            root = parse_xml(content, name)
        except UnreadableError:
            return NO_XML
        try:
            answer = self._transform(etree.tostring(root, encoding="unicode"))
        except ImportError:
            return NOT_INSTALLED
        return tuple(_findings(answer, name))

    def _transform(self, text: str) -> etree._Element:
        from saxonche import PySaxonApiError, PySaxonProcessor

        try:
            if self._compiled is None:
                self._processor = PySaxonProcessor(license=False)
                compiler = self._processor.new_xslt30_processor()
                self._compiled = compiler.compile_stylesheet(stylesheet_file=str(self._path))
            node = self._processor.parse_xml(xml_text=text)
            answer = self._compiled.transform_to_string(xdm_node=node)
        except PySaxonApiError as error:
            raise UsageError(f"{self._path}: the rule file can't be run: {str(error).splitlines()[0]}") from None
        if not answer:
            raise UsageError(f"{self._path}: the rule file gave no answer: name one that writes SVRL")
        return parse_xml(answer.encode(), self._path.name)


def _findings(answer: etree._Element, name: str) -> Iterator[Finding]:
    for failed in answer.iterfind(".//svrl:failed-assert", _SVRL):
        rule = failed.get("id") or "assertion"
        text = " ".join((failed.findtext("svrl:text", "", _SVRL)).split())
        mild = (failed.get("flag") or failed.get("role") or "").lower() in _MILD_FLAGS
        yield Finding(
            rule=f"{RULE_PREFIX}{rule}",
            severity="hint" if mild else "review",
            trigger=None if mild else "guardrail",
            message={"zh": f"规则 {rule} 未通过：{text}", "en": f"Rule {rule} failed: {text}"},
            source="schematron named by the user",
            where=f"{name} {failed.get('location') or ''}".strip(),
        )
