// Entries: a list, and one entry through time; with the right to write, also what changes it.

import { ask, at, items } from "/ui/api.js";
import { choose, clip, clock, copies, count, day, diff, empty, field, h, href, link, name, plural, put, python, s, said, shell, tag, when } from "/ui/dom.js";
import { cited } from "/ui/parts.js";
import { View, into, problem, readForm, state, title } from "/ui/view.js";

const KINDS = [["", "all kinds"], ["note", "notes"], ["fact", "facts"], ["archive", "archives"]];

class Entry extends View {
  async show(params) {
    return params.get("name") === null ? this.list(params) : this.one(params.get("name"));
  }

  async list(params) {
    const given = Object.fromEntries(["kind", "category", "tag", "prefix"].map((each) => [each, params.get(each) ?? ""]));
    const page = await ask(at(state.space, "entries"), { query: { limit: 50, ...given, after: params.get("after") }, signal: this.signal });
    const choosing = (event) => { event.preventDefault(); state.go(href("entry", { space: state.space, ...readForm(event.currentTarget) })); };
    const form = h("form", { class: "filters even", onchange: choosing, onsubmit: choosing },
      field("Kind", choose("kind", KINDS, given.kind)), field("Category", h("input", { name: "category", value: given.category })), field("Tag", h("input", { name: "tag", value: given.tag })), field("Name begins", h("input", { name: "prefix", value: given.prefix })));
    this.fill(title("Entries"), form, page.items.length ? h("ol", { class: "list" }, page.items.map((each) => h("li", { "data-item": true, tabindex: -1 },
      h("div", { class: "head" }, link("entry", { space: state.space, name: each.name }, name(each.name)), tag(each.kind), each.pin && tag("pinned", "good"), each.mute && tag("muted", "warn"), each.revision > 1 && tag(`revision ${each.revision}`), h("span", { class: "end" }, when(each.updated_at))), said(clip(each.content, 240)))))
      : empty("No entry fits.", shell("--space", state.space, "remember", "Prefers window seats", "--name", "seat")),
    page.next && h("p", { class: "pages" }, link("entry", { space: state.space, ...given, after: page.next }, "More")),
    copies([["Shell", shell("--space", state.space, "list", ...Object.entries(given).flatMap(([key, value]) => (value ? [`--${key}`, value] : [])))],
      ["Python", python(`memory.space(${JSON.stringify(state.space)}).entries`, [], { ...given, tag: "", tags: given.tag && [given.tag] })]]));
  }

  missing(error) {
    return [title("No such entry"), h("div", { class: "empty" }, h("p", {}, `${error.message}. It may have been renamed, forgotten or erased.`),
      h("p", {}, link("entry", { space: state.space }, "All entries"), " · ", link("search", { space: state.space, q: this.params.get("name") }, "Search for it")), h("pre", { tabindex: 0, "aria-label": "command" }, h("code", {}, shell("--space", state.space, "list"))))];
  }

  async one(given) {
    const entry = await ask(at(state.space, "entries", given), { signal: this.signal });
    this.base = at(state.space, "entries", entry.name);
    const isEntry = entry.kind === "note" || entry.kind === "fact" || entry.kind === "archive";
    const [past, signals] = isEntry ? await Promise.all([items(`${this.base}/history`, { query: { limit: 1000 }, signal: this.signal }),
      items(at(state.space, "signals"), { query: { name: entry.name, limit: 200 }, signal: this.signal })]) : [[], []];
    const text = h("div", { class: "now" }, said(entry.content, [], 3000));
    this.fill(title(clip(entry.name, 80), tag(entry.kind), entry.pin && tag("pinned", "good"), entry.mute && tag("muted", "warn")),
      text, past.length ? this.slider(entry, past, text) : null, this.facts(entry),
      past.length ? this.revisions(entry, past) : null, entry.kind === "archive" ? h("p", {}, "It stands for the messages ", cited(entry.source), ".") : null, isEntry ? this.recalls(signals) : null,
      isEntry ? this.changes(entry) : null,
      copies([["Shell", shell("--space", state.space, "get", entry.name)], ["Python", python(`memory.space(${JSON.stringify(state.space)}).get`, [entry.name])]]));
  }

