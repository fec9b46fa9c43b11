// Player page. On an event of the stream (live.js) the changed parts are fetched again. For a moment after that, taps
// are ignored, since they may have been meant for the old content. A tap is stored on this device until it is
// answered, and sent again under the same id. Until then its button shows that it is being sent, and other taps only
// flash.
"use strict";
(() => {
  const HELD = 700, AGAIN = 3000, LATE = 15000, base = document.title, unsent = document.getElementById("unsent");
  const of = document.body.dataset, path = location.pathname;
  let asked = null, tap = null, timer, held = true, signedOut = false, pressed = null;

  const saveTap = () => {
    try { if (tap) sessionStorage.tap = JSON.stringify(tap); else delete sessionStorage.tap; } catch { /* storage is unavailable */ }
  };
  const loadTap = () => { try { return JSON.parse(sessionStorage.tap); } catch { return null; } };

  const markTitle = () => { document.title = (document.querySelector("#turn[data-own]") ? "● " : "") + base; };
  const lock = () => [...document.forms].forEach((form) => { form.inert = held || !!tap; });
  const ignoreTaps = () => {
    held = true;
    lock();
    setTimeout(() => { held = false; lock(); }, HELD);
  };
  const replaceParts = (page) => {
    const own = document.querySelector("#turn[data-own]");
    for (const part of document.querySelectorAll("[data-part]")) {
      const made = page.getElementById(part.getAttribute("id"));
      if (made) part.replaceWith(made);
    }
    ignoreTaps();
    markTitle();
    if (!own && document.querySelector("#turn[data-own]")) navigator.vibrate?.(200);
  };
  const read = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

  const press = (button) => {
    pressed = button;
    button.ariaBusy = "true";
    button.append(Object.assign(document.createElement("small"), {role: "status", textContent: unsent.dataset.sending}));
  };
  const release = () => {
    pressed?.lastChild.remove();
    pressed?.removeAttribute("aria-busy");
    pressed = null;
  };
  const end = () => {
    tap = null;
    release();
    saveTap();
    unsent.hidden = true;
  };
  const showState = (why, line = "") => {
    unsent.hidden = false;
    unsent.firstElementChild.textContent = unsent.dataset[why].replace("{line}", () => line);
    unsent.querySelectorAll("button").forEach((button) => { button.hidden = !tap; });
  };
  const send = async () => {
    clearTimeout(timer);
    const mine = tap;
    asked?.abort();
    try {
      const answer = await fetch(path, {method: "POST", body: new URLSearchParams(mine.body), signal: AbortSignal.timeout(LATE)});
      if (answer.status === 429 || answer.status >= 500) throw answer;
      const page = await read(answer), shown = page.getElementById("turn"), refused = /40[13]/.test(answer.status) && !shown;
      if (tap !== mine) return;
      if (refused && !answer.redirected) return showState("out");
      end();
      if (signedOut || refused) return showState(answer.redirected ? "done" : "refused");  // only a recorded action redirects
      if (!shown) return document.querySelector("main").replaceWith(page.querySelector("main"));
      history.replaceState(null, "", answer.url);
      replaceParts(page);
      const line = document.getElementById("line"), made = page.getElementById("line");
      if (line && made) line.value = made.value;
    } catch {
      if (tap !== mine) return;
      if (signedOut) return showState("out");
      showState("words", mine.words);
      timer = setTimeout(send, AGAIN);
    }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target, by = event.submitter;
    if (form.method !== "post" || new URL(form.action).pathname !== path) return;
    event.preventDefault();
    if (tap) return;
    const body = [...new FormData(form)];
    if (by?.name) body.push([by.name, by.value]);
    tap = {path, viewer: of.viewer, body, words: form.elements.line?.value || by?.textContent.trim() || ""};
    saveTap();
    if (by) press(by);
    lock();
    send();
  });
  document.addEventListener("click", ({target}) => {
    if ((tap || held) && !target.closest("a, button, summary")) (pressed || target).animate([{opacity: .3}, {opacity: 1}], HELD / 2);
    if (!tap) return;
    if (target.closest("[data-again]")) send();
    if (target.closest("[data-drop]")) { end(); location.reload(); }
  });
  addEventListener("online", () => { if (tap && !signedOut) send(); });

  document.addEventListener("live", async ({detail: {kind}}) => {
    asked?.abort();
    if (kind === "sealed") {  // the tap waits for the next sign-in; its text is hidden with the hand
      signedOut = true;
      clearTimeout(timer);
      return tap && showState("out");
    }
    if (tap) return;  // the response brings the new page
    const mine = asked = new AbortController();
    const answer = await fetch(location, {signal: mine.signal}).catch(() => null);
    if (!answer?.ok) return;
    const page = await read(answer);
    if (mine === asked && !mine.signal.aborted) replaceParts(page);
  });
  markTitle();
  ignoreTaps();
  tap = loadTap();
  if (tap && (tap.path !== path || tap.viewer !== of.viewer)) tap = null;
  if (tap) send();
})();
