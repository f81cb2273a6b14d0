// The shell: where one is, how to get elsewhere, and what is wrong with the connection.

import { ask, server } from "/ui/api.js";
import { choose, clip, h, href, link, put, setDb, shell as line } from "/ui/dom.js";
import { state } from "/ui/view.js";
import "/ui/view_context.js";
import "/ui/view_documents.js";
import "/ui/view_dreams.js";
import "/ui/view_entry.js";
import "/ui/view_health.js";
import "/ui/view_home.js";
import "/ui/view_miss.js";
import "/ui/view_search.js";
import "/ui/view_session.js";
import "/ui/view_time.js";

const VIEWS = {
  home: "Home", search: "Search", miss: "Explain a miss", context: "Context", session: "Conversations",
  entry: "Entries", dreams: "Dreams", time: "Time", documents: "Documents", health: "Health",
};
const KEYS = [
  ["/", "Search"], ["j, k", "Next and previous item"], ["Enter", "Open it"], ["Esc", "Leave the field, close a dialog"],
  ["g then h", "Home"], ["g then s, m, c", "Search, explain a miss, context"],
  ["g then l, e", "Conversations, entries"], ["g then d, t, o, x", "Dreams, time, documents, health"], ["?", "This list"],
];
const GO = { h: "home", s: "search", m: "miss", c: "context", l: "session", e: "entry", d: "dreams", t: "time", o: "documents", x: "health" };

const shell = document.getElementById("shell");
const main = h("main", { id: "main", tabindex: -1 });
const banner = h("div", { class: "banner", role: "status", "aria-live": "polite" });
const nav = h("nav", { "aria-label": "Views" });
const spaces = h("div", { class: "spaces" });
const query = h("input", { type: "search", name: "q", placeholder: "Search this memory", "aria-label": "Search this memory", autocomplete: "off" });
const help = h("dialog", { class: "help", "aria-labelledby": "help-title" });
let isEnded = false;

const params = () => new URLSearchParams(location.search);

