"""A parser for pages: elements, ids, texts, and targets of links and forms."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

VOID = frozenset(("meta", "link", "input", "br", "hr", "img"))


class Page(HTMLParser):
    """The elements of a page. Inline styles and scripts, unclosed tags and repeated ids fail at once."""

    def __init__(self, text: str, url: str) -> None:
        super().__init__()
        self.url, self.text = url, text
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.titles: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"{url}: never closed: {self.open}"
        assert len(self.ids) == len(set(self.ids)), f"{url}: twice: {sorted(self.ids)}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        assert len(known) == len(attrs), f"{self.url}: {tag} says something twice: {attrs}"
        wrong = [name for name in known if name == "style" or name.startswith("on")]
        assert not wrong, f"{self.url}: {tag} has {wrong}"
        assert tag != "script" or known.get("src"), f"{self.url}: a script stands on the page"
        assert tag != "style", f"{self.url}: a style stands on the page"
        self.elements.append((tag, known))
        if "id" in known:
            self.ids.append(known["id"])
        if tag in ("a", "link") and "href" in known:
            self.links.append(known["href"])
        if tag == "form":
            self.forms.append((known.get("method", "get"), known.get("action", "")))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"{self.url}: </{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open == ["html", "head", "title"]:
            self.titles.append(data)

    @property
    def title(self) -> str:
        return "".join(self.titles)

    def all(self, tag: str, **attributes: str) -> Iterator[dict[str, str]]:
        """Yield the attributes of matching elements; `data_go` stands for `data-go`."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        for name, known in self.elements:
            if name == tag and all(known.get(key) == value for key, value in wanted.items()):
                yield known

    def paths(self) -> Iterator[str]:
        """Yield the targets of links within the site, without fragments."""
        here = urlsplit(self.url)
        for link in self.links:
            parts = urlsplit(urljoin(self.url, link))
            if parts.netloc in ("", here.netloc, "127.0.0.1:8000"):
                yield parts.path + (f"?{parts.query}" if parts.query else "")
