"""Check an evidence pack of Shinpan. It needs Python 3.8 or later and nothing else:

    python3 verify.py PACK.zip [--key KEY] [--open OFFICIALS.zip]

Prints what holds, what is open (not proved), and what is wrong.
Exit status: 0 if nothing is wrong, 1 if something is, 2 if the file is not a pack.
`--key` is a trusted key (NAME+HASH+KEY, or a file with keys). `--open` is the pack with what this one hides.
"""

from __future__ import annotations

import json
import re
import struct
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

FORM, BYTES_MAX, FILES_MAX = "shinpan/evidence/1", 256 * 1024 * 1024, 64
NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}(\.[a-z]{2,5}){1,2}")
LEAF = re.compile(r"(match|shown) ([A-Za-z0-9][A-Za-z0-9._-]{0,63}) ([1-9][0-9]{0,17}) ([0-9a-f]{64})\n")
LOCAL, CENTRAL, END = struct.Struct("<4s5H3I2H"), struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s4H2IH")
MADE, DATE, MODE, IN_PART = 0x0314, 0x21, 0o100644 << 16, ("action", "claims", "decks", "sides", "violations")
DIGEST, VIEWER = re.compile("[0-9a-f]{64}"), re.compile("[a-z][a-z0-9]{0,30}")
CHECKED = {"manifest.json", "names.json", "rules.json"}
PROOF, ROWS = {"match.proof", "checkpoint.note", "keys.txt"}, {"shown.json", "shown.proof"}
WHOLE, SEEN = {"entries.jsonl", "chain.json", "schema.json"}, {"seen.jsonl", "commitments.jsonl"}


class CheckLine(NamedTuple):
    """The result of a check: `holds`, `open` or `wrong`, the check's key, and a text with its values."""

    state: str
    key: str
    text: str
    values: dict[str, Any]

    def __str__(self) -> str:
        text = self.text.format(**self.values).encode("ascii", "backslashreplace").decode("ascii")
        return self.state.ljust(7) + "".join(letter if letter.isprintable() else "?" for letter in text)


class Bad(Exception):
    """The file is not a pack, or cannot be checked; the argument is the line that says so."""


def make_line(fine: bool, key: str, text: str, other: str = "", **values: Any) -> CheckLine:
    return CheckLine("holds" if fine else "wrong", key, text if fine else other, values)


def demand(fine: bool, key: str, text: str, **values: Any) -> None:
    if not fine:
        raise Bad(make_line(False, key, "", text, **values))


def write_pack(files: Mapping[str, bytes]) -> bytes:
    """Write a canonical zip: no compression, no times."""
    parts, rows, at = [], [], 0
    for name, data in files.items():
        fixed = (20, 0, 0, 0, DATE, crc32(data), len(data), len(data), len(name), 0)
        parts += [LOCAL.pack(b"PK\3\4", *fixed), name.encode("ascii"), data]
        rows += [CENTRAL.pack(b"PK\1\2", MADE, *fixed, 0, 0, 0, MODE, at), name.encode("ascii")]
        at += LOCAL.size + len(name) + len(data)
    listed = b"".join(rows)
    return b"".join(parts) + listed + END.pack(b"PK\5\6", 0, 0, len(files), len(files), len(listed), at, 0)


def read_pack(data: bytes) -> dict[str, bytes]:
    """Return the files of a pack. Raises Bad for anything but a canonical zip."""
    demand(len(data) <= BYTES_MAX, "large", "larger than any pack: {size} bytes", size=len(data))
    files: dict[str, bytes] = {}
    at = 0
    while data[at : at + 4] == b"PK\3\4" and len(data) >= at + LOCAL.size and len(files) <= FILES_MAX:
        _, _, flags, method, _, _, check, packed, size, named, extra = LOCAL.unpack_from(data, at)
        called = data[at + LOCAL.size :][: min(named, 60)] if named <= 60 else b"?"
        name, at = repr(called)[2:-1], at + LOCAL.size + named
        demand(bool(NAME.fullmatch(name)), "name", "{name}: evidence packs have no file of this name", name=name)
        demand(name.lower() not in map(str.lower, files), "twice", "{name}: appears twice", name=name)
        plain = not (flags or method or extra) and packed == size
        demand(plain, "packed", "{name}: compressed, or packed by another program", name=name)
        demand(size <= len(data) - at, "size", "{name}: shorter than the stated {size} bytes", name=name, size=size)
        files[name], at = data[at : at + size], at + size
        demand(crc32(files[name]) == check, "bytes", "{name}: damaged", name=name)
    demand(0 < len(files) <= FILES_MAX, "none", "this is not an evidence pack")
    demand(write_pack(files) == data, "frame", "the data between the files does not have the form of an evidence pack")
    return files


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)


