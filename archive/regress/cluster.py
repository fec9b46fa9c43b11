"""Distribute work over many matches to a Dask cluster. Needs the extra `dask`.

Everyone who can reach a scheduler can run code on its workers, and its answers are trusted. Use it only on machines
that trust each other, with the same files at the same paths and the same code.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from platform import python_version
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from distributed import Client, Future, wait
from distributed.scheduler import KilledWorker
from distributed.security import Security
from msgspec import Struct

from domain.judging.rejudging.skipping import sources_of
from domain.words import Text, TextError
from domain.words.foreign import explain_system_error, quoted
from recorder.files import Closeable
from recorder.pool import Executor, Work, WorkerDied

T = TypeVar("T")
R = TypeVar("R")

ADDRESS: Final = re.compile(r"(?P<how>tcp|tls)://(?:[^\s/:]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")
CONNECT_SECONDS: Final = 10
"""Time limit for the answer of a scheduler."""
CHUNK_FACTOR: Final = 8
"""Factor by which chunks are larger than for a local process, because of the latency."""
RESUBMIT_SECONDS: Final = 60.0
"""Seconds after which a blocking chunk is also given to another worker; the first result counts."""
CHECK_SECONDS: Final = 2.0
"""Seconds between checks for remaining workers."""
EMPTY_SECONDS_MAX: Final = 30.0
"""Seconds that a cluster may be without workers."""
PACKAGES: Final = ("archive", "domain", "projections", "recorder")
"""Packages that must be identical on a worker."""
SAME: Final = ("python", "distributed", "msgpack")
"""Packages whose versions must agree across the cluster."""
SOME: Final = Text("cluster.some")
MINOR: Final = re.compile(r"\d+\.\d+")


class ClusterError(TextError):
    """A cluster that is unusable or lost; `text` says why."""


class WorkerEnvironment(Struct, frozen=True):
    """The environment that results depend on: the code, the decoder, and the lengths of the files."""

    code: str
    msgspec: str
    files: tuple[tuple[str, int], ...]


class EnvironmentMismatch(Struct, frozen=True):
    """A worker in a different environment, as a message without the worker's name."""

    key: str
    values: dict[str, str]

    def text(self, worker: str | Text) -> Text:
        return Text(self.key, {"worker": worker, **self.values})


class Cluster(Struct, frozen=True):
    """A cluster: the address of its scheduler, and the files that its workers need."""

    address: str
    files: tuple[str, ...] = ()

    def begin(self, work: Work[T, R]) -> Executor[T, R]:
        """Connect to its workers, whose environments must all match. Raises ClusterError."""
        return ClusterExecutor(work, self)


