// The recorder. Lines are kept on this device first, then go out in order, each on the head that the last answer gave;
// none is dropped before its answer. Each answer says what may be typed.
"use strict";
(() => {
  const form = document.getElementById("entry"), of = document.body.dataset;
  const AGAIN = 1500, LATE = 15000, STANDING = 20000, SHOWN = 9;
  const at = (id) => document.getElementById(id), all = (what) => [...document.querySelectorAll(what)];
  const make = (tag, inside) => {
    const made = document.createElement(tag);
    made.append(inside);
    return made;
  };

  const opened = new Promise((done, failed) => {
    const request = indexedDB.open("recorder", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lines", {keyPath: ["match", "n", "id"]});
      request.result.createObjectStore("heads");
    };
    request.onsuccess = () => done(request.result);
    request.onerror = failed;
  });
  const keep = async (change) => {
    const base = await opened.catch(() => null);
    return base && new Promise((done) => {
      const work = base.transaction(["lines", "heads"], "readwrite", {durability: "strict"});
      const asked = change(work.objectStore("lines"), work.objectStore("heads"));
      work.oncomplete = work.onabort = () => done(asked?.result);
    });
  };
  const later = (change) => { saving = saving.then(() => keep(change)); };
  const mine = IDBKeyRange.bound([of.match], [of.match, []]);
  const wipe = () => keep((lines, heads) => { lines.delete(mine); heads.delete(of.match); });
  if (!form) return "closed" in of && wipe();

  const line = form.elements.line;
  let queue = [], head = of.head, saving = keep(() => 0), busy = false, off = false, halted = "", changing = false, last = "", timer;
  let offers = [], firsts = [], shown = [];
  const key = (each) => [each.match, each.n, each.id];
  const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

  const plain = (text) => text.normalize("NFKC").trim().toLowerCase();
  const bare = (text) => text.replace(/^\S+?:\s*/, "");
  const starts = (offer, text) => [offer.value, bare(offer.value), offer.dataset.words].some((said) => plain(said).startsWith(text));
  const isWhole = (text) => /\s/.test(text.replace(/^(\S+:|p\d)\s*/, ""));
  const show = () => {
    const text = plain(line.value), keyed = offers.filter((each) => each.dataset.key === text);
    const fitting = text ? [...keyed, ...offers.filter((each) => !keyed.includes(each) && starts(each, text))] : firsts;
    shown = queue.length || halted ? [] : fitting.slice(0, SHOWN);
    at("offers").replaceChildren(...shown.map((each, number) => {
      const button = each.cloneNode(true);
      button.prepend(make("kbd", number + 1));
      return make("li", button);
    }));
  };
  const index = () => {
    offers = all("#all [name=take]");
    firsts = all("#offers [name=take]").map((first) => offers.find((each) => each.value === first.value) || first);
  };

  const paint = () => {
    const state = at("state"), number = queue.length, words = halted || (number ? state.dataset[off ? "offline" : "sending"] : "");
    state.textContent = words.replace("{n}", number);
    const unread = !!at("unread").firstElementChild;  // its line stands in the card, and those after it wait below
    at("stuck").hidden = !(halted || off) || number <= unread || !!at("conflict").firstElementChild;
    at("stuck-do").hidden = !halted || unread;
    const ids = queue.map((each) => each.id).join();
    for (const list of all("[data-mine]")) {
      if (list.dataset.ids === ids) continue;  // what is asked in the list stays open
      list.dataset.ids = ids;
      list.replaceChildren(...queue.map((each) => {
        const item = make("li", make("span", each.do === "call" ? `◆ ${each.text}` : each.text || "…"));
        if (list.closest("#stuck")) item.append(at("back").content.cloneNode(true));
        return item;
      }));
    }
    document.body.dataset.waiting = number;
    show();
  };
  const take = (page) => {
    for (const part of all("[data-part]")) {
      const made = page.getElementById(part.getAttribute("id"));
      if (part.open) made.open = true;
      if (made) part.replaceWith(made);
    }
    all("[data-needs-script]").forEach((part) => { part.hidden = false; });
    index();
    at("face")?.focus();
  };

  const post = async (body) => {
    const answer = await fetch(form.action, {method: "POST", body: new URLSearchParams({...body, who: of.who}), signal: AbortSignal.timeout(LATE)});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status === 429 || answer.status >= 500 || answer.ok && page.body.dataset.match !== of.match) throw answer;
    return {answer, page};
  };
  const pump = async () => {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    await saving;
    while (queue.length && !halted) {
      const next = queue[0];
      try {
        const {answer, page} = await post({id: next.id, head, line: next.text, do: next.do, asks: queue.length === 1});
        off = false;
        const held = queue.includes(next);
        if (answer.ok) {
          head = page.body.dataset.head;
          queue = queue.filter((each) => each !== next);
          await keep((lines, heads) => { lines.delete(key(next)); heads.put(head, of.match); });
          const sure = page.querySelector("#ending[data-confirm] h2");
          if (sure && queue.length) halted = sure.textContent;  // what follows waits for the answer
        } else if (!held) {
          continue;
        } else {
          halted = /40[13]/.test(answer.status) && at("state").dataset.out || page.querySelector("#conflict h2, #unread h2, .over, .state h1").textContent;
        }
        if (page.body.dataset.match) take(page);
        if (at("unread").firstElementChild) changeFirst();
        if ("closed" in page.body.dataset) wipe();
      } catch {
        off = true;
        timer = setTimeout(pump, AGAIN);
        break;
      }
      paint();
    }
    busy = false;
    paint();
  };
  const send = (text, what = "") => {
    line.value = "";
    if (halted && what === "call") return callNow(text);
    if (changing) return resendFirst({id: uuid(), text, do: what});
    const next = {id: uuid(), match: of.match, who: of.who, n: Math.max(Date.now(), (queue.at(-1)?.n || 0) + 1), text, do: what};
    last = text || last;
    queue.push(next);
    const known = queue.length === 1 && head;
    later((lines, heads) => { lines.add(next); if (known) heads.put(known, of.match); });
    paint();
    pump();
  };
  // A line that could not be read stays first in the queue, and its text in the field, until it is changed or a note.
  const changeFirst = () => {
    changing = true;
    if (!line.value) line.value = queue[0].text;
  };
  const closeCard = () => {
    changing = false;
    halted = at("unread").className = "";
    at("unread").replaceChildren();
  };
  const resendFirst = async (change) => {
    const before = queue[0], next = queue[0] = {...before, ...change};
    closeCard();
    line.value = "";
    later((lines) => { lines.delete(key(before)); lines.add(next); });
    pump();
  };
  // Up brings back the text of an unread line that was left out.
  const takeBack = (gone) => {
    const answers = changing && gone === queue[0];
    queue = queue.filter((each) => each !== gone);
    later((lines) => { lines.delete(key(gone)); });
    if (answers) {
      closeCard();
      last = gone.text;
      if (line.value === last) line.value = "";
      line.focus();
    }
    paint();
    if (answers) pump();
  };
  const callNow = async (text) => {
    const lines = text || queue.map((each) => each.text).join("; ");
    const done = await post({id: uuid(), head, line: lines.slice(0, line.maxLength), do: "call"}).catch(() => null);
    const state = at("state"), {called, offline} = state.dataset;
    state.textContent = done?.answer.ok ? called : offline.replace("{n}", queue.length);
  };
  const resolve = async (how) => {
    if (how === "call") return callNow("");
    if (how === "drop") { queue = []; await wipe(); location.reload(); return; }
    if (how === "note") return resendFirst({do: "note"});
    if (how === "change") { line.value = queue[0].text; line.focus(); return; }
    if (how === "unrecorded") return takeBack(queue[0]);
    const conflict = at("conflict");
    if (conflict.dataset.head) head = conflict.dataset.head;
    conflict.replaceChildren();
    halted = "";
    await keep((lines, heads) => { heads.put(head, of.match); });
    pump();
  };

  const askToDrop = () => {
    const asks = at("unread").lastElementChild;
    asks.open = true;
    asks.firstElementChild.focus();
  };
  // An empty Enter takes only what the server says is the one thing to do; nothing that ends the match is among it.
  const enter = () => {
    const text = plain(line.value), number = /^[1-9]$/.test(text) && shown.length === 0 ? firsts[text - 1] : null;
    const same = shown.find((each) => [plain(each.value), plain(bare(each.value))].includes(text));
    const alone = shown.find((each) => each.value === at("offers").dataset.alone);
    const pick = same || number || (!text ? alone : isWhole(text) ? null : shown[0]);
    if (changing && !text) return askToDrop();
    if (queue.length && (!text || number)) return;
    if (pick) send(pick.value); else if (text) send(line.value.trim());
  };
  line.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.repeat && /^[0-9]$/.test(event.key)) return event.preventDefault();
    if (event.key === "Enter") enter();
    else if (event.key === "Escape") { line.value = ""; show(); }
    else if (event.key === "ArrowUp") { line.value = last; show(); }
    else return;
    event.preventDefault();
  });
  line.addEventListener("input", (event) => {
    if (event.isComposing) return;
    const text = plain(line.value), pick = /[1-9]$/.test(text) && !isWhole(text) && shown[text.at(-1) - 1];
    if (pick && event.inputType === "insertText" && !of.seats.split(" ").includes(text) && !offers.some((each) => starts(each, text))) send(pick.value);
    else show();
  });
  line.addEventListener("compositionend", () => setTimeout(show));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const {name, value} = event.submitter || {};
    if (name === "take") send(value);
    else if (name === "do") send(line.value.trim(), value);
    else if (line.value.trim()) send(line.value.trim());
    line.focus();
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-answer]")) return;
    event.preventDefault();
    const {begins, line: answer} = event.target.elements;
    if (answer.value.trim()) send(`${begins.value.trim()} ${answer.value.trim()}`);
    line.focus();
  });
  document.addEventListener("click", (event) => {
    const [put, how, back, add] = ["put", "resolve", "back", "add"].map((what) => event.target.closest(`[data-${what}]`));
    if (put) { line.value = put.dataset.put; line.focus(); show(); }
    if (add) {  // in place of what another button of its slot put there
      const field = add.form.elements.line, slot = [...add.parentNode.children].map((each) => each.dataset.add);
      field.value = [...field.value.split(" ").filter((part) => part && !slot.includes(part)), add.dataset.add].join(" ");
      field.focus();
    }
    if (back) takeBack(queue[[...back.closest("ol").children].indexOf(back.closest("li"))]);
    if (how) { event.preventDefault(); resolve(how.dataset.resolve); }
  });
  at("close")?.addEventListener("submit", (event) => {
    if (queue.length) { event.preventDefault(); paint(); at("state").scrollIntoView(); } else wipe();
  });
  addEventListener("online", pump);
  // A call and a stopped clock are nobody's answer: they come by themselves. Nothing that is typed or sent changes.
  setInterval(async () => {
    if (document.hidden || busy || queue.length) return;
    const answer = await fetch(form.action, {signal: AbortSignal.timeout(LATE)}).catch(() => null);
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of page?.body?.dataset.match === of.match ? ["standing", "time"] : []) {
      if (at(id).outerHTML !== page.getElementById(id).outerHTML) at(id).replaceWith(page.getElementById(id));
    }
  }, STANDING);

  index();
  keep((lines) => lines.getAll(mine)).then(async (kept) => {
    queue = [...(kept || []).filter((each) => each.who === of.who), ...queue];
    const known = queue.length && await keep((lines, heads) => heads.get(of.match));
    if (known) head = known;
    paint();
    pump();
    document.body.dataset.ready = "yes";
  });
})();
