"""Signed notes: the published example, notes with several signatures, and invalid notes."""

from base64 import b64encode

import pytest
from hypothesis import given, strategies as st

from recorder.evidence import notes
from recorder.evidence.notes import Key, NoteError, Signer, join, read_key, read_note, read_signer

KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
LINE = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
NOTE = f"{TEXT}\n{LINE}\n"
"""Example from Go's package for signed notes."""

ORGANISER, WITNESS = Signer.make("cup", bytes(32)), Signer.make("witness", bytes(range(32)))


def refusal_key(written: str) -> str:
    with pytest.raises(NoteError) as caught:
        read_note(written)
    assert caught.value.text.say("ja") != caught.value.text.say("en")
    return caught.value.text.key


def test_the_published_example_is_read_and_signed_by_its_key() -> None:
    key = read_key(KEY)
    note = read_note(NOTE)
    assert str(key) == KEY and key.name == "PeterNeumann" and key.hash.hex() == "c74f20a3"
    assert note.text == TEXT and note.signed_by([key]) == (key,)
    assert join(note.text, note.signatures) == NOTE


def test_what_a_key_signs_is_the_same_each_time() -> None:
    assert str(ORGANISER.key) == "cup+d6a925f9+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
    assert ORGANISER.sign("a\n") == ORGANISER.sign("a\n")
    assert read_signer(ORGANISER.write()) == ORGANISER == read_signer(f"  {ORGANISER.write()}\n")
    assert read_key(str(ORGANISER.key)) == ORGANISER.key


def test_a_note_tells_who_of_the_trusted_has_signed_it() -> None:
    note = read_note(join("a\n", [ORGANISER.signature("a\n"), WITNESS.signature("a\n")]))
    assert note.signed_by([]) == ()
    assert note.signed_by([WITNESS.key]) == (WITNESS.key,)
    assert note.signed_by([WITNESS.key, ORGANISER.key]) == (ORGANISER.key, WITNESS.key), "as they signed"
    namesake = Signer.make("cup", bytes(range(1, 33)))
    assert note.signed_by([namesake.key]) == (), "a name is not a key"


def test_a_signature_given_twice_counts_once() -> None:
    twice = join("a\n", [ORGANISER.signature("a\n")] * 3)
    assert read_note(twice).signed_by([ORGANISER.key]) == (ORGANISER.key,)


def test_signatures_of_strangers_are_passed_over_and_kept() -> None:
    stranger = f"— somebody {b64encode(b'abcd and some other kind of signature').decode()}"
    written = f"{TEXT}\n{stranger}\n{LINE}\n"
    note = read_note(written)
    assert note.signed_by([read_key(KEY)]) == (read_key(KEY),)
    assert join(note.text, note.signatures) == written


def test_a_forged_signature_of_somebody_trusted_is_never_passed_over() -> None:
    key = read_key(KEY)
    for forged in (NOTE.replace("your problem,", "our problem,"), NOTE.replace("x08go/Z", "x08go/Y")):
        with pytest.raises(NoteError) as caught:
            read_note(forged).signed_by([key])
        assert caught.value.text.key == "note.forged"
    short = f"{TEXT}\n— PeterNeumann {b64encode(key.hash + b'short').decode()}\n"
    with pytest.raises(NoteError):
        read_note(short).signed_by([key])
    moved = join("b\n", read_note(ORGANISER.sign("a\n")).signatures)
    with pytest.raises(NoteError):
        read_note(moved).signed_by([ORGANISER.key])


