// Health: whether the memory is well, who keeps it, what waits and what it costs.

import { ask, at, items } from "/ui/api.js";
import { bytes, clip, coded, copies, count, empty, h, plural, put, s, shell, table, tag, when } from "/ui/dom.js";
import { View, into, state, title } from "/ui/view.js";

class Health extends View {
  async show() {
    const quiet = (error) => { if ([404].includes(error.status)) return null; throw error; };
    const get = async (path) => { const found = await ask(path, { signal: this.signal }).catch(quiet); return found?.items ?? found; };
    const [stats, spending, findings, jobs] = await Promise.all([ask(at(state.space, "stats"), { signal: this.signal }).catch(quiet),
      items(at(state.space, "spending"), { signal: this.signal }), get("/v1/doctor"), get("/v1/keeper")]);
    const check = h("div", { "aria-live": "polite" }, state.isBound ? h("p", { class: "quiet" }, "This token sees one space; a check is about all of them.") : h("button", { type: "button", onclick: () => into(check, checked) }, "Check every rule"));
    this.fill(title("Health"), stats ? this.sizes(stats) : empty("Nothing was written to this space yet.", shell("--space", state.space, "remember", "Prefers window seats")),
      findings && h("section", {}, h("h2", {}, "Findings"), h("ul", { class: "list rows findings" }, findings.map((each) => h("li", {}, tag(each.state, each.state === "ok" ? "good" : each.state === "wrong" ? "bad" : "warn"), h("strong", {}, each.what), h("span", { class: "detail" }, coded(each.detail)))))),
      h("section", {}, h("h2", {}, "Check"), check),
      jobs && h("section", {}, h("h2", {}, "Keeper"), table("Jobs of the keeper", ["Job", "Last", "Next", "Result"], jobs.map((each) => [each.name, each.every_seconds ? when(each.last_at) : "off", each.next_at && each.every_seconds ? when(each.next_at) : "–", each.error ? tag(clip(each.error, 120), "bad") : clip(each.result, 120) || "–"]))),
      h("section", {}, h("h2", {}, "Spending"), spending.length ? table("What chat models used", ["Model", "Calls", "Tokens in", "Tokens out"], spending.map((each) => [clip(each.model, 80), count(each.calls), count(each.tokens_in), count(each.tokens_out)])) : h("p", { class: "quiet" }, "No chat model was asked for this space.")),
      copies([["Shell", shell("doctor")], ["Shell", shell("check")], ["Shell", shell("--space", state.space, "stats")]]));
  }

  sizes(stats) {
    const waiting = Math.max(0, stats.chunks - stats.embedded - stats.failed);
    const share = stats.chunks ? stats.embedded / stats.chunks : 1;
    const rows = [["Sessions", count(stats.sessions)], ["Messages", count(stats.events)], ["Entries", count(stats.entries)], ["Chunks", count(stats.chunks)], ["Recalls", count(stats.signals)], ["Size", stats.bytes ? bytes(stats.bytes) : "–"], ["Model", stats.model ? clip(stats.model, 60) : "none: words only"]];
    return h("section", {}, h("dl", { class: "facts" }, rows.map(([key, value]) => h("div", {}, h("dt", {}, key), h("dd", {}, value)))),
      h("figure", { class: "tokens" }, h("figcaption", {}, h("strong", {}, `${Math.floor(share * 100)} %`), ` of the chunks have their vector${waiting ? `, ${count(waiting)} wait` : ""}${stats.failed ? `, ${count(stats.failed)} failed` : ""}`),
        s("svg", { class: "bar", viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img", "aria-label": `${Math.floor(share * 100)} percent embedded` }, s("rect", { class: "ground", y: 3, width: 1000, height: 14, rx: 2 }), s("rect", { class: "f-meaning", y: 3, width: 1000 * share, height: 14, rx: 2 }))),
      stats.embedding_error ? h("p", { class: "problem" }, clip(stats.embedding_error, 300)) : null);
  }
}

async function checked() {
  const found = await items("/v1/check");
  return found.length ? table("Broken rules", ["Rule", "Where", "What"], found.map((each) => [each.rule, each.where, each.detail])) : h("p", {}, tag("ok", "good"), " Every rule holds.");
}

customElements.define("ri-health", Health);
