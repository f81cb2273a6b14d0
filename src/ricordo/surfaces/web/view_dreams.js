// Dreams: what was promoted and why, what would be promoted now, and how to take it back.

import { ask, at, items } from "/ui/api.js";
import { clip, copies, empty, figure, h, link, name, plural, put, python, s, shell, tag, when } from "/ui/dom.js";
import { below } from "/ui/parts.js";
import { View, into, problem, state, title } from "/ui/view.js";

const GATES = { promoted: "promoted before", recalls: "too few recalls", queries: "too few questions", score: "score too low", cap: "no room in this sweep" };

// Questions are counted only where the recalls suffice.
const recalled = (each) => `recalled ${plural(each.hits, "time")}${each.queries ? `, for ${plural(each.queries, "question")}` : ""}`;

class Dreams extends View {
  async show() {
    const sweeps = await items(at(state.space, "sweeps"), { query: { limit: 50 }, signal: this.signal });
    const preview = h("section", { "aria-live": "polite" });
    const look = h("button", { type: "button", onclick: () => into(preview, async () => h("div", { class: "card" }, this.sweep(await ask(at(state.space, "sweeps", "preview"))))) }, "What would be promoted now?");
    const list = h("ol", { class: "list" }, sweeps.map((each) => h("li", { "data-item": true, tabindex: -1 }, this.sweep(each))));
    this.fill(title("Dreams", look), preview, sweeps.length ? list : empty("No sweep yet. A sweep promotes what is recalled again and again:", shell("--space", state.space, "dream", "--dry-run")),
      copies([["Shell", shell("--space", state.space, "dream", "--dry-run")], ["Python", python(`memory.space(${JSON.stringify(state.space)}).dreams.list`)]]));
  }

  rejected(rejected) {
    return h("details", {}, h("summary", {}, `What did not pass, and which gate stopped it: ${rejected.length}`), h("table", { class: "parts" }, h("tbody", {}, rejected.flatMap((each) => [h("tr", {},
      h("th", { scope: "row" }, link("entry", { space: state.space, name: each.entry }, name(each.entry))),
      h("td", {}, tag(GATES[each.gate] ?? each.gate, each.gate === "promoted" ? "good" : "warn"))),
    below(`${recalled(each)} · score ${figure(each.score)}`, 2)]))));
  }

  sweep(sweep) {
    const told = h("div", { "aria-live": "polite" });
    const most = Math.max(...sweep.promoted.map((each) => each.score), 0.01);
    const undo = sweep.id !== null && !sweep.undone_at && sweep.promoted.length ? h("button", { type: "button", disabled: state.readOnly, title: state.readOnly ? "Start with: ricordo inspect --write" : "", onclick: async () => {
      try { await ask(at(state.space, "sweeps", String(sweep.id), "undo"), { body: {} }); this.run(); } catch (error) { put(told, problem(error)); }
    } }, "Undo") : null;
    return [h("div", { class: "head" }, h("strong", {}, sweep.id === null ? "Now" : `Sweep ${sweep.id}`), sweep.undone_at && tag("undone", "warn"),
      h("span", { class: "quiet" }, sweep.undone_at ? [`${plural(sweep.candidates, "candidate")}; what it promoted was taken back `, when(sweep.undone_at)] : `${sweep.promoted.length} promoted of ${plural(sweep.candidates, "candidate")}, ${sweep.skipped} promoted before`), h("span", { class: "end" }, undo, when(sweep.at))), told,
    sweep.promoted.length ? h("table", { class: "parts" }, h("tbody", {}, sweep.promoted.flatMap((each) => [h("tr", {}, h("th", { scope: "row" }, link("entry", { space: state.space, name: each.entry }, name(each.entry))),
      h("td", {}, s("svg", { class: "bar short", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": `score ${figure(each.score)}` }, s("rect", { class: "ground", width: 100, height: 10, rx: 2 }), s("rect", { class: "f-meaning", width: (100 * each.score) / most, height: 10, rx: 2 })), figure(each.score))),
    below(`${recalled(each)}, on ${plural(each.days, "day")} · ${Object.entries(each.parts).map(([part, value]) => `${part} ${figure(value)}`).join(" · ")}`, 2)]))) : sweep.undone_at ? null : h("p", { class: "quiet" }, "Nothing passed the gates."),
    sweep.rejected.length ? this.rejected(sweep.rejected) : null,
    sweep.duplicates.map((each) => h("p", { class: "note" }, name(each.first), " and ", name(each.second), ` say nearly the same (${Math.round(each.likeness * 100)} %).`)),
    sweep.contradictions.map((each) => h("p", { class: "note" }, name(each.older), " disagrees with the newer ", name(each.newer), `: ${clip(each.reason, 200)}`)),
    sweep.diff ? h("details", {}, h("summary", {}, "What changed in MEMORY.md"), h("pre", { class: "patch", tabindex: 0, "aria-label": "diff" }, sweep.diff.split("\n").slice(0, 500).map((line) => h("span", { class: line.startsWith("+") ? "plus" : line.startsWith("-") ? "gone" : "" }, `${line}\n`)))) : null];
  }
}

customElements.define("ri-dreams", Dreams);
