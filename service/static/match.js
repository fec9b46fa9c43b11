// Match page. When the timeline player (film.js) rests at an entry, the server-rendered parts are fetched from the page
// of that entry: every [data-part] by its id, and the targets of [data-go]. Also keyboard navigation of the board.
"use strict";
(() => {
  const of = document.body.dataset;
  let asked = null;

  const replaceParts = (page) => {
    for (const part of document.querySelectorAll("[data-part]")) {
      const made = page.getElementById(part.getAttribute("id"));
      if (made && !part.contains(document.activeElement) && !part.open) part.replaceWith(made);
    }
    for (const link of document.querySelectorAll("[data-go]")) {
      const made = page.querySelector(`[data-go="${link.dataset.go}"]`);
      for (const name of ["href", "role", "aria-disabled"]) {
        if (made?.hasAttribute(name)) link.setAttribute(name, made.getAttribute(name)); else link.removeAttribute(name);
      }
    }
    if (typed && typed !== document.activeElement) typed.value = of.at;
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.dataset.copy = page.querySelector("[data-copy]").dataset.copy;
    }
    document.title = page.title;
  };

  // Go to a typed entry number, then give the arrow keys back to stepping.
  const typed = document.getElementById("go");
  typed?.form.addEventListener("submit", () => typed.blur());

  // A piece opens its page as a dialog over the board.
  const sheet = document.getElementById("sheet"), sheetOf = document.getElementById("sheet-of");
  const open = async (thing) => {
    const answer = await fetch(of.thing.replace("{n}", of.at).replace("{t}", thing)).catch(() => null);
    if (!answer?.ok || of.state === "sealed") return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    sheetOf.replaceChildren(page.getElementById("thing"));
    if (!sheet.open) sheet.showModal();
  };
  document.addEventListener("click", (event) => {
    const piece = event.target.closest(".board [data-t]");
    if (piece && sheet) open(piece.dataset.t);
    if (event.target === sheet || event.target.closest("#sheet .to-board")) sheet.close();
  });

  // The board is one tab stop. Arrow keys move between pieces and summaries by their position. The strips never change,
  // so a stop is remembered by its strip and its index in it.
  const STOPS = ":is(summary, [data-t]:not(details:not([open]) *))", ROW = 4;
  let here, strip, nth;
  const stops = () => [...document.querySelectorAll(".board [data-strip]")].map((strip) => {
    const own = [...strip.querySelectorAll(STOPS)];
    return strip.closest(".grid.back") ? own.reverse() : own;
  });
  const selectStop = (stop, each = stops()) => {
    if (here) here.tabIndex = -1;
    for (const other of each.flat()) if (other.matches("summary")) other.tabIndex = -1;
    if (!stop) return;
    here = stop;
    here.tabIndex = 0;
    strip = each.findIndex((own) => own.includes(here));
    nth = each[strip].indexOf(here);
  };
  // Return to the same thing, even if it has moved, or to the nearest stop.
  const restoreStop = (focus) => {
    const each = stops(), all = each.flat(), own = each[strip] || [];
    selectStop(all.find((stop) => stop === here || (stop.id && stop.id === here?.id)) || own[Math.min(nth, own.length - 1)]
      || each.slice(strip).flat()[0] || all.pop(), each);
    if (focus) here?.focus({preventScroll: true});
  };
  const centre = (stop) => {
    const {x, y, width, height} = stop.getBoundingClientRect();
    return [x + width / 2, y + height / 2, height / 2];
  };
  const stopInNextRow = (way, all) => {
    const [x, y, half] = centre(here), far = (stop) => {
      const [across, down] = centre(stop), rows = way * (down - y);
      return rows > half ? ROW * rows + Math.abs(across - x) : Infinity;
    };
    return all.reduce((best, stop) => far(stop) < far(best) ? stop : best, here);
  };
  document.addEventListener("keydown", (event) => {
    const key = event.key;
    if (!here || event.target !== here || event.ctrlKey || event.shiftKey || event.altKey || event.metaKey) return;
    if (key === "Enter" && here.dataset.t) open(here.dataset.t);
    const all = stops().flat(), at = all.indexOf(here), way = {ArrowUp: -1, ArrowDown: 1}[key];
    const to = way ? stopInNextRow(way, all) : all[{ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1}[key]];
    if (way || to || key.startsWith("Arrow")) event.preventDefault();
    if (to) { selectStop(to); to.focus(); }
  });
  document.addEventListener("focusin", ({target}) => { if (target.matches(`.board ${STOPS}`)) selectStop(target); });
  // A click must not focus a piece, so that arrow keys keep stepping through entries.
  document.addEventListener("mousedown", (event) => { if (event.target.closest(".board [data-t]")) event.preventDefault(); });
  document.addEventListener("drawn", ({detail: lost}) => restoreStop(lost));
  document.addEventListener("toggle", ({target}) => { if (target.closest(".board")) restoreStop(); }, true);
  restoreStop();

  document.addEventListener("moment", async ({detail: entry}) => {
    asked?.abort();
    asked = new AbortController();
    try {
      const url = of.moment.split("?")[0].replace("{n}", entry) + location.search;
      const answer = await fetch(url, {signal: asked.signal});
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok && of.state !== "sealed" && +of.at === +entry) replaceParts(page);
    } catch { /* superseded or offline: the board is up to date, the parts follow at the next entry */ }
  });
})();
