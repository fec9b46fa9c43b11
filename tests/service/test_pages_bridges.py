"""Ways across a gap on a page: what the command line tells, word for word; for judges while a match is played."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from domain.words import LANGS
from service.access import ROLES
from service.settings import Settings
from tests.cli.runs import fine, inside
from tests.places import place
from tests.service.reading import Page
from tests.service.serving import Served, serve
from tests.service.test_service_sheets import KANA, LINES, take, written

MATCH, GAP = "table-9", 17
OURS = {"Origin": "http://testserver.local"}
TURNED = ('gap 1 "nobody looked"', "    + turn u57 up")
NEVER = ("mark p1 bulwarks_set 3", "--most", "1", "--reason", "nobody looked", "--as", "judge")


class There(Struct, frozen=True):
    """A service over a store, and who asks it as a head judge."""

    served: Served
    store: Path
    head: dict[str, str]

    def unseal(self, match: str) -> None:
        self.served.client.post(f"/en/m/{match}/seal", content="viewer=judge", headers=self.head)

    def text(self, path: str) -> str:
        answer = self.served.client.get(path, headers=self.head)
        assert answer.status_code == 200, (path, answer.status_code)
        Page(answer.text, path)
        return answer.text


@pytest.fixture
def there(tmp_path: Path) -> Iterator[There]:
    store = place(tmp_path / "own.sqlite")
    with serve(Settings(store=store)) as served:
        head = OURS | served.bearer("head") | {"Content-Type": "application/x-www-form-urlencoded"}
        assert take(served, KANA).status_code == 201
        yield There(served, store, head)


def never_so(there: There) -> str:
    """A match with a gap across which nothing leads that is allowed, looked at by a judge."""
    match = there.served.open("blackpoker", "8.1-lite", match="never")
    assert inside(there.store, "paper", "gap", "never", *NEVER).code == 0
    there.unseal("never")
    return match


def plain(text: str) -> str:
    """The words of a page's main part, as they are read one after the other."""
    main = text[text.index("<main") : text.index("</main>")]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.mark.parametrize("lang", LANGS)
def test_what_leads_across_is_told_as_the_command_line_tells_it(there: There, lang: str) -> None:
    there.unseal(MATCH)
    assert take(there.served, written(*LINES, *TURNED), "head", match="unsure").status_code == 201
    there.unseal("unsure")
    for match, answer in ((MATCH, "bridged"), ("unsure", "unsearched"), (never_so(there), "unbridged")):
        ran = inside(there.store, "--lang", lang, "paper", "bridge", match, "--as", "judge")
        data = inside(there.store, "paper", "bridge", match, "--as", "judge", "--json").data
        assert ran.code == (answer == "unbridged") and data["answer"] == answer
        page = plain(there.text(f"/{lang}/m/{match}/{data['entry']}/bridge/as/judge"))
        said = [" ".join(line.split()) for line in ran.out.splitlines()]
        assert said and all(line in page for line in said), "word for word"
        ways = [line for line in said if line not in said[-1 - len(data.get("never", ())) :]]
        assert [page.index(line) for line in ways] == sorted(page.index(line) for line in ways), "and in its order"


def test_what_an_audit_says_of_gaps_stands_beside_what_was_found(there: There) -> None:
    assert take(there.served, written(*LINES, *TURNED), "head", match="unsure").status_code == 201
    there.unseal("unsure")
    open_still = fine(there.store, "audit", "unsure", "--as", "judge").out.splitlines()[-1]
    assert "nothing is claimed" in open_still
    assert open_still in plain(there.text("/en/m/unsure/findings/as/judge"))
    match = never_so(there)
    listed = Page(there.text(f"/en/m/{match}/findings/as/judge"), "/")
    (finding,) = [url for url in listed.links if "/f/" in url]
    number = finding.split("/")[4]
    assert f'href="/en/m/{match}/{number}/bridge/as/judge"' in there.text(finding)
    assert "no allowed actions lead across" in plain(there.text(finding))


def test_a_gap_is_led_to_from_its_moment_and_from_what_was_found(there: There) -> None:
    there.unseal(MATCH)
    url = f"/en/m/{MATCH}/{GAP}/bridge/as/judge"
    for path in (f"/en/m/{MATCH}/{GAP}/as/judge", f"/en/m/{MATCH}/findings/as/judge"):
        assert f'href="{url}"' in there.text(path)
    assert "/bridge" not in there.text(f"/en/m/{MATCH}/{GAP - 1}/as/judge")
    text = there.text(url)
    assert f'href="/en/m/{MATCH}/{GAP}/as/judge"' in text and f'href="/en/m/{MATCH}/findings/as/judge"' in text
    assert f'href="/ja{url.removeprefix("/en")}"' in text and "data-broken" in text
    assert "t2" not in Page(text, url).title and "u49" not in Page(text, url).title


def test_what_can_have_happened_is_told_to_no_other_eyes_while_a_match_is_played(there: There) -> None:
    served, url = there.served, f"/en/m/{MATCH}/{GAP}/bridge"
    told = ("u49", "set_bulwark", "told besides")
    for role in ROLES:
        for eyes in ("", "/as/judge", "/as/p1", "/as/spectator"):
            own = {"seat": "p1"} if role == "seat" else {}
            refused = served.get(url + eyes, role, *((MATCH,) if own else ()), **own)
            assert refused.status_code == 403, (role, eyes)
            assert not any(word in refused.text for word in told)
    there.unseal(MATCH)
    assert served.client.get(f"{url}/as/p1", headers=there.head).status_code == 403
    for path in (f"/en/m/{MATCH}/findings", f"/en/m/{MATCH}/{GAP}"):
        text = there.text(path)
        assert "/bridge" not in text and not any(word in text for word in told[1:])
    listed = plain(there.text(f"/en/m/{MATCH}/findings"))
    assert f"#{GAP}" in listed and "a judge who has broken the seal" in listed
    assert all(word in there.text(f"{url}/as/judge") for word in told), "what is looked for would be found"


def test_after_a_match_everybody_reads_it(there: There) -> None:
    fine(there.store, "close", MATCH, "--abandon", "--reason", "time")
    answer = there.served.get(f"/ja/m/{MATCH}/{GAP}/bridge", "spectator")
    assert answer.status_code == 200 and "u49" in answer.text and "data-broken" not in answer.text
    assert f"/ja/m/{MATCH}/{GAP}/bridge" in there.served.get(f"/ja/m/{MATCH}/findings", "spectator").text


@pytest.mark.parametrize("moment", ["18", "99", "0", "x", "17.99", "-1"])
def test_what_is_no_gap_has_no_page(there: There, moment: str) -> None:
    there.unseal(MATCH)
    answer = there.served.client.get(f"/en/m/{MATCH}/{moment}/bridge/as/judge", headers=there.head)
    assert answer.status_code == 404 and "Traceback" not in answer.text
    assert moment != "18" or f"entry 18 of {MATCH} is no gap" in answer.text


def test_a_gap_is_gone_through_once(there: There, monkeypatch: pytest.MonkeyPatch) -> None:
    there.unseal(MATCH)
    url = f"/en/m/{MATCH}/{GAP}/bridge/as/judge"
    first = there.text(url)
    monkeypatch.setattr("projections.bridges.bridge", None)
    assert there.text(url) == first
