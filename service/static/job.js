// Progress of a job from its event stream. When the state changes, the page is reloaded.
"use strict";
(() => {
  const part = document.querySelector("[data-job]"), source = new EventSource(part.dataset.job);
  source.addEventListener("progress", (event) => {
    const {state, done = 0, all = 0} = JSON.parse(event.data), bar = part.querySelector("progress");
    if (state !== part.dataset.state) { source.close(); location.reload(); return; }
    Object.assign(bar, {max: all || 1, value: done});
    part.querySelector("[data-shows=done]").textContent = `${done} / ${all}`;
  });
})();
