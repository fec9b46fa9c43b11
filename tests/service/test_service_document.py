"""The API document is valid OpenAPI and describes the input and output of every route."""

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

from jsonschema_rs import Draft202012Validator, meta
from schemathesis.specs.openapi.definitions import OPENAPI_31

from service.openapi import PART, list_problems
from service.routes import API_ROUTES
from tests.evidence.sealed import ORGANISER
from tests.service.documented import DIALECT, document, misfits
from tests.service.harness import Served, serve

PATH = "/api/v1/openapi.json"


def test_the_document_is_valid_by_the_schema_of_its_publisher() -> None:
    publisher = Draft202012Validator(OPENAPI_31)
    publisher.validate(document())
    broken = {**document(), "info": {}}
    assert not publisher.is_valid(broken)
    for schema in document()["components"]["schemas"].values():
        meta.validate({"$schema": DIALECT, **schema})


def test_it_is_served_to_everybody_and_not_sent_twice(served: Served) -> None:
    answer = served.get(PATH)
    assert answer.json() == document() and answer.headers["cache-control"] == "public, no-cache"
    again = served.get(PATH, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304 and again.content == b""


def test_every_route_is_in_it_under_a_name_of_its_own() -> None:
    operations = [
        (path, method, operation) for path, item in document()["paths"].items() for method, operation in item.items()
    ]
    assert {(path, method) for path, method, _ in operations} == {
        (PART.sub(r"{\1}", route.path), route.method.lower()) for route in API_ROUTES
    }
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(set(names)) == len(names)
    for path, _, operation in operations:
        parts = {part["name"] for part in operation["parameters"] if part["in"] == "path"}
        assert parts == set(path.replace("}", "{").split("{")[1::2]), path


def test_what_a_role_may_not_do_is_documented_as_refused() -> None:
    for route in API_ROUTES:
        refused = "no-authority" in list_problems(route)
        assert refused or route.operation in ("public", "sign", "see", "explain", "export", "read_jobs", "findings")
    invitations = document()["paths"]["/api/v1/invitations"]["post"]
    assert {} not in invitations["security"] and {} in document()["paths"][PATH]["get"]["security"]


def test_an_answer_that_is_not_as_documented_is_noticed() -> None:
    sessions = "/api/v1/sessions"
    good = b'{"role":"floor"}'
    kind = "application/json"
    assert misfits("GET", sessions, 200, kind, {}, good) == []
    for status, said, body in (
        (200, kind, b'{"role":"king"}'),
        (200, kind, b'{"role":"floor","more":1}'),
        (200, "text/html", good),
        (201, kind, good),
        (404, "application/problem+json", good),
        (304, kind, b""),
    ):
        assert misfits("GET", sessions, status, said, {}, body) != [], (status, said, body)
    assert misfits("GET", PATH, 200, kind, {}, b"{}") == [f"GET {PATH}: 200 without ['ETag']"]


PAGE = Path(__file__).parents[2] / "docs" / "api.md"
PAPER = PAGE.parents[1] / "fixtures" / "blackpoker" / "paper"
KANA, JUN = ((PAPER / f"{name}.sheet").read_text(encoding="utf-8") for name in ("kana", "jun"))
BOTH = {"a": {"text": KANA, "name": "kana"}, "b": {"text": JUN}}
FILES = {
    "@kana.sheet": KANA,
    "@both.json": json.dumps(BOTH),
    "@answers.json": json.dumps(BOTH | {"answers": {"2": "b", "3": "a"}}),
}
"""Paths that are served from files."""
CUP = "http://testserver.local"


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    lines = [line for block in blocks for line in re.sub(r"\\\n|(?<=,)\n", " ", block).splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith("curl")]


def ask(served: Served, words: list[str], token: str, invitation: str) -> tuple[int, str]:
    """Return status and body of the request in a curl command; streams are skipped."""
    head = served.bearer("head")["Authorization"].removeprefix("Bearer ")
    given = [word.replace("$CUP", CUP).replace("$TOKEN", token).replace("$HEAD", head) for word in words[1:]]
    headers = dict(given[at + 1].split(": ", 1) for at, word in enumerate(given) if word == "-H")
    typed = next((given[at + 1] for at, word in enumerate(given) if word in ("-d", "--data-binary")), "")
    body = FILES.get(typed, typed) or None
    url = urlsplit(next(word for word in given if word.startswith(CUP)))
    if body is not None and "invitation" in body:
        body = json.dumps({"invitation": invitation})
    method = "POST" if "-X" in given else "GET"
    answer = served.client.request(method, f"{url.path}?{url.query}", headers=headers, content=body)
    return answer.status_code, answer.text


def test_every_command_of_the_page_answers_as_the_page_says() -> None:
    typed = commands()
    assert len(typed) == 17
    with serve(signer=ORGANISER) as served:
        invited = served.post("/api/v1/invitations", {"role": "scorekeeper", "name": "Kato"}, "operator").json()
        token, seen = "", []
        for words in typed:
            if "-N" in words:
                continue
            status, text = ask(served, words, token, invited["invitation"])
            token = token or json.loads(text)["token"]
            seen.append(status)
            if status == 403:
                assert json.loads(text)["type"] == "/problem/not-your-eyes"
        assert seen == [201, 201, 201, 201, 200, 200, 200, 200, 200, 200, 403, 201, 200, 200, 200, 200]
        assert served.context.match("table-17").version == 4
