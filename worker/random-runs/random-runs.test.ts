import { afterAll, expect, test } from "vitest";
import { openTestDatabase } from "#lib/platform/db/test-database";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { generateWorkflow } from "#worker/random-runs/generate-workflow.fixture";
import { playRun } from "#worker/random-runs/play-run.fixture";
import { predictRun } from "#worker/random-runs/predict-run.fixture";
import { startScriptedService } from "#worker/random-runs/scripted-service.fixture";
import { startTestWorker } from "#worker/supervise/worker-process.fixture";

process.env.RUNS_PER_USER_PER_HOUR = "0";
await openTestDatabase();

const WORKFLOWS = 60;
const AT_ONCE = 6;

const service = await startScriptedService();
const worker = await startTestWorker();
afterAll(async () => {
  worker.child.kill("SIGKILL");
  await worker.exited;
  service.close();
});

test(`${WORKFLOWS} random workflows end as the contract predicts, with every step, output and call`, async () => {
  const differences: string[] = [];
  const seeds = Array.from({ length: WORKFLOWS }, (_, seed) => seed);
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const model = generateWorkflow(seededRandom(seed), { isKilled: false });
      const found = await playRun(model, { service, isKilled: false, replays: seed % 4 === 0 });
      differences.push(...found.map((difference) => `seed ${seed}: ${difference}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(differences).toEqual([]);
});

test("the workflows cover every kind of step and of end", () => {
  const models = Array.from({ length: WORKFLOWS }, (_, seed) =>
    generateWorkflow(seededRandom(seed), { isKilled: false }),
  );
  const kinds = new Set(models.flatMap(({ nodes }) => nodes.map(({ step }) => step.kind)));
  expect([...kinds].toSorted()).toEqual(
    "action call condition delay end fields filter gate input loop program switch".split(" "),
  );
  const predictions = models.map(predictRun);
  const statuses = predictions.flatMap((one) =>
    one.status === "succeeded" ? one.status : one.ends.map(({ status }) => status),
  );
  expect(new Set(statuses)).toEqual(new Set(["succeeded", "failed", "cancelled"]));
  const steps = predictions.flatMap((one) => (one.status === "succeeded" ? [...one.steps.values()] : []));
  expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(["completed", "skipped", "failed_continued"]));
  expect(predictions.filter(({ status }) => status === "succeeded").length).toBeGreaterThan(WORKFLOWS / 2);
});
