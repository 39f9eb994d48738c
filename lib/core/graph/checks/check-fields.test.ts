import { describe, expect, test } from "vitest";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { TEMPLATES } from "#lib/core/templates/templates";

const start = completeNode("start", "action_input", {
  properties: [
    { name: "email", type: "string", required: true },
    { name: "order_id", type: "string", required: true },
    { name: "order", type: "object", required: true },
    { name: "tags", type: "array", required: true, items: { type: "string" } },
  ],
});
const MODEL = {
  type: "object",
  properties: { category: { type: "string" }, score: { type: "object", properties: { value: { type: "number" } } } },
  required: ["category"],
  additionalProperties: false,
};
const STEPS: GraphNode[] = [
  completeNode("fetch", "connector"),
  completeNode("model", "llm", { output_schema: MODEL }),
  completeNode("gate", "approval"),
  completeNode("shape", "transform", {
    fields: [
      { name: "total", value: 1 },
      { name: "reply", value: "{{fetch.body}}" },
      { name: "nested", value: { first: "{{action_input.email}}" } },
    ],
  }),
  completeNode("few", "filter", { items: "{{action_input.tags}}" }),
  completeNode("risky", "llm", { continueOnFailure: true, output_schema: MODEL }),
];

/** start > every step > end, which returns the value. */
function returning(value: unknown) {
  const end = completeNode("end", "return_output", { properties: [{ name: "x", type: "string", value }] });
  const ids = ["start", ...STEPS.map(({ id }) => id), "end"];
  const edges = ids.slice(1).map((id, at) => `${ids[at] === "gate" ? "gate.approved" : ids[at]} > ${id}`);
  return definition([start, ...STEPS, end], edges);
}

function problemsOf(value: string) {
  const others = ["TYPE_MISMATCH", "MAY_BE_EMPTY"];
  return validateGraph(returning(value)).filter(({ code }) => !others.includes(code));
}

describe("a field that a closed output cannot have is an error with the nearest name", () => {
  test.each([
    ["{{fetch.staus}}", 'reads "staus", which fetch does not have; did you mean "status"?', "{{fetch.status}}"],
    ["{{fetch.data}}", 'reads "data", which fetch does not have; its fields are "status", "headers" and "body"', null],
    ["{{fetch.status.code}}", 'reads "code" of "status", which is not an object', null],
    ["{{model.category}}", "does not have; did you mean {{model.object.category}}?", "{{model.object.category}}"],
    ["{{model.object.Category}}", 'did you mean "category"?', "{{model.object.category}}"],
    ["{{model.object.score.valeu}}", null, null],
    ["{{model.usage.output_token}}", 'did you mean "output_tokens"', "{{model.usage.output_tokens}}"],
    ["{{gate.aproved}}", 'did you mean "approved"', "{{gate.approved}}"],
    ["{{gate.decided_by.nmae}}", 'did you mean "name"', "{{gate.decided_by.name}}"],
    ["{{shape.totel}}", 'did you mean "total"', "{{shape.total}}"],
    ["{{shape.nested.frist}}", 'did you mean "first"', "{{shape.nested.first}}"],
    ["{{few.item_count}}", "UNKNOWN_FIELD", null],
    ["{{few.cuont}}", 'did you mean "count"', "{{few.count}}"],
    ["{{risky.error.mesage}}", 'did you mean "message"', "{{risky.error.message}}"],
    ["{{model.error.code}}", "UNKNOWN_FIELD", null],
    ["{{risky.object.categroy}}", 'did you mean "category"', "{{risky.object.category}}"],
    ["{{action_input.tags.name}}", "which is a list; read an item with [0], or loop over the list", null],
    ["{{action_input.orderId}}", 'did you mean "order_id" or "order"?', "{{action_input.order_id}}"],
    ["{{shpe.total}}", 'refers to "shpe", which does not exist; did you mean "shape"?', "{{shape.total}}"],
    ["{{action_inputs.email}}", 'did you mean "action_input"', "{{action_input.email}}"],
  ])("%s", (value, words, instead) => {
    const [problem, ...others] = problemsOf(value);
    if (words === null) {
      // The inner object is open: the field is undeclared, and the nearest name is a warning.
      expect(problem).toMatchObject({ severity: "warning", code: "UNDECLARED_FIELD" });
      return;
    }
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: "error", node_id: "end", field: "properties.0.value" });
    expect(`${problem?.code} ${problem?.message}`).toContain(words);
    if (instead === null) {
      expect(problem).not.toHaveProperty("fix");
      return;
    }
    const operation = graphOperationSchema.parse(problem?.fix);
    const fixed = applyGraphOperations(returning(value), [operation]);
    expect(fixed).toEqual(returning(instead));
    expect(validateGraph(fixed).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("what is not certain is silent", () => {
  test.each([
    ["the body of a response", "{{fetch.body.anything.at[0].all}}"],
    ["a response header", "{{fetch.headers.etag}}"],
    ["a field of an input object", "{{action_input.order.lines[3].sku}}"],
    ["an item of a list", "{{action_input.tags[7]}}"],
    ["a field that no schema declares and no name is near", "{{model.object.score.confidence}}"],
    ["a value that comes from an unknown one", "{{shape.reply.id}}"],
    ["an output that is null after a failure", "{{risky.object.category}}"],
    ["the error of a step that continues on failure", "{{risky.error.code}}: {{risky.error.body.id}}"],
    ["a whole output", "{{shape}}"],
  ])("%s", (_, value) => {
    expect(problemsOf(value)).toEqual([]);
  });
});

test("templates without a missing connection have neither errors nor warnings", () => {
  for (const { definition: template, template_id: id } of TEMPLATES) {
    const problems = validateGraph(template).filter(({ field }) => field !== "connection_id");
    expect(problems, id).toEqual([]);
  }
});
