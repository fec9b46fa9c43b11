// Script of every page: theme, device storage, times, refresh and click guard. Timelines and streams have their own files.
"use strict";
(() => {
  const RENEW = 15000;
  const root = document.documentElement;
  const load = (name) => { try { return localStorage.getItem(name) || ""; } catch { return ""; } };
  const save = (name, value) => { try { localStorage.setItem(name, value); } catch { /* storage is unavailable */ } };

  const applySettings = () => {
    const theme = load("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme; else delete root.dataset.theme;
    root.dataset.keys = load("keys") === "off" ? "off" : "on";
  };
  applySettings();  // before the first paint

  const each = (selector, call) => document.querySelectorAll(selector).forEach(call);

  const switchTheme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    save("theme", dark ? "light" : "dark");
    applySettings();
  };

  const settings = (set) => {
    const name = set.dataset.setting;
    each(`[data-setting="${name}"] input`, (input) => {
      input.checked = input.value === (load(name) || set.querySelector("input").value);
      input.addEventListener("change", () => { save(name, input.value); applySettings(); });
    });
  };

  const submitInvitation = (sheet) => {
    const token = location.hash.slice(1);
    if (!token) return;
    history.replaceState(null, "", location.pathname);  // the invitation must not stay in the history
    sheet.elements.invitation.value = decodeURIComponent(token);
    sheet.requestSubmit();
  };

  // Convert UTC times to the browser's time zone, with its name. Times in the event's zone are not changed.
  const SHOWS = {day: "d", date: "dmz", minute: "mz", second: "sz", log: "s"};
  const pad = (number) => String(number).padStart(2, "0");
  const localise = (time) => {
    const at = new Date(time.dateTime), shows = SHOWS[time.dataset.form];
    delete time.dataset.form;
    if (!shows || isNaN(at)) return;
    const zone = Intl.DateTimeFormat(root.lang, {timeZoneName: "short"}).formatToParts(at).find((part) => part.type === "timeZoneName");
    time.title = at.toLocaleString(root.lang, {dateStyle: "medium", timeStyle: "long"});
    const minutes = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
    const parts = {
      d: `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`, m: minutes,
      s: `${minutes}:${pad(at.getSeconds())}`, z: zone?.value || "",
    };
    time.textContent = [...shows].map((part) => parts[part]).join(" ").trim();
  };
  const localiseIn = (part) => part.querySelectorAll("time[data-form]").forEach(localise);

  // Count down by this device's clock. A stopped clock keeps its value.
  const clockTime = (seconds) => {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return parts[0] ? `${parts[0]}:${pad(parts[1])}:${pad(parts[2])}` : `${parts[1]}:${pad(parts[2])}`;
  };
  const countTime = (part) => part.querySelectorAll("[data-end]").forEach((left) => {
    const seconds = Math.floor((left.dataset.end - (left.dataset.stands || Date.now())) / 1000);
    const words = (seconds < 0 ? left.dataset.over : left.dataset.left).replace("{time}", clockTime(Math.abs(seconds)));
    if (left.textContent === words) return;
    left.textContent = words;
    left.classList.toggle("over", seconds < 0);
  });

  // Refresh live lists periodically while the page is visible.
  const renew = async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    localiseIn(page);
    countTime(document);
    countTime(page);
    each("[data-refresh]", (old) => {
      const made = page.getElementById(old.id);
      if (!made) { location.reload(); return; }  // the server now sends a different page
      if (made.innerHTML === old.innerHTML || old.contains(document.activeElement)) return;
      old.className = made.className;
      old.replaceChildren(...made.childNodes);
    });
  };

  // A quick second click at the same spot is ignored, on this page and the next: the content may have moved under the
  // pointer. A key held down presses a button only once.
  const WRITES = "form[method=post] button, [data-resolve], [data-put], .recorder a";
  const GUARD_MS = 700, SPOT_PX = 24;
  const lastClick = () => { try { return JSON.parse(sessionStorage.getItem("click")) || {}; } catch { return {}; } };
  let clicked = lastClick();
  addEventListener("click", (event) => {
    if (!event.detail) return;  // from the keyboard
    const now = {at: Date.now(), x: event.screenX, y: event.screenY};
    const part = event.target.closest(WRITES);
    const again = part && now.at - clicked.at < GUARD_MS && Math.hypot(now.x - clicked.x, now.y - clicked.y) < SPOT_PX;
    if (again) {  // time counts from the last accepted click; an ignored click flashes
      event.preventDefault();
      event.stopImmediatePropagation();
      part.animate([{opacity: .3}, {opacity: 1}], GUARD_MS / 2);
      return;
    }
    clicked = now;
    try { sessionStorage.setItem("click", JSON.stringify(now)); } catch { /* storage is unavailable */ }
  }, true);
  addEventListener("keydown", (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " " && event.target.closest(WRITES))) event.preventDefault();
  }, true);

  document.addEventListener("DOMContentLoaded", () => {
    localiseIn(document);
    countTime(document);
    setInterval(() => countTime(document), 1000);
    new MutationObserver(() => { localiseIn(document); countTime(document); }).observe(document.body, {childList: true, subtree: true});
    each("[data-zone]", (field) => { field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || ""; });
    each("[data-needs-script], [data-theme-switch], [data-copy]", (part) => { part.hidden = false; });
    each("[data-theme-switch]", (button) => button.addEventListener("click", switchTheme));
    each("[data-setting]", settings);
    each("[data-keep-fragment]", (link) => link.addEventListener("click", () => { link.hash = location.hash; }));
    each("[data-come-in]", submitInvitation);
    each("[data-copy]", (button) => button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(new URL(button.dataset.copy, location.href).href);
      button.textContent = button.dataset.copied;
    }));
    // One menu at a time. Escape closes it and returns the focus.
    each("details.menu", (menu) => {
      menu.addEventListener("toggle", () => {
        if (menu.open) each("details.menu[open]", (open) => { if (open !== menu) open.open = false; });
      });
      menu.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); }
      });
    });
    if (document.querySelector("[data-refresh]")) setInterval(renew, RENEW);
    if (!document.body.dataset.film) root.dataset.ready = "yes";  // else the timeline player sets it
  });
})();
