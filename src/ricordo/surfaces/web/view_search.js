// Search: recall with its reasons.

import { ask, at } from "/ui/api.js";
import { choose, copies, day, empty, field, h, href, link, plural, python, shell } from "/ui/dom.js";
import { WEAK, filterFields, hit, legend, namePython, readFilters, scale } from "/ui/parts.js";
import { View, into, readForm, state, title } from "/ui/view.js";

const PROFILES = [["", "default"], ["minmax", "minmax"], ["rrf", "rrf"], ["two_tier", "two_tier"], ["bm25", "bm25"]];

class Search extends View {
  async show(params) {
    const q = params.get("q") ?? "";
    const given = readFilters(params, ["profile", "limit"]);
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
    return h("form", { class: "filters", onchange: (event) => this.ask(event.currentTarget, q),
      onsubmit: (event) => { event.preventDefault(); this.ask(event.currentTarget, q); } },
    filterFields(given, field("How many", choose("limit", [["", "10"], ["25", "25"], ["100", "100"]], given.limit)),
      field("Ranking", choose("profile", PROFILES, given.profile))));
  }

  ask(form, q) { state.go(href("search", { space: state.space, q, ...readForm(form) })); }

  async find(q, given) {
    const query = { q, limit: 10, marks: true, signals: false, ...given };
    const { items } = await ask(at(state.space, "recall"), { query, signal: this.signal });
    const copy = copies(commands(q, given));
    const { profile, limit, ...kept } = given;
    const missing = h("p", { class: "after" }, "Something is missing? ", link("miss", { space: state.space, q, ...kept }, "Ask why it was not found"), ".",
      given.until && !given.as_of && [" An entry that was written again since then is left out. ", link("search", { space: state.space, q, ...given, until: null, as_of: given.until }, "Ask memory as it stood then"), "."]);
    const isFiltered = Object.keys(kept).some((each) => each !== "mode");
    if (!items.length) {
      return [isFiltered ? h("div", { class: "empty" }, h("p", {}, "Nothing fits the question and the filters."), link("search", { space: state.space, q }, "Ask without filters"))
        : empty("Nothing fits. What is not stored cannot be found:", shell("--space", state.space, "remember", "Prefers window seats")), missing, copy];
    }
    const on = scale(items.map((each) => each.parts));
    const weak = (each) => each.confidence !== null && each.confidence < WEAK;
    const shown = items.filter((each) => !weak(each)), folded = items.filter(weak);
    const row = (each) => hit(each, on, items.indexOf(each) + 1, q, given);
    return [h("div", { class: "summary" }, h("p", { role: "status" }, plural(items.length, "hit"), folded.length ? `, ${folded.length} of them unlikely` : "", given.as_of && `, as memory stood at the start of ${day(given.as_of)}`), legend()),
      shown.length ? h("ol", { class: "hits" }, shown.map(row)) : h("p", { class: "note" }, "Nothing here is likely to answer."),
      folded.length ? h("details", { class: "weak", open: !shown.length }, h("summary", {}, plural(folded.length, "unlikely hit")), h("ol", { class: "hits" }, folded.map(row))) : null,
      missing, copy];
  }
}

function commands(q, given) {
  given = { limit: "10", ...given }; // what the page shows; recall itself gives 5
  const options = Object.entries(given).flatMap(([key, value]) => [`--${key.replace("_", "-")}`, value]);
  const encoded = Object.entries({ q, ...given }).map(([key, value]) => `--data-urlencode ${quote(`${key}=${value}`)}`).join(" ");
  return [["Shell", shell("--space", state.space, "recall", q, ...options, "--explain")],
    ["Python", python(`memory.space(${JSON.stringify(state.space)}).recall`, [q], namePython(given))],
    ["HTTP", `curl -G -H "Authorization: Bearer $TOKEN" ${encoded} ${location.origin}${at(state.space, "recall")}`]];
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

customElements.define("ri-search", Search);