def _number(digits: str) -> int:
    if not re.fullmatch("0|-?[1-9][0-9]{0,19}", digits) or not -(1 << 63) <= int(digits) < 1 << 64:
        raise ValueError("not a whole number of 64 bits")
    return int(digits)


READ = json.JSONDecoder(object_pairs_hook=_once, parse_int=_number, parse_float=_number, parse_constant=_number)


def read_rows(files: dict[str, bytes], name: str, lines: bool = True) -> list[dict[str, Any]]:
    """Parse the JSON maps in a file, one per line or a single one. Raises Bad."""
    demand(name in files, "missing", "{name}: missing", name=name)
    rows: list[dict[str, Any]] = []
    whole, why = files[name][:-1] if files[name][-1:] == b"\n" else files[name], ""
    try:
        for data in whole.split(b"\n") if lines else [whole]:
            row = READ.decode(data.decode("utf-8"))
            demand(isinstance(row, dict), "no_map", "{name}, line {line}: not a map", name=name, line=len(rows) + 1)
            rows.append(row if encode(row) else {})
    except (ValueError, RecursionError) as error:
        why = str(error)[:99]
    demand(not why, "text", "{name}, line {line}: {why}", name=name, line=len(rows) + 1, why=why)
    return rows


def _map(row: dict[str, Any], name: str) -> dict[str, Any]:
    value = row.get(name)
    return value if isinstance(value, dict) else {}


def encode(value: Any) -> bytes:
    """Encode a value as msgpack in its shortest form, keeping the order of maps, as the chain hashes it."""
    if value is None or isinstance(value, bool):
        return b"\xc0" if value is None else b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _encode_int(value)
    if isinstance(value, str):
        data = value.encode("utf-8")
        return _head(len(data), 0xA0, 32, b"\xd9\xda\xdb") + data
    if isinstance(value, list):
        return _head(len(value), 0x90, 16, b"\0\xdc\xdd") + b"".join(map(encode, value))
    return _head(len(value), 0x80, 16, b"\0\xde\xdf") + b"".join(encode(key) + encode(value[key]) for key in value)


def _head(length: int, short: int, shorter: int, tags: bytes) -> bytes:
    if length < shorter:
        return bytes([short | length])
    width = 1 if length < 256 and tags[0] else 2 if length < 1 << 16 else 4
    return tags[width // 2 :][:1] + length.to_bytes(width, "big")


def _encode_int(value: int) -> bytes:
    if -32 <= value < 128:
        return struct.pack("b", value)
    signed = value < 0
    at = next(at for at in range(4) if (-value - 1 if signed else value) < 1 << (8 << at) - signed)
    return bytes([(0xD0 if signed else 0xCC) + at]) + value.to_bytes(1 << at, "big", signed=signed)


def follow(head: bytes, number: int, state: bytes) -> bytes:
    """Return the chain head after an entry, given the head before it."""
    return sha256(b"shinpan/entry/1\0" + number.to_bytes(8, "big") + head + state).digest()


def commit(salt: bytes, number: int, column: str, *value: Any) -> str:
    """Return the commitment to a column of an entry, or to its absence if there is no value."""
    return sha256(salt + encode([number, column, *value])).hexdigest()


def hash_name(row: dict[str, Any]) -> str:
    """Return the hash of a name for an opening; '' if the row has no name or salt."""
    try:
        salt, name = bytes.fromhex(row["salt"]), row["name"].encode("utf-8")
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""
    return sha256(b"shinpan/name/1\0" + salt + name).hexdigest() if len(salt) == 32 else ""


def hash_rows(salt: bytes, rows: bytes) -> str:
    """Return the hash of one viewer's rows."""
    return sha256(b"shinpan/rows/1\0" + salt + rows).hexdigest()


def hash_views(views: Mapping[str, Any]) -> str:
    """Return the hash over all viewers' hashes, as in a leaf of the log."""
    text = "".join(f"{viewer} {views[viewer]}\n" for viewer in sorted(views))
    return sha256(b"shinpan/views/1\0" + text.encode("utf-8")).hexdigest()


def climb(leaf: bytes, at: int, size: int, beside: Sequence[bytes]) -> bytes:
    """Return the root computed from a leaf and its inclusion path (RFC 9162, 2.1.3.2); empty if they do not fit."""
    last, top = size - 1 if 0 <= at < size else -1, sha256(b"\0" + leaf).digest()
    for other in beside:
        if not last:
            return b""
        left = at & 1 or at == last
        top = sha256(b"\1" + (other + top if left else top + other)).digest()
        while left and at and not at & 1:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    return b"" if last else top


P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)