def test_what_is_no_note_is_refused() -> None:
    for written, why in (
        ("", "note.none"),
        ("a\n", "note.none"),
        (TEXT, "note.none"),
        (f"{TEXT}{LINE}\n", "note.none"),
        (NOTE.removesuffix("\n"), "note.none"),
        (f"{TEXT}\n\n", "note.none"),
        (f"{NOTE}\n", "note.none"),
        (f"{NOTE}more\n", "note.line"),
        (NOTE.replace("— ", "- "), "note.line"),
        (NOTE.replace("— PeterNeumann ", "— PeterNeumann"), "note.line"),
        (NOTE.replace("— PeterNeumann", "— "), "note.name"),
        (NOTE.replace("PeterNeumann", "Peter+Neumann"), "note.name"),
        (NOTE.replace("PeterNeumann", "Peter\u00a0Neumann"), "note.name"),
        (NOTE.replace("PeterNeumann", "Peter\u202eNeumann"), "note.name"),
        (NOTE.replace("JnAM=", "JnAN="), "note.line"),  # same bytes, different spelling
        (NOTE.replace("JnAM=", "JnAM"), "note.line"),
        (NOTE.replace("JnAM=", "Jn\u3042M="), "note.line"),
        (f"{TEXT}\n— PeterNeumann x08goA==\n".replace("x08goA==", "x08gow=="), "note.line"),
        (NOTE.replace("your", "yo\x00ur"), "note.control"),
        (NOTE.replace("your", "yo\rur"), "note.control"),
        (NOTE.replace("your", "yo\x1b[31mur"), "note.control"),
        (f"{TEXT}\n{LINE}\n" + f"{LINE}\n" * notes.SIGNATURES_MAX, "note.none"),
        ("x" * notes.NOTE_MAX + NOTE, "note.none"),
    ):
        assert refusal_key(written) == why, written


def test_what_is_no_key_is_refused() -> None:
    for line, why in (
        ("", "note.name"),
        ("cup", "note.key"),
        (KEY.replace("c74f20a3", "c74f20a4"), "note.key_hash"),
        (KEY.replace("PeterNeumann", "PeterNewmann"), "note.key_hash"),
        (KEY.replace("Rpc2", "Rpc3"), "note.key_hash"),
        (KEY.replace("ARpc", "AhpC"), "note.key"),  # different kind of key
        (KEY[:-4], "note.key"),
        (f"{KEY}AAAA", "note.key"),
        (KEY + "A" * 10_000, "note.key"),
        (ORGANISER.write(), "note.key"),
        ("a b+c74f20a3+ARpc", "note.name"),
        ("\udc80+c74f20a3+ARpc", "note.name"),
    ):
        with pytest.raises(NoteError) as caught:
            read_key(line)
        assert caught.value.text.key == why and len(str(caught.value)) < 300
        assert ORGANISER.write()[-20:] not in str(caught.value), "what is secret is not repeated"


def test_what_cannot_sign_is_refused_and_not_repeated() -> None:
    for line in (
        "",
        "x",
        str(ORGANISER.key),
        f"x{ORGANISER.write()}",
        ORGANISER.write().replace("cup", "cap"),
        ORGANISER.write()[:-4],
        f"{notes.PRIVATE}+cup+00000000+AQ==",
        f"{notes.PRIVATE}+cup",
    ):
        with pytest.raises(NoteError) as caught:
            read_signer(line)
        assert len(line) < 5 or line not in str(caught.value)


def test_who_cannot_be_named_cannot_sign() -> None:
    for name in ("", "a b", "a+b", "a\nb", "\u3000", "a\x00", "\ud800"):
        with pytest.raises(NoteError):
            Signer.make(name, bytes(32))


@given(st.text(max_size=200))
def test_no_text_is_read_as_anything_but_a_note_or_refused(text: str) -> None:
    for read in (read_note, read_key, read_signer):
        try:
            read(text)
        except NoteError as error:
            assert error.text.say("en")


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=50), st.binary(min_size=32, max_size=32))
def test_any_plain_text_is_signed_and_read_back(text: str, secret: bytes) -> None:
    signer = Signer.make("cup", secret)
    note = read_note(signer.sign(f"{text}\n"))
    assert note.text == f"{text}\n" and note.signed_by([signer.key, Key("cup", bytes(32))]) == (signer.key,)
