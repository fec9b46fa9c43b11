// A match: when the player rests at an entry, what only the server can say of it is taken from the page of that entry:
// every [data-part] by its id, and where the [data-go] lead. The player itself is film.js.
"use strict";
(() => {
  const of = document.body.dataset;
  let asked = null;

  const take = (page) => {
    for (const part of document.querySelectorAll("[data-part]")) {
      const made = page.getElementById(part.id);
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

  // A number that was typed leads there; after that the arrows step on.
  const typed = document.getElementById("go");
  typed?.form.addEventListener("submit", () => typed.blur());

  // A piece opens its sheet: what its own page says of it, over the board.
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
  document.addEventListener("keydown", (event) => {
    const piece = event.key === "Enter" && event.target.closest?.(".board [data-t]");
    if (piece) open(piece.dataset.t);
  });

  document.addEventListener("moment", async ({detail: entry}) => {
    asked?.abort();
    asked = new AbortController();
    try {
      const url = of.moment.split("?")[0].replace("{n}", entry) + location.search;
      const answer = await fetch(url, {signal: asked.signal});
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok && of.state !== "sealed" && +of.at === +entry) take(page);
    } catch { /* another moment is asked for by now, or there is no net: the board stays right, the rest waits */ }
  });
})();
