// Time: what comes, on a calendar; schedules with their runs; reminders.

import { ask, at, items } from "/ui/api.js";
import { clip, clock, copies, day, empty, h, href, name, plural, put, python, said, shell, tag, when } from "/ui/dom.js";
import { View, into, problem, state, title } from "/ui/view.js";

const MARKS = { reminder: ["reminder", "warn"], done: ["reminded", ""], run: ["will run", "good"], ran: ["ran", ""], failed: ["did not succeed", "bad"] };
const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const pad = (n) => String(n).padStart(2, "0");
const key = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

class Time extends View {
  async show(params) {
    const [schedules, reminders] = await Promise.all([
      items(at(state.space, "schedules"), { query: { limit: 50 }, signal: this.signal }),
      items(at(state.space, "reminders"), { query: { pending: false, limit: 300 }, signal: this.signal })]);
    const runs = await items(at(state.space, "changes"), { query: { kind: "run", limit: 300 }, signal: this.signal });
    const upcoming = await Promise.all(schedules.slice(0, 20).map((each) => (each.next_run_at ? items(at(state.space, "schedules", each.id, "upcoming"), { query: { limit: 20 }, signal: this.signal }) : [])));
    const marks = [...reminders.filter((each) => each.at).map((each) => ({ at: each.at, text: each.text, kind: each.delivered_at ? "done" : "reminder" })),
      ...runs.map((each) => ({ at: each.at, text: each.name, kind: each.about === "success" ? "ran" : "failed" })),
      ...upcoming.flatMap((times, place) => times.map((each) => ({ at: each, text: schedules[place].name, kind: "run" })))];
    const month = /^\d{4}-\d{2}$/.test(params.get("month") ?? "") ? params.get("month") : key(new Date()).slice(0, 7);
    const waiting = reminders.filter((each) => !each.delivered_at);
    this.fill(title("Time"), !schedules.length && !reminders.length ? empty("Nothing is planned.", shell("--space", state.space, "remind", "Call the bank", "--at", "tomorrow 9am"), shell("--space", state.space, "schedule", "add", "Send the report", "every weekday at 8:30")) : [this.calendar(month, marks), this.day(params.get("day"), marks)],
      schedules.length ? h("section", {}, h("h2", {}, "Schedules"), h("ol", { class: "list" }, schedules.map((each) => this.schedule(each)))) : null,
      waiting.length ? h("section", {}, h("h2", {}, "Reminders to come"), h("ol", { class: "list rows" }, waiting.map((each) => h("li", { "data-item": true, tabindex: -1 }, h("bdi", {}, clip(each.text, 140)), h("span", { class: "end" }, each.at ? when(each.at) : ["on ", h("q", {}, clip(each.cue, 60))]))))) : null,
      copies([["Shell", shell("--space", state.space, "remind", "list")], ["Python", python(`memory.space(${JSON.stringify(state.space)}).reminders.list`)]]));
  }

  calendar(month, marks) {
    const [year, number] = month.split("-").map(Number);
    const first = new Date(year, number - 1, 1);
    const start = new Date(year, number - 1, 1 - ((first.getDay() + 6) % 7));
    const to = (by) => href("time", { space: state.space, month: key(new Date(year, number - 1 + by, 1)).slice(0, 7) });
    const days = new Map();
    for (const each of marks.sort((a, b) => new Date(a.at) - new Date(b.at))) {
      const on = key(new Date(each.at));
      days.set(on, [...(days.get(on) ?? []), each]);
    }
    const cell = (date) => {
      const found = days.get(key(date)) ?? [];
      const classes = [date.getMonth() !== number - 1 && "other", key(date) === key(new Date()) && "today", !found.length && "free"].filter(Boolean).join(" ");
      return h("td", { class: classes }, h("span", { class: "date", "data-name": ` ${date.toLocaleDateString("en-GB", { month: "short" })}, ${WEEK[(date.getDay() + 6) % 7]}` }, date.getDate()), found.slice(0, 3).map((each) => h("span", { class: `mark ${each.kind}`, title: `${clock(each.at)} ${MARKS[each.kind][0]}: ${clip(each.text, 200)}` }, h("small", {}, clock(each.at)), " ", h("bdi", {}, clip(each.text, 60)))), found.length > 3 && h("a", { class: "all", href: href("time", { space: state.space, month, day: key(date) }) }, `and ${found.length - 3} more`));
    };
    const weeks = Array.from({ length: 6 }, (_, week) => WEEK.map((__, place) => new Date(start.getFullYear(), start.getMonth(), start.getDate() + week * 7 + place))).filter((week) => week.some((date) => date.getMonth() === number - 1));
    const label = first.toLocaleDateString("en-GB", { month: "long", year: "numeric" });
    return h("section", {}, h("div", { class: "head month" }, h("h2", {}, label), h("span", { class: "end" }, h("a", { href: to(-1) }, "Previous"), h("a", { href: to(1) }, "Next"))),
      h("table", { class: "calendar" }, h("caption", { class: "hidden" }, label), h("thead", {}, h("tr", {}, WEEK.map((each) => h("th", { scope: "col" }, each)))), h("tbody", {}, weeks.map((week) => h("tr", {}, week.map(cell))))));
  }

  // All of a day, since a cell shows three.
  day(wanted, marks) {
    const found = marks.filter((each) => key(new Date(each.at)) === wanted);
    return found.length ? h("section", { class: "day-list" }, h("h2", {}, `On ${day(`${wanted}T12:00:00`)}`), h("ol", { class: "list rows" }, found.map((each) => h("li", { "data-item": true, tabindex: -1 },
      h("time", { datetime: each.at }, clock(each.at)), tag(...MARKS[each.kind]), h("bdi", {}, clip(each.text, 200)))))) : null;
  }

  schedule(plan) {
    const runs = h("div", {}), told = h("div", { "aria-live": "polite" });
    const isPaused = plan.status === "paused";
    const verb = isPaused ? "resume" : "pause";
    const change = ["active", "paused"].includes(plan.status) ? h("button", { type: "button", disabled: state.readOnly, title: state.readOnly ? "Start with: ricordo inspect --write" : "", onclick: async () => {
      try { await ask(at(state.space, "schedules", plan.id, verb), { body: {} }); this.run(); } catch (error) { put(told, problem(error)); }
    } }, isPaused ? "Resume" : "Pause") : null;
    const load = h("details", { class: "runs", ontoggle: (event) => event.currentTarget.open && !runs.childNodes.length && into(runs, async () => {
      const found = await items(at(state.space, "schedules", plan.id, "runs"), { query: { limit: 20 } });
      return found.length ? h("ol", { class: "list" }, found.map((each) => h("li", {}, h("div", { class: "head" }, tag(each.status, each.status === "success" ? "good" : "bad"), h("span", { class: "end" }, when(each.started_at))), each.output ? said(each.output, [], 400) : null))) : h("p", { class: "quiet" }, "It has not run yet.");
    }) }, h("summary", {}, "Runs"), runs);
    return h("li", { "data-item": true, tabindex: -1 }, h("div", { class: "head" }, h("strong", {}, name(plan.name)), tag(plan.status, plan.status === "active" ? "good" : "warn"), plan.failures ? tag(plural(plan.failures, "failure"), "bad") : null, h("span", { class: "end" }, change, plan.next_run_at ? [new Date(plan.next_run_at) < Date.now() ? "due since " : "next ", when(plan.next_run_at)] : null)),
      h("p", {}, h("bdi", {}, clip(plan.goal, 300)), h("span", { class: "quiet" }, ` · ${plan.description}`)), told, load);
  }
}

customElements.define("ri-time", Time);
