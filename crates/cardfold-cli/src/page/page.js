"use strict";
const box = document.getElementById("search");
const found = document.getElementById("found");
const cards = Array.from(document.querySelectorAll("article"), card => ({ card, text: card.textContent.toLowerCase() }));
const sections = document.querySelectorAll("section");
const charts = Array.from(document.querySelectorAll(".chart"), chart => ({
  chart, height: Number(chart.getAttribute("height")), parts: Array.from(chart.querySelectorAll(".agent, .untimed")),
}));
const cardOf = agent => document.getElementById(agent.querySelector("a").getAttribute("href").slice(1));
// A chart has fixed heights: what stands below an agent that is hidden moves up by as much.
function arrange({ chart, height, parts }) {
  let up = 0;
  for (const part of parts) {
    const hidden = part.matches(".agent") ? cardOf(part).hidden : false;
    part.classList.toggle("away", hidden);
    part.setAttribute("transform", `translate(0 ${-up})`);
    up += hidden ? Number(part.dataset.height) : 0;
  }
  chart.setAttribute("height", height - up);
}
function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { card, text } of cards) {
    card.hidden = !words.every(word => text.includes(word));
    shown += card.hidden ? 0 : 1;
  }
  charts.forEach(arrange);
  for (const section of sections) {
    section.hidden = words.length ? !section.querySelector("article:not([hidden])") : false;
  }
  found.textContent = words.length ? `${shown} of ${cards.length} cards` : "";
}
box.addEventListener("input", search);
// The browser may have kept what was searched for before the page was loaded again.
search();
document.getElementById("searching").hidden = false;
