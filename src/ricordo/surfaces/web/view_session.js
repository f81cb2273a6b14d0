// Conversations: the log of a session, with what was folded away, summed up and recalled.

import { ask, at, items } from "/ui/api.js";
import { ago, clip, clock, copies, day, empty, field, h, href, link, name, plural, python, said, shell, when } from "/ui/dom.js";
import { View, readForm, state, title } from "/ui/view.js";

const PAGE = 60;

class Session extends View {
  async show(params) {
    const session = params.get("session");
    if (session === null) return this.list(Number(params.get("after") ?? 0));
    return this.log(session, params);
  }

  async list(after) {
    const prefix = this.params.get("prefix") ?? "";
    const page = await ask(at(state.space, "sessions"), { query: { limit: 50, prefix, after: after || null }, signal: this.signal });
    const choosing = (event) => { event.preventDefault(); state.go(href("session", { space: state.space, ...readForm(event.currentTarget) })); };
    this.fill(title("Conversations"), h("form", { class: "filters even", onchange: choosing, onsubmit: choosing }, field("Name begins", h("input", { name: "prefix", value: prefix, autocomplete: "off" }))), page.items.length ? h("ol", { class: "list rows" }, page.items.map((each) => h("li", { "data-item": true, tabindex: -1 },
      link("session", { space: state.space, session: each.session }, name(each.session)), h("span", { class: "quiet" }, plural(each.events, "event")), h("span", { class: "end" }, when(each.updated_at)))))
      : empty(prefix ? "No conversation has such a name. A first message begins one:" : "No conversation yet. The first message begins one:", shell("--space", state.space, "append", "trip", "user", "Book me a flight to Oslo")),
    pages(after > 0 && link("session", { space: state.space, prefix, after: Math.max(0, after - 50) }, "Newer"), page.next && link("session", { space: state.space, prefix, after: page.next }, "Older")),
    copies([["Shell", shell("--space", state.space, "sessions")], ["Python", python(`memory.space(${JSON.stringify(state.space)}).sessions`, [], { prefix })]]));
  }

  async log(session, params) {
    const wanted = params.get("seq") === null ? null : Number(params.get("seq"));
    const last = await this.last(session);
    const first = Math.max(-1, params.get("after") !== null ? Number(params.get("after")) : wanted !== null ? wanted - 10 : last - PAGE);
    const base = at(state.space, "sessions", session);
    const [page, summaries, signals] = await Promise.all([
      ask(`${base}/events`, { query: { limit: PAGE, ...(first >= 0 ? { after: first } : {}) }, signal: this.signal }),
      items(`${base}/summaries`, { signal: this.signal }),
      items(at(state.space, "signals"), { query: { session, limit: 500 }, signal: this.signal }),
    ]);
    const rows = page.items.flatMap((event, place) => this.rows(event, page.items[place - 1], summaries, signals, wanted));
    const next = page.next;
    const jump = h("form", { class: "jump", onsubmit: (event) => { event.preventDefault(); state.go(href("session", { space: state.space, session, ...readForm(event.currentTarget) })); } },
      h("label", {}, "Go to message # ", h("input", { name: "seq", type: "number", min: 0, required: true, value: wanted ?? "" })), h("button", {}, "Go"));
    const isLong = first >= 0 || next;
    this.fill(title(clip(session, 80), h("span", { class: "end" }, link("search", { space: state.space, session }, "Search in it"), link("context", { space: state.space, session }, "Preview its context"))),
      isLong && h("div", { class: "pages" }, first >= 0 && link("session", { space: state.space, session, after: Math.max(-1, first - PAGE) }, "Earlier"), next && link("session", { space: state.space, session, after: next }, "Later"), jump),
      rows.length ? h("ol", { class: "log" }, rows) : empty("This conversation is empty, or was deleted.", shell("--space", state.space, "show", session)),
      pages(next && link("session", { space: state.space, session, after: next }, "Later")),
      copies([["Shell", shell("--space", state.space, "show", session)], ["Python", python(`memory.space(${JSON.stringify(state.space)}).session(${JSON.stringify(session)}).events`)]]));
    const target = this.querySelector(".wanted");
    if (target) { target.scrollIntoView({ block: "center" }); target.focus({ preventScroll: true }); }
  }

