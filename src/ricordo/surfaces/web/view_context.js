// Context: exactly what a model would be given, and what found no room.

import { ask, at, items } from "/ui/api.js";
import { choose, clip, copies, count, empty, field, h, href, plural, python, s, said, shell, tag } from "/ui/dom.js";
import { confidence, origin } from "/ui/parts.js";
import { View, into, readForm, state, title } from "/ui/view.js";

const SECTIONS = {
  pinned: "pinned", summary: "summary", notes: "notes", recent: "conversation", reminders: "reminders",
  scratchpad: "scratchpad", files: "files", recalled: "recalled", salient: "important", newest: "newest message",
};
const WHY = { "no room": "no room left", unlikely: "too unlikely to answer", shown: "already shown elsewhere", enough: "enough of its kind" };

class Context extends View {
  async show(params) {
    const sessions = await items(at(state.space, "sessions"), { query: { limit: 100 }, signal: this.signal });
    const given = Object.fromEntries(["session", "q", "budget"].map((each) => [each, params.get(each) ?? ""]));
    const results = h("section", { "aria-label": "Context", "aria-live": "polite" });
    this.fill(title("Context"), this.form(given, sessions), results);
    if (!given.session && !given.q) {
      results.replaceChildren(empty("Choose a session or ask a question, and see what the model would be given.",
        shell("--space", state.space, "chat", "context", sessions[0]?.session ?? "trip", "--budget", "2000")));
      return;
    }
    await into(results, () => this.look(given));
  }

  form(given, sessions) {
    return h("form", { class: "filters wide", onsubmit: (event) => {
      event.preventDefault();
      state.go(href("context", { space: state.space, ...readForm(event.currentTarget) }));
    } },
    field("Session", choose("session", [["", "none"], ...sessions.map((each) => [each.session, clip(each.session, 60)])], given.session)),
    field("Question", h("input", { name: "q", value: given.q, autocomplete: "off", placeholder: "default: the last message of the user" })),
    field("Tokens", h("input", { name: "budget", type: "number", min: 1, value: given.budget || "4000" })), h("button", { class: "main" }, "Preview"));
  }

  async look({ session, q, budget }) {
    const path = session ? at(state.space, "sessions", session, "context") : at(state.space, "context");
    const query = { budget: budget || 4000, ...(q ? { q } : {}) };
    const found = await ask(path, { query, signal: this.signal });
    const told = session ? [["Shell", shell("--space", state.space, "chat", "context", session, ...(q ? ["--query", q] : []), "--budget", String(query.budget))],
      ["Python", python(`memory.space(${JSON.stringify(state.space)}).session(${JSON.stringify(session)}).context`, [], { query: q, budget: Number(query.budget) })]]
      : [["Python", python(`memory.space(${JSON.stringify(state.space)}).context`, [q], { budget: Number(query.budget) })]];
    return [this.tokens(found), h("h2", {}, "What the model gets"),
      found.messages.length ? h("ol", { class: "log" }, found.messages.map((each) => h("li", { class: `event by-${each.role}`, "data-item": true, tabindex: -1 },
        h("div", { class: "who" }, each.role), h("div", { class: "what" }, said(typeof each.content === "string" ? each.content : JSON.stringify(each.content ?? each.tool_calls ?? "", null, 1)))))) : h("p", { class: "note" }, "Nothing: this space has nothing to say about it."),
      h("h2", {}, "What fell out"), this.rest(found), copies(told)];
  }

  tokens(found) {
    const parts = Object.entries(found.parts).filter(([, tokens]) => tokens > 0);
    const unit = 1000 / Math.max(found.budget, found.tokens, 1);
    let x = 0;
    const boxes = parts.map(([section, tokens]) => {
      const box = s("rect", { x, y: 2, width: Math.max(1, tokens * unit - 2), height: 20, rx: 3, class: `t-${section}` }, s("title", {}, `${SECTIONS[section] ?? section}: ${tokens}`));
      x += tokens * unit;
      return box;
    });
    const told = parts.map(([section, tokens]) => `${SECTIONS[section] ?? section} ${tokens}`).join(", ");
    return h("figure", { class: "tokens" }, h("figcaption", {}, h("strong", {}, count(found.tokens)), ` of ${count(found.budget)} tokens`),
      s("svg", { class: "bar tall", viewBox: "0 0 1000 24", preserveAspectRatio: "none", role: "img", "aria-label": `Tokens by section: ${told || "none"}` },
        s("rect", { class: "ground", x: 0, y: 2, width: 1000, height: 20, rx: 3 }), boxes),
      h("ul", { class: "legend" }, parts.map(([section, tokens]) => h("li", {}, h("i", { class: `dot t-${section}` }), `${SECTIONS[section] ?? section} ${count(tokens)}`))));
  }

  rest(found) {
    const told = [];
    if (found.covered) told.push(h("p", {}, `${plural(found.covered, "older message")} stand in the summary or in notes.`));
    if (found.omitted) told.push(h("p", { class: "problem" }, `${plural(found.omitted, "message")} are neither shown nor covered.`));
    if (found.left_out.length) {
      told.push(h("ol", { class: "list" }, found.left_out.map((each) => h("li", { "data-item": true, tabindex: -1 }, h("div", { class: "head" }, tag(WHY[each.reason] ?? each.reason, "warn"),
        tag(SECTIONS[each.section] ?? each.section), each.source && origin(each.source), confidence(each.confidence)), said(each.text, [], 300)))));
    }
    return told.length ? told : h("p", { class: "quiet" }, "Nothing: everything on offer fits.");
  }
}

customElements.define("ri-context", Context);
