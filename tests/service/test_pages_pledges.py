"""Seat commitments on pages: a match opened by form, and secrets revealed on its page."""

from typing import Any
from uuid import uuid4

import pytest

from domain.law.disputes import Revealed
from domain.law.entries import Played, Pledged
from domain.words import LANGS, say
from tests.pledged import MATCH, P1, P2, SECRETS, pledges_of
from tests.service.commands import uuid
from tests.service.harness import Served
from tests.service.test_pages_recording import hidden, post

G1, G2 = pledges_of().values()
OPENS = {"edition": "blackpoker@8.1-lite", "p1": "Aoi", "cards": "dealt"}


def open_match(served: Served) -> None:
    page = served.get("/en/record", "scorekeeper").text
    fields = {"id": hidden(page, "id"), **OPENS, "match": f" {MATCH} ", "g1": G1.upper(), "g2": f" {G2} "}
    answer = post(served, "/en/record", fields)
    assert (answer.status_code, answer.headers.get("location")) == (303, f"/en/record/{MATCH}"), answer.text


def read(served: Served, role: Any, what: str = "", lang: str = "en") -> str:
    seat = "p1" if role == "seat" else ""
    answer = served.get(f"/{lang}/m/{MATCH}{what}", role, *([MATCH] if seat else []), seat=seat)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def send(served: Served, role: Any, **fields: str) -> Any:
    seat = "p1" if role == "seat" else ""
    headers = {} if role == "spectator" else served.bearer(role, *([MATCH] if seat else []), seat=seat)
    headers["Origin"] = "http://testserver.local"
    path = f"/en/m/{MATCH}/pledges"
    given = {"id": str(uuid4()), "do": "reveal", **fields}
    return served.client.post(path, data=given, headers=headers, follow_redirects=False)


@pytest.mark.parametrize("lang", LANGS)
def test_a_match_is_opened_with_pledges_and_says_for_whom_it_waits(served: Served, lang: Any) -> None:
    open_match(served)
    first = served.context.match(MATCH).opening
    assert isinstance(first, Pledged) and first.pledges == pledges_of() and served.context.match(MATCH).version == 1
    for role, forms in (
        ("spectator", ()),
        ("seat", ("p1",)),
        ("scorekeeper", ("p1", "p2")),
        ("head", ("p1", "p2")),
    ):
        for what in ("", "/pledges"):
            page = read(served, role, what, lang)
            assert say("pledge.waiting", lang, seats="").strip() in page and "Aoi" in page
            shown = tuple(seat for seat in ("p1", "p2") if f'id="secret-{seat}"' in page)
            assert shown == forms, (role, what)
        page = read(served, role, "/pledges", lang)
        assert G1 in page and G2 in page and first.commitment in page
        assert ('id="reason-p1"' in page) is (role == "head"), "a judge alone says that it is missing"


def test_secrets_are_revealed_where_the_match_is_looked_at_and_the_croupier_draws(served: Served) -> None:
    open_match(served)
    done = send(served, "seat", seat="p1", secret=f" {SECRETS[P1].hex().upper()} ")
    assert (done.status_code, done.headers["location"]) == (303, f"/en/m/{MATCH}"), done.text
    entry = served.context.match(MATCH).entries[-1]
    assert isinstance(entry, Revealed) and (entry.by, entry.secret) == ("p1", SECRETS[P1].hex())
    assert send(served, "head", do="missing", seat="p2", reason="gone home").status_code == 303
    entries = served.context.match(MATCH).entries
    assert isinstance(entries[2], Revealed) and entries[2].reason == "gone home" and isinstance(entries[3], Played)
    page = read(served, "head", "/pledges")
    assert (
        "Aoi revealed the pledged secret" in page
        and "p2 did not reveal its secret" in page
        and "<input" not in (page.partition("<article>")[2].partition("</article>")[0])
    )
    assert say("pledge.heading", "en") not in read(served, "head", "").partition("<main")[0]
    assert "reveals the secret of Aoi" in read(served, "spectator")


@pytest.mark.parametrize(
    ("role", "fields", "status", "says"),
    [
        ("seat", {"seat": "p2", "secret": SECRETS[P2].hex()}, 403, "p1 can reveal only the secret of p1"),
        ("seat", {"seat": "p1", "do": "missing", "reason": "no"}, 403, "Only a judge can record"),
        ("seat", {"seat": "p1", "secret": SECRETS[P2].hex()}, 400, G1),
        ("head", {"seat": "p1", "secret": "beef"}, 400, "32 hexadecimal digits"),
        ("head", {"seat": "p1", "secret": ""}, 400, "either"),
        ("head", {"seat": "p1", "do": "missing"}, 400, "either"),
        ("head", {"seat": "p9", "secret": "00" * 16}, 400, "p9"),
        ("spectator", {"seat": "p1", "secret": SECRETS[P1].hex()}, 403, ""),
    ],
)
def test_what_does_not_fit_is_said_on_the_page_and_no_secret_repeated(
    served: Served, role: Any, fields: dict[str, str], status: int, says: str
) -> None:
    open_match(served)
    answer = send(served, role, **fields)
    assert answer.status_code == status, answer.text
    assert says.lower() in answer.text.lower() and (fields.get("secret") or "beef") not in answer.text
    assert served.context.match(MATCH).version == 1


def test_a_form_that_is_sent_twice_reveals_once_and_a_second_one_is_out_of_order(served: Served) -> None:
    open_match(served)
    fields = {"id": uuid(5), "seat": "p1", "secret": SECRETS[P1].hex()}
    assert [send(served, "seat", **fields).status_code for _ in range(2)] == [303, 303]
    assert served.context.match(MATCH).version == 2
    again = send(served, "seat", seat="p1", secret=SECRETS[P1].hex())
    assert again.status_code == 409 and "already" in again.text


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"g1": G1}, "give the match id"),
        ({"match": "m", "g1": "ab"}, "64 hexadecimal digits"),
        ({"match": "m", "g3": "ab" * 32}, "p3"),
        ({"match": "m", "g1": G1, "cards": "real"}, "real cards"),
    ],
)
def test_what_is_wrong_with_a_pledge_is_said_and_what_was_typed_is_kept(
    served: Served, extra: dict[str, str], said: str
) -> None:
    answer = post(served, "/en/record", {"id": uuid(1), **OPENS, **extra})
    assert answer.status_code == 400 and said in answer.text and "<details open>" in answer.text
    assert all(f'value="{text}"' in answer.text for name, text in extra.items() if name.startswith("g"))
    assert not served.context.store.matches()


def test_a_match_without_pledges_says_who_shuffled(served: Served) -> None:
    served.open("blackpoker", match=MATCH)
    assert "the croupier alone" in read(served, "spectator", "/pledges")
    assert "/pledges" not in read(served, "head")
