import { describe, expect, it } from "vitest";
import { writeExpression } from "#lib/core/expressions/write-expression";
import { analyse } from "@/components/canvas/document/analysis";
import { describeFieldProblem, describeProblem } from "@/components/canvas/document/describe-problem";
import { earlierData } from "@/components/canvas/document/earlier-data";
import { branchingDefinition, testNode } from "@/components/canvas/document/test-definition";
import {
  parseBody,
  parseLiteral,
  parseLiteralLines,
  quoteBareExpressions,
} from "@/components/canvas/expressions/literal-values";
import { suggestReference } from "@/components/canvas/expressions/suggest-reference";
import { openExpressionAt, templateParts } from "@/components/canvas/expressions/template-parts";
import { summarizeNode } from "@/components/canvas/kinds/summarize-node";

describe("literals", () => {
  it("reads a text as its field's type, and keeps text that it can't read", () => {
    expect(parseLiteral("number", " 4.5 ")).toBe(4.5);
    expect(parseLiteral("number", "four")).toBe("four");
    for (const text of ["0x10", "0b1", "1_000", "Infinity", "9007199254740993", "1,5", ".5"]) {
      expect(parseLiteral("number", text)).toBe(text);
    }
    expect(parseLiteral("object", '{"id": 9007199254740993}')).toBe('{"id": 9007199254740993}');
    expect(parseLiteral("object", "null")).toBeNull();
    expect(parseLiteral("boolean", "true")).toBe(true);
    expect(parseLiteral("object", '{"a":1}')).toEqual({ a: 1 });
    expect(parseLiteral("string", "5")).toBe("5");
    expect(parseLiteral("integer", "  ")).toBeUndefined();
    expect(parseLiteralLines("integer", "1\n\n2\n")).toEqual([1, 2]);
    expect(parseLiteralLines("string", "\n")).toBeUndefined();
  });

  it("treats a body as JSON only if it is an object or an array", () => {
    expect(parseBody('{"a": "{{x.y}}"}')).toEqual({ a: "{{x.y}}" });
    expect(parseBody('{"a": ')).toBe('{"a": ');
    expect(parseBody("{{x.body}}")).toBe("{{x.body}}");
    expect(parseBody("5")).toBe("5");
    // Sent as it is typed, with every digit.
    expect(parseBody('{"id": 8202522731445525542}')).toBe('{"id": 8202522731445525542}');
  });

  it("quotes bare expressions in JSON, and only those", () => {
    const fixed = quoteBareExpressions('{"a": {{x.y}}, "b": ["{{z}}", {{z.w}}]}');
    expect(fixed).toBe('{"a": "{{x.y}}", "b": ["{{z}}", "{{z.w}}"]}');
    expect(quoteBareExpressions('{"a": "{{x.y}}"}')).toBeNull();
    expect(quoteBareExpressions('{"a": {{x.y}}, oops}')).toBeNull();
  });
});

describe("templates in fields", () => {
  it("finds the position of each expression, and skips escaped ones", () => {
    const text = "\\{{a}} {{a}}/{{ b.c }}";
    const parts = templateParts(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.filter((part) => part.kind === "expression").map((part) => [part.start, part.text])).toEqual([
      [7, "{{a}}"],
      [13, "{{ b.c }}"],
    ]);
  });

  it("recognizes the expression that is being typed at the caret", () => {
    expect(openExpressionAt("x {{act", 7)).toEqual({ start: 2, typed: "act" });
    expect(openExpressionAt("x {{act}} y", 11)).toBeNull();
    expect(openExpressionAt("\\{{act", 6)).toBeNull();
  });

  it("suggests the nearest known value for a broken reference", () => {
    const known = ["{{action_input.order_id}}", "{{refund.status}}"];
    expect(suggestReference("{{action_input.oder_id}}", known)).toBe(known[0]);
    expect(suggestReference("{{entirely.different_thing}}", known)).toBeNull();
  });
});

