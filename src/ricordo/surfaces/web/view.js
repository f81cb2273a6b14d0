// What all views share: the state of the page, and how a view comes and goes.

import { Failure } from "/ui/api.js";
import { h, put } from "/ui/dom.js";

export const state = { space: "default", readOnly: true, isBound: false, parts: new Map(), go: () => {} };

export class View extends HTMLElement {
  connectedCallback() {
    this.ended = new AbortController();
    this.run();
  }

  disconnectedCallback() {
    this.ended.abort();
    this.stop?.();
  }

  fill(...children) { put(this, ...children); }

  get signal() { return this.ended.signal; }

  async run() {
    try {
      await this.show(this.params);
    } catch (error) {
      if (error.name !== "AbortError") put(this, ...(error.status === 404 && this.missing?.(error) || [title("Something is wrong"), problem(error)]));
    }
    this.dataset.ready = "yes";
  }
}

export const title = (text, ...rest) => h("div", { class: "title" }, h("h1", {}, text), rest);

export function problem(error) {
  if (!(error instanceof Failure)) console.error(error);
  return h("p", { class: "problem", role: "alert" }, error instanceof Failure ? error.message : "This view failed; see the console.");
}

// Put what a promise gives into a place, or what is wrong with it.
export async function into(place, work) {
  place.setAttribute("aria-busy", "true");
  try {
    put(place, await work());
  } catch (error) {
    if (error.name === "AbortError") return;
    put(place, problem(error));
  }
  place.removeAttribute("aria-busy");
}

// A form whose fields are the address: what is asked can be sent to somebody else.
export function readForm(form) {
  const found = {};
  for (const [key, value] of new FormData(form)) {
    if (value === "") continue;
    found[key] = key in found ? [].concat(found[key], value) : value;
  }
  return found;
}
