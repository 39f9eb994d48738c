import type { Benchmark } from "#bench/benchmark";
import { compareToNumber } from "#bench/figures";
import { openLeanStage } from "#bench/stage/lean-stage";
import { seededRandom } from "#lib/support/seeded-random.fixture";
import { generateWorkflow } from "#worker/random-runs/generate-workflow.fixture";
import { playRun } from "#worker/random-runs/play-run.fixture";
import { startScriptedService } from "#worker/random-runs/scripted-service.fixture";
import { startTestWorker, type TestWorker } from "#worker/supervise/worker-process.fixture";

const WORKFLOWS = 100;
const AT_ONCE = 8;
/** Runs that start between two kills. */
const RUNS_BETWEEN_KILLS = 25;

/** Runs random workflows, kills workers meanwhile, replays each run, and compares every end with its prediction. */
export const randomRuns: Benchmark = {
  summary: `${WORKFLOWS} random workflows for each round, with killed workers and replays: runs that end wrong`,
  run: async ({ rounds }) => {
    const stage = await openLeanStage();
    const service = await startScriptedService();
    const workers = [await startTestWorker(), await startTestWorker()];
    const wrong: string[] = [];
    let kills = 0;
    try {
      const seeds = Array.from({ length: rounds * WORKFLOWS }, (_, seed) => 1_000 + seed);
      const play = async () => {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          if (seed % RUNS_BETWEEN_KILLS === 0) {
            kills += 1;
            await replaceOldest(workers);
          }
          const model = generateWorkflow(seededRandom(seed), { isKilled: true });
          const found = await playRun(model, { service, isKilled: true, replays: true });
          wrong.push(...found.map((difference) => `seed ${seed}: ${difference}`));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, play));
    } finally {
      await Promise.all(workers.map(kill));
      service.close();
      await stage.close();
    }
    for (const difference of wrong) process.stderr.write(`${difference}\n`);
    return [
      { figure: "workflows", measured: rounds * WORKFLOWS },
      { figure: "killed workers", measured: kills },
      compareToNumber("differences from the prediction", wrong.length, { atMost: 0 }),
    ];
  },
};

async function replaceOldest(workers: TestWorker[]): Promise<void> {
  const [oldest] = workers.splice(0, 1);
  workers.push(await startTestWorker());
  if (oldest) await kill(oldest);
}

async function kill({ child, exited }: TestWorker): Promise<void> {
  child.kill("SIGKILL");
  await exited;
}