class ClusterExecutor(Closeable, Generic[T, R]):
    """The workers of a cluster. They may come and go; lost work is done by another."""

    def __init__(self, work: Work[T, R], cluster: Cluster) -> None:
        self.work, self.address, self.chunk = work, cluster.address, work.chunk * CHUNK_FACTOR
        self.environment = read_environment(cluster.files)
        self._client = _connect(cluster.address)
        try:
            with self.convert_network_errors():
                _require_same_versions(self._client)
                self._require_same_environments()
                self.width = sum(self._client.nthreads().values())
        except BaseException:
            self.close()
            raise

    def _require_same_environments(self) -> None:
        answers = self._client.run(compare_environment, self.environment, on_error="return")
        if not answers:
            raise ClusterError(Text("cluster.no_workers", {"address": self.address}))
        for worker, misfit in sorted(answers.items()):
            if isinstance(misfit, EnvironmentMismatch):
                raise ClusterError(misfit.text(worker))
            if isinstance(misfit, Exception):
                raise ClusterError(Text("cluster.lacks", {"worker": worker, "why": quoted(misfit)}))

    def submit(self, todo: tuple[T, ...], **where: object) -> "ClusterTask[T, R]":
        """Submit a chunk to a free worker. Raises ClusterError."""
        with self.convert_network_errors():
            future = self._client.submit(_run_chunk, self.environment, self.work.do, todo, pure=False, **where)
        return ClusterTask(self, todo, future)

    def resubmit(self, task: "ClusterTask[T, R]") -> "ClusterTask[T, R] | None":
        """Submit the chunk again to another worker, or return None if there is none. Raises ClusterError."""
        with self.convert_network_errors():
            busy = {worker for worker, keys in self._client.processing().items() if task.future.key in keys}
            others = sorted(set(self._client.nthreads()) - busy)
        return self.submit(task.todo, workers=others, priority=1) if busy and others else None

    def is_empty(self) -> bool:
        """True if the cluster has no workers. Raises ClusterError."""
        with self.convert_network_errors():
            return not self._client.nthreads()

    def wait(self, futures: Sequence["Future[object]"], seconds: float) -> None:
        """Wait until one of the futures is done. Raises TimeoutError."""
        with self._client.as_current():
            wait(futures, timeout=seconds, return_when="FIRST_COMPLETED")

    def restart_workers(self) -> None:
        """Do nothing: a cluster replaces its own workers."""

    @contextmanager
    def convert_network_errors(self) -> Iterator[None]:
        """Convert errors of the network to ClusterError."""
        try:
            yield
        except ClusterError:
            raise
        except (OSError, CancelledError, RuntimeError) as error:
            raise self.make_connection_error() from error
        if self._client.status != "running":
            raise self.make_connection_error()

    def make_connection_error(self) -> ClusterError:
        return ClusterError(Text("cluster.gone", {"address": self.address}))

    def close(self) -> None:
        """Disconnect; unfinished work is dropped with its last future."""
        self._client.close(timeout=CONNECT_SECONDS)


class ClusterTask(Generic[T, R]):
    def __init__(
        self, cluster: ClusterExecutor[T, R], todo: tuple[T, ...], future: "Future[list[R] | EnvironmentMismatch]"
    ) -> None:
        self.cluster, self.todo, self.future = cluster, todo, future

    @property
    def died(self) -> bool:
        """True if it killed every worker that tried it."""
        return self.future.status == "error" and isinstance(self.future.exception(), KilledWorker)

    def result(self) -> list[R]:
        """Wait for the results of the chunk or its copy. Raises WorkerDied and ClusterError."""
        if not self._is_done(RESUBMIT_SECONDS):
            twin = self.cluster.resubmit(self)
            if twin is not None:
                self._take_first(twin)
            self._is_done(None)
        try:
            done = self._read_result()
        except KilledWorker:
            raise WorkerDied from None
        except ModuleNotFoundError as error:
            raise ClusterError(Text("cluster.lacks", {"worker": SOME, "why": quoted(error)})) from None
        if isinstance(done, EnvironmentMismatch):  # from a worker that joined later
            raise ClusterError(done.text(SOME))
        return done

    def _read_result(self) -> "list[R] | EnvironmentMismatch":
        if self.future.status == "error":  # errors of the work itself are passed on
            return self.future.result()
        with self.cluster.convert_network_errors():
            return self.future.result()

    def _is_done(self, patience: float | None) -> bool:
        """Wait for the task; False if `patience` seconds pass first. Raises ClusterError, also without workers."""
        return _wait_for(self.cluster, (self.future,), patience)

    def _take_first(self, twin: "ClusterTask[T, R]") -> None:
        _wait_for(self.cluster, (self.future, twin.future), None)
        if self.future.status != "finished" and twin.future.status == "finished":
            self.future, twin.future = twin.future, self.future
        twin.future.cancel()


def _wait_for(cluster: ClusterExecutor[Any, Any], futures: Sequence["Future[Any]"], patience: float | None) -> bool:
    waited = empty = 0.0
    while patience is None or waited < patience:
        step = CHECK_SECONDS if patience is None else min(CHECK_SECONDS, patience - waited)
        try:
            cluster.wait(futures, step)
            return True
        except TimeoutError:
            waited += step
        except (OSError, CancelledError, RuntimeError) as error:
            raise cluster.make_connection_error() from error
        empty = empty + step if cluster.is_empty() else 0.0
        if empty >= EMPTY_SECONDS_MAX:
            raise ClusterError(Text("cluster.no_workers", {"address": cluster.address}))
    return False


