"""Matches decided on a local Dask cluster: the same reports as without one, even if workers fail."""

import datetime
import ipaddress
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from operator import mul
from pathlib import Path
from shutil import copytree, ignore_patterns
from time import monotonic, sleep
from typing import Any

import dask.config
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from distributed import Client

from archive.corpus.sources import sources
from archive.regress import cluster as clusters
from archive.regress.cluster import PACKAGES, Cluster, ClusterError
from archive.regress.regressing import regress
from archive.regress.summary import Task
from domain.judging.rejudging.target import RulesTarget
from domain.words import LANGS, say
from recorder.pool import Work, results
from tests.cli.runs import inside

pytestmark = [pytest.mark.rotates(3), pytest.mark.process]

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "fixtures" / "blackpoker" / "corpus" / "small.corpus"
CHANGE = ("--set", "throwing.damage_suit=club")
TASK = Task(RulesTarget(game="blackpoker", settings={"throwing.damage_suit": "club"}), whole=True)
WAIT = 60


class Served:
    def __init__(self, folder: Path, keys: dict[str, str] | None = None) -> None:
        self.folder, self.workers, self.number = folder, list[subprocess.Popen[bytes]](), 0
        self.how, self.keys = ("tls" if keys else "tcp"), keys or {}
        self.scheduler = self.serve()

    @property
    def address(self) -> str:
        return f"{self.how}://127.0.0.1:{self.port}"

    def serve(self, port: int = 0) -> "subprocess.Popen[bytes]":
        told = self.folder / f"scheduler-{monotonic()}"
        host = f"{self.how}://127.0.0.1"
        options = ("--host", host, "--port", str(port), "--no-dashboard", "--scheduler-file", str(told))
        env = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
        begun = self._begin("dask_scheduler", options, env)
        until(lambda: told.exists() and told.stat().st_size > 0)
        text = told.read_text(encoding="utf-8")
        self.port = int(text.partition(f"{self.how}://127.0.0.1:")[2].partition('"')[0])
        return begun

    def join(self, path: Path = ROOT) -> "subprocess.Popen[bytes]":
        before, self.number = len(self.threads()), self.number + 1
        options = (self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", f"{self.how}://127.0.0.1")
        worker = self._begin("dask_worker", (*options, "--name", f"w{self.number}"), {"PYTHONPATH": str(path)})
        until(lambda: len(self.threads()) > before)
        self.workers.append(worker)
        return worker

    def threads(self) -> dict[str, int]:
        with dask.config.set(self.keys), Client(self.address, set_as_default=False, timeout=WAIT) as client:
            return dict(client.nthreads())

    def leave(self, *workers: "subprocess.Popen[bytes]") -> None:
        for worker in workers:
            worker.send_signal(signal.SIGCONT)
            worker.kill()
            worker.wait()
            self.workers.remove(worker)
        until(lambda: len(self.threads()) == len(self.workers))

    def _begin(self, program: str, options: tuple[str, ...], env: dict[str, str]) -> "subprocess.Popen[bytes]":
        command = (sys.executable, "-m", f"distributed.cli.{program}", *options)
        set = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(ROOT), **environment(self.keys), **env}
        log = (self.folder / "log").open("ab")
        with log:
            return subprocess.Popen(command, cwd=self.folder, env=set, stdout=log, stderr=log)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def environment(keys: dict[str, str]) -> dict[str, str]:
    return {f"DASK_{key.upper().replace('.', '__').replace('-', '_')}": value for key, value in keys.items()}


def until(true: Any) -> None:
    ends = monotonic() + WAIT
    while not true():
        assert monotonic() < ends, "it takes too long"
        sleep(0.05)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("cluster"))
    try:
        served.join()
        served.join()
        yield served
    finally:
        served.close()


