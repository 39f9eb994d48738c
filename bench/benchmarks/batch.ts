import { type Benchmark, type Contender, compare, withProduct } from "#bench/benchmark";
import { compareToFloor, type Figure } from "#bench/figures";
import { runLoad } from "#bench/load/load";
import { acceptRun } from "#bench/load/shots";
import { INPUT, PURE } from "#bench/load/workflows";
import { type Product, SLUG } from "#bench/stage/product";
import { LIMITS } from "#lib/contract/limits";

const OTHER = "other";
const OTHER_ACTION = "greet-other";

export const batch: Benchmark = {
  summary: `P19: runs accepted per second by batches of ${LIMITS.batchRuns}, next to single calls, and what they cost others`,
  run: (options) =>
    withProduct({ profile: options.profile }, async (product) => {
      const headers = await product.addWorkspace(OTHER);
      await product.publish(OTHER_ACTION, PURE, OTHER);
      await product.pauseWorkers(true);
      const [single, many] = [acceptRun(product), acceptBatch(product)];
      const [alone, together] = await compare([single, many], options);
      if (!alone || !together) throw new Error("nothing was measured");
      const other = acceptRun({ ...product, headers }, OTHER_ACTION);
      const figures: Figure[] = [
        compareToFloor(
          "P19 runs accepted/s by batches, next to single calls",
          { measured: together.perSecond * LIMITS.batchRuns, floor: alone.perSecond },
          { atLeast: 4 },
        ),
        {
          figure: "CPU ms per run, server and Postgres",
          measured: together.cpuMs / LIMITS.batchRuns,
          floor: alone.cpuMs,
          ratio: together.cpuMs / LIMITS.batchRuns / alone.cpuMs,
        },
        { figure: "batch p50 ms", measured: together.p50Ms },
        { figure: "batch p99 ms", measured: together.p99Ms },
      ];
      const nextTo = async (load: Contender) => {
        const { servingPids: _, ...neighbor } = load;
        const seconds = options.seconds;
        const [result] = await Promise.all([
          runLoad({ ...other, connections: 1, seconds }),
          runLoad({ ...neighbor, connections: options.connections, seconds }),
        ]);
        return result;
      };
      const [calm, busy] = [await nextTo(single), await nextTo(many)];
      for (const which of ["p50Ms", "p99Ms"] as const) {
        figures.push({
          figure: `${which.slice(0, 3)} ms of another key's call, next to batches instead of single calls`,
          measured: busy[which],
          floor: calm[which],
          ratio: busy[which] / calm[which],
        });
      }
      return figures;
    }),
};

/** `POST /actions/:slug/runs` with the maximum number of items. */
function acceptBatch({ url, servingPids, headers }: Product): Contender {
  const body = JSON.stringify({ items: Array.from({ length: LIMITS.batchRuns }, () => ({ input: INPUT })) });
  const shot = { method: "POST", path: `/api/v1/runtime/actions/${SLUG}/runs`, headers, body } as const;
  return { url, servingPids, expectedStatus: 202, shot: () => shot };
}
