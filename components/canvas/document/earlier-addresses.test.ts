import { expect, test } from "vitest";
import { analyse } from "@/components/canvas/document/analysis";
import { earlierData } from "@/components/canvas/document/earlier-data";
import { testNode } from "@/components/canvas/document/test-definition";

const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

function addressesFor(nodeId: string): string[] {
  const inner = { ...testNode("inner", "wait_for_callback", 0, 0, { expires_seconds: 60 }), parentId: "each" };
  const sender = { ...testNode("sender", "transform", 0, 0, {}), parentId: "each" };
  const definition = {
    nodes: [
      testNode("start", "action_input", 0, 0, {}),
      testNode("before", "transform", 0, 100, {}),
      testNode("wait", "wait_for_callback", 0, 200, { expires_seconds: 60 }),
      testNode("each", "loop", 0, 300, { items: [] }),
      sender,
      inner,
    ],
    edges: [edge("start", "before"), edge("before", "wait"), edge("start", "each"), edge("sender", "inner")],
  };
  const fields = earlierData(analyse(definition), nodeId).flatMap((source) => source.fields);
  return fields.map((field) => field.expression).filter((expression) => expression.includes("callback_url"));
}

test("a step is offered the addresses of later steps of its loop and of the workflow, and not its own", () => {
  expect(addressesFor("before")).toEqual(["{{wait.callback_url}}"]);
  expect(addressesFor("wait")).toEqual([]);
  expect(addressesFor("sender")).toEqual(["{{wait.callback_url}}", "{{inner.callback_url}}"]);
});