  async last(session) {
    const found = await ask(at(state.space, "sessions", session), { signal: this.signal }).catch((error) => { if (error.status === 404) return null; throw error; });
    return found?.last_seq ?? PAGE;
  }

  rows(event, before, summaries, signals, wanted) {
    const rows = [];
    if (!before || day(before.at) !== day(event.at)) rows.push(h("li", { class: "day" }, h("span", {}, day(event.at))));
    rows.push(event.kind === "marker" ? this.marker(event) : this.event(event, signals.filter((each) => each.seq === event.seq), event.seq === wanted));
    for (const summary of summaries.filter((each) => each.upto === event.seq)) rows.push(this.summary(summary));
    return rows;
  }

  event(event, signals, isWanted) {
    const { text, rest } = words(event.content);
    const calls = event.tool_calls ?? [];
    const isTool = event.role === "tool" || event.role === "function";
    const body = text || rest ? [text && said(text), rest && fold("Parts", rest)] : null;
    return h("li", { class: `event by-${event.role}${isWanted ? " wanted" : ""}`, id: `seq-${event.seq}`, "data-item": true, tabindex: -1 },
      h("div", { class: "who" }, event.name ? name(event.name) : event.role, h("span", { class: "at" }, h("a", { class: "seq", href: `/ui/?${new URLSearchParams({ view: "session", space: state.space, session: event.session, seq: event.seq })}` }, `#${event.seq}`),
        h("time", { datetime: event.at, title: ago(event.at) }, clock(event.at)))),
      h("div", { class: "what" }, isTool ? h("details", {}, h("summary", {}, `Result: ${clip(text || rest, 70)}`), body) : body,
        calls.map((call) => fold(`Calls ${clip(call.name ?? call.function?.name ?? "a tool", 60)}`, JSON.stringify(call.arguments ?? call.function?.arguments ?? call.input ?? call, null, 1))),
        this.recalled(signals)));
  }

  // What was recalled after this message, question by question.
  recalled(signals) {
    const questions = [...new Set(signals.map((each) => each.query))];
    return questions.map((query) => h("p", { class: "recalled" }, "Recalled here for “", h("bdi", {}, clip(query, 100)), "”: ",
      [...new Set(signals.filter((each) => each.query === query).map((each) => each.entry))].map((each, place) => [place ? ", " : "", link("entry", { space: state.space, name: each }, name(each))])));
  }

  marker(event) {
    const archive = event.metadata?.archive_name ?? null;
    const { text } = words(event.content);
    return h("li", { class: "rule", "data-item": true, tabindex: -1 }, h("span", {}, "Compacted here", archive ? [": ", link("entry", { space: state.space, name: archive }, name(archive))] : text ? `: ${clip(text, 80)}` : ""));
  }

  summary(summary) {
    return h("li", { class: "rule" }, h("details", {}, h("summary", {}, `The summary up to here, as written ${ago(summary.at)} (epoch ${summary.epoch})`), said(summary.text)));
  }
}

const pages = (...links) => (links.some(Boolean) ? h("p", { class: "pages" }, links) : null);

const fold = (label, text) => h("details", {}, h("summary", {}, label), h("pre", { tabindex: 0, "aria-label": label }, h("code", {}, String(text).slice(0, 20000))));

function words(content) {
  if (typeof content === "string" || content === null || content === undefined) return { text: content ?? "", rest: "" };
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.filter((each) => typeof each?.text === "string").map((each) => each.text);
  return { text: texts.join("\n"), rest: texts.length === parts.length ? "" : JSON.stringify(content, null, 1) };
}

customElements.define("ri-session", Session);