def _add(one: Sequence[int], two: Sequence[int]) -> Sequence[int]:
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * D * one[3] * two[3] % P, 2 * one[2] * two[2] % P
    return (b - a) * (d - c) % P, (d + c) * (b + a) % P, (d - c) * (d + c) % P, (b - a) * (b + a) % P


def _times(factor: int, point: Sequence[int]) -> Sequence[int]:
    total: Sequence[int] = (0, 1, 1, 0)
    for bit in bin(factor)[2:]:
        total = _add(total, total)
        total = _add(total, point) if bit == "1" else total
    return total


def _point(data: bytes) -> Sequence[int] | None:
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if x * x % P != square or y >= P or (sign and not x):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def is_signed(public: bytes, text: bytes, signature: bytes) -> bool:
    """True if the key signed the text (Ed25519, RFC 8032)."""
    key, base = _point(public), _point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    factor = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or factor >= ORDER or key is None or base is None:
        return False
    challenge = int.from_bytes(sha512(signature[:32] + public + text).digest(), "little") % ORDER
    x, y, z, _ = _add(_times(factor, base), _times(challenge, (P - key[0], key[1], 1, P - key[3])))
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


class PackProof(NamedTuple):
    """A leaf of a log and the signed checkpoint of that log."""

    leaf: tuple[str, str]
    entries: int
    head: str
    origin: str
    note: bytes
    text: bytes
    signatures: list[tuple[str, bytes]]


def read_proof(data: bytes) -> PackProof | None:
    """Parse a proof; None if it is not canonical or does not hold."""
    try:
        above, _, note = data.decode("utf-8").partition("\n\n")
        text, _, below = note.rpartition("\n\n")
        form, extra, index, *path = above.split("\n")
        origin, size, root = text.split("\n")[:3]
        line = _decode(_after("extra ", extra))
        leaf = LEAF.fullmatch(line.decode("ascii"))
        top = climb(line, _number(_after("index ", index)), _number(size), [_decode(hash) for hash in path])
        signatures = [_signature(line) for line in below[:-1].split("\n")]
        fine = form == "c2sp.org/tlog-proof@v1" and top and _decode(root) == top and len(path) <= 64
    except ValueError:
        return None
    if leaf is None or not fine or below[-1:] != "\n" or not len(set(signatures)) == len(signatures) <= 100:
        return None
    written = note.encode("utf-8"), (text + "\n").encode("utf-8")
    return PackProof((leaf[1], leaf[2]), int(leaf[3]), leaf[4], origin, *written, signatures)


def _after(word: str, line: str) -> str:
    if not line.startswith(word):
        raise ValueError("another word")
    return line[len(word) :]


def _decode(text: str) -> bytes:
    data = b64decode(text, validate=True)
    if b64encode(data).decode("ascii") != text:
        raise ValueError("base64 that is written in another way")
    return data


def _signature(line: str) -> tuple[str, bytes]:
    name, signed = _after("\u2014 ", line).split(" ")
    return name, _decode(signed)


