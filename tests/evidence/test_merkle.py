"""The Merkle tree over leaves: published roots, and every proof of small trees, against a direct computation."""

from hashlib import sha256

from domain.evidence import merkle

KNOWN = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
"""Leaves of Certificate Transparency's own test data."""
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
MOST = 40


def leaves(count: int, word: str = "leaf") -> list[bytes]:
    return [merkle.hash_leaf(f"{word} {number}".encode()) for number in range(count)]


def define(hashes: list[bytes]) -> bytes:
    """Return the root as RFC 9162 (2.1.1) defines it."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"").digest()
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return sha256(b"\x01" + define(hashes[:half]) + define(hashes[half:])).digest()


def test_the_roots_of_published_leaves() -> None:
    hashes = [merkle.hash_leaf(bytes.fromhex(leaf)) for leaf in KNOWN]
    assert tuple(merkle.root(hashes[:count]).hex() for count in range(len(ROOTS))) == ROOTS


def test_a_root_is_what_the_definition_says_and_grows_leaf_by_leaf() -> None:
    growing, hashes = merkle.MerkleTree(), leaves(MOST)
    for size in range(MOST + 1):
        assert growing.size == size
        assert growing.root == merkle.root(hashes[:size]) == define(hashes[:size])
        growing.add(hashes[min(size, MOST - 1)])


def test_every_leaf_is_shown_at_its_place_and_nowhere_else() -> None:
    for size in range(1, MOST + 1):
        hashes = leaves(size)
        top = merkle.root(hashes)
        for at in range(size):
            proof = merkle.prove_inclusion(hashes, at)
            assert merkle.includes(top, size, at, hashes[at], proof)
            assert not merkle.includes(top, size, at, merkle.hash_leaf(b"other"), proof)
            assert not merkle.includes(merkle.EMPTY, size, at, hashes[at], proof)
            assert not merkle.includes(top, size, at, hashes[at], [*proof, top])
            assert not merkle.includes(top, size, at, hashes[at], [top, *proof])
            assert not proof or not merkle.includes(top, size, at, hashes[at], proof[:-1])
            assert not proof or not merkle.includes(top, size, at, hashes[at], proof[1:])
            elsewhere = [place for place in range(-1, size + 2) if merkle.includes(top, size, place, hashes[at], proof)]
            assert elsewhere == [at], "no other place, none before the first or behind the last leaf"
            for number in range(len(proof)):
                bent = [*proof]
                bent[number] = bytes((bent[number][0] ^ 1,)) + bent[number][1:]
                assert not merkle.includes(top, size, at, hashes[at], bent)


def test_every_growth_is_shown_and_no_other() -> None:
    hashes = leaves(MOST)
    roots = [merkle.root(hashes[:size]) for size in range(MOST + 1)]
    forged = merkle.root(leaves(MOST, "other"))
    for new in range(MOST + 1):
        for old in range(new + 1):
            proof = merkle.prove_consistency(hashes[:new], old)
            assert merkle.extends(roots[old], old, roots[new], new, proof)
            assert not merkle.extends(forged, old, roots[new], new, proof)
            assert old == 0 or not merkle.extends(roots[old], old, forged, new, proof)
            assert not merkle.extends(roots[old], old, roots[new], new, [*proof, forged])
            assert not proof or not merkle.extends(roots[old], old, roots[new], new, proof[:-1])
            assert old == new or not merkle.extends(roots[new], new, roots[old], old, proof), "it never shrinks"
            for number in range(len(proof)):
                bent = [*proof]
                bent[number] = forged
                assert not merkle.extends(roots[old], old, roots[new], new, bent)


def test_a_history_that_was_told_otherwise_never_grew_from_the_first() -> None:
    for size in range(2, MOST + 1):
        hashes = leaves(size)
        for changed in (0, size // 2, size - 1):
            other = [*hashes]
            other[changed] = merkle.hash_leaf(b"other")
            longer = [*other, *leaves(3, "more")]
            proof = merkle.prove_consistency(longer, size)
            assert not merkle.extends(merkle.root(hashes), size, merkle.root(longer), len(longer), proof)


def test_a_leaf_is_never_taken_for_a_node() -> None:
    left, right = leaves(2)
    assert merkle.root([left, right]) != merkle.hash_leaf(left + right)
    assert merkle.root([left]) != merkle.root([left, left])
