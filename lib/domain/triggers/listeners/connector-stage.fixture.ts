import { afterAll, beforeAll, beforeEach } from "vitest";
import { type HttpTestServer, startHttp } from "#lib/api/testing/http.fixture";
import { connectorWebhookRoute } from "#lib/api/webhooks/answer-webhook";
import { callAs } from "#lib/connectors/sdk/call-as.fixture";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import type { TestVendor } from "#lib/connectors/sdk/vendor.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { createConnection } from "#lib/domain/connections/create-connection";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { getTrigger } from "#lib/domain/triggers/activation/get-trigger";
import { openService } from "#lib/domain/triggers/listeners/open-service";
import { tendListeners } from "#lib/domain/triggers/listeners/tend-listeners";
import { addTrigger, runsOf, type TestTrigger } from "#lib/domain/triggers/trigger.fixture";
import { addWorkspace, type TestWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";

interface ConnectorStage<Vendor extends TestVendor> {
  readonly vendor: Vendor;
  readonly workspace: TestWorkspace;
  /** Creates a connection to the vendor. */
  connect(auth: string, fields: Record<string, string>, name?: string): Promise<string>;
  /** Creates and activates a workflow that the event starts. */
  listenTo(connectionId: string, event: string, params?: JsonObject): Promise<TestTrigger>;
  /** Does a worker's work of one second: subscribes, or polls what is due. `isSoon` makes every poll due. */
  work(options?: { isSoon?: boolean }): Promise<void>;
  /** Returns how the trigger's events arrive, as a page shows it. */
  listeningOf(trigger: TestTrigger): Promise<unknown>;
  /** Returns the connection's service, as an inbox uses it. */
  serve(connectionId: string): Promise<ServiceContext>;
  /**
   * Runs one operation with a connection's credentials, the way a connector step does.
   * @throws StepError
   */
  perform(connectionId: string, operation: string, params?: JsonObject): Promise<unknown>;
  /** Returns `trigger.output` for each of a workflow's runs, oldest first. */
  outputsOf(trigger: TestTrigger): Promise<JsonObject[]>;
}

/**
 * For tests of a connector's triggers: call at the top of the file. A local server replaces the vendor, its deliveries
 * reach our route over HTTP, and each test has its own workspace.
 * @param isReachable false for an installation that services cannot call
 */
export function useConnectorStage<Vendor extends TestVendor>(
  connector: string,
  startVendorServer: () => Promise<Vendor>,
  { isReachable = true } = {},
): ConnectorStage<Vendor> {
  useTestDatabase();
  let vendor: Vendor;
  let workspace: TestWorkspace;
  let server: HttpTestServer;
  beforeAll(async () => {
    vendor = await startVendorServer();
    server = await startHttp((request) => {
      const listenerId = new URL(request.url).pathname.split("/").at(-1) ?? "";
      return connectorWebhookRoute(request, listenerId);
    });
    process.env.OUTBOUND_ALLOW = "127.0.0.1";
    process.env.CONNECTOR_BASE_URLS = JSON.stringify({ [connector]: vendor.url });
    process.env.RUNS_PER_USER_PER_HOUR = "0";
    if (isReachable) process.env.WEBHOOK_BASE_URL = server.url;
  });
  beforeEach(async () => {
    vendor.requests.length = 0;
    vendor.failures.length = 0;
    // Switches off the listeners of earlier tests.
    await db().query("delete from connector_listeners");
    workspace = await addWorkspace();
  });
  afterAll(async () => {
    vendor.close();
    await server.close();
  });
  return {
    get vendor() {
      return vendor;
    },
    get workspace() {
      return workspace;
    },
    connect: async (auth, fields, name = "Test") => {
      const { workspaceId, userId } = workspace;
      const request = { workspaceId, userId, actor: TEST_ACTOR, connector, auth, name, fields, acceptFailure: false };
      return (await createConnection(request)).connection.connection_id;
    },
    listenTo: (connectionId, event, params) =>
      addTrigger(workspace, {
        kind: "connector",
        connector,
        event,
        connection_id: connectionId,
        ...(params ? { params } : {}),
      }),
    work: async ({ isSoon = false } = {}) => {
      if (isSoon)
        await db().query("update connector_listeners set next_at = now() - interval '1 ms' where next_at is not null");
      while ((await tendListeners(outgoingSend())) === 0);
    },
    listeningOf: async ({ workflowId }) => (await getTrigger(workspace.workspaceId, workflowId))?.listening,
    serve: (connectionId) => openService({ workspaceId: workspace.workspaceId, connectionId }, outgoingSend()),
    perform: (connectionId, operation, params = {}) =>
      callAs(workspace.workspaceId, connectionId, connector, operation, params),
    outputsOf: async (trigger) => (await runsOf(trigger)).map((run) => run.input.output),
  };
}
