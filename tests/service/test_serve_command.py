"""The `shinpan serve` process: output, sign-in, start-up errors and shutdown."""

import os
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from ssl import create_default_context

import httpx
import pytest

from domain.words import LANGS, Lang, load_messages
from service import server as granian_server
from tests.cli.runs import inside
from tests.rotation import rotate
from tests.service.processes import BEGIN, ROOT, environment, server, shinpan

ME = "/api/v1/sessions"

pytestmark = pytest.mark.process


def test_it_prints_its_address_and_lets_an_operator_in_once(tmp_path: Path) -> None:
    store = tmp_path / "cup.sqlite"
    with server(store=store) as served:
        assert served.url.startswith("http://127.0.0.1:") and served.store == str(store)
        held = served.sign_in()
        assert served.get(ME, headers=held).json()["role"] == "operator"
        invitation = served.links["Operator"].partition("#")[2]
        again = served.post(ME, {"invitation": invitation}, headers={"Origin": served.url})
        assert again.status_code == 410
        assert served.end() == 128 + signal.SIGTERM
    (link,) = tmp_path.glob("*.operator-invitation")
    assert link.stat().st_mode & 0o777 == 0o600 and str(link) in served.text
    assert "in#" not in served.text and invitation not in served.text, "what is printed may be kept in a log"
    with server(store=store) as served:
        assert served.links == {}
        assert served.get(ME, headers=held).json()["role"] == "operator", "tokens outlive the process"
        assert served.end(signal.SIGINT) == 128 + signal.SIGINT
    assert next(tmp_path.glob("*.keys")).stat().st_mode & 0o077 == 0
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert held["Authorization"].removeprefix("Bearer ").encode() not in written


