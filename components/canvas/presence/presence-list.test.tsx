import { screen } from "@testing-library/react";
import { act } from "react";
import { expect, test } from "vitest";
import { testNode } from "@/components/canvas/document/test-definition";
import { PresenceList } from "@/components/canvas/presence/presence-list";
import { renderCanvas } from "@/components/canvas/store/render-canvas.fixture";
import type { Presence, Visitor } from "@/components/canvas/store/who-is-here";

const visitor = (id: string, name: string, clientId = id) =>
  ({ actor: { type: "user", id, name }, clientId, seenAtMs: 0 }) as Visitor;

function renderPresence(presence: Partial<Presence>) {
  const page = renderCanvas(() => <PresenceList />, { nodes: [testNode("start", "action_input", 0, 0)] });
  act(() => page.session.draft.setState({ presence: { visitors: [], lastChange: null, ...presence } }));
  return page;
}
const names = () => screen.getAllByRole("button").map((mark) => mark.getAttribute("aria-label"));

test("nothing is shown while no one else is here", () => {
  renderPresence({});
  expect(screen.queryByRole("list", { name: "Also viewing" })).toBeNull();
});

test("each person is shown once, regardless of the number of open pages", () => {
  renderPresence({ visitors: [visitor("b", "Bea Lee", "1"), visitor("b", "Bea Lee", "2"), visitor("a", "Al")] });
  expect(names()).toEqual(["Al has this workflow open", "Bea Lee has this workflow open"]);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["A", "BL"]);
});

test("more than three people are counted, with their names", () => {
  const people = ["Al", "Bea", "Cy", "Di", "Ed"].map((name) => visitor(name, name));
  renderPresence({ visitors: people });
  const marks = screen.getAllByRole("button");
  expect(marks).toHaveLength(4);
  expect([marks[3]?.textContent, marks[3]?.getAttribute("aria-label")]).toEqual(["+2", "Di, Ed"]);
});

test("an agent that changed the workflow is named", () => {
  const actor = { type: "api_key", id: "k", name: "Builder" } as Visitor["actor"];
  renderPresence({ lastChange: { actor, revision: 2, atMs: 0 } });
  expect(names()).toEqual(["Builder changed this workflow"]);
});
