// How a score came about: stacked bars on one scale, and the table behind them.

import { choose, coded, field, figure, h, href, link, name, raw, s, said, tag, when } from "/ui/dom.js";
import { state } from "/ui/view.js";

const FAMILIES = {
  meaning: "meaning session_meaning question_meaning previous_meaning vector",
  words: "words words_covered session_words word_pairs named_number question_words previous_words text bm25",
  reading: "reading",
  person: "speaker mentions brief_speaker",
  time: "date tells_time supersedes",
};
const FAMILY = new Map(Object.entries(FAMILIES).flatMap(([family, names]) => names.split(" ").map((each) => [each, family])));

export const family = (part) => FAMILY.get(part) ?? "shape";
export const label = (part) => state.parts.get(part)?.label ?? part;
const meant = (parts) => Object.entries(parts ?? {}).filter(([, value]) => Math.abs(value) >= 0.005);

// The common scale of several sets of parts: how far they reach on either side of zero.
export function scale(sets) {
  const sum = (parts, sign) => meant(parts).reduce((all, [, v]) => all + (v * sign > 0 ? Math.abs(v) : 0), 0);
  return { left: Math.max(0, ...sets.map((p) => sum(p, -1))), right: Math.max(0.01, ...sets.map((p) => sum(p, 1))) };
}

const ORDER = ["meaning", "words", "reading", "person", "time", "shape"];

export function bar(parts, on) {
  const width = 1000, unit = width / (on.left + on.right), zero = on.left * unit;
  const sorted = meant(parts).sort(([a], [b]) => ORDER.indexOf(family(a)) - ORDER.indexOf(family(b)));
  let right = zero, left = zero;
  const boxes = sorted.map(([part, value]) => {
    const size = Math.abs(value) * unit;
    const x = value > 0 ? right : left - size;
    if (value > 0) right += size; else left -= size;
    return s("rect", { x, y: 3, width: Math.max(0.5, size - 2), height: 14, rx: 2, class: `f-${family(part)}${value < 0 ? " minus" : ""}` },
      s("title", {}, `${label(part)} ${figure(value)}`));
  });
  const told = sorted.map(([part, value]) => `${label(part)} ${figure(value)}`).join(", ") || "no parts";
  return s("svg", { class: "bar", viewBox: `0 0 ${width} 20`, preserveAspectRatio: "none", role: "img", "aria-label": `Parts of the score: ${told}` },
    s("rect", { class: "ground", x: 0, y: 3, width, height: 14, rx: 2 }), boxes,
    on.left > 0 && s("rect", { class: "zero", x: zero - 1, y: 0, width: 2, height: 20 }));
}

export function breakdown(parts, beside, titles = ["This", "Other"]) {
  const names = [...new Set([...meant(parts), ...meant(beside)].map(([part]) => part))];
  names.sort((a, b) => Math.abs(parts[b] ?? 0) - Math.abs(parts[a] ?? 0));
  if (!names.length) return h("p", { class: "quiet" }, "This ranking has no parts.");
  return h("table", { class: "parts" }, beside && h("thead", {}, h("tr", {}, h("th", {}, "Part"), titles.map((t) => h("th", {}, t)))),
    h("tbody", {}, names.flatMap((part) => [h("tr", {}, h("th", { scope: "row" }, h("i", { class: `dot f-${family(part)}` }), label(part)),
      h("td", {}, figure(parts[part] ?? 0)), beside && h("td", {}, figure(beside[part] ?? 0))),
    state.parts.get(part) && below(coded(state.parts.get(part).sentence), beside ? 3 : 2)])));
}

// A row below another that says more, as wide as the table.
export const below = (text, columns) => h("tr", { class: "told" }, h("td", { colspan: columns }, h("small", {}, text)));

export function legend() {
  const told = { meaning: "meaning", words: "words", reading: "read with the question", person: "person", time: "time", shape: "shape of the text" };
  return h("ul", { class: "legend", "aria-label": "Colours" }, Object.entries(told).map(([key, text]) => h("li", {}, h("i", { class: `dot f-${key}` }), text)));
}

const WORDS = [[0.75, "very likely"], [0.5, "likely"], [0.2, "possible"], [0.05, "doubtful"], [0, "unlikely"]];
export const WEAK = 0.05;

export function confidence(value) {
  if (value === null || value === undefined) return null;
  const word = WORDS.find(([least]) => value >= least)?.[1] ?? "unlikely";
  return h("span", { class: "sure", title: `confidence ${figure(value)}` },
    s("svg", { viewBox: "0 0 40 6", "aria-hidden": "true" }, s("rect", { width: 40, height: 6, rx: 3, class: "ground" }),
      s("rect", { width: Math.max(2, 40 * value), height: 6, rx: 3, class: "full" })), word);
}

