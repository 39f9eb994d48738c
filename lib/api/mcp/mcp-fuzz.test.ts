import { expect, test } from "vitest";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";
import { type BadRandom, badRandom, FUZZ_REQUESTS, NAMES } from "#lib/api/rest/bad-requests.fixture";
import { newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { SCOPES } from "#lib/contract/key/scopes";
import { greeting } from "#lib/domain/workflows/workflow.fixture";
import { db } from "#lib/platform/db/pool";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { uuidv7 } from "#lib/support/ids";

// Rate limits would answer before the code under test does. Limits are read at the first request.
process.env.REQUESTS_PER_WINDOW = "0";
process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const serve = mcpRoute(OPERATIONS);
const owner = await newWorkspace("fuzzed");
const key = await newKey(owner, ...SCOPES);
const { rows } = await db().query("select id from workflows where workspace_id = $1 limit 1", [owner.workspaceId]);
const workflowId = rows[0].id;

const METHODS = ["initialize", "ping", "tools/list", "resources/list", "resources/read", "prompts/get", "nothing", ""];
/** Returns a valid value for a field, so that the rest of the call is also checked. */
const RIGHT: Record<string, () => unknown> = {
  slug: () => "greet",
  input: () => ({ who: "Ada" }),
  run_id: () => uuidv7(),
  workflow_id: () => workflowId,
  definition: () => greeting(),
  name: () => "A name",
  timeout_seconds: () => 0,
};

/** Generates arguments from a tool's schema: some valid, some corrupted, some missing, some unknown. */
function makeArguments(fields: string[], { isRare, pick, value }: BadRandom): unknown {
  if (isRare(0.05)) return value();
  const given = fields.filter(() => !isRare(0.3)).map((name) => [name, isRare(0.5) ? RIGHT[name]?.() : value(1)]);
  return Object.fromEntries(isRare(0.2) ? [...given, [pick(NAMES), value(2)]] : given);
}

function makeMessage(random: BadRandom): unknown {
  const { isRare, pick, value } = random;
  if (isRare(0.1)) return { jsonrpc: "2.0", id: 1, method: pick(METHODS), params: value() };
  const tool = pick(OPERATIONS.filter(({ mcp }) => mcp));
  // Never waits: the duration of calls is not what this test checks.
  const waits = tool?.name === "wait_for_run" ? { timeout_seconds: 0 } : {};
  const args = makeArguments(Object.keys(tool?.input.shape ?? {}), random);
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return {
    jsonrpc: "2.0",
    id: isRare(0.95) ? 1 : value(),
    method: "tools/call",
    params: { name: isRare(0.98) ? tool?.name : value(), arguments: isObject ? { ...args, ...waits } : args },
  };
}

async function post(body: string | Uint8Array): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return serve(new Request("http://localhost/mcp", { method: "POST", headers, body: body as BodyInit }));
}

test(`${FUZZ_REQUESTS} bad messages: each gets the answer the protocol specifies, and none is an internal error`, async () => {
  const random = badRandom();
  const codes = new Map<string, number>();
  for (let n = 0; n < FUZZ_REQUESTS; n += 1) {
    const message = JSON.stringify(makeMessage(random));
    const response = await post(random.isRare(0.2) ? random.spoil(message) : message);
    const text = await response.text();
    const told = `message ${n}: ${message.slice(0, 400)} -> ${text.slice(0, 300)}`;
    expect(response.status, told).toBeLessThan(500);
    // A message without a readable id is a notification.
    if (text === "") continue;
    const { result, error } = JSON.parse(text);
    expect(error?.code, told).not.toBe(-32603);
    const code = result?.isError ? JSON.parse(result.content[0].text).code : (error?.code ?? "ok");
    expect(code, told).not.toBe("INTERNAL_ERROR");
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  // The messages must reach every layer. If the first layer refused them all, the test would prove nothing.
  const reached = ["ok", -32700, -32600, "BAD_REQUEST", "INPUT_VALIDATION_FAILED", "RUN_NOT_FOUND", "NOT_FOUND"];
  expect([...codes.keys()]).toEqual(expect.arrayContaining(reached));
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});
