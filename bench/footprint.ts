import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, withProduct } from "#bench/benchmark";
import { drain } from "#bench/drain";
import { compareToNumber } from "#bench/figures";
import { runLoad } from "#bench/load";
import { readMemoryMib } from "#bench/process-usage";
import type { Product } from "#bench/product";
import { acceptRun } from "#bench/shots";
import { median } from "#bench/statistics";

/** Until what was started and loaded has settled. */
const SETTLE_MS = 10_000;

export const footprint: Benchmark = {
  summary: "P9, P13: resident memory of web and worker, and start to first answer",
  run: ({ seconds, rounds, connections }) =>
    withProduct({}, async (product) => {
      await sleep(SETTLE_MS);
      const idle = await readMemory(product);
      await runLoad({ ...acceptRun(product), connections, seconds: seconds * rounds });
      const loaded = await readMemory(product);
      await drain(product.db);
      await sleep(SETTLE_MS);
      const after = await readMemory(product);
      const startsMs: number[] = [];
      while (startsMs.length < rounds) startsMs.push(await product.restart());
      return [
        compareToNumber("P9 idle MiB: web, worker, stand-by", idle.all.resident, { atMost: 350 }),
        { figure: "  of which web", measured: idle.web.resident },
        { figure: "  what they share counted once", measured: idle.all.proportional },
        { figure: "MiB at the end of a load", measured: loaded.all.resident },
        { figure: "MiB some seconds after it", measured: after.all.resident },
        compareToNumber("P13 seconds from start to the first 200", median(startsMs) / 1_000, { atMost: 4 }),
      ];
    }),
};

async function readMemory(product: Product) {
  const { web, workers } = await product.pids();
  return { web: readMemoryMib(web), all: readMemoryMib([...web, ...workers]) };
}
