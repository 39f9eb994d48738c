import type { Tool } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { writeInstructions } from "#lib/api/mcp/mcp-instructions";
import { describeTools, toolsFor } from "#lib/api/mcp/mcp-tools";
import { ANSWER_VIEWS, type KeyCaller } from "#lib/api/operations/define/caller";
import type { ToolSet } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { DEFAULT_SCOPES, LIMITED_KEY_SCOPES, SCOPES, type Scope } from "#lib/contract/key/scopes";

const all = describeTools(OPERATIONS);
const tools = all.map(({ definition }) => definition);
type Schema = Record<string, unknown>;

/** The lengths at which known clients cut a description or the instructions, and drop the tool for its schema. */
const CUT = { text: 2_048, schema: 3_500 };

const inputOf = (tool: Tool) => JSON.parse(JSON.stringify(tool.inputSchema)) as Schema;

/** Yields a schema and every schema inside it, but not the maps of their properties. */
function* schemasIn(schema: unknown): Generator<Schema> {
  if (typeof schema !== "object" || schema === null) return;
  const { properties, items, anyOf, additionalProperties } = schema as Schema;
  yield schema as Schema;
  for (const value of Object.values((properties ?? {}) as Schema)) yield* schemasIn(value);
  for (const value of (anyOf ?? []) as unknown[]) yield* schemasIn(value);
  yield* schemasIn(items);
  yield* schemasIn(additionalProperties);
}

/** What the SDK of OpenAI does with a closed object in strict mode: every property is required, and may be null. */
function toStrict(schema: Schema): Schema {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const entries = Object.entries(properties).map(([name, property]) => {
    const strict = property.type === "object" && isClosed(property) ? toStrict(property) : property;
    return [name, required.includes(name) ? strict : { anyOf: [strict, { type: "null" }] }];
  });
  return { ...schema, properties: Object.fromEntries(entries), required: Object.keys(properties) };
}
const isClosed = (schema: Schema) => schema.additionalProperties === false;

/** The keywords of Gemini's function declarations, with those that its clients take away first. */
const GEMINI = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties"],
  ...["required", "minimum", "maximum", "anyOf", "pattern", "default", "example"],
  "additionalProperties",
]);
/** The keywords that OpenAI's strict mode accepts. */
const STRICT = new Set([
  ...["type", "description", "enum", "properties", "required", "additionalProperties", "items", "anyOf"],
  ...["pattern", "format", "minimum", "maximum", "minItems", "maxItems", "default"],
]);

describe.each(tools.map((tool) => [tool.name, tool] as const))("the tool %s", (_, tool) => {
  test("is not cut by a client", () => {
    expect(JSON.stringify(tool.inputSchema).length).toBeLessThan(CUT.schema);
    expect(tool.description?.length).toBeLessThan(CUT.text);
    for (const { description = "" } of schemasIn(inputOf(tool))) expect(String(description).length).toBeLessThan(500);
  });

  test("has schemas that pass strict JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true, formats: { "date-time": true } });
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(ajv.validateSchema(schema ?? {})).toBe(true);
      expect(() => ajv.compile(JSON.parse(JSON.stringify(schema)))).not.toThrow();
    }
  });

  test("uses no format but date-time, and only keywords that OpenAI and Gemini accept", () => {
    for (const schema of schemasIn(inputOf(tool))) {
      expect([undefined, "date-time"]).toContain(schema.format);
      for (const keyword of Object.keys(schema)) {
        expect(GEMINI).toContain(keyword);
        expect(STRICT).toContain(keyword);
      }
      if (schema.enum) expect((schema.enum as unknown[]).every((value) => typeof value === "string")).toBe(true);
      expect(Array.isArray(schema.type)).toBe(false);
      if (schema.type === "array") expect(schema.items).toBeTypeOf("object");
      for (const name of (schema.required ?? []) as string[]) expect(schema.properties).toHaveProperty([name]);
    }
  });

  test("stays valid when OpenAI's SDK makes its closed objects strict", () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true, formats: { "date-time": true } });
    expect(() => ajv.compile(toStrict(inputOf(tool)))).not.toThrow();
  });
});

test.each(ANSWER_VIEWS)("the instructions for %s answers are not cut by a client", (view) => {
  expect(writeInstructions(view, new Set()).length).toBeLessThan(CUT.text);
});

const key = (scopes: readonly Scope[]): KeyCaller => ({
  kind: "api_key",
  keyId: "k",
  prefix: "svc_test",
  name: "k",
  workspaceId: "w",
  userId: "u",
  plan: "free",
  scopes,
  actionSlugs: null,
});

/** Tokens at four characters each. */
function tokensOf(scopes: readonly Scope[], toolSet: ToolSet | "all") {
  const context = requestContext();
  const listed = toolsFor(all, { caller: key(scopes), context, typedActions: null, toolSet, view: "full" });
  return JSON.stringify(listed.map(({ definition }) => definition)).length / 4;
}

test("a caller of actions reads a list of less than 1,500 tokens, and a builder one of less than 5,000", () => {
  const sizes = { caller: tokensOf(LIMITED_KEY_SCOPES, "run"), builder: tokensOf(DEFAULT_SCOPES, "build") };
  expect(sizes).toEqual({
    caller: expect.toSatisfy((tokens: number) => tokens < 1_500, "less than 1,500"),
    builder: expect.toSatisfy((tokens: number) => tokens < 5_000, "less than 5,000"),
  });
});

test("a key sees only the tools that its scopes allow, and every tool in the list of all", () => {
  const names = (scopes: readonly Scope[], toolSet: ToolSet | "all" = "all") =>
    toolsFor(all, {
      caller: key(scopes),
      context: requestContext(),
      typedActions: null,
      toolSet,
      view: "full",
    }).map(({ definition }) => definition.name);
  expect(names(["actions:run"])).toEqual(["whoami", "run_action", "run_actions", "cancel_run"]);
  expect(names(["runs:read", "actions:run"])).toContain("replay_run");
  expect(names(SCOPES)).toEqual(tools.map(({ name }) => name));
  expect(names(DEFAULT_SCOPES)).not.toContain("approve_run");
  expect(names(SCOPES, "run")).not.toContain("create_workflow");
  expect(names(SCOPES, "build")).toEqual(expect.arrayContaining(["create_workflow", "test_workflow", "run_action"]));
});
