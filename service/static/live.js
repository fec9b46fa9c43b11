// Event stream of a match. Each event is dispatched on the document as `live` with {kind, data}. A background page closes
// its stream if its viewer is the spectator. Other viewers stay connected to learn when the seal is restored: then
// `sealed` is dispatched, and the page removes all content.
"use strict";
(() => {
  const of = document.body.dataset, AGAIN = 5000;
  let source, head = +of.head, heard = Date.now(), again, over = !of.live;

  const showStale = (is) => document.querySelectorAll("[data-stale]").forEach((bar) => {
    bar.hidden = !is;
    bar.textContent = bar.dataset.words.replace("{n}", Math.round((Date.now() - heard) / 1000));
  });
  const well = () => { heard = Date.now(); showStale(false); };
  const dispatch = (kind, data) => document.dispatchEvent(new CustomEvent("live", {detail: {kind, data}}));
  const close = () => { clearTimeout(again); source?.close(); source = null; };
  const end = () => dispatch("sealed");
  document.addEventListener("live", ({detail: {kind}}) => {
    if (kind !== "sealed") return;
    over = true;
    close();
    showStale(false);
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
      dispatch(kind, data);
    });
    source.addEventListener("sealed", end);
    source.onerror = async () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();  // EventSource does not expose the status, so send an ordinary request
      const answer = await fetch(of.film ? `${of.film}&from=${head}` : location).catch(() => 0);
      if ([401, 403, 404].includes(answer.status)) end(); else again = setTimeout(open, AGAIN);
    };
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) { heard = Date.now(); open(); } else if (of.viewer === "spectator") close();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  addEventListener("offline", () => showStale(!over));
  setInterval(() => {
    const well = over || document.hidden || source?.readyState === EventSource.OPEN && navigator.onLine;
    showStale(!well && Date.now() - heard > AGAIN);
  }, AGAIN);
  open();
})();
