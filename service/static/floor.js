// Alarm for calls on the floor page: a tone, and a notification if the browser allows it. Enabled per device by a tap.
"use strict";
(() => {
  const button = document.querySelector("[data-alarm]");
  if (!button) return;
  const HIDDEN_MS = 15000, TONES = [880, 660], TONE_S = 0.25;
  const load = () => { try { return localStorage.getItem("alarm"); } catch { return null; } };
  const save = (value) => { try { localStorage.setItem("alarm", value); } catch { /* storage is unavailable */ } };
  const asks = (page) => new Map([...page.querySelectorAll("[data-ask]")].map((ask) => [ask.dataset.ask, ask.textContent]));

  let on = false, audio = null, known = new Set(asks(document).keys());

  const show = () => {
    button.setAttribute("aria-pressed", on);
    button.textContent = on ? button.dataset.on : button.dataset.off;
  };
  const wake = () => {
    audio = audio || new AudioContext();
    audio.resume();
  };
  const ring = (tables) => {
    document.documentElement.dataset.rang = tables.join(" ");
    if (audio?.state === "running") {
      TONES.forEach((tone, number) => {
        const sound = new OscillatorNode(audio, {frequency: tone}), begin = audio.currentTime + number * TONE_S;
        sound.connect(new GainNode(audio, {gain: 0.2})).connect(audio.destination);
        sound.start(begin);
        sound.stop(begin + TONE_S);
      });
    }
    if (self.Notification?.permission === "granted") {
      try {
        new Notification(button.dataset.rings, {body: tables.join(", "), tag: "shinpan-call"});
      } catch { /* some browsers allow notifications from service workers only */ }
    }
  };
  const look = (page) => {
    const now = asks(page), news = [...now.keys()].filter((key) => !known.has(key));
    known = new Set(now.keys());
    if (on && news.length) ring([...new Set(news.map((key) => now.get(key)))]);
  };

  button.addEventListener("click", async () => {
    on = !on;
    save(on ? "on" : "off");
    show();
    if (!on) return;
    wake();
    if (self.Notification?.permission === "default") await Notification.requestPermission();
  });
  on = load() === "on";
  show();
  if (on) addEventListener("pointerdown", wake, {once: true});

  new MutationObserver(() => look(document)).observe(document.getElementById("tables"), {childList: true});
  // Pages in the background do not refresh.
  setInterval(async () => {
    if (!on || !document.hidden) return;
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.ok) look(new DOMParser().parseFromString(await answer.text(), "text/html"));
  }, HIDDEN_MS);
})();
