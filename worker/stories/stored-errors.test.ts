import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWebhookRoute } from "#lib/api/webhooks/answer-webhook";
import { startToolServer, type ToolServer } from "#lib/connectors/mcp/tool-server.fixture";
import { BOT_TOKEN, startTelegram } from "#lib/connectors/vendors/telegram/telegram.fixture";
import { StepError } from "#lib/contract/run/step-error";
import { plantSecrets } from "#lib/core/redaction/plant-secrets.fixture";
import { createConnection } from "#lib/domain/connections/create-connection";
import { getConnection } from "#lib/domain/connections/get-connection";
import { listCircuits } from "#lib/domain/connections/list-circuits";
import { openConnection } from "#lib/domain/connections/open-connection";
import { testConnection } from "#lib/domain/connections/test-connection";
import { getConnectionTools, refreshConnectionTools } from "#lib/domain/connections/tools/get-connection-tools";
import { createBuild } from "#lib/domain/custom-connectors/create-build";
import { getBuild } from "#lib/domain/custom-connectors/get-build";
import { runBuild } from "#lib/domain/custom-connectors/run-build";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { claimDeliveries } from "#lib/domain/outbound-events/deliveries/claim-deliveries";
import { attemptOf } from "#lib/domain/outbound-events/deliveries/deliver-webhook";
import { listEventDeliveries } from "#lib/domain/outbound-events/deliveries/list-deliveries";
import { settleDelivery } from "#lib/domain/outbound-events/deliveries/settle-delivery";
import { createEndpoint } from "#lib/domain/outbound-events/endpoints/create-endpoint";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { getEventTest } from "#lib/domain/triggers/tests/get-event-test";
import { startEventTest } from "#lib/domain/triggers/tests/start-event-test";
import { editorIn, triggerDefinition } from "#lib/domain/triggers/trigger.fixture";
import { createWorkflow } from "#lib/domain/workflows/create-workflow";
import { claimInviteMail } from "#lib/domain/workspaces/invites/claim-invite-mail";
import { createInvite } from "#lib/domain/workspaces/invites/create-invite";
import { listInvites } from "#lib/domain/workspaces/invites/list-invites";
import { settleInviteMail } from "#lib/domain/workspaces/invites/settle-invite-mail";
import { placesOf } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { postgresBreaker } from "#worker/supervise/postgres-breaker";

// Invites are mailed only if there is a mail server. No test sends one.
process.env.SMTP_URL = "smtp://127.0.0.1:1";
process.env.MAIL_FROM = "Signalbox <bot@signalbox.example>";
const stage = useConnectorStage("telegram", startTelegram, { isReachable: false });

/** A service that refuses every request in the words that a test chooses. */
let service: Server;
let serviceUrl: string;
let refusal: { status: number; json: unknown };
let tools: ToolServer;
beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume();
    response.writeHead(refusal.status, { "content-type": "application/json" }).end(JSON.stringify(refusal.json));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  tools = await startToolServer();
});
afterAll(() => {
  service.close();
  service.closeAllConnections();
  tools.close();
});

/** Credentials that no pattern recognizes: short, and without a name before them. */
const OWN = { key: "canary-key-11", clientSecret: "canary-client-22" };

async function connect(connector: string, auth: string, fields: Record<string, string>, acceptFailure = true) {
  const { workspaceId, userId } = stage.workspace;
  const request = { workspaceId, userId, actor: TEST_ACTOR, connector, auth, name: "Service", fields, acceptFailure };
  return (await createConnection(request)).connection.connection_id;
}

/** What someone reads of an error: it says that something was left out, and still says something. */
function expectRedacted(shown: string | null | undefined): void {
  expect(shown).toContain("REDACTED");
  expect(shown).toContain("refused because");
}

/**
 * Makes something fail in words with secrets, and returns what is shown of the error. By the columns that hold such
 * words.
 */
