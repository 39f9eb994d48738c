import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "#lib/db/test-database";
import { createKey } from "#lib/keys/create-key";
import { OPERATIONS } from "#lib/operations/registry";
import { type McpTestServer, startMcpServer } from "#lib/surfaces/mcp-test-server";
import { newEditor } from "#lib/workflows/workflow-fixtures";

useTestDatabase();

/** A process of its own, which takes a second or two. */
const TIMEOUT_MS = 30_000;
const CLI = join("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");

let server: McpTestServer;
let key: string;

beforeAll(async () => {
  server = await startMcpServer(OPERATIONS);
  key = (await createKey({ ...(await newEditor("ann")), name: "inspector" })).raw_key;
});
afterAll(() => server.close());

test("the inspector lists the tools and finds no schema that a client could stumble over", {
  timeout: TIMEOUT_MS,
}, async () => {
  const header = `Authorization: Bearer ${key}`;
  const args = [
    CLI,
    "--cli",
    server.url,
    "--transport",
    "http",
    "--method",
    "tools/list",
    "--strict",
    "--header",
    header,
  ];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
  expect(tools.map((tool) => tool.name)).toEqual(OPERATIONS.filter((o) => o.mcp).map((o) => o.name));
  expect(stderr).toBe("");
});