def check(files: dict[str, bytes], keys: Sequence[str] = ()) -> Iterator[CheckLine]:
    """Check a pack, and its signatures against trusted keys. Raises Bad."""
    manifest = read_rows(files, "manifest.json", False)[0]
    listed = _map(manifest, "files")
    fine = manifest.get("form") == FORM and bool(listed)
    demand(fine, "none", "this is not an evidence pack")
    real: dict[str, Any] = {
        name: {"sha256": sha256(data).hexdigest(), "size": len(data)} for name, data in files.items()
    }
    real.pop("manifest.json")
    for name in [name for name in {**listed, **real} if listed.get(name) != real.get(name)]:
        yield make_line(False, "file", "", "{name}: not as manifest.json lists it", name=name)
    whole, heads, match = "entries.jsonl" in files, [""], manifest.get("match")
    rows = read_rows(files, "entries.jsonl" if whole else "seen.jsonl")
    yield from _check_chain(files, rows, heads) if whole else _check_seen(files, rows)
    proof = read_proof(files.get("match.proof", b""))
    proof = proof if proof is not None and proof.leaf == ("match", match) else None
    row_lines = [] if whole else [*_check_rows(files, manifest, rows, proof)]
    yield from row_lines
    fine, text = manifest.get("entries") == len(rows), "manifest.json: {files} files, {entries} entries"
    yield make_line(fine, "counted", text, text + ", but it states another number", files=len(real), entries=len(rows))
    bound = whole or any(line.key == "rows" and line.state == "holds" for line in row_lines)
    for line in _check_pinned(files, rows[0], whole):
        yield line if bound or line.state == "wrong" else line._replace(state="open")
    if proof is not None:
        yield from _check_proof(files, proof, heads, len(rows), keys)
    elif "match.proof" in files:
        other = "match.proof does not show that the log of its checkpoint contains the match"
        yield make_line(False, "proof", "", other)
    else:
        yield CheckLine("wrong" if keys else "open", "unsealed", "no proof: no signature covers the entries", {})
    checked = CHECKED | (WHOLE if whole else SEEN | ROWS) | (PROOF if "match.proof" in files else set())
    names = ", ".join(name for name in files if name not in checked)
    if names:
        yield CheckLine("open", "texts", "nothing proves what these files say: {names}", {"names": names})


def _check_pinned(files: dict[str, bytes], first: dict[str, Any], whole: bool) -> Iterator[CheckLine]:
    for name in ("rules.json", "schema.json") if whole else ("rules.json",):
        fine = encode(read_rows(files, name, False)[0]) == encode(first.get(name[:-5]))
        yield make_line(fine, "pinned", "{name}: the same as in entry 1", "{name}: differs from entry 1", name=name)
    names, hashes = {}, _map(first, "name_hashes")
    if "names.json" in files:
        names = read_rows(files, "names.json", False)[0]
        fine = all(hash_name(_map(names, seat)) == hashes.get(seat) for seat in names)
        text, other = "names.json: matches the hashes in entry 1", "names.json: does not match the hashes in entry 1"
        yield make_line(fine, "players", text, other)
    seats = ", ".join(seat for seat in hashes if seat not in names)
    if seats:
        yield CheckLine("open", "nameless", "no name for {seats}: erased, or left out", {"seats": seats})


def _check_chain(files: dict[str, bytes], rows: Sequence[dict[str, Any]], heads: list[str]) -> Iterator[CheckLine]:
    head, linked, wrong = bytes(32), 0, 0
    for number, row in enumerate(rows, 1):
        if number > 1 and row.get("link") != head.hex() and (linked or "link" in row):
            wrong = wrong or number
        linked = linked or ("link" in row and number)
        head = follow(head, number, encode(row))
        heads.append(head.hex())
    other = "entry {entry} does not follow those before it: something was changed"
    yield make_line(
        not wrong, "chain", "{entries} entries, each follows those before it", other, entries=len(rows), entry=wrong
    )
    if linked != 1:
        yield CheckLine(
            "open", "unlinked", "entries 1 to {last} have no links", {"last": (linked or len(rows) + 1) - 1}
        )
    fine = read_rows(files, "chain.json", False)[0].get("heads") == heads[1:]
    yield make_line(fine, "heads", "chain.json: the hash after each entry", "chain.json: differs from the entries")


def _check_seen(files: dict[str, bytes], rows: Sequence[dict[str, Any]]) -> Iterator[CheckLine]:
    hidden = [_map(row, "columns") for row in read_rows(files, "commitments.jsonl")]
    text = "{columns} columns are committed to: the pack for officials opens them"
    if len(hidden) == len(rows) and all("*" in row for row in hidden):
        yield CheckLine("open", "commitments", text, {"columns": sum(map(len, hidden))})
    else:
        yield make_line(False, "seen", "", "commitments.jsonl: does not cover every entry completely")