  // What it said at a time: the revisions hold it, so nothing is asked again. The time is in the address.
  slider(entry, past, text) {
    const first = +new Date(past[0].since), last = Date.now();
    const label = h("output", {}, "now");
    const point = (moment) => (last - first < 172800000 ? `${day(moment)} ${clock(moment)}` : day(moment));
    const show = (moment) => {
      const then = moment < last && past.find((each) => moment >= +new Date(each.since) && moment < +new Date(each.until));
      label.textContent = moment < last ? point(moment) : "now";
      input.setAttribute("aria-valuetext", label.textContent);
      text.classList.toggle("then", Boolean(then));
      put(text, said(then ? then.content : entry.content, [], 3000));
    };
    const input = h("input", { type: "range", min: 0, max: 1000, "aria-label": "What it said at a time", oninput: () => {
      const moment = Number(input.value) === 1000 ? last : first + (last - first) * (input.value / 1000);
      show(moment);
      this.params.delete("as_of");
      if (moment < last) this.params.set("as_of", new Date(moment).toISOString());
      history.replaceState(null, "", `/ui/?${this.params}`);
    } });
    const wanted = Date.parse(this.params.get("as_of") ?? "");
    const at = Number.isNaN(wanted) ? last : Math.max(first, Math.min(last, wanted));
    input.value = Math.round((1000 * (at - first)) / Math.max(1, last - first));
    show(at);
    const ticks = past.map((each) => s("circle", { cx: 8 + 984 * Math.min(1, (new Date(each.until) - first) / Math.max(1, last - first)), cy: 5, r: 4 }));
    return h("div", { class: "slider" }, h("span", {}, point(first)), h("div", {}, input, s("svg", { viewBox: "0 0 1000 10", "aria-hidden": "true" }, ticks)), label);
  }

  facts(entry) {
    const tags = (list) => list.map((each) => [tag(clip(each, 60)), " "]);
    const labelled = (each) => h("a", { class: "tag", href: href("entry", { space: state.space, tag: each }) }, clip(each, 60));
    const rows = [["From", [entry.origin, entry.source ? ", " : "", entry.source && cited(entry.source)]], ["Aliases", tags(entry.aliases)], ["Category", clip(entry.category, 60)],
      ["Tags", entry.tags.map((each) => [labelled(each), " "])], ["Importance", entry.importance], ["Created", when(entry.created_at)], ["Written", when(entry.updated_at)],
      ["Expires", entry.expires_at ? when(entry.expires_at) : "never"], ["What it is about", tags(entry.concept_tags), "broad"],
      ["Metadata", Object.keys(entry.metadata).length ? [h("code", {}, clip(JSON.stringify(entry.metadata, null, 1), 2000))] : [], "broad"]];
    return h("dl", { class: "facts" }, rows.filter(([, value]) => !(Array.isArray(value) && !value.flat().filter(Boolean).length)).map(([key, value, size]) => h("div", { class: size }, h("dt", {}, key), h("dd", {}, value))));
  }

  revisions(entry, past) {
    const texts = [...past.map((each) => [each.content, each.since, each]), [entry.content, past.at(-1).until, entry]];
    const rows = texts.slice(1).map(([text, since], place) => h("li", { "data-item": true, tabindex: -1 }, h("div", { class: "head" }, h("strong", {}, `Revision ${place + 2}`), h("span", { class: "end" }, when(since))), diff(texts[place][0], text)));
    return h("section", {}, h("h2", {}, "How it changed"), h("ol", { class: "list" }, rows.reverse()));
  }

  recalls(signals) {
    if (!signals.length) return h("section", {}, h("h2", {}, "When it was recalled"), h("p", { class: "quiet" }, "Not yet."));
    const weeks = new Array(26).fill(0);
    for (const each of signals) {
      const week = 25 - Math.floor((Date.now() - new Date(each.at)) / 604800000);
      if (week >= 0 && week < 26) weeks[week] += 1;
    }
    const most = Math.max(...weeks, 1);
    return h("section", {}, h("h2", {}, "When it was recalled"),
      s("svg", { class: "spark", viewBox: "0 0 260 40", role: "img", "aria-label": `${plural(signals.length, "recall")}; in each of the last 26 weeks: ${weeks.join(", ")}` },
        weeks.map((n, place) => s("rect", { x: place * 10, y: 40 - Math.max(1, (38 * n) / most), width: 8, height: Math.max(1, (38 * n) / most), rx: 1 }))),
      h("p", { class: "axis" }, h("span", {}, "26 weeks ago"), h("span", {}, signals.length < 200 ? plural(signals.length, "recall") : "200 recalls and more"), h("span", {}, "now")),
      h("ol", { class: "list rows" }, signals.slice(0, 8).map((each) => h("li", {}, h("bdi", {}, clip(each.query, 90)), tag(each.asker), h("span", { class: "end" }, when(each.at))))));
  }

