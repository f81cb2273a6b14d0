// Explain a miss: where a text stands for a query, and what stopped it.

import { Failure, ask, at, items } from "/ui/api.js";
import { clip, copies, empty, field, figure, h, href, link, name, python, said, shell, tag } from "/ui/dom.js";
import { FILTERS, bar, breakdown, filterFields, legend, namePython, origin, place, readFilters, scale } from "/ui/parts.js";
import { View, into, readForm, state, title } from "/ui/view.js";

const VERDICTS = {
  found: ["It is found", "good"], ranked: ["It ranks too low", "warn"], filtered: ["A filter drops it", "bad"],
  unmatched: ["It shares no word", "bad"], waiting: ["It has no vector yet", "warn"], textless: ["There is nothing to find", "bad"],
};

class Miss extends View {
  async show(params) {
    const q = params.get("q") ?? "", target = params.get("target") ?? "";
    this.given = readFilters(params);
    const results = h("section", { "aria-label": "Explanation", "aria-live": "polite" });
    const recent = await items(at(state.space, "entries"), { query: { limit: 50 }, signal: this.signal });
    this.fill(title("Explain a miss"), this.form(q, target, recent), results);
    if (!q || !target) {
      results.replaceChildren(empty("Name what should have been found, or paste its text: you see its rank, what dropped it, and its score beside that of the hit above.",
        shell("--space", state.space, "explain", "where does she sit", "seat")));
      return;
    }
    await into(results, () => this.explain(q, target));
  }

  form(q, target, recent) {
    return h("form", { class: "filters", onsubmit: (event) => {
      event.preventDefault();
      state.go(href("miss", { space: state.space, ...readForm(event.currentTarget) }));
    } },
    h("div", { class: "row" }, field("The question", h("input", { name: "q", value: q, required: true, autocomplete: "off", placeholder: "where does she sit?" })),
      field("What should be found", h("input", { name: "target", value: target, required: true, list: "entries", autocomplete: "off", placeholder: "an entry, session#seq, a URI, or its text" })),
      h("datalist", { id: "entries" }, recent.map((each) => h("option", { value: clip(each.name, 100) }))), h("button", { class: "main" }, "Explain")),
    filterFields(this.given));
  }

  async explain(q, target) {
    const told = await this.look(q, target);
    return told ?? this.offer(q, target);
  }

  // The place of a message is its session and seq; anything else is a name or a URI.
  path(target) {
    const found = /^(.+)#(\d+)$/s.exec(target);
    return found ? at(state.space, "sessions", found[1], "events", found[2], "explanation") : at(state.space, "entries", target, "explanation");
  }

  // The name of an entry may look like the place of a message.
  async find(q, target) {
    for (const path of new Set([this.path(target), at(state.space, "entries", target, "explanation")])) {
      try {
        this.found = path;
        return await ask(path, { query: { q, limit: 10, ...this.given }, signal: this.signal });
      } catch (error) {
        if (!(error instanceof Failure) || ![400, 404].includes(error.status)) throw error;
      }
    }
    return null;
  }

  async look(q, target) {
    const told = await this.find(q, target);
    if (!told) return null;
    const limit = Math.min(1000, Math.max(10, told.rank ?? 10));
    const hits = await items(at(state.space, "recall"), { query: { q, limit, signals: false, ...this.given }, signal: this.signal });
    const number = told.rank ? Math.min(told.rank - 2, hits.length - 1) : hits.length - 1;
    const above = told.rank === 1 ? null : hits[number];
    return this.verdict(q, target, told, { above, number: number + 1, gates: await this.gates(q, target, told.verdict) });
  }

  // What dropped it, by name: each filter is tried alone, and an entry says itself whether it is muted.
  async gates(q, target, verdict) {
    if (verdict === "textless") {
      const entry = await ask(at(state.space, "entries", target), { signal: this.signal }).catch(() => null);
      return entry?.mute ? ["It is muted: it is kept, and never recalled"] : [];
    }
    if (verdict !== "filtered") return [];
    const tried = Object.keys(FILTERS).filter((each) => this.given[each]);
    const told = await Promise.all(tried.map((each) => ask(this.found, { query: { q, limit: 1, [each]: this.given[each] }, signal: this.signal })));
    const found = tried.filter((_, place) => told[place].verdict === "filtered").map((each) => `${FILTERS[each]}: ${clip(this.given[each], 60)}`);
    return found.length ? found : tried.length ? [] : ["It has expired"];
  }

  verdict(q, target, told, { above, number, gates }) {
    const [words, kind] = VERDICTS[told.verdict] ?? [told.verdict, ""];
    const to = this.found.includes("/events/") ? origin({ kind: "event", session: target.replace(/#\d+$/, ""), seq_start: target.split("#").at(-1) }) : link("entry", { space: state.space, name: target }, name(target));
    const on = scale([told.parts, above?.parts ?? {}]);
    const has = Object.keys(told.parts).length;
    return [h("div", { class: "verdict" }, h("p", {}, tag(words, kind), told.rank ? ` at rank ${told.rank}` : " without a rank", told.score === null ? "" : `, score ${figure(told.score)}`),
      h("p", {}, to, ": ", told.reason, "."),
      gates.length ? h("p", {}, "What drops it: ", gates.map((each) => [tag(each, "bad"), " "]), "") : null,
      told.verdict === "filtered" && Object.keys(this.given).length ? h("p", {}, link("miss", { space: state.space, q, target }, "Ask without filters")) : null),
    has ? h("div", { class: "versus" }, h("div", {}, h("h2", {}, "This text"), bar(told.parts, on)),
      above && h("div", {}, h("h2", {}, `The hit above it, rank ${number}: `, origin(above.source)), bar(above.parts, on), said(above.text, [], 300)),
      legend(), breakdown(told.parts, above?.parts, ["This text", "The hit above"])) : null,
    copies([["Shell", shell("--space", state.space, "explain", q, target, ...(this.given.mode ? ["--mode", this.given.mode] : []))],
      ["Python", python(`memory.space(${JSON.stringify(state.space)}).explain`, [q, target], namePython(this.given))]])];
  }

  async offer(q, text) {
    const query = { q: text.slice(0, 2000), limit: 8, mode: "keyword", rerank: false, signals: false };
    const found = (await items(at(state.space, "recall"), { query, signal: this.signal })).filter((each) => each.source.kind !== "record");
    if (!found.length) return empty("Nothing in this space has that name or says that. If it was never stored, it cannot be found:", shell("--space", state.space, "remember", clip(text, 60)));
    return [h("h2", {}, "Which of these do you mean?"), h("ol", { class: "list" }, found.map((each) => h("li", { "data-item": true, tabindex: -1 },
      h("a", { href: href("miss", { space: state.space, q, target: place(each.source), ...this.given }) }, name(place(each.source))), said(each.text, [], 300))))];
  }
}

customElements.define("ri-miss", Miss);
