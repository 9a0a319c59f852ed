"use strict";
const box = document.getElementById("search");
const found = document.getElementById("found");
const cards = Array.from(document.querySelectorAll("article"), card => ({ card, text: card.textContent.toLowerCase() }));
function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { card, text } of cards) {
    card.hidden = !words.every(word => text.includes(word));
    shown += card.hidden ? 0 : 1;
  }
  found.textContent = words.length ? `${shown} of ${cards.length} cards` : "";
}
box.addEventListener("input", search);
// A link of the timeline leads to its card, whatever was searched for.
document.addEventListener("click", event => {
  if (event.target.closest(".chart a")) {
    box.value = "";
    search();
  }
});
document.getElementById("searching").hidden = false;