  // --- what changes it: first what would go, then the receipt ------------------------------------

  changes(entry) {
    if (state.readOnly) return h("section", {}, h("h2", {}, "Change it"), h("p", { class: "quiet" }, "This page only reads. To write, start it with:"), h("pre", { tabindex: 0, "aria-label": "command" }, h("code", {}, "ricordo inspect --write")));
    const told = h("div", { "aria-live": "polite" });
    const done = (work) => async (event) => {
      event.preventDefault();
      try { await work(event.currentTarget ?? event.target); } catch (error) { put(told, problem(error)); }
    };
    const write = h("form", { class: "write", onsubmit: done(async (form) => {
      const now = await ask(`${this.base}/write`, { body: { content: form.elements.content.value, if_revision: entry.revision } });
      state.go(href("entry", { space: state.space, name: now.name }));
    }) }, field("Text", h("textarea", { name: "content", rows: 4, required: true }, entry.content)), h("button", { class: "main" }, "Write"));
    const rename = h("form", { class: "filters", onsubmit: done(async (form) => {
      const now = await ask(`${this.base}/rename`, { body: { new: form.elements.new.value, keep: form.elements.keep.checked } });
      state.go(href("entry", { space: state.space, name: now.name }));
    }) }, field("New name", h("input", { name: "new", required: true, value: entry.name })), h("label", { class: "check" }, h("input", { type: "checkbox", name: "keep" }), "keep the old name as an alias"), h("button", {}, "Rename"));
    const gone = (erase) => done(() => this.preview(entry, erase, told));
    return h("section", { class: "changes" }, h("h2", {}, "Change it"), write, rename,
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: gone(false) }, "Forget…"), h("button", { type: "button", class: "bad", onclick: gone(true) }, "Erase…")), told);
  }

  async preview(entry, erase, told) {
    const dry = await ask(`${this.base}/forget`, { body: { erase, dry_run: true } });
    const what = erase ? "Erase" : "Forget";
    put(told, h("div", { class: "receipt" }, h("h3", {}, `${what} this entry?`), receipt(dry, "would go"),
      h("p", {}, erase ? "No byte of it stays in the memory and its files. It cannot be undone." : "The entry and everything derived from it go. It cannot be undone."),
      h("div", { class: "buttons" }, h("button", { type: "button", class: "bad", onclick: async () => {
        try {
          const real = await ask(`${this.base}/forget`, { body: { erase } });
          this.fill(title("Receipt"), h("div", { class: "receipt" }, receipt(real, "went")), h("p", {}, link("entry", { space: state.space }, "All entries")));
          this.querySelector("h1").setAttribute("tabindex", "-1");
          this.querySelector("h1").focus();
        } catch (error) { put(told, problem(error)); }
      } }, `${what} it`), h("button", { type: "button", onclick: () => put(told) }, "Keep it"))));
    told.querySelector("button").focus();
  }
}

function receipt(given, verb) {
  const rows = Object.entries(given.removed).filter(([, n]) => n);
  return [h("p", {}, "What ", verb, " of ", name(given.target), ":"), h("ul", {}, rows.map(([what, n]) => h("li", {}, n === 1 ? `1 ${what.replace(/ies$/, "y").replace(/s$/, "")}` : `${count(n)} ${what}`)), given.files.map((file) => h("li", {}, "the file ", h("code", {}, file))), !rows.length && !given.files.length && h("li", {}, "nothing")),
    given.remnants !== null && given.remnants !== undefined ? h("p", {}, given.remnants ? `${given.remnants} traces were found in the files.` : "A scan of the files found no trace of it.") : null,
    given.pending ? h("p", { class: "problem" }, "A reader still uses the old state; ricordo maintain finishes it.") : null,
    given.remains.map((each) => h("p", { class: "problem" }, each))];
}

customElements.define("ri-entry", Entry);
