import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, withFloor } from "#bench/benchmark";
import { compareToFloor } from "#bench/figures";
import { startFloor } from "#bench/floors/floor";
import { drain } from "#bench/load/drain";
import { runLoad } from "#bench/load/load";
import { acceptRun, floorInsert } from "#bench/load/shots";
import { readMemoryMib } from "#bench/measure/process-usage";
import { median } from "#bench/measure/statistics";
import type { Product } from "#bench/stage/product";

/** The time until the started processes and their loaded code settle. */
const SETTLE_MS = 10_000;

export const footprint: Benchmark = {
  summary: "P9, P13: resident memory of web and worker, and start to first answer",
  run: ({ seconds, rounds, connections }) =>
    withFloor({}, async ({ product, floor }) => {
      const load = { connections, seconds: seconds * rounds };
      const serverOfFloor = floor.servingPids.slice(0, 1);
      await sleep(SETTLE_MS);
      const [idle, floorIdle] = [await readMemory(product), readMemoryMib(serverOfFloor)];
      await runLoad({ ...floorInsert(floor), ...load });
      const floorLoaded = readMemoryMib(serverOfFloor);
      await runLoad({ ...acceptRun(product), ...load });
      const loaded = await readMemory(product);
      await drain(product.db);
      await sleep(SETTLE_MS);
      const after = await readMemory(product);
      const [startsMs, floorStartsMs]: [number[], number[]] = [[], []];
      while (startsMs.length < rounds) {
        const other = await startFloor(product);
        floorStartsMs.push(other.startedMs);
        await other.stop();
        startsMs.push(await product.restart());
      }
      const [start, floorStart] = [startsMs, floorStartsMs].map((times) => median(times) / 1_000);
      return [
        compareToFloor(
          "P9 idle MiB: web, worker, stand-by",
          { measured: idle.all.resident, floor: floorIdle.resident },
          { atMost: 3.5 },
        ),
        { figure: "  of which web", measured: idle.web.resident },
        { figure: "  what they share counted once", measured: idle.all.proportional },
        { figure: "MiB at the end of a load", measured: loaded.all.resident, floor: floorLoaded.resident },
        { figure: "MiB some seconds after it", measured: after.all.resident },
        compareToFloor(
          "P13 seconds from start to the first 200",
          { measured: start ?? 0, floor: floorStart ?? 0 },
          { atMost: 6 },
        ),
      ];
    }),
};

async function readMemory(product: Product) {
  const { web, workers } = await product.pids();
  return { web: readMemoryMib(web), all: readMemoryMib([...web, ...workers]) };
}
