import { afterAll, beforeAll } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { newKey, newWorkspace } from "#lib/api/testing/mcp-test-caller";
import { type McpTestServer, startMcpServer } from "#lib/api/testing/mcp-test-server";
import { SCOPES } from "#lib/contract/key/scopes";
import { useTestDatabase } from "#lib/platform/db/test-database";

interface ApiStage {
  ann: Awaited<ReturnType<typeof newWorkspace>>;
  /** A key of Ann's with every scope. */
  key: string;
  /** Serves all tools. */
  server: McpTestServer;
}

/** For tests of REST and MCP together: call at the top of the file. */
export function useApiStage(): ApiStage {
  useTestDatabase();
  const stage = {} as ApiStage;
  beforeAll(async () => {
    stage.ann = await newWorkspace("ann");
    stage.key = await newKey(stage.ann, ...SCOPES);
    stage.server = await startMcpServer(OPERATIONS);
  });
  afterAll(() => stage.server.close());
  return stage;
}
