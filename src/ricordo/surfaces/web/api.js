// The server: /v1 and nothing else. What is wrong with it is told by events on `server`.

export const server = new EventTarget();
export class Failure extends Error {
  constructor(status, detail) { super(detail); this.status = status; }
}

let isAway = false;

// Browsers shorten addresses at "." and "..", however they are encoded: another route would be asked.
const encode = (piece) => (piece === "." || piece === ".." ? `%00${piece}` : encodeURIComponent(piece));

export const at = (...pieces) => ["/v1/spaces", ...pieces.map(encode)].join("/");

export async function ask(path, { query = {}, body, signal } = {}) {
  const url = new URL(path, location.origin);
  for (const [key, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") url.searchParams.append(key, each);
    }
  }
  const sent = body === undefined ? {} : {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
  };
  let answer;
  try {
    answer = await fetch(url, { ...sent, signal, credentials: "same-origin", cache: "no-store", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    watch();
    throw new Failure(0, "The server does not answer.");
  }
  if (answer.status === 401) {
    server.dispatchEvent(new Event("ended"));
    throw new Failure(401, "This login has ended.");
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Failure(answer.status, told.detail ?? `The server answered ${answer.status}.`);
  return told;
}

export const items = async (path, options) => (await ask(path, options)).items;

// A server that is away is asked until it is back; the view is then shown again.
async function watch() {
  if (isAway) return;
  isAway = true;
  server.dispatchEvent(new Event("away"));
  for (;;) {
    await new Promise((done) => setTimeout(done, 1000));
    try {
      await fetch("/healthz", { cache: "no-store" });
      break;
    } catch { /* still away */ }
  }
  isAway = false;
  server.dispatchEvent(new Event("back"));
}

// What changes in a space, as it happens; returns what ends it.
export function follow(space, seen, tell, state) {
  const url = new URL(at(space, "changes"), location.origin);
  if (seen) url.searchParams.set("seen", seen);
  let source = null;
  const open = () => {
    source = new EventSource(url);
    source.addEventListener("change", (event) => tell(JSON.parse(event.data)));
    source.onopen = () => state("live");
    source.onerror = () => {
      state("waiting");
      // A stream that was refused does not try again by itself: ask why.
      if (source.readyState === EventSource.CLOSED) ask("/v1/access").then(() => setTimeout(open, 2000), () => {});
    };
  };
  // A hidden tab holds no connection: a browser has six of them for all tabs.
  const look = () => {
    source?.close();
    source = null;
    if (document.hidden) state("paused");
    else open();
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => { document.removeEventListener("visibilitychange", look); source?.close(); };
}
