"""Two readings of an option side by side: what differs, both tables, and who may look."""

import pytest

from domain.words import LANGS
from service.access import Role
from tests.service.reading import Page
from tests.service.serving import Served, serve


def read(served: Served, path: str, role: str = "head") -> Page:
    answer = served.get(path, role)  # type: ignore[arg-type]
    assert answer.status_code == 200, (path, answer.status_code)
    return Page(answer.text, path)


@pytest.mark.parametrize("lang", LANGS)
def test_only_what_differs_stands_side_by_side_with_the_pinned_value_first(lang: str) -> None:
    with serve() as served:
        match = served.put("blackpoker", "rc-08")
        path = f"/{lang}/m/{match}/10..20/readings/judge.smaller_dies"
        page = read(served, path)
        assert [known["href"] for known in page.all("a") if known.get("href", "").startswith(f"/{lang}/m/{match}/12")]
        assert page.text.count('scope="row"') == 2
        chosen = [known["value"] for known in page.all("option") if "selected" in known]
        assert chosen == ["true", "false"]
        every = read(served, f"{path}?rows=all")
        assert every.text.count('scope="row"') == 12


def test_both_tables_stand_there_and_what_is_not_the_same_is_outlined() -> None:
    with serve() as served:
        match = served.put("blackpoker", "rc-08")
        path = f"/en/m/{match}/10..20/readings/judge.smaller_dies"
        page = read(served, path)
        assert len([known for known in page.all("div") if known.get("class", "").startswith("board ")]) == 2
        outlined = [known["data-strip"] for _, known in page.elements if "data-changed" in known]
        assert outlined and len(outlined) == 2 * len(set(outlined))
        other = read(served, next(link for link in page.links if "side=b" in link).partition("#")[0])
        toggled = [[known["href"] for known in each.all("a", aria_current="true")] for each in (page, other)]
        assert "side=a" in toggled[0][-1] and "side=b" in toggled[1][-1]


def test_a_reading_under_which_the_match_cannot_go_on_says_where_and_why() -> None:
    with serve() as served:
        match = served.put("blackpoker", "rc-01-card")
        page = read(served, f"/en/m/{match}/1..15/readings/throwing.damage_suit?b=spade")
        assert "BP-5.7" in page.text and "an action becomes illegal at #15" in page.text


def test_who_may_look_at_a_closed_match_and_with_which_eyes_at_an_open_one() -> None:
    roles: tuple[Role, ...] = ("spectator", "seat", "scorekeeper", "floor", "head", "designer", "operator")
    with serve() as served:
        opened = served.put("blackpoker", "rc-08", "opened", closed=False)
        closed = served.put("blackpoker", "rc-08", "closed")
        paths = {match: f"/en/m/{match}/1..20/readings/judge.smaller_dies" for match in (opened, closed)}
        allowed = {
            match: {role for role in roles if served.get(path, role).status_code == 200}
            for match, path in paths.items()
        }
        assert allowed == {opened: set(), closed: {"floor", "head", "designer"}}
        judge = served.bearer("head", name="Abe")
        broken = served.client.post(f"/api/v1/matches/{opened}/seal", json={"viewer": "judge"}, headers=judge)
        assert broken.status_code == 201
        assert served.client.get(paths[opened], headers=judge).status_code == 403
        shown = served.client.get(f"{paths[opened]}/as/judge", headers=judge)
        assert shown.status_code == 200 and shown.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("0..20/readings/judge.smaller_dies", 404),
        ("5..4/readings/judge.smaller_dies", 404),
        ("1..290/readings/judge.smaller_dies", 404),
        ("1..4000/readings/judge.smaller_dies", 400),
        ("1-4/readings/judge.smaller_dies", 404),
        ("1..20/readings/nothing", 404),
        ("1..20/readings/judge.smaller_dies?b=perhaps", 400),
        ("1..20/readings/judge.smaller_dies?side=c", 400),
    ],
)
def test_what_cannot_be_held_side_by_side_is_told(path: str, status: int) -> None:
    with serve() as served:
        match = served.put("blackpoker", "rc-08")
        assert served.get(f"/en/m/{match}/{path}", "head").status_code == status
