"""The page that shows the API by example: its commands do what it says."""

import json
import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

from tests.evidence.sealed import ORGANISER
from tests.service.serving import Served, serve

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
PAPER = PAGE.parents[1] / "fixtures" / "blackpoker" / "paper"
KANA, JUN = ((PAPER / f"{name}.sheet").read_text(encoding="utf-8") for name in ("kana", "jun"))
BOTH = {"a": {"text": KANA, "name": "kana"}, "b": {"text": JUN}}
FILES = {
    "@kana.sheet": KANA,
    "@both.json": json.dumps(BOTH),
    "@answers.json": json.dumps(BOTH | {"answers": {"2": "b", "3": "a"}}),
}
"""What the page sends out of files."""
CUP = "http://testserver.local"


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    lines = [line for block in blocks for line in re.sub(r"\\\n|(?<=,)\n", " ", block).splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith("curl")]


def ask(served: Served, words: list[str], token: str, invitation: str) -> tuple[int, str]:
    """The status and the body of what a command line of curl gets; a stream is not opened."""
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
        assert served.house.match("table-17").version == 4
