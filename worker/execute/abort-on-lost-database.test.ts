import { expect, test } from "vitest";
import { StepError } from "#lib/contract/run/step-error";
import { runGraph } from "#lib/core/engine/engine.fixture";
import { abortOnLostDatabase } from "#worker/execute/abort-on-lost-database";

/** A run whose only step fails with the given error. */
function runWith(error: Error) {
  const abort = new AbortController();
  const open = () => abortOnLostDatabase(abort, () => Promise.reject(error));
  return runGraph(
    { paths: ["in>call"], types: { call: "connector" }, behaviors: { call: open } },
    { signal: abort.signal },
  ).outcome;
}

test("a run ends with the error of a lost database, and not with a failed step", async () => {
  const lost = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await expect(runWith(lost)).rejects.toBe(lost);
});

test("a step fails with any other error", async () => {
  const refused = new StepError("connection_missing", "there is no such connection");
  expect(await runWith(refused)).toMatchObject({ status: "failed", error: { step_id: "call" } });
});
