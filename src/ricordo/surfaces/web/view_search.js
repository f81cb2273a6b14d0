// Search: recall with its reasons.

import { ask, at } from "/ui/api.js";
import { choose, copies, empty, field, h, href, link, plural, python, shell } from "/ui/dom.js";
import { WEAK, hit, legend, scale } from "/ui/parts.js";
import { View, into, readForm, state, title } from "/ui/view.js";

const MODES = [["", "words and meaning"], ["keyword", "words"], ["vector", "meaning"]];
const PROFILES = [["", "default"], ["minmax", "minmax"], ["rrf", "rrf"], ["two_tier", "two_tier"], ["bm25", "bm25"]];
const KINDS = [["", "everything"], ["message", "messages"], ["note", "notes"], ["fact", "facts"], ["archive", "archives"], ["file", "documents"]];
const ORIGINS = [["", "anybody"], ...["user", "agent", "tool", "web", "import", "dream"].map((each) => [each, each])];
const FIELDS = ["mode", "profile", "kind", "category", "tag", "session", "origin", "since", "until", "limit"];

class Search extends View {
  async show(params) {
    const q = params.get("q") ?? "";
    const given = Object.fromEntries(FIELDS.map((each) => [each, params.get(each)]).filter(([, value]) => value));
    const results = h("section", { "aria-label": "Hits", "aria-live": "polite" });
    this.fill(title("Search"), this.form(q, given), results);
    if (!q.trim()) {
      results.replaceChildren(empty("Ask in plain words. The answer is recall itself: what an agent would get, with the reasons.",
        shell("--space", state.space, "recall", "where does she like to sit?", "--explain")));
      return;
    }
    await into(results, () => this.find(q, given));
  }

  form(q, given) {
    const filters = FIELDS.filter((each) => given[each] && !["mode", "limit"].includes(each)).length;
    return h("form", { class: "filters", onchange: (event) => this.ask(event.currentTarget, q),
      onsubmit: (event) => { event.preventDefault(); this.ask(event.currentTarget, q); } },
    field("How", choose("mode", MODES, given.mode)), field("What", choose("kind", KINDS, given.kind)),
    field("How many", choose("limit", [["", "10"], ["25", "25"], ["100", "100"]], given.limit)),
    h("details", { open: filters > (given.kind ? 1 : 0) }, h("summary", {}, "More filters"), h("div", { class: "grid" },
      field("Ranking", choose("profile", PROFILES, given.profile)), field("From", choose("origin", ORIGINS, given.origin)),
      field("Since", h("input", { type: "date", name: "since", value: given.since?.slice(0, 10) ?? "" })),
      field("As of", h("input", { type: "date", name: "until", value: given.until?.slice(0, 10) ?? "" })),
      field("Category", h("input", { name: "category", value: given.category ?? "" })),
      field("Tag", h("input", { name: "tag", value: given.tag ?? "" })),
      field("Session", h("input", { name: "session", value: given.session ?? "" })))));
  }

  ask(form, q) { state.go(href("search", { space: state.space, q, ...readForm(form) })); }

  async find(q, given) {
    const query = { q, limit: 10, marks: true, signals: false, ...given };
    const { items } = await ask(at(state.space, "recall"), { query, signal: this.signal });
    const copy = copies(commands(q, given));
    const missing = h("p", { class: "after" }, "Something is missing? ", link("miss", { space: state.space, q }, "Ask why it was not found"), ".");
    if (!items.length) return [empty("Nothing fits.", shell("--space", state.space, "remember", "…")), missing, copy];
    const on = scale(items.map((each) => each.parts));
    const weak = (each) => each.confidence !== null && each.confidence < WEAK;
    const shown = items.filter((each) => !weak(each)), folded = items.filter(weak);
    const row = (each) => hit(each, on, items.indexOf(each) + 1, q);
    return [h("div", { class: "summary" }, h("p", { role: "status" }, plural(items.length, "hit"), folded.length ? `, ${folded.length} of them unlikely` : ""), legend()),
      shown.length ? h("ol", { class: "hits" }, shown.map(row)) : h("p", { class: "note" }, "Nothing here is likely to answer."),
      folded.length ? h("details", { class: "weak", open: !shown.length }, h("summary", {}, plural(folded.length, "unlikely hit")), h("ol", { class: "hits" }, folded.map(row))) : null,
      missing, copy];
  }
}

function commands(q, given) {
  const options = FIELDS.flatMap((each) => (given[each] ? [`--${each}`, given[each]] : []));
  const { kind, tag, origin, ...plain } = given;
  const named = { ...plain, kinds: kind && [kind], tags: tag && [tag], origins: origin && [origin], limit: given.limit && Number(given.limit) };
  for (const each of ["since", "until"]) if (named[each]) { delete named[each]; }
  return [["Shell", shell("--space", state.space, "recall", q, ...options, "--explain")],
    ["Python", python(`memory.space(${JSON.stringify(state.space)}).recall`, [q], named)],
    ["HTTP", `curl -G -H "Authorization: Bearer $TOKEN" --data-urlencode ${JSON.stringify(`q=${q}`)} ${location.origin}${at(state.space, "recall")}`]];
}

customElements.define("ri-search", Search);
