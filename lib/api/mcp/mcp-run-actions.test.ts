import { afterAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { callRest } from "#lib/api/rest/rest.fixture";
import { callTool, sendRpc } from "#lib/api/testing/mcp-test-caller";
import { startMcpServer } from "#lib/api/testing/mcp-test-server";
import type { RunObject } from "#lib/contract/run/run";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

await openTestDatabase();

const server = await startMcpServer(OPERATIONS);
const workspace = await addWorkspace();
const key = (await addKey(workspace)).raw_key;
await addAction(workspace, { slug: "greet" });
afterAll(() => server.close());

interface Item {
  run: RunObject | null;
  error: { code: string } | null;
  idempotent_replayed: boolean;
}

const ada = { input: { name: "Ada" } };
const callBatch = async (args: unknown) => {
  const answer = await callTool(server.url, key, "run_actions", args);
  return { ...answer, items: (answer.body.data ?? []) as Item[] };
};

describe("the tool run_actions", () => {
  test("says that it changes things, and takes a list of calls", async () => {
    const { body } = await sendRpc(server.url, key, "tools/list");
    const tool = body.result.tools.find(({ name }: { name: string }) => name === "run_actions");
    expect(tool).toMatchObject({
      title: "Run action for many inputs",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      inputSchema: {
        required: ["slug", "items"],
        properties: {
          items: {
            type: "array",
            minItems: 1,
            maxItems: 100,
            items: { type: "object", properties: { input: { type: "object" }, dry_run: { type: "boolean" } } },
          },
        },
      },
      outputSchema: { type: "object", required: ["data", "refused"] },
    });
  });

  test("answers what REST answers: a run or an error for each item, and no error of the tool", async () => {
    const items = [{ ...ada, idempotency_key: "k" }, { input: {} }];
    const { isError, body, structuredContent } = await callBatch({ slug: "greet", items });
    expect(isError).toBe(false);
    expect(structuredContent).toEqual(body);
    const rest = await callRest("POST", "/actions/greet/runs", { key, body: { items } });
    expect(rest.body).toEqual({
      data: [{ ...body.data[0], idempotent_replayed: true }, body.data[1]],
      refused: 1,
    });
  });

  test("reads a list, an item or an input that arrives as JSON text", async () => {
    const given = JSON.stringify([ada, { input: '{"name": "Ada"}' }]);
    const { items } = await callBatch({ slug: "greet", items: given });
    expect(items.map(({ run }) => run?.input)).toEqual([
      { name: "Ada", count: 1 },
      { name: "Ada", count: 1 },
    ]);
    const text = await callBatch({ slug: "greet", items: [JSON.stringify(ada)] });
    expect(text.items[0]?.run?.status).toBe("accepted");
  });

  test("names of each run only its id and status in a short answer, so that 100 items fit into an answer", async () => {
    const { body } = await callBatch({
      slug: "greet",
      view: "short",
      items: [...Array.from({ length: 9 }, () => ada), { input: {} }],
    });
    expect(body.data[0]).toEqual({ run: { run_id: expect.any(String), status: "accepted" } });
    expect(body.data[9]).toEqual({ error: expect.objectContaining({ code: "INPUT_VALIDATION_FAILED" }) });
    expect(body.refused).toBe(1);
    expect(JSON.stringify(body.data[0]).length).toBeLessThan(100);
  });

  test.each([
    ["101 items", { items: Array.from({ length: 101 }, () => ada) }, "BAD_REQUEST"],
    ["an empty list", { items: [] }, "BAD_REQUEST"],
    ["an unknown slug", { slug: "missing", items: [ada] }, "ACTION_NOT_FOUND"],
  ])("fails as a whole for %s", async (_, args, code) => {
    const { isError, body } = await callBatch({ slug: "greet", ...args });
    expect({ isError, code: body.code }).toEqual({ isError: true, code });
  });

  test("makes a key for each item of its idempotency_key", async () => {
    const args = { slug: "greet", items: [ada, ada], idempotency_key: "of-the-batch" };
    const first = await callBatch(args);
    const again = await callBatch(args);
    expect(again.items.map((item) => item.idempotent_replayed)).toEqual([true, true]);
    expect(again.items.map(({ run }) => run?.run_id)).toEqual(first.items.map(({ run }) => run?.run_id));
  });
});
