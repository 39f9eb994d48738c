import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { describeApi } from "#lib/api/openapi/openapi-document";
import { exampleOf } from "#lib/api/openapi/openapi-examples";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { ActionObject } from "#lib/contract/action/action";
import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import type { RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import type { OpenApiDocument, OpenApiOperation } from "#lib/contract/openapi/openapi";
import { aliasRules } from "#lib/core/input/input-aliases";

const BASE = "https://signalbox.test";

/** Actions with every special case: no output, every type, names that need quoting, a policy. */
const ACTIONS: ActionObject[] = [
  (exampleOf("list_actions").answer as { data: ActionObject[] }).data[0] as ActionObject,
  {
    slug: "a-1",
    name: 'Ann\'s "{{odd}}" <action>',
    description: null,
    status: "active",
    approval_policy: "always",
    release_version: 1,
    workflow_id: "0199a2f0-6d1c-7b54-8f7e-5a3d9c2b1e60",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", enum: ["a", "b"], default: "a" },
        "größe in %": { type: "number" },
        list: { type: "array", items: { type: "object" } },
        any: { type: "object", default: {} },
        items: { type: "array", items: { type: "object" }, deprecated: true },
      },
      required: ["größe in %"],
      allOf: aliasRules({ name: "list", isRequired: true, aliases: ["items"] }),
    },
    outputSchema: null,
    created_at: "2026-01-05T09:12:44.120Z",
    updated_at: "2026-01-05T09:12:44.120Z",
  },
];

/** Rules that the strict set leaves optional. */
const EXTRA_RULES = {
  "no-invalid-parameter-examples": "error",
  "no-invalid-schema-examples": "error",
  "operation-description": "error",
  "parameter-description": "error",
  "no-unused-components": "error",
} as const;

async function lint(document: OpenApiDocument): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"], rules: EXTRA_RULES });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

const operationsOf = (document: OpenApiDocument): [name: string, operation: OpenApiOperation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OpenApiOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

describe.each([
  ["for everyone", describeApi(BASE)],
  ["with a workspace's actions", describeApi(BASE, ACTIONS)],
])("the description %s", (_, document) => {
  test("passes the linter's strictest rules without an error or a warning", async () => {
    expect(await lint(document)).toEqual([]);
  });

  test("fails the linter with an example that does not match its schema", async () => {
    const broken = JSON.parse(JSON.stringify(document).replaceAll('"has_more":false', '"has_more":"no"'));
    expect(await lint(broken)).not.toEqual([]);
  });

  test.each(operationsOf(document))("describes every part of %s", (name, operation) => {
    for (const text of [operation.summary, operation.description, ...operation.parameters.map((p) => p.description)]) {
      expect(text, name).toMatch(/\S/);
    }
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description).toMatch(/\S/);
      expect(content === undefined).toBe(status === "304");
      const examples = content?.["application/json"].examples ?? {};
      for (const [code, { value }] of Object.entries(examples).filter(() => status >= "400")) {
        expect(value).toMatchObject({ code });
        expect(API_ERROR_STATUS[code as RuntimeErrorCode]).toBe(Number(status));
      }
    }
  });

  test("lets every object without listed fields have any, so that generated clients accept its values", () => {
    const closed: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      const schema = value as Record<string, unknown>;
      const isObject = [schema.type].flat().includes("object");
      const saysMore = ["properties", "additionalProperties", "allOf"].some((key) => key in schema);
      if (isObject && !saysMore) closed.push(path);
      for (const [key, inner] of Object.entries(value)) if (!/^examples?$/.test(key)) look(inner, `${path}/${key}`);
    };
    look(document, "");
    expect(closed).toEqual([]);
  });

  test("gives every operation a unique name", () => {
    const names = operationsOf(document).map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});

test("every operation with a path is described, and in addition only the document itself", () => {
  const bound = OPERATIONS.filter(({ rest }) => rest).map(({ name }) => name);
  const described = operationsOf(describeApi(BASE)).map(([, { operationId }]) => operationId);
  expect(described.toSorted()).toEqual([...bound, "get_api_description"].toSorted());
});

test("each action has a path with its own schemas", () => {
  const { paths, components } = describeApi(BASE, ACTIONS);
  const run = paths["/actions/a-1/run"]?.post;
  expect(run?.operationId).toBe("run_action_a_1");
  expect(run?.description).toBe("Starts a run of a-1. Release v1. Every run first waits for an approval.");
  expect(run?.requestBody?.content["application/json"].schema).toMatchObject({
    properties: { input: { $ref: "#/components/schemas/a-1.input" }, dry_run: { type: "boolean" } },
    required: ["input"],
  });
  expect(components.schemas["a-1.input"]).toMatchObject(ACTIONS[1]?.inputSchema ?? {});
  expect(components.schemas["send-invoice.output"]).toMatchObject({
    properties: { invoice_number: { type: "string" } },
  });
  expect(components.schemas["a-1.output"]).toBeUndefined();
});
