"""The page in a real browser: alone, complete, legible in light and dark, on a phone, without script, on paper."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from eagerdiff import Finding, Metric, Oracle, Status, Verdict
from eagerdiff.harness.history import past_of
from eagerdiff.harness.report import page
from eagerdiff.harness.report.sides import sides_page
from eagerdiff.harness.results.closeness import Closeness
from eagerdiff.harness.results.excuses import Excused, Rule
from eagerdiff.harness.results.installed import Installed
from eagerdiff.harness.results.results import OperatorMetrics, Replay, Results, Row
from eagerdiff.harness.results.unseen import Unseen
from eagerdiff.suites.tests.hostile import HOSTILE
from eagerdiff.suites.tests.nights import WEEK
from eagerdiff.suites.tests.test_sides import HERE, NEW, OLD, crossed, nights, three

if TYPE_CHECKING:
    from playwright.sync_api import Browser

sync_api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here (Debian's package chromium)")


def finding(number: int, text: str, *, new: bool) -> Finding:
    verdict = Verdict(
        status=Status.WRONG_VALUE,
        reason=f"row {number} differs {text}",
        oracle=Oracle.RMSE,
        numbers={"rmse": 0.5},
        frame="torch._inductor.lowering:sum_",
    )
    workload = [{"tokens": number, "seed": 1}]
    made = Finding(operator="moe", implementation=f"kernel.{number}", device="cpu", verdict=verdict, workload=workload)
    return made.model_copy(update={"new": new, "script": f"findings/moe-{number}.py" if new else ""})


def rich(texts: list[str]) -> Results:
    """Return a report that has every section, and hostile texts in all of them."""
    rows = [
        Row(
            operator=operator,
            implementation=f"kernel.{number}",
            device=device,
            mode=mode,
            cases=10 * number,
            workloads=number,
            compiles=2 * number,
            compiles_per_workload={1: 1, number + 1: 1} if mode else {},
            failures=int(number == 3),
            findings=int(number == 3),
            new=int(number == 3 and device == "cpu"),
            closeness=Closeness(limit={"1 %": 40, "100 %": number}, eager={"½ ×": 40, "eager 0": number}),
            skip_reasons={texts[number]: 3},
            recompile_reasons={texts[number]: number},
            excused={"zero": Excused(calls=4, proof=texts[number])} if number else {},
            problem="" if number else f"no GPU here {texts[0]}",
            harness_errors={texts[number]: 1} if number == 5 else {},
            can_run=bool(number),
        )
        for operator in ("moe", "symbolic")
        for number in range(12)
        for device, mode in (("cpu", "dynamic"), ("host", ""), ("cuda", ""))
    ]
    rule = Rule(name="zero", says=texts[1], link="https://docs.pytorch.org/docs/stable/export.html")
    replays = [
        Replay(operator="moe", implementation="a", device="cpu", name=f"kept_{number}", status=status, reason=reason)
        for status, reason, count in (
            ("SKIPPED", "interrupted", 150),
            ("CHANGED", texts[2], 2),
            ("PRESENT", "", 20),
            ("WAITING", "", 9),
        )
        for number in range(count)
    ]
    metrics = [
        Metric(what=texts[3], by=f"way {number}", value=number, unit="%", published="31 %") for number in range(3)
    ]
    made = Results(
        rows=rows,
        findings=[finding(number, text, new=number < 7) for number, text in enumerate(texts[:12])],
        past=past_of(WEEK),
        started=WEEK[-1].when,
        elapsed=300,
        environment={"torch": "2.13.0", "triton": texts[4]},
        replays=replays,
        excuses=[rule],
        metrics=[OperatorMetrics(operator="moe", metrics=metrics)],
        unseen=[Unseen.of("moe", 900, 60.0, {"a": 1, "b": 1, "c": 1, "d": 2, "e": 5})],
        problems=[texts[5]],
        patch="findings.patch",
        installed=[Installed(part="package", name=text, found=text, said=text, wrong=True) for text in texts[:3]],
    )
    made.add_up()
    return made


def interrupted() -> Results:
    """Return what a run leaves that was stopped before a case was judged."""
    rows = [
        Row(operator="moe", implementation=f"kernel.{number}", device="cpu", problem="interrupted")
        for number in range(150)
    ]
    replays = [
        Replay(
            operator="moe", implementation="a", device="cpu", name=f"kept_{n}", status="SKIPPED", reason="interrupted"
        )
        for n in range(150)
    ]
    made = Results(rows=rows, replays=replays, interrupted=True, elapsed=3, started=WEEK[0].when)
    made.add_up()
    return made


TEXTS = [text for text in HOSTILE.values() if len(text) < 500]
PAGES = {
    "rich": lambda: rich(TEXTS[:12]),
    "other texts": lambda: rich(TEXTS[-12:]),
    "interrupted": interrupted,
    "empty": Results,
}


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with sync_api.sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        found = play.chromium.launch(executable_path=BROWSER, args=flags)
        yield found
        found.close()


CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8").partition("\n")[2]


class Shown:
    """A page in a browser, and what is wrong with it."""

    def __init__(self, browser: "Browser", text: str, folder: Path, **options: Any) -> None:
        path = folder / "index.html"
        path.write_text(text, encoding="utf-8")
        self._context = browser.new_context(offline=True, **options)
        self.page = self._context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        events: Any = self.page
        events.on("request", lambda request: self.asked.append(request.url))
        events.on("console", lambda message: self.said.append(message.text))
        events.on("pageerror", lambda error: self.said.append(str(error)))
        self._folder = folder
        self.page.goto(path.as_uri())

    def close(self) -> None:
        self._context.close()

    def wrong(self) -> list[str]:
        """Return what a reader would stumble over."""
        page = self.page
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        found = [f"console: {text}" for text in self.said]
        found += [f"asked for {url}" for url in self.asked if not url.startswith("file://")]
        found += [f"contrast {text}" for text in page.evaluate(CONTRAST)]
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{wide} px too wide"] if wide > 0 else []
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))")
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
        found += [f"two are {name}" for name in {one for one in ids if ids.count(one) > 1}]
        found += [f"link {link}" for link in links if not self._leads(link, ids)]
        return found

    def _leads(self, link: str, ids: list[str]) -> bool:
        if link.startswith("#"):
            return link[1:] in ids
        return link.startswith("https://") or bool(
            re.fullmatch(r"(torch-[\d.]+/)?(findings(/[\w.-]+|\.patch)|index\.html)", link)
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_stands_alone_and_is_legible(
    name: str, width: int, scheme: str, browser: "Browser", tmp_path: Path
) -> None:
    size = {"width": width, "height": 900}
    shown = Shown(browser, page(PAGES[name]()), tmp_path, color_scheme=scheme, viewport=size)
    assert shown.wrong() == []
    shown.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_of_nights_side_by_side_is_as_legible(
    width: int, scheme: str, browser: "Browser", tmp_path: Path
) -> None:
    causes = [crossed(text, {HERE: "gone", OLD: "other", NEW: "present"}) for text in TEXTS]
    shown = Shown(
        browser,
        sides_page(three(*causes), nights()),
        tmp_path,
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
    )
    assert shown.wrong() == []
    shown.close()


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ('<p style="color: #aaa">pale</p>', "contrast 2"),
        ('<a href="#nowhere">x</a>', "link #nowhere"),
        ('<a href="javascript:alert(1)">x</a>', "link javascript"),
        ('<img src="https://evil.example/x.png">', "console: "),
        ('<div style="width: 500px">x</div>', "px too wide"),
        ('<p id="findings">x</p>', "two are findings"),
        ("<script>alert(1)</script>", "console: "),
    ],
)
def test_what_is_wrong_is_told(planted: str, told: str, browser: "Browser", tmp_path: Path) -> None:
    text = page(rich(TEXTS[:12])).replace("</main>", f"{planted}</main>")
    shown = Shown(browser, text, tmp_path, viewport={"width": 390, "height": 800})
    assert any(told in one for one in shown.wrong())
    shown.close()


def test_a_page_is_whole_without_script_and_on_paper(browser: "Browser", tmp_path: Path) -> None:
    text = page(rich(TEXTS[:12]))
    shown = Shown(browser, text, tmp_path, java_script_enabled=False)
    assert shown.page.locator("h2").count() == len(re.findall(r"<h2 ", text)) > 8
    assert shown.page.locator("input").count() == 0
    shown.page.emulate_media(media="print")
    assert shown.page.locator(".contents").is_hidden()
    assert len(shown.page.pdf()) > 10_000
    shown.close()


def test_rows_are_filtered_by_keyboard(browser: "Browser", tmp_path: Path) -> None:
    shown = Shown(browser, page(rich(TEXTS[:12])), tmp_path)
    field = shown.page.get_by_label("Filter implementations")
    field.focus()
    shown.page.keyboard.type("symbolic kernel.7")
    rows = shown.page.locator("[data-filter=implementations] [data-row]")
    assert [row.inner_text().split()[:2] for row in rows.all() if row.is_visible()] == [["symbolic", "kernel.7"]]
    field.fill("")
    assert all(row.is_visible() for row in rows.all())
    shown.close()


def test_the_first_thing_says_what_broke_whose_it_is_and_what_to_do(browser: "Browser", tmp_path: Path) -> None:
    shown = Shown(browser, page(rich(TEXTS[:12])), tmp_path, viewport={"width": 1280, "height": 900})
    first = shown.page.locator(".first li").first
    box = first.bounding_box()
    assert box is not None
    assert box["y"] < 900  # it is seen without scrolling
    said = first.inner_text()
    for wanted in (
        "New",
        "row 0 differs",
        "moe · kernel.0 · cpu",
        "torch._inductor.lowering:sum_",
        "not there on 2026-11-06",
    ):
        assert wanted in said
    assert "python findings/moe-0.py" in said
    assert "eagerdiff kit findings/moe-0.py --run-scripts" in said
    assert shown.page.locator(".first li").count() == 5
    shown.close()


def test_a_run_that_was_stopped_says_so_and_is_not_green(browser: "Browser", tmp_path: Path) -> None:
    shown = Shown(browser, page(interrupted()), tmp_path)
    headline = shown.page.locator("h1").inner_text()
    assert headline.startswith("Nothing was judged in 3 s")
    assert "interrupted" in headline
    assert shown.page.locator(".tile.good").count() == 0
    visible = shown.page.locator("body").inner_text()
    assert visible.count("interrupted") < 10
    assert "150 skipped: interrupted" in visible
    assert "150 not judged on cpu: interrupted" in visible
    calm = rich(TEXTS[:12]).model_copy(update={"findings": [], "past": None})
    calm.rows = [row for row in calm.rows if not row.new and not row.harness_errors]
    calm.add_up()
    other = Shown(browser, page(calm), tmp_path)
    assert other.page.locator(".tile.good").count() == 1
    shown.close()
    other.close()