def _connect(address: str) -> Client:
    read = ADDRESS.fullmatch(address)
    if read is None:
        raise ClusterError(Text("cluster.address", {"address": quoted(address)}))
    keys = _load_certificates(address) if read["how"] == "tls" else None
    for logger in ("distributed", "tornado"):  # their log messages duplicate our errors
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="shinpan", security=keys)
    except (OSError, ValueError) as error:
        raise ClusterError(
            Text("cluster.unreachable", {"address": address, "why": explain_system_error(error)})
        ) from None


def _load_certificates(address: str) -> Security:
    try:
        keys = Security(require_encryption=True)
        if keys.get_connection_args("client")["ssl_context"] is None:
            raise ClusterError(Text("cluster.no_keys", {"address": address}))
    except OSError as error:  # a file that is missing or invalid
        raise ClusterError(Text("cluster.keys", {"address": address, "why": explain_system_error(error)})) from None
    return keys


def _require_same_versions(client: Client) -> None:
    versions: Any = client.get_versions()
    ours = versions["client"]["packages"]
    others = {"scheduler": versions["scheduler"], **versions["workers"]}
    for where, environment in others.items():
        for package in SAME:
            own_version, theirs = _version(package, ours), _version(package, environment["packages"])
            if own_version != theirs:
                values = {"where": where, "package": package, "theirs": theirs, "ours": own_version}
                raise ClusterError(Text("cluster.version", values))


def _version(package: str, packages: dict[str, str | None]) -> str:
    """Return the version of a package, without the patch level for Python."""
    release = packages.get(package) or "?"
    return MINOR.match(release)[0] if package == "python" and MINOR.match(release) else release  # type: ignore[index]


# -- on client and worker ----------------------------------------------------------------------------------------------

_CHUNK_LOCK = Lock()
"""Held while a chunk is processed: all threads of a worker share one law."""


@cache
def code() -> str:
    """Return the hash of the code that determines results."""
    total = sha256(python_version().rpartition(".")[0].encode())
    for package in PACKAGES:
        for name, text in sorted(sources_of(files(package), package)):
            total.update(f"{name}\0{len(text)}\0".encode())
            total.update(text)
    return total.hexdigest()[:16]


def read_environment(paths: Sequence[str]) -> WorkerEnvironment:
    return WorkerEnvironment(code(), version("msgspec"), tuple((path, _size(path)) for path in paths))


def _size(path: str) -> int:
    """Return the size of a file, or the number and sizes of the files in a folder added up; -1 if it is missing."""
    file_or_folder = Path(path)
    try:
        if not file_or_folder.is_dir():
            return file_or_folder.stat().st_size
        return sum(1 + file.stat().st_size for file in file_or_folder.rglob("*") if file.is_file())
    except OSError:
        return -1


@lru_cache(8)
def compare_environment(environment: WorkerEnvironment) -> EnvironmentMismatch | None:
    """Return how this worker's environment differs, or None."""
    ours = read_environment([path for path, _ in environment.files])
    if ours.code != environment.code:
        return EnvironmentMismatch("cluster.code", {"theirs": ours.code, "ours": environment.code})
    if ours.msgspec != environment.msgspec:
        return EnvironmentMismatch(
            "cluster.code", {"theirs": f"msgspec {ours.msgspec}", "ours": f"msgspec {environment.msgspec}"}
        )
    for mine, theirs in zip(ours.files, environment.files, strict=True):
        if mine != theirs:
            return EnvironmentMismatch("cluster.file", {"file": mine[0]})
    return None


def _run_chunk(
    environment: WorkerEnvironment, do: Callable[[object], object], todo: tuple[object, ...]
) -> list[Any] | EnvironmentMismatch:
    misfit = compare_environment(environment)
    if misfit is not None:
        return misfit
    with _CHUNK_LOCK:
        return [do(item) for item in todo]