const FAILURES: Record<string, (words: string) => Promise<string | null | undefined>> = {
  "connections.last_error": async (words) => {
    refusal = { status: 400, json: { error: { message: `${words}, ${OWN.key}` } } };
    const id = await connect("openai", "api_key", { base_url: `${serviceUrl}/v1/`, api_key: OWN.key });
    const made = await getConnection(stage.workspace.workspaceId, id);
    expectRedacted(made.last_error);
    const request = { workspaceId: stage.workspace.workspaceId, connectionId: id, actor: TEST_ACTOR };
    return (await testConnection(request)).connection.last_error;
  },
  "connection_tools.last_error": async (words) => {
    const { workspaceId } = stage.workspace;
    tools.intercept = null;
    const id = await connect("mcp", "bearer", { server_url: tools.url, key: OWN.key }, false);
    const json = { jsonrpc: "2.0", id: null, error: { code: -32000, message: `${words}, ${OWN.key}` } };
    tools.intercept = () => ({ status: 400, json });
    await refreshConnectionTools(workspaceId, id).catch(() => undefined);
    return (await getConnectionTools(workspaceId, id)).last_error;
  },
  "connector_builds.errors": async (words) => {
    const { workspaceId, userId } = stage.workspace;
    refusal = { status: 403, json: { error: { message: words } } };
    const input = {
      slug: "shop",
      name: "Shop",
      auth: "none" as const,
      baseUrl: serviceUrl,
      openapiUrl: `${serviceUrl}/openapi.json`,
    };
    const { build_id } = await createBuild({ workspaceId, userId, actor: TEST_ACTOR, input });
    await runBuild(build_id, outgoingSend());
    return JSON.stringify((await getBuild(workspaceId, build_id)).errors);
  },
  "connector_listeners.last_error": async (words) => {
    const id = await stage.connect("bot_token", { token: BOT_TOKEN });
    const trigger = await stage.listenTo(id, "new_message");
    await stage.work();
    const json = { ok: false, error_code: 400, description: `${words}, ${BOT_TOKEN}` };
    stage.vendor.failures.push({ status: 400, json });
    await stage.work({ isSoon: true });
    return ((await stage.listeningOf(trigger)) as { error: string }).error;
  },
  "circuit_breakers.last_error": async (words) => {
    const { workspaceId } = stage.workspace;
    const breaker = postgresBreaker({ workspaceId, isTest: false });
    const called = { connector: "http", connectionId: null, origin: "https://api.example.com" };
    for (let failures = 0; failures < 5; failures += 1) {
      await breaker.report(called, { isProbe: false }, new StepError("UPSTREAM_ERROR", words));
    }
    return (await listCircuits(workspaceId))[0]?.last_error;
  },
  "event_deliveries.attempt_log": async (words) => {
    const { workspaceId, userId } = stage.workspace;
    const endpoint = await createEndpoint({
      workspaceId,
      userId,
      actor: TEST_ACTOR,
      url: "https://hooks.example.com/",
      name: "Hooks",
      events: ["run.failed" as const],
    });
    await db().query("select emit_event($1, 'run.failed', '{}')", [workspaceId]);
    const [delivery] = await claimDeliveries(10, []);
    if (!delivery) throw new Error("there is no delivery");
    await settleDelivery(delivery, attemptOf(new Date(), null, words));
    const { data } = await listEventDeliveries({ workspaceId, endpointId: endpoint.endpoint_id }, { limit: 10 });
    return JSON.stringify(data[0]?.attempts);
  },
  "webhook_tests.problem": async (words) => {
    const { workspaceId } = stage.workspace;
    const draft = { name: "Events", description: null, definition: triggerDefinition({ kind: "webhook" }) };
    const { workflow_id } = await createWorkflow(editorIn(stage.workspace), draft);
    const { url } = await startEventTest(workspaceId, workflow_id);
    const headers = { "content-type": `text/csv; ${words}` };
    await testWebhookRoute(new Request(url, { method: "POST", body: "a,b", headers }), url.split("/").at(-1) ?? "");
    return (await getEventTest(workspaceId, workflow_id))?.problem;
  },
  "workspace_invites.mail_error": async (words) => {
    const { workspaceId } = stage.workspace;
    const { userId: actorUserId } = stage.workspace;
    const invite = { workspaceId, actor: TEST_ACTOR, actorUserId, email: "bob@example.com", role: "viewer" } as const;
    const claimed = await claimInviteMail((await createInvite(invite)).invite_id);
    if (!claimed) throw new Error("there is no invite to mail");
    await settleInviteMail(claimed, words, false);
    return (await listInvites(workspaceId, { limit: 10 })).data[0]?.mail_error;
  },
};

/** Columns whose words are ours, and those of runs, which worker/stories/secrets-at-rest.test.ts checks. */
const OTHERS: Record<string, string> = {
  "event_endpoints.disabled_reason": "one of two sentences of ours",
  "execution_events.error": "secrets-at-rest",
  "execution_events.skip_reason": "one of our words",
  "runs.error": "secrets-at-rest",
  "runs.error_group": "a hash",
  "runs.error_words": "words of runs.error",
};

test("every column that holds the words of a failure is checked here, or says why not", async () => {
  const { rows } = await db().query(
    `select format('%s.%s', c.relname, a.attname) as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
       and not a.attisdropped and a.atttypid not in ('integer'::regtype, 'timestamptz'::regtype)
       and a.attname ~ '(^|_)(error|errors|problem|reason|attempt_log|fault|refusal)(_|$)' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...Object.keys(FAILURES), ...Object.keys(OTHERS)].toSorted());
});

describe("the words of a failure contain no secret, at rest or when they are shown:", () => {
  test.each(Object.keys(FAILURES))("%s", async (column) => {
    const { text, textSecrets } = plantSecrets(column);
    const shown = await FAILURES[column]?.(`It was refused because ${text}`);
    // A build and a test event name only the status and the type of what they got.
    if (column !== "connector_builds.errors" && column !== "webhook_tests.problem") expectRedacted(shown);
    expect(shown).toBeTruthy();
    const secrets = [...textSecrets, ...Object.values(OWN), BOT_TOKEN];
    for (const secret of secrets) expect(shown).not.toContain(secret);
    const own = await placesOf(secrets);
    expect(own).toEqual([]);
  });
});

test("a refused token says why without the secrets that the request contained", async () => {
  const pair = Buffer.from(`machine:${OWN.clientSecret}`).toString("base64");
  refusal = {
    status: 401,
    json: {
      error: "invalid_client",
      error_description: `refused because ${OWN.clientSecret} or ${pair} is wrong, ${plantSecrets("token").text}`,
    },
  };
  const id = await connect("http", "oauth2_client_credentials", {
    client_id: "machine",
    client_secret: OWN.clientSecret,
    token_url: `${serviceUrl}/token`,
    hosts: serviceUrl,
    test_url: `${serviceUrl}/api`,
  });
  const { workspaceId } = stage.workspace;
  const { send } = await openConnection(workspaceId, id, outgoingSend(workspaceId));
  const request = { method: "GET", url: `${serviceUrl}/api`, headers: {}, signal: AbortSignal.timeout(20_000) };
  const failure: unknown = await send(request).catch((error: unknown) => error);
  const { last_error: shown } = await getConnection(workspaceId, id);
  expectRedacted(shown);
  const secrets = [OWN.clientSecret, pair];
  for (const secret of secrets) {
    expect(shown).not.toContain(secret);
    // A step shows and stores its error, too.
    expect(String(failure)).not.toContain(secret);
  }
  expect(await placesOf([...secrets, ...plantSecrets("token").textSecrets])).toEqual([]);
});
