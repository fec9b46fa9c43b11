// Timeline player: shows a match as one viewer sees it, entry by entry. It knows no rules and needs to hide nothing,
// because hidden information is never sent. docs/player.md describes its interface.
"use strict";
(() => {
  const CHUNK = 128, REST = 250, SAID = 400, AGAIN = 1000, GONE = [401, 403, 404];
  const root = document.documentElement, of = document.body.dataset;
  const all = (selector, call) => document.querySelectorAll(selector).forEach(call), id = (name) => document.getElementById(name);
  const scrub = id("scrub"), log = id("log"), cursor = id("cursor");

  let head = +of.head, at = +of.at, wanted = at, frame, rest, sayTimer, jump, version, sealed;
  let steps, full, lines, says, loads, parsed, shown;
  const forget = () => {
    steps = [], lines = [], says = [], shown = {};
    full = new Set(), loads = new Map(), parsed = new Map();
  };
  forget();

  const read = (html) => {
    if (!parsed.has(html)) parsed.set(html, Object.assign(document.createElement("template"), {innerHTML: html}));
    return parsed.get(html).content.firstElementChild;
  };

  // Replace changed elements only.
  const patch = (old, made) => {
    const parts = [...old.children], n = parts.length;
    if (old.isEqualNode(made)) return;
    if (n && [old.childNodes, made.childNodes, made.children].every(({length}) => length === n)
      && old.cloneNode().isEqualNode(made.cloneNode())) parts.forEach((part, i) => patch(part, made.children[i]));
    else old.replaceWith(made.cloneNode(true));
  };

  // All strips after entry n, each by its last change; undefined while some are missing.
  const strips = (n) => {
    const found = {};
    for (; steps[n]; n--) {
      for (const key in steps[n]) found[key] ??= steps[n][key];
      if (full.has(n)) return found;
    }
  };

  const load = (n) => {
    const first = n - (n - 1) % CHUNK;
    if (n < 1 || n > head || sealed) return;
    if (!loads.has(first)) loads.set(first, fetch(`${of.film}&from=${first}`).then(async (answer) => {
      if (!answer.ok) throw answer;
      const film = await answer.json();
      if (sealed) return;
      if (film.v !== (version ??= film.v)) location.reload();
      film.at.forEach((changed, i) => {
        const k = film.first + i;
        steps[k] = Object.fromEntries(Object.entries(changed).map(([key, row]) => [key, film.rows[row]]));
        lines[k] = film.log[i];
        says[k] = film.says[i];
      });
      full.add(first);
      if (film.last < Math.min(first + CHUNK - 1, head)) loads.delete(first);
      list();
    }).catch((answer) => {
      loads.delete(first);
      if (GONE.includes(answer.status)) document.dispatchEvent(new CustomEvent("live", {detail: {kind: "sealed"}}));
      else setTimeout(() => { if (wanted !== at) requestDraw(); }, AGAIN);
    }));
    return loads.get(first);
  };

  const ahead = async () => {
    await load(at + CHUNK);
    await load(at - CHUNK);
    for (let k = 1; k <= head && !navigator.connection?.saveData; k += CHUNK) {
      await new Promise((go) => (window.requestIdleCallback || setTimeout)(go));
      await load(k);
    }
  };

  const board = (strips) => {
    const focus = document.activeElement;
    for (const key in strips) {
      const old = shown[key] !== strips[key] && document.querySelector(`[data-strip="${CSS.escape(key)}"]`);
      if (old) patch(old, read(strips[key]));
    }
    shown = strips;
    document.dispatchEvent(new CustomEvent("drawn", {detail: !focus.isConnected}));
  };

  const list = () => {
    if (!log) return;
    const existing = {}, rows = [];
    for (const row of log.children) existing[row.dataset.n] = row;
    let first = at, last = at;
    for (let n = log.dataset.before; n > 0 && first > 1;) if (lines[--first] !== "") n--;
    for (let n = log.dataset.after; n > 0 && last < head;) if (lines[++last] !== "") n--;
    for (let k = first; k <= last; k++) {
      const row = existing[k] || (lines[k] && read(lines[k]).cloneNode(true));
      if (!row) continue;
      if (k === at) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
      rows.push(row);
    }
    for (const row of [...log.children]) if (!rows.includes(row)) row.remove();
    rows.forEach((row, i) => row === log.children[i] || log.insertBefore(row, log.children[i]));
  };

  // Layout is read before anything is written.
  const follow = () => {
    const box = log?.getBoundingClientRect(), place = log?.querySelector("[aria-current]")?.getBoundingClientRect();
    if (place) log.scrollTop += Math.min(0, place.top - box.top) + Math.max(0, place.bottom - box.bottom);
  };

  const showPosition = () => {
    all("[data-shows=at]", (part) => { part.textContent = at; });
    all("[data-shows=head]", (part) => { part.textContent = head; });
    all("[data-news]", (part) => {
      part.hidden = at >= head;
      part.textContent = part.dataset.words.replace("{n}", head - at);
    });
    cursor?.setAttribute("x", `${100 * (at - 1) / head}%`);
    cursor?.setAttribute("width", `${100 / head}%`);
    if (!scrub) return;
    scrub.max = head;
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", says[at] || at);
  };

  // One update per animation frame, to the latest entry wanted.
  const draw = () => {
    frame = 0;
    const n = wanted, target = strips(n);
    if (sealed) return;
    if (!target) return load(n).then(() => { if (n === wanted && strips(n)) requestDraw(); });
    follow();
    of.at = at = n;
    board(target);
    list();
    showPosition();
    if (loads.size * CHUNK < head) ahead();
    clearTimeout(rest);
    rest = setTimeout(settle, REST);
    clearTimeout(sayTimer);
    sayTimer = setTimeout(() => all("[data-shows=say]", (part) => { part.textContent = says[at] || ""; }), SAID);
  };
  const requestDraw = () => { of.state = "moving"; frame ||= requestAnimationFrame(draw); };

  const settle = () => {
    const place = new URL(of.moment.replace("{n}", at), location);
    place.hash = location.hash;
    if (place.href !== location.href) history[jump ? "pushState" : "replaceState"]({n: at}, "", place);
    jump = false;
    follow();
    of.state = "rest";
    document.dispatchEvent(new CustomEvent("moment", {detail: at}));
  };

  const go = (n, far) => {
    wanted = Math.max(1, Math.min(head, n));
    jump ||= far;
    if (wanted !== at || of.fact) requestDraw(); else showPosition();
    delete of.fact;
  };

  const actions = {first: () => go(1, true), back: () => go(wanted - 1), next: () => go(wanted + 1)};
  actions.last = actions.live = () => go(head, true);
  for (const name of ["turn", "stop", "finding"]) for (const [end, way] of [["back", -1], ["next", 1]]) actions[`${name}-${end}`] = () => {
    const stops = (scrub?.dataset[`${name}s`] || "").split(" ").filter((n) => n && way * (n - wanted) > 0);
    if (stops.length) go(Math.min(...stops.map((n) => way * n)) * way, true);
  };

  const keys = {
    ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
    k: "back", j: "next", "[": "stop-back", "]": "stop-next", n: "finding-next", p: "finding-back", ".": "live",
  };
  addEventListener("keydown", (event) => {
    const key = event.key, letter = key.length === 1;
    if (event.defaultPrevented || event.isComposing || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select")) return;
    if (letter && (root.dataset.keys === "off" || event.ctrlKey)) return;
    const far = letter || !key.startsWith("Arrow") ? "" : event.shiftKey ? "fact-" : event.ctrlKey ? "turn-" : "";
    const name = keys[key] && far + keys[key];
    const part = document.querySelector(name ? `a[data-go=${name}]` : letter && `[data-key="${CSS.escape(key)}"]`);
    if (!actions[name] && !part) return;
    event.preventDefault();
    if (actions[name]) actions[name](); else if (part.matches("input")) part.select(); else part.click();
  });

  addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || sealed) return;
    const part = event.target.closest("[data-go], [data-to], #log .n");
    const n = part?.dataset.to || part?.closest("#log li")?.dataset.n, way = actions[part?.dataset.go];
    if (!n && !way) return;
    event.preventDefault();
    if (n) go(+n, true); else way();
  });
  addEventListener("submit", (event) => {
    const n = event.target.matches("[data-go-to]") && event.target.querySelector("input").value.normalize("NFKC").replace("#", "");
    if (!(n > 0 && n % 1 === 0)) return;
    event.preventDefault();
    go(+n, true);
  });
  scrub?.addEventListener("input", () => go(+scrub.value));
  addEventListener("popstate", (event) => {
    clearTimeout(rest);
    if (event.state) go(event.state.n);
  });

  // When the seal is restored, remove all content from memory and from the board.
  const empty = () => {
    sealed = true;
    forget();
    clearTimeout(rest);
    clearTimeout(sayTimer);
    all("[data-strip], [data-shows=say], #log", (part) => part.replaceChildren());
    scrub?.removeAttribute("aria-valuetext");
  };

  document.addEventListener("live", ({detail: {kind, data}}) => {
    if (kind === "sealed") return empty();
    if (sealed || data.n <= head) return;
    const newest = wanted === head;
    if (kind === "gap") loads.delete(head - (head - 1) % CHUNK);
    else [steps[data.n], lines[data.n], says[data.n]] = [data.strips, data.log, data.say];
    if (kind === "rewound") {  // earlier lines read differently now
      lines = [];
      loads.clear();
      log?.replaceChildren();
    }
    of.head = head = data.n;
    if (newest) go(head); else showPosition();
    list();
    load(at);
  });

  history.replaceState({n: at}, "");
  load(at).then(() => {
    if (!of.fact) shown = strips(at) || {};
    showPosition();
    of.state ||= "rest";
    root.dataset.ready = "yes";
    ahead();
  });
})();
