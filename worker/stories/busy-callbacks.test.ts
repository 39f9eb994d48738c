import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpTestServer, startHttp } from "#lib/api/testing/http.fixture";
import { callbackRoute } from "#lib/api/webhooks/callback-route";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { useBrokenStarts } from "#lib/platform/child-pool/broken-starts.fixture";
import { useRunStage } from "#worker/stories/run-stage.fixture";
import { until } from "#worker/supervise/worker-process.fixture";

const starts = useBrokenStarts();
const stage = useRunStage();

let server: HttpTestServer;
beforeAll(async () => {
  server = await startHttp((request) => {
    const token = new URL(request.url).pathname.split("/").at(-1) ?? "";
    return callbackRoute(request, token);
  });
});
afterAll(() => server.close());

/** Starts a run that waits for a body with a status. Returns what posts to its address over HTTP. */
async function startWaiting(path: string) {
  const wait = node("wait", "wait_for_callback", {
    expires_seconds: 3_600,
    schema: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
  });
  const params = { method: "POST", url: `${stage.server.url}/${path}`, body: { address: "{{wait.callback_url}}" } };
  const out = node("out", "return_output", {
    properties: [{ name: "status", type: "string", value: "{{wait.body.status}}" }],
  });
  const steps = [stage.call(path, { params }), wait, out];
  const run = await stage.start(steps, `in>${path}>wait.received>out`);
  await stage.parks(run);
  const call = await until("the address", async () => stage.server.of(`/${path}`).at(-1)?.body);
  const { pathname } = new URL((JSON.parse(String(call)) as { address: string }).address);
  const post = async (body: object) => {
    const response = await fetch(server.url + pathname, { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { run, post };
}

test("a callback with a wrong body gets 400 with its fields, although the system kills the processes that check it", async () => {
  const { run, post } = await startWaiting("wrong");
  // The pool gives a call to three children in turn. The sender does not send again.
  starts.breakNext("killed_in_call", 4);
  const refused = await post({ status: 7 });
  expect(starts.left()).toBe(0);
  expect([refused.status, refused.body]).toEqual([
    400,
    expect.objectContaining({
      code: "INPUT_VALIDATION_FAILED",
      details: [expect.objectContaining({ field: "status" })],
    }),
  ]);
  expect((await post({ status: "paid" })).status).toBe(200);
  await stage.reaches(run, "succeeded");
});

/** Kills the processes that check data, as the system does when memory runs out. */
function killCheckers(): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs =
        readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1] === String(process.pid);
      const isChecker = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("platform/compute/child/main.ts");
      if (isOurs && isChecker) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

test.runIf(process.platform === "linux")(
  "a callback that no process can check gets 503 with a time to send it again, and the address stays usable",
  async () => {
    const { run, post } = await startWaiting("unchecked");
    // The three attempts of the job have three processes each. A few more may be started to be ready.
    const broken = 12;
    starts.breakNext("killed_in_call", broken);
    killCheckers();
    // The pool replaces the one that was killed.
    await until("the next process", async () => (starts.left() < broken ? true : null));
    const refused = await post({ status: 7 });
    expect([refused.status, refused.body]).toEqual([503, expect.objectContaining({ code: "SERVICE_UNAVAILABLE" })]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await post({ status: 7 })).status).toBe(400);
    expect((await post({ status: "paid" })).status).toBe(200);
    await stage.reaches(run, "succeeded");
  },
);
