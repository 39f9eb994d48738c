import { expect, test } from "vitest";
import { fixText } from "#lib/core/graph/checks/fix-text";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";

test("a fix changes the expression and nothing else, whatever the text contains", () => {
  const start = completeNode("start", "action_input", { properties: [{ name: "amount", type: "number" }] });
  const wrong = '{{replace(action_input.amuont, "a", "$&$$")}}';
  const fields = [{ name: "total", value: `\\${wrong} is ${wrong}` }];
  const work = completeNode("work", "transform", { fields });
  const problems = validateGraph(definition([start, work], ["start > work"]));
  expect(problems.find(({ code }) => code === "UNKNOWN_INPUT_FIELD")?.fix).toMatchObject({
    data: { fields: [{ name: "total", value: `\\${wrong} is ${wrong.replace("amuont", "amount")}` }] },
  });
});

test("finding out that a fix would be too large reads only a part of the settings", () => {
  let reads = 0;
  const count = <Value>(value: Value) => {
    reads += 1;
    return value;
  };
  const items = new Proxy(
    Array.from({ length: 100_000 }, () => "{{a}}"),
    {
      get: (target, key) => count(Reflect.get(target, key)),
      ownKeys: (target) => count(Reflect.ownKeys(target)),
    },
  );
  const node = completeNode("work", "transform", { items });
  expect(fixText(node, "items.9", "{{a}}", "{{b}}")).toBeNull();
  expect(reads).toBeLessThan(5_000);
  const wide = new Proxy({ a: "{{a}}", b: "{{a}}" }, { ownKeys: (target) => count(Reflect.ownKeys(target)) });
  reads = 0;
  const fix = fixText(completeNode("work", "transform", { wide }), "wide.b", "{{a}}", "{{b}}");
  expect(fix).toMatchObject({ data: { wide: { b: "{{b}}" } } });
  expect(reads).toBe(0);
});

test("a fix never repeats a secret that is next to the mistake", () => {
  const start = completeNode("start", "action_input", { properties: [{ name: "amount", type: "number" }] });
  const problemsOf = (token: string) => {
    const fields = [
      { name: "token", value: token },
      { name: "total", value: "{{action_input.amuont}}" },
    ];
    return validateGraph(definition([start, completeNode("work", "transform", { fields })], ["start > work"]));
  };
  const fixOf = (token: string) => problemsOf(token).find(({ code }) => code === "UNKNOWN_INPUT_FIELD")?.fix;
  expect(fixOf("{{action_input.amount}}")).toBeDefined();
  expect(fixOf("sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a")).toBeUndefined();
});
