// Recorder page. Lines are stored on this device, then sent in order, each on the head of the last response. No line is
// dropped before its response. Each response brings new offers, and a line typed ahead is parsed when its turn comes.
// While a line is being sent, the page does not change and taps are ignored. Entries of others arrive by live.js.
"use strict";
(() => {
  const form = document.getElementById("entry"), of = document.body.dataset;
  const AGAIN = 1500, LATE = 15000, STANDING = 20000, HELD = 700, SHOWN = 9;
  const at = (id) => document.getElementById(id), all = (what) => [...document.querySelectorAll(what)];
  const make = (tag, inside) => {
    const made = document.createElement(tag);
    made.append(inside);
    return made;
  };

  const database = new Promise((done, failed) => {
    const request = indexedDB.open("recorder", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lines", {keyPath: ["match", "n", "id"]});
      request.result.createObjectStore("heads");
    };
    request.onsuccess = () => done(request.result);
    request.onerror = failed;
  });
  const transact = async (change) => {
    const base = await database.catch(() => null);
    return base && new Promise((done) => {
      const work = base.transaction(["lines", "heads"], "readwrite", {durability: "strict"});
      const asked = change(work.objectStore("lines"), work.objectStore("heads"));
      work.oncomplete = work.onabort = () => done(asked?.result);
    });
  };
  const save = (change) => { saving = saving.then(() => transact(change)); };
  const mine = IDBKeyRange.bound([of.match], [of.match, []]);
  const deleteLines = () => transact((lines, heads) => { lines.delete(mine); heads.delete(of.match); });
  if (!form) return "closed" in of && deleteLines();

  const line = form.elements.line;
  let queue = [], head = of.head, saving = transact(() => 0), busy = false, off = false, halted = "", changing = false, last = "", timer;
  let offers = [], firsts = [], shown = [], seen = head, news = 0, changed = 0, pressed = false, held;
  const key = (each) => [each.match, each.n, each.id];
  const isLeft = () => halted && halted === at("state").dataset.left;
  const uuid = () => URL.createObjectURL(new Blob()).slice(-36);

  const plain = (text) => text.normalize("NFKC").trim().toLowerCase();
  const bare = (text) => text.replace(/^\S+?:\s*/, "");
  const starts = (offer, text) => [offer.value, bare(offer.value), offer.dataset.words].some((said) => plain(said).startsWith(text));
  const isWhole = (text) => /\s/.test(text.replace(/^(\S+:|p\d)\s*/, ""));
  const fitting = (text) => {
    const keyed = offers.filter((each) => each.dataset.key === text);
    return text ? [...keyed, ...offers.filter((each) => !keyed.includes(each) && starts(each, text))] : firsts;
  };
  const meant = (text) => {
    const fits = fitting(text), same = fits.filter((each) => [plain(each.value), plain(bare(each.value))].includes(text));
    const keyed = fits.filter((each) => each.dataset.key === text);
    const open = fits[0] && all("[data-put]").some((each) => fits[0].value.startsWith(each.dataset.put) && each.dataset.open);
    return same[0] ? [same[0]] : isWhole(text) ? [] : keyed[0] ? keyed : fits[1] || !open ? fits : [];
  };
  const putOf = (text) => all("[data-put]").find((each) => text && each.querySelector("kbd")?.textContent === text);
  const read = (typed) => {
    const [key, ...values] = typed.split(/\s+/), fits = meant(plain(typed)), put = values[0] && putOf(plain(key));
    return fits.length === 1 ? fits[0].value : put ? put.dataset.put + values.join(" ") : typed;
  };
  const isTyping = () => all("#line, [data-answer] [name=line]").some((each) => each.value);
  const show = (anew) => {
    const waits = queue.length && !halted;
    if (!queue.length && !isTyping()) head = seen;  // a line is sent on the head that was shown when typing began
    if (waits && !anew) return;
    shown = halted ? [] : fitting(waits ? "" : plain(line.value)).slice(0, SHOWN);
    at("offers").replaceChildren(...shown.map((each, number) => {
      const button = each.cloneNode(true);
      button.prepend(make("kbd", number + 1));
      return make("li", button);
    }));
  };
  const refuse = (part, why = "waits") => {
    part.animate([{opacity: .3}, {opacity: 1}], HELD / 2);
    if (!halted) at("state").textContent = at("state").dataset[why];
  };
  const index = () => {
    offers = all("#all [name=take]");
    firsts = all("#offers [name=take]").map((first) => offers.find((each) => each.value === first.value) || first);
  };

  const draw = () => {
    const state = at("state"), number = queue.length, words = halted || (number ? state.dataset[off ? "offline" : "sending"] : "");
    state.textContent = words.replace("{n}", number);
    const unread = !!at("unread").firstElementChild;  // the card shows its line; later lines wait below
    at("stuck").hidden = !(halted || off) || number <= unread || !!at("conflict").firstElementChild;
    at("stuck-do").hidden = !halted || unread;
    at("again").hidden = isLeft();
    const ids = queue.map((each) => each.id).join();
    for (const list of all("[data-mine]")) {
      if (list.dataset.ids === ids) continue;  // keep an open question in the list
      list.dataset.ids = ids;
      list.replaceChildren(...queue.map((each) => {
        const item = make("li", make("span", each.do === "call" ? `◆ ${each.text}` : each.answer?.face || each.text || "…"));
        if (list.closest("#stuck")) item.append(at("back").content.cloneNode(true));
        return item;
      }));
    }
    document.body.dataset.waiting = number;
    show();
  };
  // Unfinished input moves to the new field. Taps are ignored for a moment, since they were meant for the old content.
  const replaceParts = (page, live) => {
    const active = document.activeElement, field = at("face") || line;
    for (const part of all("[data-part]")) {
      const made = page.getElementById(part.getAttribute("id"));
      if (!made || live && (part.id === "told" || active.name === "line" && part.contains(active))) continue;
      if (part.open) made.open = true;
      part.replaceWith(made);
    }
    all("[data-needs-script]").forEach((part) => { part.hidden = false; });
    index();
    const next = at("face") || line, twin = active.isConnected ? null : at(active.id);
    if (next !== field) {
      next.value ||= field.value;
      if (field === line) line.value = "";
      next.focus();
    } else if (twin && twin.form?.elements.begins?.value === active.form?.elements.begins?.value) {
      twin.value = active.value;
      twin.focus();
    }
    show(true);
    of.held = "";
    clearTimeout(held);
    held = setTimeout(() => { delete of.held; }, HELD);
  };

  const post = async (body) => {
    const answer = await fetch(form.action, {method: "POST", body: new URLSearchParams({...body, who: of.who}), signal: AbortSignal.timeout(LATE)});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status === 429 || answer.status >= 500 || answer.ok && page.body.dataset.match !== of.match) throw answer;
    return {answer, page};
  };
  const sendQueue = async () => {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    await saving;
    while (queue.length && !halted) {
      const next = readFirst();
      if (!next) { halted = at("state").dataset.left; break; }
      await saving;
      if (queue[0] !== next) continue;
      try {
        const asks = queue.slice(1).every((each) => each.do === "face");
        const {answer, page} = await post({id: next.id, head, line: next.text, do: next.do, asks, ...next.answer});
        off = false;
        const waits = queue.includes(next);
        if (answer.ok) {
          head = seen = page.body.dataset.head;
          queue = queue.filter((each) => each !== next);
          await transact((lines, heads) => { lines.delete(key(next)); heads.put(head, of.match); });
          const sure = page.querySelector("#ending[data-confirm] h2");
          if (sure && queue.length) halted = sure.textContent;  // later lines wait for the answer
        } else if (!waits) {
          continue;
        } else {
          halted = /40[13]/.test(answer.status) && at("state").dataset.out || page.querySelector("#conflict h2, #unread h2, .over, .state h1").textContent;
        }
        if (page.body.dataset.match) replaceParts(page);
        if (at("unread").firstElementChild) changeFirst();
        if (at("asked-wrong") && (queue.length || at("face").value)) {  // typed for a later question
          if (at("face").value) add(at("face").value, "face", true);
          at("face").value = "";
          halted = at("state").dataset.left;
        }
        if ("closed" in page.body.dataset) deleteLines();
      } catch {
        off = true;
        timer = setTimeout(sendQueue, AGAIN);
        break;
      }
      draw();
    }
    busy = false;
    draw();
    catchUp();
  };
  const send = (text, what = "", typed = false, answer) => {
    line.value = "";
    if (halted && what === "call") return callNow(text);
    if (changing) return resendFirst({id: uuid(), text, do: what, typed, answer});
    last = text || last;
    add(text, what, typed);
    draw();
    sendQueue();
  };
  const takeOffer = (pick) => Date.now() - changed < HELD ? refuse(line, "changed") : send(pick.value);
  const add = (text, what, typed, first) => {
    const n = first && queue.length ? queue[0].n - 1 : Math.max(Date.now(), (queue.at(-1)?.n || 0) + 1);
    const next = {id: uuid(), match: of.match, who: of.who, n, text, do: what, typed};
    queue[first ? "unshift" : "push"](next);
    const known = queue.length === 1 && head;
    save((lines, heads) => { lines.add(next); if (known) heads.put(known, of.match); });
  };
  // Parse the first line as the answer to the question, or against the offers, and store the result. Null for an answer
  // without a question.
  const readFirst = () => {
    const next = queue[0], {line: asked, shows, stands} = at("asked").querySelector("form")?.elements || {};
    if (!next.typed) return next;
    if (!asked && next.do === "face") return null;
    const now = asked ? {text: asked.value, do: "", answer: {shows: shows.value, face: next.text, stands: stands.value}} : {text: read(next.text)};
    const done = queue[0] = {...next, ...now, typed: false};
    save((lines) => { lines.put(done); });
    return done;
  };
  // An unreadable line stays first in the queue and in the field until it is changed or recorded as a note.
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
    save((lines) => { lines.delete(key(before)); lines.add(next); });
    sendQueue();
  };
  // The Up key restores the text of an unread line that was left out.
  const takeBack = (gone) => {
    const answers = changing && gone === queue[0];
    queue = queue.filter((each) => each !== gone);
    save((lines) => { lines.delete(key(gone)); });
    if (!queue.length && !changing) halted = "";
    if (answers) {
      closeCard();
      last = gone.text;
      if (line.value === last) line.value = "";
      line.focus();
    }
    draw();
    if (answers) sendQueue(); else catchUp();
  };
  const callNow = async (text) => {
    const lines = text || queue.map((each) => each.text).join("; ");
    const done = await post({id: uuid(), head, line: lines.slice(0, line.maxLength), do: "call"}).catch(() => null);
    const state = at("state");
    state.textContent = state.dataset[done?.answer.ok ? "called" : "offline"].replace("{n}", queue.length);
  };
  const resolve = async (how) => {
    if (how === "call") return callNow("");
    if (how === "drop") {
      queue = [];
      await deleteLines();
      if (!at("face")) return location.reload();
      halted = "";
      draw();
      return catchUp();
    }
    if (how === "note") return resendFirst({do: "note"});
    if (how === "change") { line.value = queue[0].text; line.focus(); return; }
    if (how === "unrecorded") return takeBack(queue[0]);
    const conflict = at("conflict");
    if (conflict.dataset.head) head = seen = conflict.dataset.head;
    conflict.replaceChildren();
    halted = "";
    await transact((lines, heads) => { heads.put(head, of.match); });
    sendQueue();
  };

  const askToDrop = () => {
    at("unread").lastElementChild.open = true;
    at("unread").lastElementChild.firstElementChild.focus();
  };
  // An empty Enter takes only the single action that the server offers, which never ends the match.
  const enter = () => {
    const text = plain(line.value), number = /^[1-9]$/.test(text) && !fitting(text).length && firsts[text - 1];
    const pick = number || !text && firsts.find((each) => each.value === at("offers").dataset.alone);
    if (changing && !text) return askToDrop();
    const put = putOf(text);
    if (put) return put.click();
    if (text && !number) return meant(text)[1] ? refuse(line, "several") : send(line.value.trim(), "", true);
    if (queue.length) return refuse(line);
    if (pick) takeOffer(pick);
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
    const text = plain(line.value), pick = /[1-9]$/.test(text) && !isWhole(text) && !queue.length && shown[text.at(-1) - 1];
    if (pick && event.inputType === "insertText" && !of.seats.split(" ").includes(text) && !offers.some((each) => starts(each, text))) takeOffer(pick);
    else show();
  });
  line.addEventListener("compositionend", () => setTimeout(show));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const by = event.submitter || line, {name, value} = by;
    if (name === "take" || value === "pass") {
      if (queue.length && !changing) return refuse(by);
      head = seen;
      send(...name === "take" ? [value] : ["", value]);
    } else if (name === "do") send(line.value.trim(), value);
    else if (line.value.trim()) enter();
    line.focus();
  });
  document.addEventListener("submit", (event) => {
    const {target, submitter} = event, {face, begins, line: answer, shows} = target.elements;
    if (!face && !begins) return;
    event.preventDefault();
    const field = face || answer, unseen = submitter?.value, text = !unseen ? field.value.trim() : submitter.name === "area" ? unseen : "?";
    if (!text) return;
    const left = face && isLeft();  // lines typed ahead go after the answer to the repeated question
    if (face && halted && !left || unseen && queue.length && !left) return refuse(field);
    if (left) halted = "";
    field.value = "";
    if (!face) { send(`${begins.value.trim()} ${text}`, "", false, shows && {shows: shows.value}); return line.focus(); }
    add(text, "face", true, left);
    draw();
    sendQueue();
  });
  document.addEventListener("click", (event) => {
    const [put, how, back, part] = ["put", "resolve", "back", "add"].map((what) => event.target.closest(`[data-${what}]`));
    if (put) { line.value = put.dataset.put; line.focus(); show(); }
    if (part) {  // replace the value from another button of this slot
      const field = part.form.elements.line, slot = [...part.parentNode.children].map((each) => each.dataset.add);
      field.value = [...field.value.split(" ").filter((each) => each && !slot.includes(each)), part.dataset.add].join(" ");
      field.focus();
    }
    if (back) takeBack(queue[[...back.closest("ol").children].indexOf(back.closest("li"))]);
    if (how) { event.preventDefault(); resolve(how.dataset.resolve); }
    if ("held" in of && event.detail && event.target.closest("[data-part]")) refuse(event.target, "changed");
    if (queue.length && event.target.closest("#keys a")) { event.preventDefault(); refuse(event.target); }
  });
  at("close")?.addEventListener("submit", (event) => {
    if (queue.length) { event.preventDefault(); draw(); at("state").scrollIntoView(); return; }
    pressed = true;  // pause refreshing until the response
    deleteLines();
  });
  addEventListener("online", sendQueue);
  // Refresh when others record. Input and questions stay.
  const refresh = async () => {
    const rests = () => !document.hidden && !busy && !queue.length && !halted && !pressed;
    if (!rests()) return;
    const answer = await fetch(form.action + location.search, {signal: AbortSignal.timeout(LATE)}).catch(() => null);
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html"), now = page?.body?.dataset;
    if (now?.match !== of.match || !rests()) return;
    if ("closed" in now) return void (location = form.action);
    if (+now.head > seen && !document.querySelector("#asked form, #ending form")) {
      const offered = () => firsts.map((each) => each.value).join();
      const before = offered();
      seen = now.head;
      replaceParts(page, true);
      if (before !== offered()) changed = Date.now();
    } else for (const id of ["standing", "time"]) {
      if (at(id).outerHTML !== page.getElementById(id).outerHTML) at(id).replaceWith(page.getElementById(id));
    }
  };
  const catchUp = () => { if (news > seen) refresh(); };
  setInterval(refresh, STANDING);
  document.addEventListener("live", (event) => {
    if (event.detail.kind === "sealed") return event.stopImmediatePropagation();  // unsent lines stay
    news = event.detail.data.n;
    catchUp();
  });
  for (const kind of ["pointerdown", "pointerup", "pointercancel"]) addEventListener(kind, () => {
    pressed = kind === "pointerdown";
    if (!pressed) setTimeout(catchUp, HELD);
  });

  index();
  transact((lines) => lines.getAll(mine)).then(async (kept) => {
    queue = [...(kept || []).filter((each) => each.who === of.who), ...queue];
    head = queue.length && await transact((lines, heads) => heads.get(of.match)) || head;
    draw();
    sendQueue();
    document.body.dataset.ready = "yes";
  });
})();
