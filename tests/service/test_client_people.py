"""Invitations at a service from the command line."""

import re

from tests.service.harness import Served
from tests.service.test_client import Begin

LINK = re.compile(r"  \S+/in#[\w-]{43}\n")


def test_people_are_invited_listed_and_taken_back_at_a_service(served: Served, begin: Begin) -> None:
    there = begin(served)
    told = there("invite", "seat", "Aoi", "Beni")
    assert told.code == 0 and len(LINK.findall(told.out)) == 2
    assert there("invite", "seat", "Aoi").code == 2
    assert there("invite", "floor", "Kato", "--by", "me").code == 2
    every = there("people", "--json").data
    listed = sorted((each for each in every if each["role"] == "seat"), key=lambda each: each["name"])
    assert [each["name"] for each in listed] == ["Aoi", "Beni"]
    assert there("people", "--take-back", listed[0]["number"]).code == 0
    assert [each["name"] for each in there("people", "--json").data if each["role"] == "seat"] == ["Beni"]
