"""Draw the README's pictures from the real program: the terminal as SVG, the report as PNG.

Needs Chromium for the PNG: `python -m docs.make_pictures [PATH_OF_CHROMIUM]`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parent
WIDTH = 100
COMMAND = ["-m", "remembrancer"]


def run(home: str, *arguments: str) -> str:
    """What the command prints, in colour."""
    environment = os.environ | {
        "REMEMBRANCER_HOME": home,
        "FORCE_COLOR": "1",
        "COLUMNS": str(WIDTH),
        "REMEMBRANCER_LANG": "en",
    }
    done = subprocess.run(
        [sys.executable, *COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=DOCS.parent,
    )
    return done.stdout


def terminal(home: str) -> None:
    """`docs/terminal.svg`: the audit of the fifty."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w", encoding="utf-8"), force_terminal=True)  # noqa: SIM115
    console.print(Text("$ make run", style="bold"))
    console.print(Text.from_ansi(run(home, "audit", "examples/fifty", "--batch", "september")))
    console.save_svg(str(DOCS / "terminal.svg"), title="remembrancer")


def report(home: str, chromium: str) -> None:
    """`docs/report.png`: the report while the fiftieth waits."""
    page = Path(home) / "report.html"
    run(home, "report", "september", "-o", str(page))
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
    ]
    shot = [f"--user-data-dir={home}/chromium", "--window-size=1180,1240", f"--screenshot={DOCS / 'report.png'}"]
    subprocess.run([chromium, *flags, *shot, page.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        terminal(folder)
        report(folder, sys.argv[1] if len(sys.argv) > 1 else "chromium")