def _check_rows(
    files: dict[str, bytes], manifest: dict[str, Any], rows: Sequence[dict[str, Any]], proof: PackProof | None
) -> Iterator[CheckLine]:
    if not ROWS & files.keys():
        yield CheckLine("open", "unbound", "nothing proves what seen.jsonl shows: no leaf of a log covers it", {})
        return
    shown, leaf = read_rows(files, "shown.json", False)[0], read_proof(files.get("shown.proof", b""))
    views, salt, viewer = _map(shown, "views"), str(shown.get("salt")), str(manifest.get("audience"))
    viewer, last, fine = "spectator" if viewer == "players" else viewer, 0, False
    named = all(VIEWER.fullmatch(name) and DIGEST.fullmatch(str(views[name])) for name in views)
    if leaf is not None and proof is not None and named and DIGEST.fullmatch(salt):
        last, lines = leaf.entries, files["seen.jsonl"].split(b"\n")
        digest = hash_rows(bytes.fromhex(salt), b"".join(line + b"\n" for line in lines[: leaf.entries]))
        fine = leaf.leaf == ("shown", proof.leaf[1]) and leaf.note == proof.note and last <= len(rows)
        fine = fine and hash_views(views) == leaf.head and digest == views.get(viewer)
    text = "entries 1 to {last} are shown to {viewer} as the log has them"
    other = "seen.jsonl does not show to {viewer} what the log has"
    yield make_line(fine, "rows", text, other, last=last, viewer=viewer)
    if fine and last < len(rows):
        yield CheckLine("open", "later_rows", "nothing proves what seen.jsonl shows after entry {last}", {"last": last})
        if rows[last - 1].get("seen") == "closed":
            yield make_line(False, "closed", "", "entry {entry}: the match was closed before it", entry=last + 1)


def _check_proof(
    files: dict[str, bytes], proof: PackProof, heads: Sequence[str], entries: int, keys: Sequence[str]
) -> Iterator[CheckLine]:
    last = proof.entries
    yield make_line(True, "proof", "the log {origin} has the match up to entry {last}", origin=proof.origin, last=last)
    if len(heads) > 1:
        text, other = "entries 1 to {last} are those of the log", "entries 1 to {last} are not those of the log"
        yield make_line(heads[last:][:1] == [proof.head], "history", text, other, last=last)
    elif last > entries:
        yield make_line(
            False, "short", "", "the log has the match up to entry {last}: entries are missing here", last=last
        )
    if last < entries:
        yield CheckLine("open", "later", "entries after {last} are newer than the checkpoint", {"last": last})
    fine, other = files.get("checkpoint.note") == proof.note, "checkpoint.note: not that of match.proof"
    yield make_line(fine, "note", "checkpoint.note: that of match.proof", other)
    listed = files.get("keys.txt", b"").decode("ascii", "replace").split()
    if not keys:
        yield CheckLine("open", "named", "only the pack says whose key that is: compare it with the published key", {})
    trusted = keys or listed
    signers = [key for key in trusted if any(_has_signed(key, proof.text, *each) for each in proof.signatures)]
    yield from (make_line(True, "key", "signed by {signer}", signer=key) for key in signers)
    if not signers:
        yield make_line(False, "key", "", "{signer} has not signed the checkpoint", signer=" ".join(trusted)[:200])
    named = {*trusted, *listed}
    for name, signed in proof.signatures:
        if any(_has_signed(key, proof.text, name, signed) for key in named):
            continue
        if any(key.startswith(f"{name}+{signed[:4].hex()}+") for key in named):
            yield make_line(False, "forged", "", "a signature of {signer} does not match the checkpoint", signer=name)
        else:
            text = "the signature by {name}: no key was given for it"
            yield CheckLine("open", "cosigned", text, {"name": name})


def _has_signed(key: str, text: bytes, name: str, signed: bytes) -> bool:
    try:
        public = _decode(key.split("+", 2)[-1])
    except ValueError:
        return False
    mark = sha256(name.encode("utf-8") + b"\n" + public).digest()[:4]
    named = key.startswith(f"{name}+{mark.hex()}+") and public[:1] == b"\1" and signed[:4] == mark
    return named and is_signed(public[1:], text, signed[4:])