function theme(next) {
  const root = document.documentElement;
  if (next) { root.dataset.theme = next; localStorage.setItem("ricordo-theme", next); }
  return root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function draw() {
  const given = params();
  const view = Object.hasOwn(VIEWS, given.get("view")) ? given.get("view") : "home";
  state.space = given.get("space") ?? state.space;
  document.title = `${VIEWS[view]} · ${clip(state.space, 60)} · ricordo`;
  if (view === "search") query.value = given.get("q") ?? "";
  put(nav, h("ul", {}, Object.entries(VIEWS).map(([key, title]) => h("li", {}, h("a", {
    href: href(key, { space: state.space }), "aria-current": key === view ? "page" : null, class: `to-${key}`,
  }, title)))));
  const current = nav.querySelector("[aria-current]");
  nav.scrollLeft = current.offsetLeft - nav.offsetLeft - nav.clientWidth / 2 + current.offsetWidth / 2;
  const shown = document.createElement(`ri-${view}`);
  shown.params = given;
  put(main, shown);
}

function go(address) {
  history.pushState(null, "", address);
  draw();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}
state.go = go;

function showEnded(title, ...told) {
  isEnded = true;
  document.title = `${title} · ricordo`;
  put(shell, h("main", { id: "main", class: "ended" }, h("img", { src: "/ui/icon.svg", alt: "", width: 48, height: 48 }),
    h("h1", {}, title), told));
}

const again = () => [
  h("p", {}, "A link works once and within a minute, and a login ends with its server or its token. For a new one:"),
  h("pre", { tabindex: 0, "aria-label": "command" }, h("code", {}, line("inspect"))),
];

function drawShell() {
  const toggle = h("button", { type: "button", class: "icon", "aria-label": "Light or dark", title: "Light or dark",
    onclick: () => theme(theme() === "dark" ? "light" : "dark") }, "◐");
  const ask = h("button", { type: "button", class: "icon", "aria-label": "Keys", title: "Keys (?)", onclick: () => help.showModal() }, "?");
  put(help, h("h2", { id: "help-title" }, "Keys"), h("dl", {}, KEYS.map(([key, told]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, told)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")));
  const search = h("form", { role: "search", onsubmit: (event) => {
    event.preventDefault();
    const old = params().get("view") === "search" ? Object.fromEntries(params()) : {};
    go(href("search", { ...old, view: undefined, space: state.space, q: query.value }));
  } }, query, h("kbd", { "aria-hidden": "true" }, "/"));
  put(shell,
    h("header", {}, h("a", { class: "brand", "aria-label": "ricordo", href: href("home", { space: state.space }) },
      h("img", { src: "/ui/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, "ricordo")),
    spaces, search, h("div", { class: "tools" }, h("span", { class: "may", title: state.readOnly ? "To write, start it with: ricordo inspect --write" : "Started with --write" }, state.readOnly ? "read only" : "may write"), toggle, ask)),
    banner, h("div", { class: "frame" }, nav, main), help);
}

function drawSpaces(names) {
  if (!names.includes(state.space)) names = [state.space, ...names];
  const pick = choose("space", names.map((each) => [each, clip(each, 60)]), state.space, "Space");
  pick.addEventListener("change", () => {
    const view = params().get("view") ?? "home";
    go(href(view, { space: pick.value, q: params().get("q") }));
  });
  put(spaces, pick);
}

// --- keys --------------------------------------------------------------------------------------

let isGoing = false;

function step(by) {
  const found = [...main.querySelectorAll("[data-item]")].filter((each) => each.checkVisibility());
  if (!found.length) return;
  const place = found.indexOf(document.activeElement?.closest("[data-item]"));
  const next = found[Math.max(0, Math.min(found.length - 1, place < 0 ? 0 : place + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

addEventListener("keydown", (event) => {
  if (isEnded || event.ctrlKey || event.metaKey || event.altKey) return;
  const isField = event.target.matches?.("input, textarea, select, [contenteditable]");
  if (event.key === "Escape" && isField) { event.target.blur(); main.focus({ preventScroll: true }); return; }
  if (isField || document.querySelector("dialog[open]")) return;
  const item = event.target.closest?.("[data-item]");
  if (isGoing && GO[event.key]) go(href(GO[event.key], { space: state.space }));
  else if (event.key === "/") query.focus();
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "?") help.showModal();
  else if (event.key === "Enter" && item && event.target === item) item.querySelector("a[href], summary")?.click();
  else if (event.key !== "g") { isGoing = false; return; }
  isGoing = event.key === "g";
  event.preventDefault();
});

addEventListener("click", (event) => {
  const to = event.target.closest?.("a[href^='/ui/?']");
  if (!to || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(to.getAttribute("href"));
});
addEventListener("popstate", draw);

server.addEventListener("away", () => put(banner, h("p", { class: "away" }, "The server does not answer. This page tries again by itself.")));
server.addEventListener("back", () => { put(banner); draw(); });
server.addEventListener("ended", () => showEnded("This login has ended", again()));

async function start() {
  const kept = localStorage.getItem("ricordo-theme");
  if (kept) theme(kept);
  if (location.pathname === "/ui/start") {
    history.replaceState(null, "", "/ui/");
    showEnded("This link is used up", again());
    return;
  }
  try {
    const [access, first, parts] = await Promise.all([ask("/v1/access"), ask("/v1/spaces", { query: { limit: 1000 } }), ask("/v1/parts")]);
    state.readOnly = access.read_only;
    state.isBound = access.space !== null;
    setDb(access.db);
    state.space = params().get("space") ?? access.space ?? (first.items.includes("default") ? "default" : first.items[0] ?? "default");
    for (const part of parts.items) state.parts.set(part.name, part);
    drawShell();
    drawSpaces(first.items);
    draw();
  } catch (error) {
    if (error.status !== 401) showEnded("The server does not answer", h("p", {}, error.message), h("button", { type: "button", onclick: () => location.reload() }, "Try again"));
  }
}

start();
