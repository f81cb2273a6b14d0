// Home: what is there, and what happens, as it happens.

import { ask, at, follow, items } from "/ui/api.js";
import { clip, copies, count, day, empty, h, href, link, name, plural, python, s, said, shell, tag, when } from "/ui/dom.js";
import { address, place } from "/ui/parts.js";
import { View, state, title } from "/ui/view.js";

const KINDS = { event: "messages", entry: "entries", revision: "revisions", document: "documents", signal: "recalls", sweep: "dreams", run: "runs", reminder: "reminders", erasure: "erasures" };
const DAYS = 30;
const SHOWN = 100;
const MOST = 1000; // changes that the bars count

class Home extends View {
  async show(params) {
    const kinds = params.getAll("kind").filter((each) => KINDS[each]);
    const [stats, all, changes] = await Promise.all([
      ask(at(state.space, "stats"), { signal: this.signal }).catch((error) => { if (error.status === 404) return null; throw error; }),
      items(at(state.space, "changes"), { query: { limit: MOST }, signal: this.signal }),
      kinds.length ? items(at(state.space, "changes"), { query: { limit: SHOWN, kind: kinds }, signal: this.signal }) : null,
    ]);
    if (!stats || !all.length) {
      this.fill(title("Home"), empty(`The space ${state.space} is empty. Give it something to remember:`,
        shell("--space", state.space, "remember", "Prefers window seats"), shell("--space", state.space, "append", "trip", "user", "Book me a flight to Oslo")));
    } else this.draw(stats, all, changes ?? all.slice(0, SHOWN), kinds);
    this.known = new Set(all.map((each) => each.id));
    this.stop = follow(state.space, all[0]?.id, (change) => this.tell(change, kinds), (now) => this.mark(now));
  }

  draw(stats, all, changes, kinds) {
    const space = state.space;
    const cards = [["messages", stats.events, ["event"], href("session", { space })], ["entries", stats.entries, ["entry", "revision"], href("entry", { space })],
      ["recalls", stats.signals, ["signal"], href("home", { space, kind: "signal" })], ["conversations", stats.sessions, null, href("session", { space })]];
    this.live = h("span", { class: "live", role: "status" }, "connecting");
    this.feed = h("ol", { class: "feed" }, changes.map((each) => row(each)));
    const filters = h("div", { class: "chips", role: "group", "aria-label": "Kinds" }, Object.entries(KINDS).map(([kind, text]) => h("a", {
      class: "chip", "aria-current": kinds.includes(kind) ? "true" : null,
      href: href("home", { space: state.space, kind: kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind] }) }, text)));
    this.fill(title("Home", this.live), h("ul", { class: "cards" }, cards.map(([label, n, wanted, to]) => h("li", {}, h("a", { href: to }, h("strong", {}, count(n)), h("span", {}, label)), spark(all.filter((each) => (wanted ? wanted.includes(each.kind) : each.kind === "event")), label, !wanted)))),
      h("p", { class: "axis cut" }, h("span", {}, `The last ${DAYS} days, a bar for each${all.length < MOST ? "" : `; the newest ${count(MOST)} changes`}`)),
      h("h2", {}, "What happened"), filters, this.feed, changes.length ? null : h("p", { class: "quiet" }, "Nothing of this kind yet."),
      copies([["Shell", shell("--space", state.space, "changes", ...kinds.flatMap((each) => ["--kind", each]))], ["Python", python(`memory.space(${JSON.stringify(state.space)}).exchange.changes`, [], { kinds })]]));
  }

  tell(change, kinds) {
    if (this.known.has(change.id)) return;
    this.known.add(change.id);
    if (!this.feed) { this.run(); return; }
    if (kinds.length && !kinds.includes(change.kind)) return;
    const next = row(change);
    next.classList.add("new");
    this.feed.prepend(next);
    while (this.feed.children.length > 2 * SHOWN) this.feed.lastChild.remove();
  }

  mark(now) {
    if (this.live) { this.live.textContent = now; this.live.className = `live ${now}`; }
  }
}

function row(change) {
  const { kind, source } = change;
  const to = source ? address(source) : kind === "sweep" ? href("dreams", { space: state.space }) : kind === "erasure" ? null : href("time", { space: state.space });
  const where = source ? place(source) : kind === "sweep" ? `Sweep ${change.name}` : kind === "erasure" ? "Something was erased" : change.name || "Reminder";
  const what = kind === "signal" ? ["recalled for “", h("bdi", {}, clip(change.text, 100)), "”"] : h("bdi", {}, clip(change.text, 180));
  return h("li", { class: `k-${kind}`, "data-item": true, tabindex: -1 }, h("span", { class: "kind" }, kind === "signal" ? "recall" : kind), h("div", {}, h("p", { class: "where" }, to ? h("a", { href: to }, name(where)) : name(where), change.about && h("span", { class: "quiet" }, ` ${change.about}`)), h("p", {}, what)), when(change.at));
}

// How many changes each day had, or how many conversations were active.
function spark(changes, label, bySession = false) {
  const days = new Array(DAYS).fill(0);
  const seen = new Set();
  for (const each of changes) {
    const place = DAYS - 1 - Math.floor((Date.now() - new Date(each.at)) / 86400000);
    const once = bySession ? `${place} ${each.source?.session}` : each.id;
    if (place >= 0 && place < DAYS && !seen.has(once)) days[place] += 1;
    seen.add(once);
  }
  const most = Math.max(...days, 1), sum = days.reduce((a, b) => a + b, 0);
  return s("svg", { class: "spark", viewBox: `0 0 ${DAYS * 6} 28`, preserveAspectRatio: "none", role: "img", "aria-label": `${label}: ${sum} of the newest changes in the last ${DAYS} days` },
    days.map((n, at) => s("rect", { x: at * 6, y: 28 - Math.max(1, (26 * n) / most), width: 4, height: Math.max(1, (26 * n) / most), rx: 1 })));
}

customElements.define("ri-home", Home);
