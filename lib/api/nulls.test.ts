import { beforeAll, describe, expect, test } from "vitest";
import { asTool } from "#lib/api/mcp/forms/tool-forms";
import type { Operation } from "#lib/api/operations/define/define-operation";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { useApiStage } from "#lib/api/testing/api-stage.fixture";
import { callTool } from "#lib/api/testing/mcp-test-caller";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphProblem } from "#lib/contract/workflow/workflow";
import { describeNode } from "#lib/core/steps/describe-nodes";
import { optionalSettings } from "#lib/core/steps/optional-settings.fixture";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";
import { addAction } from "#lib/domain/actions/action.fixture";
import { uuidv7 } from "#lib/support/ids";
import { parseGiven } from "#lib/support/leave-out-nulls";

process.env.RUNS_PER_USER_PER_HOUR = "0";

const stage = useApiStage();
beforeAll(async () => {
  await addAction({ ...stage.ann, plan: "business" }, { slug: "held", approvalPolicy: "always" });
});

const call = (name: string, args: JsonObject) => callTool(stage.server.url, stage.key, name, args);

/** The fields of an input that may be missing. */
const optionalFields = ({ input }: { input: (typeof OPERATIONS)[number]["input"] }) =>
  Object.entries(input.shape).flatMap(([name, field]) => (field._zod.optin === undefined ? [] : [name]));
const nullsFor = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const operation = (name: string): Operation => {
  const found = OPERATIONS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
};

test("null for any optional field of any operation or tool is no error of that field", () => {
  const faults: string[] = [];
  const inputs = OPERATIONS.flatMap((one) => [one, ...(one.mcp ? [asTool(one).operation] : [])]);
  for (const { name, input } of inputs) {
    const nulls = nullsFor(optionalFields({ input }));
    const before = new Set(parseGiven(input, {}).error?.issues.map(({ path }) => path.join(".")));
    for (const { path } of parseGiven(input, nulls).error?.issues ?? []) {
      if (!before.has(path.join("."))) faults.push(`${name}: ${path.join(".")}`);
    }
  }
  expect(faults).toEqual([]);
});

/** For every body of the runtime API: where it goes, and a body without optional fields. */
const BODIES: Record<string, { path: () => Promise<string>; body: JsonObject }> = {
  run_action: { path: async () => "/actions/greet/run", body: { input: { who: "Ada" } } },
  run_actions: { path: async () => "/actions/greet/runs", body: { items: [{ input: { who: "Ada" } }] } },
  approve_run: { path: async () => `/runs/${await newRun("held", { name: "Ada" })}/approve`, body: {} },
  cancel_run: { path: async () => `/runs/${await newRun("greet", { who: "Ada" })}/cancel`, body: {} },
};

async function newRun(slug: string, input: JsonObject): Promise<unknown> {
  return (await callRest("POST", `/actions/${slug}/run`, { key: stage.key, body: { input } })).body.run_id;
}

const VARYING = /"(?:run_id|correlation_id|id|[a-z_]+_at|duration_ms)":(?:"[^"]*"|\d+|null)/g;
const withoutIds = (value: unknown) => JSON.stringify(value).replace(VARYING, "");

describe.each(OPERATIONS.filter(({ rest }) => rest?.method === "POST").map(({ name }) => name))(
  "the body of %s",
  (name) => {
    test("means the same with null in every optional field", async () => {
      const known = BODIES[name];
      if (!known) throw new Error(`add a body for ${name}`);
      const inPath: string[] = operation(name).rest?.path.match(/(?<=:)\w+/g) ?? [];
      const names = optionalFields(operation(name)).filter((field) => !Object.hasOwn(known.body, field));
      const nulls = nullsFor(names.filter((field) => !inPath.includes(field)));
      const plain = await callRest("POST", await known.path(), { key: stage.key, body: known.body });
      const given = await callRest("POST", await known.path(), { key: stage.key, body: { ...nulls, ...known.body } });
      expect(plain.status).toBeLessThan(300);
      expect([given.status, withoutIds(given.body)]).toEqual([plain.status, withoutIds(plain.body)]);
    });
  },
);

test("an item of a batch means the same with null in every optional field", async () => {
  const nulls = { dry_run: null, correlation_id: null, idempotency_key: null };
  const items = [{ input: { who: "Ada" }, ...nulls }];
  const { status, body } = await callRest("POST", "/actions/greet/runs", { key: stage.key, body: { items } });
  expect([status, body.refused]).toEqual([202, 0]);
});

