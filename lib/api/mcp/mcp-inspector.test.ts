import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { listToolNames } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const CLI = join("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace, { scopes: [...SCOPES] })).raw_key;
await addAction(workspace, { slug: "greet", outputSchema: { type: "object", properties: {} } });
afterAll(() => server.close());

async function inspect(method: string, ...more: string[]) {
  const header = ["--header", `Authorization: Bearer ${key}`];
  const url = `${server.url}?typed_actions=all`;
  const args = [CLI, "--cli", url, "--transport", "http", "--method", method, ...more, ...header];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return { answer: JSON.parse(stdout), stderr };
}

test("the inspector lists the tools and finds no schema that a client could reject", async () => {
  const { answer, stderr } = await inspect("tools/list", "--strict");
  expect(answer.tools.map(({ name }: { name: string }) => name)).toEqual([...listToolNames(SCOPES), "action_greet"]);
  expect(stderr).toBe("");
});

test("the inspector reads resources and prompts", async () => {
  const { answer: listed } = await inspect("resources/list");
  expect(listed.resources.map(({ uri }: { uri: string }) => uri)).toContain("signalbox://actions/greet");
  const { answer: read } = await inspect("resources/read", "--uri", "signalbox://actions/greet");
  expect(JSON.parse(read.contents[0].text).slug).toBe("greet");
  const { answer: prompts } = await inspect("prompts/list");
  expect(prompts.prompts.map(({ name }: { name: string }) => name)).toEqual(["greet"]);
});
