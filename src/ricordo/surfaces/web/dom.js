// Building the page. Text of a memory is hostile: everything goes in as text nodes and attributes.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node && node.tagName !== "LI") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

export function put(place, ...children) {
  place.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
}

// --- addresses: every view is a link -----------------------------------------------------------

export function href(view, params = {}) {
  const query = new URLSearchParams();
  query.set("view", view);
  for (const [name, value] of Object.entries(params)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "" && each !== false) query.append(name, each);
    }
  }
  return `/ui/?${query}`;
}

export const link = (view, params, ...children) => h("a", { href: href(view, params) }, ...children);

// --- words and figures -------------------------------------------------------------------------

const NUMBER = new Intl.NumberFormat("en");
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const HOUR = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60]];

export const count = (n) => NUMBER.format(n);
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
export const day = (at) => DAY.format(new Date(at));
export const clock = (at) => HOUR.format(new Date(at));
export const figure = (x) => (x === null || x === undefined ? "–" : (x < 0 ? "−" : "") + Math.abs(x).toFixed(2));

export function ago(at) {
  const seconds = (new Date(at) - Date.now()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return AGO.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

export function when(at) {
  if (!at) return h("span", { class: "quiet" }, "never");
  return h("time", { datetime: at, title: `${day(at)} ${clock(at)}` }, ago(at));
}

export function bytes(n) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let place = 0;
  while (n >= 1000 && place < 4) { n /= 1000; place += 1; }
  return `${n.toFixed(place && n < 10 ? 1 : 0)} ${units[place]}`;
}

// --- texts -------------------------------------------------------------------------------------

const SHOWN = 1500; // characters that are shown at first
const MOST = 200000; // and at most, so that one line of many megabytes does not stall the page

const OVERRIDES = /[\u202d\u202e]/g; // they show a text other than it is: gnp.exe as exe.png

const plain = (text) => String(text ?? "").replace(OVERRIDES, "\ufffd");

// What somebody wrote: isolated, so that no direction or length spills over. `marks` are spans.
export function said(text, marks = [], shown = SHOWN) {
  const whole = plain(text), chars = Array.from(whole.slice(0, MOST));
  const box = h("div", { class: "said", dir: "auto" });
  const rest = whole.length > MOST ? `the first ${count(MOST)} of ${count(whole.length)} characters` : `all ${count(chars.length)} characters`;
  const draw = (end, isFirst) => put(box, marked(chars.slice(0, end), marks),
    end < chars.length ? h("button", { class: "more", type: "button", onclick: () => draw(chars.length) }, `Show ${rest}`)
      : whole.length > MOST && !isFirst ? h("p", { class: "quiet" }, `These are ${rest}.`) : null);
  draw(findCut(chars, shown), true);
  return box;
}

// Where a text is cut: after so many characters, or lines of some 40, unless little is left.
function findCut(chars, shown) {
  let lines = 0;
  for (let at = 0; at < Math.min(chars.length, shown); at += 1) {
    if (chars[at] === "\n" && (lines += 1) >= shown / 40 && chars.length - at > 200) return at;
  }
  return chars.length > shown * 1.2 ? shown : chars.length;
}

// Spans count code points, as Python does; so do the characters here.
function marked(chars, marks) {
  const pieces = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at || start >= chars.length) continue;
    pieces.push(chars.slice(at, start).join(""), h("mark", {}, chars.slice(start, end).join("")));
    at = end;
  }
  pieces.push(chars.slice(at).join(""));
  return pieces.filter((piece) => piece !== "");
}

export const name = (text) => h("bdi", { class: "name" }, clip(text, 120));

export function clip(text, size) {
  const flat = plain(String(text ?? "").slice(0, size * 4)).replace(/\s+/g, " ").trim();
  const chars = Array.from(flat);
  return chars.length <= size ? flat : `${chars.slice(0, size - 1).join("")}…`;
}

// --- pieces that many views share --------------------------------------------------------------

// Our own sentences, whose code stands in backticks.
export const coded = (text) => String(text).split("`").map((piece, place) => (place % 2 ? h("code", {}, piece) : piece));

export const tag = (text, kind = "") => h("span", { class: `tag ${kind}` }, plain(text));

export function empty(text, ...commands) {
  return h("div", { class: "empty" }, h("p", {}, text),
    commands.map((command) => h("pre", { tabindex: 0, "aria-label": "command" }, h("code", {}, command))));
}

export function field(label, control) {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

export function choose(name, options, chosen, label) {
  return h("select", { name, "aria-label": label }, options.map(([value, text]) =>
    h("option", { value, selected: String(value) === String(chosen ?? "") }, text)));
}

export function table(caption, titles, rows) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell)))))));
}

const quoteShell = (text) => (/^[\w./:=@-]+$/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`);
export const raw = (code) => ({ code }); // what stands in Python as it is
const quotePython = (value) => (value?.code ?? (typeof value === "string" ? JSON.stringify(value) : value === true ? "True" : value === false ? "False" : String(value)));

let db = null; // where the memory is, unless a command finds it without
export const setDb = (place) => { db = place; };
export const shell = (...words) => ["ricordo", ...(db ? ["--db", db] : []), ...words.filter((w) => w !== undefined && w !== null && w !== "")].map(quoteShell).join(" ");

export function python(call, args = [], named = {}) {
  const given = Object.entries(named).filter(([, v]) => v !== undefined && v !== null && v !== "" && !(Array.isArray(v) && !v.length));
  const show = (v) => (Array.isArray(v) ? `[${v.map(quotePython).join(", ")}]` : quotePython(v));
  return `${call}(${[...args.map(show), ...given.map(([k, v]) => `${k}=${show(v)}`)].join(", ")})`;
}

export function copies(rows) {
  return h("details", { class: "copies" }, h("summary", {}, "Copy as command or code"),
    rows.map(([label, text]) => h("div", { class: "copy" }, h("span", {}, label),
      h("pre", { tabindex: 0, "aria-label": label }, h("code", {}, text)),
      h("button", { type: "button", onclick: async (event) => {
        const button = event.currentTarget;
        try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
        catch { button.textContent = "Select and copy"; }
      } }, "Copy"))));
}

// --- differences between two texts -------------------------------------------------------------

const LONGEST = 1200; // words of a side; beyond, both sides are shown whole

export function diff(before, after) {
  const old = words(before), now = words(after), same = (i, j) => old[i].trim() === now[j].trim();
  const box = h("div", { class: "said diff", dir: "auto" });
  if (old.length > LONGEST || now.length > LONGEST) {
    put(box, h("del", {}, clip(before, 2000)), h("ins", {}, clip(after, 2000)));
    return box;
  }
  const best = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      best[i][j] = same(i, j) ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const runs = [];
  let i = 0, j = 0, gone = "", come = "";
  const add = (kind, text) => text && runs.push(/^\s*/.exec(text)[0], h(kind, {}, text.trimStart()));
  const close = () => { if (gone && come && !/^\s/.test(come)) come = ` ${come}`; add("del", gone); add("ins", come); gone = come = ""; };
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && same(i, j)) { close(); runs.push(now[j]); i += 1; j += 1; }
    else if (j >= now.length || (i < old.length && best[i + 1][j] >= best[i][j + 1])) { gone += old[i]; i += 1; }
    else { come += now[j]; j += 1; }
  }
  close();
  put(box, runs);
  return box;
}

// Each word with the blanks before it, so that what changed reads in one piece.
const words = (text) => plain(text).match(/\s*\S+/g) ?? [];
