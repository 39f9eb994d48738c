import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import type { Definition, GraphNode } from "#lib/contract/workflow/graph";
import { NODE_ID_PATTERN } from "#lib/contract/workflow/node-id";
import { listTemplates } from "#lib/core/graph/checks/list-templates";
import { validateGraph } from "#lib/core/graph/checks/validate-graph";
import { valuesAt } from "#lib/core/graph/checks/values-at";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { NO_CATALOG } from "#lib/core/graph/node-shapes";
import { UNKNOWN } from "#lib/core/shapes/shape";
import { handlesOf, type ShapeContext, type StepKind } from "#lib/core/steps/define-step-kind";
import { describeNode, describeNodes } from "#lib/core/steps/describe-nodes";
import { loadNodeHandlers } from "#lib/core/steps/load-node-handlers";
import { STEP_DATA } from "#lib/core/steps/step-data";
import { STEP_KINDS, STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";
import { isJsonObject } from "#lib/support/json";

/** What a definition cannot know: each workspace has its own connections. */
const UNKNOWABLE = ["connection_id", "model"];
const INPUT = ["amount", "lines", "orders", "name", "text"].map((name) => {
  return { name, type: name === "amount" ? "number" : name.endsWith("s") ? "array" : "string", required: true };
});

/**
 * Builds the smallest workflow that contains a kind's example: an input, a step called `price`, the example, an end.
 */
function workflowAround(type: StepType): Definition {
  const { starts, holdsBody, isResult }: StepKind = STEP_KINDS[type];
  const { data, id } = describeNode(type).example;
  const example: GraphNode = { ...completeNode(id, type), data };
  const price = completeNode("price", "code");
  const end = completeNode("end", "return_output");
  if (starts === "event_driven") return definition([example, price], [`${id} > price`]);
  if (starts === "callable") return definition([example, end], [`${id} > end`]);
  const start = completeNode("start", "action_input", { properties: INPUT });
  if (isResult) return definition([start, price, example], ["start > price", `price > ${id}`]);
  const [handle] = handlesOf(STEP_KINDS[type], data);
  const out = `${handle === undefined ? id : `${id}.${handle}`} > end`;
  if (!holdsBody) return definition([start, price, example, end], ["start > price", `price > ${id}`, out]);
  return definition([start, example, { ...price, parentId: id }, end], [`start > ${id}`, out]);
}

/** Lists every module that a file imports statically, including the file itself. */
function staticImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const imports = readFileSync(path, "utf8").matchAll(/^(?:import (?!type)|\} )[^"]*from "([^"]+)"/gm);
  for (const [, name = ""] of imports) {
    const file = `${name.slice(1)}.ts`;
    if (name.startsWith("#lib/") && existsSync(file)) staticImports(file, found);
    else found.add(name);
  }
  return found;
}

const CONTEXT: ShapeContext = { shapeOf: () => UNKNOWN, catalog: NO_CATALOG };

const nodeHandlers = await loadNodeHandlers();

describe.each(STEP_TYPES)("the step kind %s", (type) => {
  const kind: StepKind = STEP_KINDS[type];

  it("is registered by its own type and gives new nodes valid ids", () => {
    expect(kind.type).toBe(type);
    expect(kind.baseId).toMatch(NODE_ID_PATTERN);
  });

  it("has an example that can be published", () => {
    const problems = validateGraph(workflowAround(type));
    expect(problems.filter(({ field }) => !UNKNOWABLE.includes(field ?? ""))).toEqual([]);
  });

  it("has least data that its schema accepts and its handler can prepare", () => {
    expect(STEP_DATA[type].safeParse(kind.least).error).toBeUndefined();
    const handlers = nodeHandlers(() => ({ isIdempotent: () => true, call: async () => null }));
    const prepared = handlers[type]({ ...completeNode("it", type), data: kind.least });
    expect(prepared.hasSideEffects).toBe(kind.effects !== "none");
    expect(typeof prepared.resolveInput).toBe("function");
  });

  it("declares whether its data has the settings of failures and retries", () => {
    const data: z.ZodType = STEP_DATA[type];
    expect(kind.canContinue).toBe(data instanceof z.ZodObject && "continueOnFailure" in data.shape);
  });

  it("declares the program that its handler runs", () => {
    const folder = type.replaceAll("_", "-");
    const handler = readFileSync(`lib/core/steps/${folder}/${folder}.ts`, "utf8");
    expect(kind.program !== null).toBe(/\bsandbox\.\w+\(/.test(handler));
  });

  it("takes another named value if it consists of them", () => {
    const value = { name: "total", type: "number", expression: "{{price.total}}", canBeMissing: false } as const;
    const lists = Object.values(kind.example).filter(Array.isArray).flat();
    const isNamed = lists.some((item) => isJsonObject(item) && "name" in item && "value" in item);
    const takesOne = kind.addValue(kind.newData(), value);
    expect(takesOne !== null).toBe(isNamed || kind.programInputs.length > 0);
    expect(JSON.stringify(takesOne ?? value)).toContain(value.expression);
  });

  it("says so if its output is what a service documents", () => {
    let asksService = false;
    const findOutput = () => {
      asksService = true;
      return UNKNOWN;
    };
    kind.outputShape(kind.example, { ...CONTEXT, catalog: { ...NO_CATALOG, findOutput } });
    expect(kind.isDocumented(kind.example)).toBe(asksService);
  });

  it("lists the paths of the templates and rules in its example", () => {
    const example = { ...completeNode("it", type), data: kind.example };
    const spelled = JSON.stringify(kind.example).match(/"[^"]*\{\{[^"]*"/g) ?? [];
    expect(listTemplates(example)).toHaveLength(spelled.length);
    for (const pattern of kind.ruleLists) {
      const lists = valuesAt(kind.example, pattern);
      expect(lists.length).toBeGreaterThan(0);
      expect(lists.every(({ value }) => Array.isArray(value))).toBe(true);
    }
  });

  it("creates data that a draft can store, with distinct branches", () => {
    for (const data of [kind.newData(), kind.example, kind.least]) {
      expect(JSON.parse(JSON.stringify(data))).toEqual(data);
      const handles = kind.branches(data).map(({ handle }) => handle);
      expect(new Set(handles).size).toBe(handles.length);
      expect(kind.outputShape(data, CONTEXT).kind).toMatch(/./);
      expect(kind.itemShape?.(data, CONTEXT).fields.size ?? 2).toBe(2);
    }
  });

  it("tolerates a draft that another client broke", () => {
    const keys = [kind.newData(), kind.example, kind.least].flatMap((data) => Object.keys(data));
    for (const broken of [undefined, null, 5, "broken", [], [null], [5], {}, { a: [] }]) {
      const data = Object.fromEntries(keys.map((key) => [key, broken]));
      expect(Array.isArray(kind.branches(data))).toBe(true);
      expect(Array.isArray(kind.typedFields(data))).toBe(true);
      expect(kind.outputShape(data, CONTEXT).kind).toMatch(/./);
      expect(kind.itemShape?.(data, CONTEXT).fields.size ?? 2).toBe(2);
    }
  });
});

test("the catalog lists every kind", () => {
  expect(describeNodes().map(({ type }) => type)).toEqual(STEP_TYPES);
});

test("definitions load without handlers, schemas, the pattern engine and the sandbox", () => {
  const loaded = staticImports("lib/core/steps/step-kinds.ts");
  const named = [...loaded].filter((name) => /^(?:re2js|zod)$|\/steps\/([a-z-]+)\/\1\.ts$/.test(name));
  expect(loaded.size).toBeGreaterThan(STEP_TYPES.length);
  expect(named).toEqual([]);
});
