import { expect, test } from "vitest";
import { analyse } from "@/components/canvas/document/analysis";
import { dataOf } from "@/components/canvas/document/earlier-data";
import { branchingDefinition } from "@/components/canvas/document/test-definition";
import { previewOf, withSamples } from "@/components/canvas/samples/known-values";
import type { Pin, TestState } from "@/components/canvas/store/test-store";

const ANALYSIS = analyse(branchingDefinition());

function known(pins: Record<string, unknown>): Pick<TestState, "pins" | "results" | "samples"> {
  const entries = Object.entries(pins).map(([id, value]): [string, Pin] => [id, { value, fromRunId: null }]);
  return { pins: Object.fromEntries(entries), results: {}, samples: {} };
}

test("a field shows its resolved value with its type, or names the steps whose values are missing", () => {
  const outputs = known({ refund: { status: 200, body: { id: "A-1" } } });
  const preview = (template: unknown) => previewOf(template, ANALYSIS, outputs, []);
  expect(preview("{{refund.status}}")).toEqual({ kind: "value", text: "200" });
  expect(preview({ a: "no. {{refund.body.id}}" })).toEqual({ kind: "value", text: '{"a":"no. A-1"}' });
  expect(preview("{{refund.status}} {{over_500.result}}")).toEqual({ kind: "unknown", labels: ["Over 500"] });
  expect(preview("plain")).toBeNull();
  expect(preview("{{nobody.x}}")).toBeNull();
});

test("a URL shows its values as they are sent, and says which value its place can't hold", () => {
  const preview = (id: unknown, template: string) =>
    previewOf(template, ANALYSIS, known({ refund: { id } }), [], { isUrl: true });
  const url = "https://shop.example/orders/{{refund.id}}?q={{refund.id}}";
  expect(preview("a/b c", url)).toEqual({
    kind: "value",
    text: '"https://shop.example/orders/a%2Fb%20c?q=a%2Fb%20c"',
  });
  expect(preview("..", url)).toEqual({
    kind: "refused",
    text: "{{refund.id}} makes a segment of dots, which leads to another path.",
  });
  expect(preview("x", "plain")).toBeNull();
});

test("undeclared fields are offered as last returned, with a sample", () => {
  const node = ANALYSIS.index.nodes.get("refund");
  if (node === undefined) throw new Error("no such node");
  const source = withSamples(dataOf(ANALYSIS, node), { status: 200, body: { id: "A-1", "two words": true } });
  const samples = Object.fromEntries(source.fields.map((field) => [field.expression, field.sample]));
  expect(samples).toMatchObject({
    "{{refund.status}}": "200",
    "{{refund.body.id}}": '"A-1"',
    '{{refund.body["two words"]}}': "true",
  });
  expect(samples["{{refund.headers}}"]).toBeUndefined();
});

test("a received test event is the known value until a later run returns another", () => {
  const event = { refund: { output: { body: { id: "A-2" } }, receivedAt: "2026-01-01T00:00:00.000Z" } };
  const preview = (outputs: ReturnType<typeof known>) => previewOf("{{refund.body.id}}", ANALYSIS, outputs, []);
  expect(preview({ ...known({}), samples: event })).toEqual({ kind: "value", text: '"A-2"' });
  expect(preview({ ...known({ refund: { body: { id: "A-1" } } }), samples: event })).toMatchObject({ text: '"A-1"' });
});