/** A node of a kind as its example shows it, with null for everything that may be left out. */
function nodeWithNulls(type: (typeof STEP_TYPES)[number]) {
  const { example } = describeNode(type);
  const names = optionalSettings(type).filter((name) => !Object.hasOwn(example.data, name));
  return { ...example, parentId: null, position: null, data: { ...example.data, ...nullsFor(names) } };
}

const EVERY_ARGUMENT = { deploy: null, parts: null, view: null, idempotency_key: null };

describe("a definition with null for everything that may be left out", () => {
  const problemsOf = (workflow: JsonObject) =>
    (workflow.problems as GraphProblem[]).map(({ code, node_id, field, message }) => [code, node_id, field, message]);

  test.each(STEP_TYPES)("has the same problems as one without nulls, created and updated: %s", async (type) => {
    const { example } = describeNode(type);
    const plain = await call("create_workflow", { name: type, definition: { nodes: [example], edges: [] } });
    const definition = { nodes: [nodeWithNulls(type)], edges: [] };
    const created = await call("create_workflow", { name: type, description: null, definition, ...EVERY_ARGUMENT });
    expect(created).toMatchObject({ isError: false });
    expect(problemsOf(created.body)).toEqual(problemsOf(plain.body));
    const updated = await call("update_workflow", {
      workflow_id: plain.body.workflow_id,
      expected_revision: null,
      name: null,
      description: null,
      operations: null,
      apply_fixes: null,
      definition,
      ...EVERY_ARGUMENT,
    });
    expect(updated).toMatchObject({ isError: false });
    expect(problemsOf(updated.body)).toEqual(problemsOf(plain.body));
  });

  test("is published with null in every argument, as the same action", async () => {
    const property = {
      name: "who",
      type: "string",
      required: true,
      description: null,
      enum: null,
      default: null,
      items: null,
      aliases: null,
      properties: null,
      minLength: null,
      maxLength: null,
      pattern: null,
      minimum: null,
      maximum: null,
      minItems: null,
      maxItems: null,
    };
    const definition = {
      nodes: [
        {
          id: "start",
          type: "action_input",
          parentId: null,
          position: null,
          data: { name: null, properties: [property] },
        },
        {
          id: "answer",
          type: "return_output",
          parentId: null,
          position: null,
          data: {
            name: null,
            properties: [{ name: "text", type: "string", value: "Hello", required: null, description: null }],
          },
        },
      ],
      edges: [{ id: "e1", source: "start", target: "answer", sourceHandle: null }],
    };
    const { body } = await call("create_workflow", { name: "greet", description: null, definition, ...EVERY_ARGUMENT });
    expect(body.problems).toEqual([]);
    const slug = `nulls-${uuidv7().slice(-12)}`;
    const nulls = { approval_policy: null, expected_revision: null, allow_breaking: null, note: null, version: null };
    const deployed = await call("deploy_workflow", { workflow_id: body.workflow_id, slug, ...nulls, view: null });
    expect(deployed).toMatchObject({ isError: false, body: { version: 1, action: { slug } } });
    const expected = { type: "object", properties: { who: { type: "string" } }, required: ["who"] };
    expect((await call("get_action", { slug })).body.inputSchema).toEqual(expected);
    const run = await call("run_action", { slug, input: { who: "Ada" }, wait_seconds: null, dry_run: null });
    expect(run).toMatchObject({ isError: false, body: { status: "accepted" } });
  });

  test("is created and published in one call with null in the fields of deploy", async () => {
    const { nodes, edges } = {
      nodes: [
        { id: "start", type: "action_input", data: { properties: [] } },
        { id: "end", type: "return_output", data: { properties: [{ name: "a", type: "string", value: "b" }] } },
      ],
      edges: [{ id: "e", source: "start", target: "end", sourceHandle: null }],
    };
    const slug = `nulls-${uuidv7().slice(-12)}`;
    const deploy = { slug, approval_policy: null, allow_breaking: null, note: null };
    const { body } = await call("create_workflow", { name: "n", definition: { nodes, edges }, deploy });
    expect(body.deployed).toMatchObject({ version: 1, slug });
  });
});
