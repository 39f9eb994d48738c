import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { STEP_KINDS, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { testNode } from "@/components/canvas/document/test-definition";
import { NodePicker } from "@/components/canvas/editor/node-picker";
import { DraftProvider } from "@/components/canvas/store/draft-context";
import { openSession } from "@/components/canvas/store/open-session.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";

/** Opens the picker after the Action Input. */
function openPicker() {
  const session = openSession([testNode("start", "action_input", 0, 0, { properties: [] })]);
  const spot = { kind: "after", source: "start", sourceHandle: null } as const;
  session.editor.getState().openPicker({ spot, anchor: { x: 0, y: 0 } });
  const page = renderPage(
    <DraftProvider session={session}>
      <NodePicker />
    </DraftProvider>,
  );
  return { ...page, session };
}

test("the picker lists every step kind and explains why one can't be added", () => {
  openPicker();
  expect(screen.getAllByRole("option")).toHaveLength(STEP_TYPES.length);
  for (const type of STEP_TYPES) {
    const { title, hasInput } = STEP_KINDS[type];
    const option = screen.getByRole("option", { name: new RegExp(`^${title}`) });
    expect(option.getAttribute("aria-disabled")).toBe(String(!hasInput));
  }
});

test("Enter adds the kind that the search found, with its defaults, and connects it", async () => {
  const { user, session } = openPicker();
  await user.type(screen.getByRole("combobox", { name: "Search steps" }), "keep items{Enter}");
  const { definition, selectedNodeIds, picker } = session.editor.getState();
  const added = definition.nodes.find((node) => node.type === "filter");
  expect(added?.data).toEqual({ name: "Filter", ...STEP_KINDS.filter.newData() });
  expect(definition.edges.map(({ source, target }) => [source, target])).toEqual([["start", "filter"]]);
  expect([selectedNodeIds, picker]).toEqual([["filter"], null]);
});
