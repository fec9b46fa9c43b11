// Counts the unsent lines of the recorder on this device, for the sign-in and sign-out pages. Only the recorder page
// shows their text, and only to their author.
"use strict";
document.addEventListener("DOMContentLoaded", async () => {
  const read = () => new Promise((done) => {
    const request = indexedDB.open("recorder", 1);
    request.onupgradeneeded = () => request.transaction.abort();  // no lines are stored, so create no database
    request.onerror = () => done([]);
    request.onsuccess = () => {
      const all = request.result.transaction("lines").objectStore("lines").getAll();
      all.onsuccess = () => { request.result.close(); done(all.result); };
    };
  });
  const readTap = () => {  // an unsent tap on the player page, in this tab
    try {
      const tap = JSON.parse(sessionStorage.tap);
      return [{who: tap.viewer, match: decodeURIComponent(tap.path.split("/").at(-1))}];
    } catch { return []; }
  };
  const show = (lines) => document.querySelectorAll("[data-kept]").forEach((part) => {
    const counts = {};
    for (const {who, match} of lines) counts[JSON.stringify([who, match])] = (counts[JSON.stringify([who, match])] || 0) + 1;
    part.hidden = !lines.length;
    part.querySelector("ul").replaceChildren(...Object.entries(counts).map(([key, n]) => {
      const [who, match] = JSON.parse(key), item = document.createElement("li");
      item.textContent = part.dataset.words.replace("{n}", n).replace("{who}", () => who).replace("{match}", match);
      return item;
    }));
  });
  document.querySelector("[data-out]")?.addEventListener("submit", async (event) => {
    if (event.submitter?.name === "keep") return;
    event.preventDefault();
    const form = event.target, lines = [...await read(), ...readTap()];
    show(lines);
    if (lines.length) {
      const asks = document.getElementById("out-asks");
      asks.hidden = false;
      asks.focus();
    } else {
      indexedDB.deleteDatabase("recorder");
      form.submit();
    }
  });
  show([...await read(), ...readTap()]);
});
