// A player's page: what is recorded elsewhere comes by the stream (live.js); then the parts that change are taken from
// the page as it is now. For a moment after that no tap is taken: it may have been meant for what stood there before.
"use strict";
(() => {
  const HELD = 700, base = document.title;
  let asked = null;

  const mark = () => { document.title = (document.querySelector("#turn[data-own]") ? "● " : "") + base; };
  const hold = () => {
    const forms = [...document.forms];
    forms.forEach((form) => { form.inert = true; });
    setTimeout(() => forms.forEach((form) => { form.inert = false; }), HELD);
  };
  const take = (page) => {
    const own = document.querySelector("#turn[data-own]");
    for (const part of document.querySelectorAll("[data-part]")) {
      const made = page.getElementById(part.getAttribute("id"));
      if (made) part.replaceWith(made);
    }
    hold();
    mark();
    if (!own && document.querySelector("#turn[data-own]")) navigator.vibrate?.(200);
  };

  document.addEventListener("live", async ({detail: {kind}}) => {
    asked?.abort();
    if (kind === "sealed") return;
    const mine = asked = new AbortController();
    const answer = await fetch(location, {signal: mine.signal}).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine === asked && !mine.signal.aborted) take(page);
  });
  mark();
  hold();
})();