describe("data from earlier steps", () => {
  it("lists the steps that run before a step, and the input by its type", () => {
    const definition = branchingDefinition();
    const start = definition.nodes[0];
    if (start !== undefined) start.data.properties = [{ name: "order id", type: "string" }];
    const sources = earlierData(analyse(definition), "refund");
    expect(sources.map((source) => source.name)).toEqual(["action_input", "over_500"]);
    expect(sources[0]?.fields[0]?.expression).toBe('{{action_input["order id"]}}');
    expect(writeExpression("a", ["content-type"])).toBe("{{a.content-type}}");
  });
});

describe("the sentence on a card", () => {
  const sentence = (node: Parameters<typeof summarizeNode>[0]) =>
    summarizeNode(node)
      .map((part) => (part.kind === "chip" ? `[${part.text}]` : part.text))
      .join("");

  it.each([
    [
      testNode("a", "action_input", 0, 0, { properties: [{ name: "x", required: true }, { name: "y" }] }),
      "Caller sends [x] and optional [y]",
    ],
    [testNode("a", "action_input", 0, 0, {}), "Callers send no fields"],
    [
      testNode("a", "switch", 0, 0, { cases: [{ name: "Paid" }, { name: "Open" }] }),
      "Goes to [Paid] [Open] and [Default]",
    ],
    [testNode("a", "switch", 0, 0, { cases: [] }), "Goes to [Default]"],
    [
      testNode("a", "condition", 0, 0, {
        rules: [{ left: "{{action_input.amount}}", operator: "greater_than", right: 500 }],
      }),
      "If [amount] is greater than 500",
    ],
    [testNode("a", "condition", 0, 0, { rules: [{ left: "{{b.ok}}", operator: "is_true" }] }), "If [b.ok] is true"],
    [
      testNode("keep", "filter", 0, 0, {
        items: "{{action_input.orders}}",
        match: "any",
        rules: [
          { left: "{{keep.item.paid}}", operator: "is_true" },
          { left: "{{keep.item.total}}", operator: "greater_than", right: 100 },
        ],
      }),
      "Keeps items of [orders] if [keep.item.paid] is true or [keep.item.total] is greater than 100",
    ],
    [testNode("a", "filter", 0, 0, { items: "{{b.list}}", rules: [] }), "Keeps items of [b.list], no rule yet"],
    [testNode("a", "transform", 0, 0, { fields: [{ name: "p" }, { name: "q" }] }), "Sets [p] and [q]"],
    [
      testNode("a", "connector", 0, 0, { params: { method: "POST", url: "https://x.test/{{b.id}}" } }),
      "POST x.test/[b.id]",
    ],
    [testNode("a", "delay", 0, 0, { seconds: 5_400 }), "Waits 1 h 30 min"],
    [testNode("a", "delay", 0, 0, { seconds: "{{b.rest}}" }), "Waits [b.rest] s"],
    [testNode("a", "delay", 0, 0, {}), "Waits ? s"],
    [testNode("a", "wait_for_callback", 0, 0, { expires_seconds: 259_200 }), "Waits up to 3 d for a request"],
    [testNode("a", "return_output", 0, 0, { properties: "broken" }), "Returns an empty object"],
  ])("describes %o", (node, text) => {
    expect(sentence(node)).toBe(text);
  });
});

describe("problem messages by place", () => {
  it("omits the node's name on its card and the field name under the field", () => {
    const node = testNode("t", "transform", 0, 0, { name: "Totals" });
    const problem = {
      severity: "error" as const,
      code: "INVALID_DATA" as const,
      message: "Totals: fields.0.name is required",
      node_id: "t",
      field: "fields.0.name",
    };
    expect(describeProblem(problem, node)).toBe("Field 1 name is required");
    expect(describeFieldProblem(problem, node)).toBe("Is required");
  });

  it("shows the key that is not a setting exactly as it is written", () => {
    const node = testNode("t", "transform", 0, 0, { name: "Totals", second: 3 });
    const problem = {
      severity: "error" as const,
      code: "UNKNOWN_KEY" as const,
      message: 'Totals: second is not a setting of this step; did you mean "seconds"?',
      node_id: "t",
      field: "second",
    };
    const text = 'second is not a setting of this step; did you mean "seconds"?';
    expect([describeProblem(problem, node), describeFieldProblem(problem, node)]).toEqual([text, text]);
  });
});
