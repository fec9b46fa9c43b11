// A job as it goes on: how far it is comes by its stream. Where its state is another, so is its page.
"use strict";
(() => {
  const part = document.querySelector("[data-job]"), source = new EventSource(part.dataset.job);
  const again = () => { source.close(); location.reload(); };
  source.addEventListener("progress", (event) => {
    const {state, done = 0, all = 0} = JSON.parse(event.data), bar = part.querySelector("progress");
    if (state !== part.dataset.state) return again();
    Object.assign(bar, {max: all || 1, value: done});
    part.querySelector("[data-shows=done]").textContent = `${done} / ${all}`;
  });
  source.addEventListener("sealed", again);
})();