def test_on_a_terminal_the_link_is_printed_and_lies_in_no_file(tmp_path: Path) -> None:
    here, there = os.openpty()
    command = [*BEGIN, "--store", str(tmp_path / "cup.sqlite"), "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment(COLUMNS="500"), cwd=ROOT, stdout=there, stderr=there)
    os.close(there)
    said = b""
    with suppress(OSError):  # Linux reports EIO at the end of a pseudo-terminal
        while b"Ctrl-C" not in said and (part := os.read(here, 4_096)):
            said += part
    process.kill()
    process.wait()
    os.close(here)
    assert b"/in#" in said and not list(tmp_path.glob("*-invitation")), said


@pytest.mark.nightly
def test_the_example_of_its_help_serves(tmp_path: Path) -> None:
    example = load_messages()["example.serve"]
    assert example.en == example.ja
    program, command, *arguments = shlex.split(example.en)
    assert (program, command) == ("shinpan", "serve")
    with server(*arguments, store=tmp_path / "cup.sqlite") as served:
        assert served.get("/en/floor").status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a port is let go of until the server takes it")
def test_a_port_that_was_found_free_is_kept_for_the_server() -> None:
    listening = granian_server.listen("127.0.0.1", 0)
    assert listening.held is not None
    with listening.held, socket.socket() as server:
        with pytest.raises(OSError, match="in use"):
            granian_server.listen(listening.address, listening.port)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # as the server's own socket is
        server.bind((listening.address, listening.port))
        server.listen()
        with pytest.raises(OSError, match="in use"):
            granian_server.listen(listening.address, listening.port)
    again = granian_server.listen(listening.address, listening.port)
    assert again.held is not None
    again.held.close()


@pytest.mark.parametrize("lang", rotate(LANGS, 1))
def test_what_cannot_be_served_is_told_in_one_line(lang: Lang, tmp_path: Path) -> None:
    store, broken = tmp_path / "cup.sqlite", tmp_path / "broken"
    broken.write_text("no store")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = str(other.getsockname()[1])
        wrong = {
            taken: (store, ("--port", taken)),
            "192.0.2.7": (store, ("--host", "192.0.2.7")),
            "no.such.invalid": (store, ("--host", "no.such.invalid")),
            "shinpan.example/x": (store, ("--public", "https://shinpan.example/x")),
            "--key": (store, ("--certificate", "cup.pem")),
            "cup.key": (store, ("--certificate", "cup.pem", "--key", "cup.key")),
            "no-cases": (store, ("--cases", "no-cases")),
            str(broken): (broken, ()),
            str(tmp_path): (tmp_path, ()),
        }
        for named, (where, arguments) in wrong.items():
            done = inside(where, "serve", "--port", "0", *arguments, "--lang", lang)
            assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1 and named in done.err, done
    assert not store.exists(), "nothing is made before it is known that it can be served"


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "sitecustomize.py").write_text(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('granian', 'litestar'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    root = str(Path(__file__).parents[2])
    done = shinpan(tmp_path / "cup.sqlite", "serve", PYTHONPATH=f"{bare}:{root}")
    assert done.returncode == 2 and "pip install 'shinpan[serve]'" in done.stderr
    helped = shinpan(tmp_path / "cup.sqlite", "serve", "--help", PYTHONPATH=f"{bare}:{root}")
    assert helped.returncode == 0 and "--public URL" in helped.stdout


@pytest.mark.nightly
def test_an_address_others_reach_without_tls_is_warned_of(tmp_path: Path) -> None:
    store = tmp_path / "cup.sqlite"
    with server("--host", "0.0.0.0", store=store) as served:
        served.end()
        assert "WITHOUT TLS" in served.text
    with server("--host", "0.0.0.0", "--public", "https://shinpan.example", store=store) as served:
        served.end()
        assert "WITHOUT TLS" not in served.text
    with server("--invite", "--public", "https://shinpan.example/", store=store) as served:
        assert served.links["Operator"].startswith("https://shinpan.example/in#")


@pytest.mark.nightly
def test_a_stopping_service_takes_nothing_new_on_and_ends_with_streams_still_open(tmp_path: Path) -> None:
    with server(store=tmp_path / "cup.sqlite") as served, httpx.Client(base_url=served.url) as kept:
        assert kept.get(ME).status_code == 200  # its connection stays open
        assert served.end() == 128 + signal.SIGTERM


def test_by_which_address_others_reach_it() -> None:
    assert granian_server.ListenAddress("127.0.0.1", 8000).url == "http://127.0.0.1:8000"
    assert granian_server.ListenAddress("::1", 8000, Path("a"), Path("b")).url == "https://[::1]:8000"
    every = granian_server.ListenAddress("0.0.0.0", 8000)
    assert every.is_readable_on_network and "0.0.0.0" not in every.url
    assert not granian_server.ListenAddress("0.0.0.0", 8000, Path("a"), Path("b")).is_readable_on_network
    assert not granian_server.ListenAddress("::1", 8000).is_readable_on_network


@pytest.mark.nightly
def test_with_a_certificate_it_serves_by_tls_alone(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cup.pem", tmp_path / "cup.key"
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    where = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate))
    subprocess.run([*made, *where], check=True, capture_output=True)
    files = ("--certificate", str(certificate), "--key", str(key))
    with server("--host", "0.0.0.0", *files, store=tmp_path / "cup.sqlite") as served:
        assert "WITHOUT TLS" not in served.text and served.url.startswith("https://")
        port = served.url.rpartition(":")[2]
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=create_default_context(cafile=certificate)
        ) as by:
            invitation = served.links["Operator"].partition("#")[2]
            signed = by.post(ME, json={"invitation": invitation}, headers={"Origin": f"https://127.0.0.1:{port}"})
            assert signed.status_code == 201
            cookie = signed.headers["set-cookie"]
            assert cookie.startswith("__Host-") and "; Secure" in cookie
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}{ME}")
    done = shinpan(tmp_path / "cup.sqlite", "serve", "--certificate", str(key), "--key", str(certificate))
    assert done.returncode == 2 and str(key) in done.stderr and done.stderr.count("\n") == 1
