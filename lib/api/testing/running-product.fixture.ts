import { afterAll, beforeAll } from "vitest";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { clientFile } from "#lib/api/openapi/client-file";
import { OPERATIONS } from "#lib/api/operations/registry";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";
import { type HttpTestServer, startHttp } from "#lib/api/testing/http.fixture";
import { SCOPES } from "#lib/contract/key/scopes";
import type { Definition } from "#lib/contract/workflow/graph";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { startTestWorker, type TestWorker } from "#worker/supervise/worker-process.fixture";

export interface RunningProduct {
  baseUrl: string;
  workspace: TestWorkspace;
  key: string;
}

const at = { x: 0, y: 0 };
/** A workflow that returns its input. */
const ECHO: Definition = {
  nodes: [
    { id: "start", type: "action_input", position: at, data: { properties: [] } },
    {
      id: "end",
      type: "return_output",
      position: at,
      data: { properties: [{ name: "said", type: "object", value: "{{action_input}}" }] },
    },
  ],
  edges: [{ id: "e1", source: "start", target: "end" }],
};
const ANY_INPUT = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const OUTPUT = { type: "object", properties: { said: { type: "object" } } } as const;

/**
 * For tests of what callers use: REST and MCP on real HTTP, a real worker, and two actions. `echo` runs at once, and
 * `held` waits for approval first. Call it at the top of the file.
 */
export function useRunningProduct(): RunningProduct {
  useTestDatabase();
  const product = {} as RunningProduct;
  let server: HttpTestServer;
  let worker: TestWorker;
  beforeAll(async () => {
    const mcp = mcpRoute(OPERATIONS);
    server = await startHttp((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/docs/signalbox.ts") return clientFile();
      return pathname === "/mcp" ? mcp(request) : answerRuntime(request);
    });
    product.baseUrl = server.url;
    product.workspace = await addWorkspace();
    product.key = (await addKey(product.workspace, { scopes: [...SCOPES] })).raw_key;
    const echo = { definition: ECHO, inputSchema: { ...ANY_INPUT, required: ["name"] }, outputSchema: OUTPUT };
    await addAction(product.workspace, { ...echo, slug: "echo" });
    await addAction(product.workspace, { ...echo, slug: "held", approvalPolicy: "always" });
    worker = await startTestWorker();
  });
  afterAll(async () => {
    worker.child.kill("SIGKILL");
    await worker.exited;
    await server.close();
  });
  return product;
}
