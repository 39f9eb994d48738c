import { describe, expect, test } from "vitest";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

function absences(property: object) {
  const drawn = definition(
    [
      completeNode("start", "action_input", { properties: [{ name: "note", type: "string", required: false }] }),
      completeNode("end", "return_output", { properties: [{ name: "text", type: "string", ...property }] }),
    ],
    ["start > end"],
  );
  return validateGraph(drawn).filter(({ code }) => code === "MAY_BE_EMPTY");
}

describe("an output whose value may be absent", () => {
  test("and that is required has a warning, whose fix lets it be null", () => {
    const property = { name: "text", type: "string", required: true, value: "{{action_input.note}}" };
    const [warning] = absences(property);
    expect(warning).toMatchObject({ severity: "warning", field: "properties.0.value" });
    expect(warning?.fix).toEqual({
      op: "update_node",
      node_id: "end",
      data: { properties: [{ ...property, required: false }] },
    });
    expect(absences({ ...property, required: false })[0]).not.toHaveProperty("fix");
  });

  test("has no warning with a fallback", () => {
    expect(absences({ required: true, value: '{{action_input.note ?? "none"}}' })).toEqual([]);
  });

  test.each([{}, { required: false }])("and that is not required has a warning without a fix: %j", (required) => {
    const [warning] = absences({ ...required, value: "{{action_input.note}}" });
    expect(warning).toMatchObject({ severity: "warning" });
    expect(warning).not.toHaveProperty("fix");
  });
});
