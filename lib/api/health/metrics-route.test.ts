import { afterEach, describe, expect, test, vi } from "vitest";
import { addAction } from "#lib/domain/actions/action.fixture";
import { callAction } from "#lib/domain/runs/create/call-action.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { closeDb, db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";
import { count, flushCounters, observeStep } from "#lib/platform/metrics/counters";

useTestDatabase();

const SETTINGS = ["METRICS_TOKEN", "HOST", "PUBLIC_BASE_URL"] as const;
type Settings = Partial<Record<(typeof SETTINGS)[number] | "DATABASE_URL", string>>;

/** Settings are read once per process, so every case loads its own modules. */
async function scrape({ DATABASE_URL, ...settings }: Settings, headers: Record<string, string> = {}) {
  vi.resetModules();
  if (DATABASE_URL) vi.stubEnv("DATABASE_URL", DATABASE_URL);
  for (const name of SETTINGS) vi.stubEnv(name, settings[name] ?? "");
  const { metricsRoute } = await import("#lib/api/health/metrics-route");
  const response = await metricsRoute(new Request("http://localhost/metrics", { headers }));
  return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
}
afterEach(() => vi.unstubAllEnvs());

const HERE = { "x-signalbox-client-address": "127.0.0.1", "x-signalbox-local-client": "true" };
const TOKEN = "the operator's token";

describe("GET /metrics", () => {
  test.each([
    ["answers this machine", {}, HERE, 200],
    ["answers this machine at another loopback name", { PUBLIC_BASE_URL: "http://[::1]:3000" }, HERE, 200],
    [
      "refuses this machine if others use the instance, because a proxy without headers looks like it",
      { PUBLIC_BASE_URL: "https://signalbox.example.com" },
      HERE,
      401,
    ],
    [
      "answers the token if others use the instance",
      { PUBLIC_BASE_URL: "https://signalbox.example.com", METRICS_TOKEN: TOKEN },
      { authorization: `Bearer ${TOKEN}` },
      200,
    ],
    ["refuses another machine", {}, { "x-signalbox-client-address": "203.0.113.9" }, 401],
    ["refuses a machine that only claims to be this one", {}, { "x-forwarded-for": "127.0.0.1" }, 401],
    ["refuses a client of a proxy on this machine", {}, { "x-signalbox-client-address": "127.0.0.1" }, 401],
    [
      "answers a request with the token",
      { METRICS_TOKEN: TOKEN, HOST: "0.0.0.0" },
      { authorization: `Bearer ${TOKEN}` },
      200,
    ],
    ["refuses a request with another token", { METRICS_TOKEN: TOKEN }, { ...HERE, authorization: "Bearer other" }, 401],
    ["refuses this machine without the token if one is set", { METRICS_TOKEN: TOKEN }, HERE, 401],
  ] as [string, object, Record<string, string>, number][])("%s", async (_, settings, headers, status) => {
    const answer = await scrape(settings, headers);
    expect(answer.status).toBe(status);
    expect(answer.type).toContain(status === 200 ? "text/plain; version=0.0.4" : "application/json");
  });
});

test("runs, queue and circuit breakers are reported with their current numbers", async () => {
  const workspace = await addWorkspace();
  const action = await addAction(workspace);
  for (let made = 0; made < 3; made += 1) await callAction({ workspace, action });
  await db().query("insert into circuit_breakers (workspace_id, connector, state) values ($1, 'h\"ttp', 'open')", [
    workspace.workspaceId,
  ]);
  await db().query("select graphile_worker.add_job('send_invite_mail'), graphile_worker.add_job('keep_house')");
  await db().query(`select graphile_worker.permanently_fail_jobs(array_agg(id), 'refused') from graphile_worker.jobs
    where task_identifier = 'keep_house'`);
  const { text } = await scrape({}, HERE);
  const lines = text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'signalbox_runs_open{status="accepted",source="action"} 3',
      'signalbox_runs_recent{status="accepted",source="action"} 3',
      "signalbox_queue_jobs 3",
      'signalbox_jobs{task="send_invite_mail",state="waiting"} 1',
      'signalbox_jobs{task="keep_house",state="failed"} 1',
      "signalbox_workers 0",
      'signalbox_circuit_breakers{connector="h\\"ttp",state="open"} 1',
      "signalbox_schedule_lag_seconds 0",
      "signalbox_listener_failing_seconds 0",
      "# TYPE signalbox_step_duration_seconds histogram",
    ]),
  );
  // Every line is a comment or a sample, as the format requires.
  const sample = /^[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? [0-9.e+-]+$/;
  expect(lines.filter((line) => line !== "" && !line.startsWith("# ") && !sample.test(line))).toEqual([]);
});

test("counters add up over processes and restarts", async () => {
  for (const [status, times] of [
    ["succeeded", 2],
    ["failed", 1],
    ["succeeded", 3],
  ] as const) {
    count("signalbox_runs_finished_total", { status }, times);
    await flushCounters();
  }
  observeStep("step_completed", 20);
  observeStep("step_completed", 45_000);
  await flushCounters();
  const { text } = await scrape({}, HERE);
  const finished = text.split("\n").filter((line) => /^signalbox_(runs_finished|step_duration)/.test(line));
  expect(finished).toEqual(
    expect.arrayContaining([
      'signalbox_runs_finished_total{status="succeeded"} 5',
      'signalbox_runs_finished_total{status="failed"} 1',
      'signalbox_step_duration_seconds_bucket{outcome="step_completed",le="0.025"} 1',
      'signalbox_step_duration_seconds_bucket{outcome="step_completed",le="30"} 1',
      'signalbox_step_duration_seconds_bucket{outcome="step_completed",le="+Inf"} 2',
      'signalbox_step_duration_seconds_sum{outcome="step_completed"} 45.02',
      'signalbox_step_duration_seconds_count{outcome="step_completed"} 2',
    ]),
  );
});

test("what was never counted is 0, so that Prometheus sees the first increase", async () => {
  const { text } = await scrape({}, HERE);
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      'signalbox_sweeper_actions_total{action="given_up"} 0',
      'signalbox_event_deliveries_total{result="failed"} 0',
      'signalbox_runs_finished_total{status="timed_out"} 0',
      'signalbox_sandbox_wait_seconds_bucket{language="typescript",le="1"} 0',
      'signalbox_sandbox_wait_seconds_count{language="typescript"} 0',
      'signalbox_request_duration_seconds_count{status="500"} 0',
    ]),
  );
});

test("without the database, the metrics say so and nothing else", async () => {
  await closeDb();
  const { status, text } = await scrape({ DATABASE_URL: "postgres://127.0.0.1:1/none" }, HERE);
  await closeDb();
  expect(status).toBe(200);
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual(["signalbox_database_up 0"]);
});

test("a figure that cannot be read does not hide the others", async () => {
  await db().query("alter table event_endpoints rename to event_endpoints_away");
  try {
    const { status, text } = await scrape({}, HERE);
    expect(status).toBe(200);
    expect(text).toContain("\nsignalbox_database_up 1\n");
    expect(text).toContain("\nsignalbox_database_bytes ");
    expect(text).not.toContain("signalbox_event_endpoints_failing");
  } finally {
    await db().query("alter table event_endpoints_away rename to event_endpoints");
  }
});
