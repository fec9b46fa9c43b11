"""The document of the API is what OpenAPI calls one, and says of every route what it takes and gives."""

from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31

from service import api
from service.api.document import PART, list_problems
from tests.service.documented import document, misfits
from tests.service.serving import Served

PATH = "/api/v1/openapi.json"


def test_the_document_is_valid_by_the_schema_of_its_publisher() -> None:
    Draft202012Validator(OPENAPI_31).validate(document())
    broken = {**document(), "info": {}}
    assert not Draft202012Validator(OPENAPI_31).is_valid(broken)
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


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
        (PART.sub(r"{\1}", route.path), route.method.lower()) for route in api.ROUTES
    }
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(set(names)) == len(names)
    for path, _, operation in operations:
        parts = {part["name"] for part in operation["parameters"] if part["in"] == "path"}
        assert parts == set(path.replace("}", "{").split("{")[1::2]), path


def test_what_a_role_may_not_do_is_documented_as_refused() -> None:
    for route in api.ROUTES:
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