@contextmanager
def raises_cluster_error(key: str) -> Iterator[dict[str, Any]]:
    values: dict[str, Any] = {}
    with pytest.raises(ClusterError) as error:
        yield values
    assert error.value.text.key == key, error.value.text
    assert len({error.value.text.say(lang) for lang in LANGS}) == len(LANGS)
    values.update(error.value.text.values)


def double(number: int) -> int:
    if number < 0:
        os._exit(9)
    if number > SLOW:
        sleep(0.02)
    return 2 * number


SLOW = 1000
WORK = Work(double, lambda number: 0, str, chunk=1)


def nobody(names: tuple[str, ...]) -> None:
    raise AssertionError(names)


def test_a_cluster_says_what_this_machine_says(served: Served, tmp_path: Path) -> None:
    said: list[list[bytes]] = []
    for name, where in {"here": ("--jobs", "1"), "there": ("--dask", served.address)}.items():
        folder = tmp_path / name
        folder.mkdir()
        page, junit, sarif = (folder / file for file in ("page.html", "junit.xml", "sarif.json"))
        files = ("--report", page, "--junit", junit, "--sarif", sarif)
        ran = inside("unused.sqlite", "regress", CORPUS, *CHANGE, *where, *files, "--json")
        assert (ran.code, ran.err) == (1, ""), ran
        said.append([ran.out.encode(), *(file.read_bytes() for file in (page, junit, sarif))])
    assert said[0] == said[1]


def test_results_come_in_order_a_window_at_a_time(served: Served) -> None:
    assert list(results(WORK, range(200), Cluster(served.address), nobody)) == [2 * number for number in range(200)]
    taken: list[int] = []
    found = results(WORK, (taken.append(number) or number for number in range(10_000)), Cluster(served.address), nobody)
    assert next(found) == 0 and len(taken) <= 2 * 4 * clusters.CHUNK_FACTOR
    found.close()


def test_a_worker_that_is_killed_costs_nothing(served: Served) -> None:
    found: list[int] = []
    numbers = range(SLOW + 1, SLOW + 150)
    victim = served.join()
    for number in results(WORK, numbers, Cluster(served.address), lambda names: None):
        if not found:
            victim.kill()
        found.append(number)
    served.leave(victim)
    # With no failure allowed, its chunks are repeated alone, and the report says so.
    assert found == [2 * number for number in numbers]


def test_what_kills_is_given_up_and_its_neighbours_are_not(served: Served) -> None:
    lost: list[str] = []
    spare = [served.join(), served.join()]
    found = list(results(WORK, [*range(5), -1, *range(5)], Cluster(served.address), lost.extend))
    assert found == [0, 2, 4, 6, 8, 0, 0, 2, 4, 6, 8] and "-1" in lost
    until(lambda: len(served.threads()) == len(spare))
    until(lambda: sum(worker.poll() is not None for worker in served.workers) == len(served.workers) - len(spare))
    dead = [worker for worker in served.workers if worker.poll() is not None]
    assert len(dead) == 2, "one with its neighbours, one alone"
    served.workers = [worker for worker in served.workers if worker not in dead]
    assert len(served.workers) == len(spare)


