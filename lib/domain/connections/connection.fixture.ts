import { afterAll, beforeAll, beforeEach } from "vitest";
import { invoke } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import type { WebOperations } from "#lib/api/operations/web-operations";
import { startProvider, type TestProvider } from "#lib/connectors/llm/provider.fixture";
import type { Role } from "#lib/contract/workspace/roles";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { useTestDatabase } from "#lib/platform/db/test-database";

export const KEY = "sk-canary-9f8e7d6c5b4a";

type CreateInput = WebOperations["create_connection"]["input"];

interface ConnectionStage {
  readonly provider: TestProvider;
  readonly workspace: TestWorkspace;
  /** Sends a request as a member of the workspace, like the web application. */
  ask<Name extends keyof WebOperations>(
    name: Name,
    input: WebOperations[Name]["input"],
    as?: { role?: Role; who?: TestWorkspace },
  ): Promise<WebOperations[Name]["output"]>;
  /** Returns the input for a connection to the provider, or to another service. */
  openai(more?: Partial<CreateInput>): CreateInput;
  create(more?: Partial<CreateInput>): Promise<WebOperations["create_connection"]["output"]>;
}

/**
 * For tests: call at the top of the file. Sets up a workspace for each test, and a local provider that requires KEY.
 */
export function useConnectionStage(): ConnectionStage {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  useTestDatabase();
  let provider: TestProvider;
  let workspace: TestWorkspace;
  const stage: ConnectionStage = {
    get provider() {
      return provider;
    },
    get workspace() {
      return workspace;
    },
    ask: async (name, input, { role = "editor", who = workspace } = {}) => {
      const operation = OPERATIONS.find((candidate) => candidate.name === name);
      if (!operation) throw new Error(`there is no operation ${name}`);
      const caller = { kind: "user", role, name: "Ada", ...who } as const;
      return (await invoke(operation, caller, input, requestContext())) as never;
    },
    openai: (more = {}) => ({
      connector: "openai",
      auth: "api_key",
      name: "Model server",
      fields: { base_url: `${provider.url}/v1/`, api_key: KEY },
      ...more,
    }),
    create: (more = {}) => stage.ask("create_connection", stage.openai(more)),
  };
  beforeAll(async () => {
    provider = await startProvider(KEY);
  });
  beforeEach(async () => {
    workspace = await addWorkspace();
  });
  afterAll(() => provider.close());
  return stage;
}
