import { describe, expect, it } from "vitest";
import { errorOf } from "#lib/contract/error/error-of.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { replayRun } from "#lib/domain/runs/create/replay-run";
import { node } from "#lib/domain/runs/read/seed-run.fixture";
import { db } from "#lib/platform/db/pool";
import { useReplayStage } from "#worker/stories/replay-stage.fixture";
import { between } from "#worker/stories/run-stage.fixture";

const { stage, call, paths, sent, ended, publish, requestOf, replay } = useReplayStage();

const SECRET = "ada.lovelace@example.org";

describe("the input of a replay on the published version", () => {
  const graph = (properties: JsonObject[], c: GraphNode) =>
    between(
      [node("in", "action_input", { properties }), call("a", { body: { to: "{{action_input.email}}" } }), c],
      "in>a>c>out",
    );
  const email = { name: "email", type: "string", required: true };

  it("has the real values, which no answer and no row shows", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(graph([email], call("c")), "failed", { email: SECRET });
    stage.server.answer("/c", { ok: true });
    await publish(action, graph([email], call("c", { body: { to: "{{action_input.email}}" } })));
    const { made, reference, run: again } = await replay(run);
    expect(paths()).toEqual(["/c"]);
    expect(sent("/c")).toEqual([{ to: SECRET }]);
    const { rows } = await db().query(
      `select (select r::text from runs r where id = $1) || (select string_agg(e::text, ' ') from journal_events($1) e) || (select string_agg(a::text, ' ') from audit_events a) as stored`,
      [reference.runId],
    );
    expect(rows[0].stored).toContain("[REDACTED_EMAIL]");
    expect(JSON.stringify([made, again, rows])).not.toContain("lovelace");
  });

  it("is refused with each invalid field if it no longer matches, and can be corrected without repeating finished calls", async () => {
    stage.server.answer("/c", {}, 400);
    const { action, run } = await ended(graph([email], call("c")), "failed", { email: SECRET, size: "big" });
    stage.server.answer("/c", { ok: true });
    const properties = [email, { name: "region", type: "string", required: true }, { name: "size", type: "integer" }];
    const mended = call("c", { body: { to: "{{action_input.email}}", region: "{{action_input.region}}" } });
    await publish(action, graph(properties, mended));

    const refusal = await errorOf(replayRun(requestOf(run)));
    expect(refusal).toMatchObject({
      code: "INPUT_VALIDATION_FAILED",
      details: [
        { field: "region", code: "required", message: "region is required" },
        { field: "size", code: "type", message: "size must be an integer" },
      ],
    });
    expect(JSON.stringify(refusal)).not.toContain("lovelace");
    const { rows } = await db().query("select 1 from runs where resume_from_run_id = $1", [run.runId]);
    expect(rows).toEqual([]);

    const input = { email: "[REDACTED_EMAIL]", region: "EU", size: 3 };
    const { run: again } = await replay(run, "succeeded", { input });
    expect(paths()).toEqual(["/c"]);
    expect(sent("/c")).toEqual([{ to: SECRET, region: "EU" }]);
    expect(again.input).toEqual(input);
  });

  it("repeats the finished calls that read a corrected field", async () => {
    stage.server.answer("/c", {}, 400);
    const { run } = await ended(graph([email], call("c")), "failed", { email: SECRET });
    stage.server.answer("/c", { ok: true });
    await replay(run, "succeeded", { input: { email: "grace@example.org" } });
    expect(paths()).toEqual(["/a", "/c"]);
    expect(sent("/a")).toEqual([{ to: "grace@example.org" }]);
  });
});
