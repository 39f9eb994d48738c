import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { RunReference } from "#lib/domain/runs/read/get-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { tablesWith } from "#lib/platform/db/find-text.fixture";
import { db } from "#lib/platform/db/pool";
import { between, useRunStage } from "#worker/stories/run-stage.fixture";

process.env.OUTBOUND_ALLOW = "127.0.0.1";
const stage = useRunStage();
beforeEach(async () => {
  stage.workspace = await addWorkspace();
});

/** Secrets that the journal's own patterns do not recognize, one for each place. */
const BASIC = "Y2FuYXJ5OjEyMw";
const TOKEN = "canary-tok-1";
const PARAMETER = "canarypar2";
const PASSWORD = "canary-pw-3";
const SECRETS = [BASIC, TOKEN, PARAMETER, PASSWORD];
/** The tables that keep a secret because a person typed it there. */
const TYPED_IN = ["public.workflow_versions", "public.workflows"];

const ask = (id: string, more: JsonObject = {}): GraphNode =>
  node(id, "connector", {
    connector: "http",
    operation: "request",
    params: {
      method: "POST",
      url: `${stage.server.url}/${id}?token=${PARAMETER}&n={{in.name}}`,
      headers: { Authorization: `Basic ${BASIC}`, "x-auth-token": TOKEN },
      body: { given: "{{keep.password}}" },
    },
    ...more,
  });
const keep = () => node("keep", "transform", { fields: [{ name: "password", value: PASSWORD }] });

async function expectNowhere(run: RunReference, secrets: readonly string[]): Promise<void> {
  const shown = JSON.stringify(await stage.show(run));
  for (const secret of secrets) {
    expect(shown, secret).not.toContain(secret);
    expect(await tablesWith(secret), secret).toEqual(TYPED_IN);
    expect(stage.worker.output(), secret).not.toContain(secret);
  }
}

describe("a secret typed into a definition", () => {
  it("reaches the service, but no reader of the run sees it in a step, an error, or a request", async () => {
    stage.server.answer(`/echo?token=${PARAMETER}&n=Ada`, { you_sent: SECRETS });
    stage.server.answer(`/refuse?token=${PARAMETER}&n=Ada`, { error: `bad: ${TOKEN}, ${PASSWORD}` }, 422);
    const steps = [keep(), ask("echo"), ask("refuse")];
    const run = await stage.start(steps, "in>keep>echo>refuse>out");
    const { error } = await stage.reaches(run, "failed");
    expect(stage.server.of(`/echo?token=${PARAMETER}&n=Ada`)).toMatchObject([
      {
        headers: { authorization: `Basic ${BASIC}`, "x-auth-token": TOKEN },
        body: JSON.stringify({ given: PASSWORD }),
      },
    ]);
    expect(error.message).toContain("[REDACTED]");
    const step = await stage.step(run, "echo");
    expect(step?.input).toEqual({
      method: "POST",
      url: `${stage.server.url}/echo?token=[REDACTED]&n=Ada`,
      headers: { Authorization: "Basic [REDACTED]", "x-auth-token": "[REDACTED]" },
      body: { given: "[REDACTED]" },
    });
    await expectNowhere(run, SECRETS);
  });

  it("is still known to later steps if another worker continues the run", async () => {
    const gate = node("gate", "approval", { message: `Use ${PASSWORD}?` });
    const run = await stage.start([keep(), gate, ask("after")], "in>keep>gate>after>out");
    await stage.parks(run);
    const { rows } = await db().query("select message from approvals where run_id = $1", [run.runId]);
    expect(rows).toEqual([{ message: "Use [REDACTED]?" }]);
    await stage.replaceWorker();
    await stage.decide(run);
    await stage.reaches(run, "succeeded");
    expect(stage.server.of(`/after?token=${PARAMETER}&n=Ada`)).toMatchObject([
      { body: JSON.stringify({ given: PASSWORD }) },
    ]);
    await expectNowhere(run, SECRETS);
  });

  it("stays hidden if a step passes it to another action, in that action's run and its replay", async () => {
    const inputSchema = {
      type: "object" as const,
      properties: { password: { type: "string" as const } },
      required: [],
    };
    const copy = node("copy", "transform", { fields: [{ name: "note", value: "got {{in.password}}" }] });
    const child = await stage.addAction({ inputSchema, definition: between([copy], "in>copy>out") });
    const sub = node("sub", "sub_workflow", { action_slug: child.slug, input: { password: "{{keep.password}}" } });
    const run = await stage.start([keep(), sub], "in>keep>sub>out");
    await stage.reaches(run, "succeeded");
    const { rows } = await db().query("select id from runs where parent_run_id = $1", [run.runId]);
    const childRun = { ...run, runId: rows[0].id };
    const copied = async (of: RunReference) => (await stage.step(of, "copy"))?.output;
    expect(await copied(childRun)).toEqual({ note: "got [REDACTED]" });
    const again = await stage.replay(childRun, { mode: "from_start" });
    await stage.reaches(again, "succeeded");
    expect(await copied(again)).toEqual({ note: "got [REDACTED]" });
    for (const each of [run, childRun, again]) await expectNowhere(each, [PASSWORD]);
    expect((await stage.row(again)).output).toEqual({ done: "yes" });
  });
});