def test_what_all_wait_for_is_begun_once_more_elsewhere(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker hangs with a chunk. It is alive, so the scheduler keeps waiting for it."""
    monkeypatch.setattr(clusters, "RESUBMIT_SECONDS", 1.0)
    monkeypatch.setattr(clusters, "CHECK_SECONDS", 0.5)
    stuck, found = served.join(), list[int]()
    numbers = range(SLOW + 1, SLOW + 200)
    for number in results(WORK, numbers, Cluster(served.address), nobody):
        if not found:
            stuck.send_signal(signal.SIGSTOP)
        found.append(number)
    assert found == [2 * number for number in numbers]
    served.leave(stuck)


@pytest.mark.nightly
def test_workers_that_have_gone_for_good_are_told(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "EMPTY_SECONDS_MAX", 1.0)
    monkeypatch.setattr(clusters, "CHECK_SECONDS", 0.2)
    with raises_cluster_error("cluster.no_workers"):
        for number in results(WORK, range(SLOW + 1, SLOW + 2000), Cluster(served.address), lambda names: None):
            if number == 2 * (SLOW + 1):
                served.leave(*served.workers)
    with raises_cluster_error("cluster.no_workers") as told:
        list(results(WORK, range(3), Cluster(served.address), nobody))
    assert told["address"] == served.address
    served.join()
    served.join()


def other_program(folder: Path) -> Path:
    for package in PACKAGES:
        copytree(ROOT / package, folder / package, ignore=ignore_patterns("__pycache__", "*.so"))
    changed = folder / "domain" / "law" / "driver.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "# otherwise\n", encoding="utf-8")
    return folder


def test_a_worker_with_other_code_decides_nothing(served: Served, tmp_path: Path) -> None:
    """Applies to workers present from the start and to later ones. The worker can load the task."""
    anywhere = Work(partial(mul, 2), lambda number: 0, str, chunk=1)
    late = results(anywhere, range(5000), Cluster(served.address), nobody)
    next(late)
    odd = served.join(other_program(tmp_path / "other"))
    with raises_cluster_error("cluster.code") as told:
        list(late)
    assert told["worker"].key == "cluster.some" and told["ours"] != told["theirs"]
    with raises_cluster_error("cluster.code") as told:
        list(results(WORK, range(3), Cluster(served.address), nobody))
    assert told["worker"].startswith("tcp://127.0.0.1:")
    served.leave(odd)


def test_a_worker_without_shinpan_is_named(served: Served, tmp_path: Path) -> None:
    (tmp_path / "archive.py").write_text("raise ModuleNotFoundError(\"No module named 'archive'\", name='archive')\n")
    bare = served.join(tmp_path)
    with raises_cluster_error("cluster.lacks") as told:
        list(results(WORK, range(3), Cluster(served.address), nobody))
    assert told["worker"] in served.threads()
    served.leave(bare)


@pytest.mark.parametrize("folder", [False, True])
def test_a_file_that_workers_do_not_see_is_named(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: bool
) -> None:
    """The path leads to a different file on the worker, or the folder has one more file."""
    file = tmp_path / "a.corpus"
    file.write_bytes(CORPUS.read_bytes())
    named = str(tmp_path if folder else file)
    few = list(sources([named]))[:2]
    assert regress(TASK, few, jobs=Cluster(served.address, (named,))).matches == 2
    longer = clusters._size(named) + 1
    monkeypatch.setattr(clusters, "_size", lambda path: longer)
    with raises_cluster_error("cluster.file") as told:
        regress(TASK, few, jobs=Cluster(served.address, (named,)))
    assert told["file"] == named
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    with raises_cluster_error("cluster.file") as told:  # workers have a folder of their own
        regress(TASK, few, jobs=Cluster(served.address, (file.name,)))


def test_what_is_in_a_folder_is_measured(tmp_path: Path) -> None:
    assert clusters._size(str(tmp_path / "gone")) == -1 and clusters._size(str(tmp_path)) == 0
    (tmp_path / "empty.spn").touch()
    (tmp_path / "within").mkdir()
    (tmp_path / "within" / "a.spn").write_bytes(b"1234")
    assert clusters._size(str(tmp_path)) == 6 and clusters._size(str(tmp_path / "within" / "a.spn")) == 4


def test_other_versions_are_named(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = Client.get_versions

    def with_old_scheduler(client: Client, **given: Any) -> Any:
        versions: Any = ours(client, **given)
        versions["scheduler"]["packages"]["distributed"] = "1.0"
        return versions

    monkeypatch.setattr(Client, "get_versions", with_old_scheduler)
    with raises_cluster_error("cluster.version") as values:
        list(results(WORK, range(3), Cluster(served.address), nobody))
    assert (values["where"], values["package"], values["theirs"]) == ("scheduler", "distributed", "1.0")


@pytest.mark.nightly
def test_a_scheduler_that_ends_leaves_what_was_counted(served: Served, tmp_path: Path) -> None:
    """A new scheduler has no state. The run continues from its work file with the same result."""
    whole = regress(TASK, sources([CORPUS]), jobs=1)
    work, seen = tmp_path / "work", list[str]()

    def see(summary: Any) -> None:
        seen.append(summary.name)
        if len(seen) == 5:
            served.scheduler.kill()
            served.scheduler.wait()

    with pytest.MonkeyPatch.context() as patch, raises_cluster_error("cluster.gone"):
        patch.setattr(clusters, "CHUNK_FACTOR", 1)
        regress(TASK, sources([CORPUS]), jobs=Cluster(served.address), resume=work, seen=see)
    assert 5 <= len(work.read_bytes().splitlines()) - 1 < whole.matches
    for worker in served.workers:
        worker.kill()
        worker.wait()
    served.workers.clear()
    with raises_cluster_error("cluster.unreachable"):
        list(results(WORK, range(3), Cluster(served.address), nobody))
    served.scheduler = served.serve(served.port)
    served.join()
    assert regress(TASK, sources([CORPUS]), jobs=Cluster(served.address), resume=work) == whole


def certificate(file: Path) -> dict[str, str]:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "cluster")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(days=1))
    signed = made.add_extension(here, False).add_extension(x509.BasicConstraints(True, None), True)
    pem = serialization.Encoding.PEM
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(signed.sign(key, hashes.SHA256()).public_bytes(pem) + plain)
    tls = "distributed.comm.tls"
    return {
        f"{tls}.ca-file": str(file),
        **{f"{tls}.{who}.cert": str(file) for who in ("scheduler", "worker", "client")},
    }


def test_a_cluster_that_asks_for_certificates(tmp_path: Path) -> None:
    """With Dask's certificates the cluster works as usual. Without them, or with others, the error says what is
    missing."""
    keys = certificate(tmp_path / "all.pem")
    guarded = Served(tmp_path, keys)
    few = list(sources([CORPUS]))[:4]
    try:
        guarded.join()
        with dask.config.set(keys):
            assert regress(TASK, few, jobs=Cluster(guarded.address)) == regress(TASK, few, jobs=1)
        with raises_cluster_error("cluster.no_keys"):
            regress(TASK, few, jobs=Cluster(guarded.address))
        gone = {**keys, "distributed.comm.tls.ca-file": str(tmp_path / "gone.pem")}
        with dask.config.set(gone), raises_cluster_error("cluster.keys"):
            regress(TASK, few, jobs=Cluster(guarded.address))
        with dask.config.set(certificate(tmp_path / "others.pem")), raises_cluster_error("cluster.unreachable"):
            regress(TASK, few, jobs=Cluster(guarded.address))
        with raises_cluster_error("cluster.unreachable"):
            regress(TASK, few, jobs=Cluster(guarded.address.replace("tls", "tcp")))
    finally:
        guarded.close()


@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_an_address_is_named(lang: str) -> None:
    for address in ("nowhere", "http://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://a b:1", "tcp://:8786", ""):
        ran = inside("unused.sqlite", "regress", CORPUS, *CHANGE, "--dask", address, "--lang", lang)
        assert (ran.code, ran.out) == (2, "") and "tcp://" in ran.message, ran
    both = inside("unused.sqlite", "regress", CORPUS, *CHANGE, "--dask", "tcp://h:1", "--jobs", "2", "--lang", lang)
    assert both.code == 2 and both.message.endswith(say("cluster.jobs", lang))


@pytest.mark.parametrize("lang", LANGS)
def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.delitem(sys.modules, "archive.regress.cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = inside("unused.sqlite", "regress", CORPUS, *CHANGE, "--dask", "tcp://127.0.0.1:1", "--lang", lang)
    assert ran.code == 2 and "pip install 'shinpan[dask]'" in ran.message
