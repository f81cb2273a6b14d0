// Documents, and the chunks that are indexed of each.

import { ask, at } from "/ui/api.js";
import { bytes, clip, copies, count, empty, h, link, name, plural, python, said, shell, tag, when } from "/ui/dom.js";
import { View, state, title } from "/ui/view.js";

const PAGE = 50;

class Documents extends View {
  async show(params) {
    return params.get("uri") === null ? this.list(params.get("after")) : this.one(params);
  }

  async list(after) {
    const page = await ask(at(state.space, "documents"), { query: { limit: 50, after }, signal: this.signal });
    this.fill(title("Documents"), page.items.length ? h("ol", { class: "list rows" }, page.items.map((each) => h("li", { "data-item": true, tabindex: -1 },
      link("documents", { space: state.space, uri: each.uri }, name(each.uri)), h("span", { class: "quiet" }, `${plural(each.chunks, "chunk")}, ${count(each.characters)} characters`), each.tags.map((t) => tag(t)), h("span", { class: "end" }, when(each.updated_at)))))
      : empty("No document yet.", shell("--space", state.space, "ingest", "notes.md")),
    page.next && h("p", { class: "pages" }, link("documents", { space: state.space, after: page.next }, "More")),
    copies([["Shell", shell("--space", state.space, "documents")], ["Python", python(`memory.space(${JSON.stringify(state.space)}).documents.list`)]]));
  }

  missing(error) {
    return [title("No such document"), h("div", { class: "empty" }, h("p", {}, `${error.message}. It may have been renamed or forgotten.`), h("p", {}, link("documents", { space: state.space }, "All documents")),
      h("pre", { tabindex: 0, "aria-label": "command" }, h("code", {}, shell("--space", state.space, "documents"))))];
  }

  async one(params) {
    const uri = params.get("uri"), offset = params.get("offset"), after = params.get("after");
    const path = at(state.space, "documents", uri, "chunks");
    const start = after === null && offset !== null ? Math.max(0, await this.find(path, offset) - 5) : Number(after ?? 0);
    const page = await ask(path, { query: { limit: PAGE, after: start || null }, signal: this.signal });
    this.fill(title(clip(uri, 80)), h("p", { class: "quiet" }, "What is indexed of it, in order."), h("ol", { class: "list" }, page.items.map((each) => h("li", { class: offset !== null && String(each.offset) === offset ? "wanted" : "", "data-item": true, tabindex: -1 },
      h("div", { class: "head" }, h("strong", {}, `Chunk ${each.number + 1}`), each.headings.length ? h("span", { class: "quiet path" }, each.headings.join(" › ")) : null, h("span", { class: "end quiet" }, each.line_start ? `lines ${each.line_start} to ${each.line_end}` : "")), said(each.text)))),
    h("p", { class: "pages" }, start > 0 && link("documents", { space: state.space, uri, after: Math.max(0, start - PAGE) }, "Earlier"), page.next && link("documents", { space: state.space, uri, after: page.next }, "Later")),
    copies([["Shell", shell("--space", state.space, "documents", uri, "--chunks")], ["Python", python(`memory.space(${JSON.stringify(state.space)}).documents.chunks`, [uri])]]));
    this.querySelector(".wanted")?.scrollIntoView({ block: "center" });
  }

  // The place of the chunk that stands there, wherever in the document.
  async find(path, offset) {
    for (let from = 0; ;) {
      const page = await ask(path, { query: { limit: 1000, after: from || null }, signal: this.signal });
      const found = page.items.findIndex((each) => String(each.offset) === offset);
      if (found >= 0) return from + found;
      if (!page.next) return 0;
      from = Number(page.next);
    }
  }
}

customElements.define("ri-documents", Documents);