// --- where a text comes from -------------------------------------------------------------------

export function address(source) {
  const space = state.space;
  if (!source) return null;
  if (source.kind === "event") return href("session", { space, session: source.session, seq: source.seq_start });
  if (source.kind === "file") return href("documents", { space, uri: source.uri, offset: source.offset });
  return source.kind === "record" ? null : href("entry", { space, name: source.name });
}

export const place = (source) => (source.kind === "event" ? `${source.session}#${source.seq_start}` : source.kind === "record" ? source.uri : source.name ?? source.uri ?? source.kind);

export const origin = (source) => h(address(source) ? "a" : "span", { href: address(source) }, name(place(source)));

// A source as an entry names it: session#seq and session#seq-seq lead to the message.
export function cited(text) {
  const found = /^(.+)#(\d+)(?:-\d+)?$/s.exec(text);
  return found ? link("session", { space: state.space, session: found[1], seq: found[2] }, name(text)) : name(text);
}

export function hit(found, on, number, query, given = {}) {
  const { source, superseded_by: newer } = found;
  const kind = found.entry?.kind ?? (source.kind === "event" ? found.role ?? "message" : source.kind === "file" ? "document" : source.kind);
  const classes = ["hit", newer && "old"].filter(Boolean).join(" ");
  const { profile, limit, ...kept } = given;
  // The name of then may lead nowhere now, or elsewhere.
  const from = given.as_of && found.entry ? link("entry", { space: state.space, name: found.entry.uid, as_of: given.as_of }, name(place(source))) : origin(source);
  return h("li", { class: classes, "data-item": true, tabindex: -1 },
    h("div", { class: "head" }, h("span", { class: "rank" }, number), from, tag((source.kind === "event" && found.author) || kind),
      found.origin && found.origin !== "user" && found.origin !== "agent" && tag(`from ${found.origin}`, "warn"),
      h("span", { class: "end" }, confidence(found.confidence), when(found.at))),
    newer && h("p", { class: "superseded" }, "Superseded by ", origin(newer)),
    source.headings?.length ? h("p", { class: "quiet path" }, source.headings.join(" › ")) : null,
    said(found.text, found.marks, 700), bar(found.parts, on),
    h("details", { class: "why" }, h("summary", {}, `Why it scored ${figure(found.score)}`), breakdown(found.parts),
      number > 1 && source.kind !== "record" && link("miss", { space: state.space, q: query, target: place(source), ...kept }, "Compare with the hit above it")));
}

// --- filters of recall: search and the explanation of a miss have the same ----------------------

const MODES = [["", "words and meaning"], ["keyword", "words"], ["vector", "meaning"]];
const KINDS = [["", "everything"], ["message", "messages"], ["note", "notes"], ["fact", "facts"], ["archive", "archives"], ["file", "documents"]];
const ORIGINS = [["", "anybody"], ...["user", "agent", "tool", "web", "import", "dream"].map((each) => [each, each])];
export const FILTERS = { kind: "What", origin: "From", since: "Since", until: "Until", as_of: "As of", category: "Category", tag: "Tag", session: "Session" };

export const readFilters = (params, more = []) => Object.fromEntries(["mode", ...Object.keys(FILTERS), ...more]
  .map((each) => [each, params.get(each)]).filter(([, value]) => value));

export function filterFields(given, always = [], more = []) {
  const isOpen = Object.keys(given).some((each) => !["mode", "kind", "limit"].includes(each));
  const text = (key) => field(FILTERS[key], h("input", { name: key, value: given[key] ?? "", autocomplete: "off" }));
  const date = (key) => field(FILTERS[key], h("input", { type: "date", name: key, value: given[key]?.slice(0, 10) ?? "" }));
  return [field("How", choose("mode", MODES, given.mode)), field(FILTERS.kind, choose("kind", KINDS, given.kind)), always,
    h("details", { open: isOpen }, h("summary", {}, "More filters"), h("div", { class: "grid" }, more,
      field(FILTERS.origin, choose("origin", ORIGINS, given.origin)), date("since"), date("until"), date("as_of"), text("category"), text("tag"), text("session")))];
}

export function namePython(given) {
  const { kind, tag: label, origin: from, since, until, as_of: then, limit, ...plain } = given;
  const time = (text) => text && raw(`datetime.fromisoformat("${text.slice(0, 10)}T00:00:00Z")`);
  return { ...plain, kinds: kind && [kind], tags: label && [label], origins: from && [from], since: time(since), until: time(until), as_of: time(then), limit: limit && Number(limit) };
}
