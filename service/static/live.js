// A match as it goes on: each event of its stream is said as `live` on the document, with {kind, data}. A spectator's
// page that nobody looks at lets go of its stream; one with other eyes listens on, to be told when the seal is back.
// Whoever learns that it is says so as `sealed`, and nothing of what was seen stays on the page.
"use strict";
(() => {
  const of = document.body.dataset, AGAIN = 5000;
  let source, head = +of.head, heard = Date.now(), again, over = !of.live;

  const stale = (is) => document.querySelectorAll("[data-stale]").forEach((bar) => {
    bar.hidden = !is;
    bar.textContent = bar.dataset.words.replace("{n}", Math.round((Date.now() - heard) / 1000));
  });
  const well = () => { heard = Date.now(); stale(false); };
  const say = (kind, data) => document.dispatchEvent(new CustomEvent("live", {detail: {kind, data}}));
  const close = () => { clearTimeout(again); source?.close(); source = null; };
  const end = () => say("sealed");
  document.addEventListener("live", ({detail: {kind}}) => {
    if (kind !== "sealed") return;
    over = true;
    close();
    stale(false);
    document.querySelectorAll(of.film ? "[data-private]" : "[data-private], main > :not([data-sealed], [data-unsent])").forEach((part) => part.remove());
    document.querySelectorAll("[data-sealed]").forEach((part) => { part.hidden = false; });
    delete of.broken;
    of.state = "sealed";
  });
  if (of.sealIn) setTimeout(end, of.sealIn);

  const open = () => {
    if (source || over || (document.hidden && of.viewer === "spectator")) return;
    source = new EventSource(`${of.live}&after=${head}`);
    source.onopen = well;
    for (const kind of ["entry", "rewound", "gap"]) source.addEventListener(kind, (event) => {
      const data = JSON.parse(event.data);
      well();
      if (data.n <= head) return;
      head = data.n;
      say(kind, data);
    });
    source.addEventListener("sealed", end);
    source.onerror = async () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();  // refused, and not told why: a film or the page would be refused alike
      const answer = await fetch(of.film ? `${of.film}&from=${head}` : location).catch(() => 0);
      if ([401, 403, 404].includes(answer.status)) end(); else again = setTimeout(open, AGAIN);
    };
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) { heard = Date.now(); open(); } else if (of.viewer === "spectator") close();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  addEventListener("offline", () => stale(!over));
  setInterval(() => {
    const well = over || document.hidden || source?.readyState === EventSource.OPEN && navigator.onLine;
    stale(!well && Date.now() - heard > AGAIN);
  }, AGAIN);
  open();
})();