def open_pack(hidden: dict[str, bytes], whole: dict[str, bytes]) -> Iterator[CheckLine]:
    """Check a pack's commitments against the pack that has everything. Raises Bad."""
    entries, salts = read_rows(whole, "entries.jsonl"), read_rows(whole, "openings.jsonl")
    seen, rows, count = read_rows(hidden, "seen.jsonl"), read_rows(hidden, "commitments.jsonl"), 0
    other = "the other pack does not have the openings of this one"
    fine = min(len(entries), len(salts)) >= len(rows) == len(seen) and all("*" in _map(row, "columns") for row in rows)
    demand(fine, "apart", other)
    for at, row in enumerate(rows):
        entry, columns = entries[at], _map(row, "columns")
        rest = {name: value for name, value in entry.items() if name not in columns}
        for column, commitment in columns.items():
            value = [rest] if column == "*" else [entry[column]] if column in entry else []
            salt = str(_map(salts[at], "salts").get(column))
            demand(bool(re.fullmatch("[0-9a-f]{64}", salt)), "apart", other)
            told = {"entry": at + 1, "column": column}
            if commit(bytes.fromhex(salt), at + 1, column, *value) == commitment:
                count += 1
            else:
                yield CheckLine("wrong", "opened", "entry {entry}, {column}: not what was committed to", told)
        for column in seen[at].keys() & entry.keys() - set(IN_PART):
            if encode(seen[at][column]) != encode(entry[column]):
                told = {"entry": at + 1, "column": column}
                yield CheckLine("wrong", "shown", "entry {entry}, {column}: shown differently than recorded", told)
    yield from _match_log(hidden, entries)
    if len(entries) > len(rows):
        text = "entries {first} to {last} are only in the other pack"
        yield CheckLine("open", "more", text, {"first": len(rows) + 1, "last": len(entries)})
    if not ROWS & hidden.keys():
        text = "actions, facts and violations as shown: compare them with `shinpan check PACK --against OFFICIALS`"
        yield CheckLine("open", "uncompared", text, {})
    names = read_rows(whole, "names.json", False)[0] if "names.json" in whole else {}
    shown = {} if "names" in entries[0] else _map(seen[0], "names")
    if any(_map(names, seat).get("name") != name for seat, name in shown.items() if seat in names):
        told = {"entry": 1, "column": "names"}
        yield CheckLine("wrong", "shown", "entry {entry}, {column}: shown differently than recorded", told)
    seats = ", ".join(seat for seat in shown if seat not in names)
    if seats:
        yield CheckLine("open", "unnamed", "the other pack has no names for {seats}", {"seats": seats})
    yield CheckLine("holds", "columns", "{columns} columns were opened and match their commitments", {"columns": count})


def _match_log(hidden: dict[str, bytes], entries: Sequence[dict[str, Any]]) -> Iterator[CheckLine]:
    proof, head = read_proof(hidden.get("match.proof", b"")), bytes(32)
    last = proof.entries if proof is not None else 0
    for number, row in enumerate(entries[:last], 1):
        head = follow(head, number, encode(row))
    if proof is not None and last <= len(entries):
        text, other = "the log has entries 1 to {last} of the other pack", "the log has different entries 1 to {last}"
        yield make_line(proof.head == head.hex(), "same", text, other, last=last)


def _read(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(BYTES_MAX + 1)


def must_be_signed(files: dict[str, bytes], packs: Sequence[dict[str, bytes]]) -> bool:
    """True if trusted keys must have signed a pack: it has a proof, or it is the last one, which opens the others."""
    return "match.proof" in files or files is packs[-1]


def main(arguments: Sequence[str]) -> int:
    """Check the given packs, print the results, and return the exit status."""
    given = dict(zip(arguments[1::2], arguments[2::2]))  # noqa: B905 (not in 3.8)
    if not len(arguments) % 2 or given.keys() - {"--key", "--open"}:
        print(__doc__)
        return 2
    try:
        key = given.get("--key", "")
        keys = (_read(key).decode("utf-8") if key and "+" not in key else key).split()
        packs = [read_pack(_read(path)) for path in (arguments[0], given.get("--open")) if path]
        lines = [line for files in packs for line in check(files, keys if must_be_signed(files, packs) else ())]
        lines += open_pack(*packs) if len(packs) > 1 else ()
    except (OSError, ValueError, Bad) as error:
        print(error)
        return 2
    print("\n".join(map(str, lines)))
    return 1 if any(line.state == "wrong" for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
