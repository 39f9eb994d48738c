import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { test as base, expect } from "#e2e/fixtures";

const execute = promisify(execFile);

/** The settings that every machine of an installation shares. */
type Shared = Record<"DATABASE_URL" | "ENCRYPTION_KEYS" | "NEXTAUTH_SECRET", string>;

const test = base.extend<{ shared: Shared; command: (...words: string[]) => Promise<string> }>({
  shared: async ({ emptyDatabase }, use) => {
    await use({
      DATABASE_URL: emptyDatabase,
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
      NEXTAUTH_SECRET: randomBytes(24).toString("hex"),
    });
  },

  /** Runs one of the project's commands to its end, with its own data folder like a separate machine. */
  command: async ({ shared }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "signalbox-command-"));
    await use(async (...words) => {
      const env = { ...process.env, ...shared, DATA_DIR: dataDir, ROLE: "" };
      return (await execute(process.execPath, ["scripts/start.mjs", ...words], { env })).stdout;
    });
    await rm(dataDir, { recursive: true, force: true });
  },
});

const DEFINITION = {
  nodes: [
    { id: "in", type: "action_input", data: { properties: [{ name: "who", type: "string", required: true }] } },
    {
      id: "out",
      type: "return_output",
      data: { properties: [{ name: "text", type: "string", value: "Hello {{in.who}}" }] },
    },
  ],
  edges: [{ id: "e", source: "in", target: "out" }],
};

test("migrations, web servers, and workers start separately, and any web server serves any request", async ({
  shared,
  command,
  startEmptyProduct,
}) => {
  test.slow();
  await command("start", "--migrate");
  const [first, second, worker] = await Promise.all([
    startEmptyProduct(shared, ["--web"]),
    startEmptyProduct(shared, ["--web"]),
    startEmptyProduct(shared, ["--worker"]),
  ]);
  expect([first, worker]).toMatchObject([{ role: "web" }, { role: "worker" }]);
  expect(await (await fetch(`${first.url}/readyz`)).json()).toEqual({
    status: "ready",
    checks: { database: "ok", migrations: "ok" },
  });

  await command(
    "admin",
    "create-user",
    "--email",
    "ada@example.com",
    "--password",
    "a phrase of five words",
    "--name",
    "Ada",
  );
  await command("admin", "create-workspace", "--slug", "acme", "--name", "Acme", "--owner", "ada@example.com");
  const { raw_key: key } = JSON.parse(
    await command(
      "admin",
      "create-key",
      "--workspace",
      "acme",
      "--name",
      "all",
      "--scopes",
      "workflows:write,actions:run,runs:read",
    ),
  );
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const tool = async (url: string, name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const answer = await (await fetch(`${url}/mcp`, { method: "POST", headers, body })).json();
    expect(answer.result?.isError, JSON.stringify(answer)).not.toBe(true);
    return answer.result.structuredContent;
  };
  const { workflow_id } = await tool(first.url, "create_workflow", { name: "Greet", definition: DEFINITION });
  await tool(second.url, "deploy_workflow", { workflow_id, slug: "greet" });
  const called = await fetch(`${first.url}/api/v1/runtime/actions/greet/run`, {
    method: "POST",
    headers,
    body: JSON.stringify({ input: { who: "Ada" } }),
  });
  const { run_id: runId } = await called.json();
  const ended = await fetch(`${second.url}/api/v1/runtime/runs/${runId}`, {
    headers: { ...headers, prefer: "wait=20" },
  });
  expect(await ended.json()).toMatchObject({ status: "succeeded", output: { text: "Hello Ada" } });
});
