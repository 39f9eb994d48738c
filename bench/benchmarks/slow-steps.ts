import { type Benchmark, withProduct } from "#bench/benchmark";
import type { Figure } from "#bench/figures";
import { withHttp } from "#bench/load/workflows";
import { AT_ONCE, LATE, measureSharing, measureWaits, warmUpWaits } from "#bench/measure/measure-waits";
import { startStub } from "#bench/stage/start-stub";

const LATENCY_MS = 300;
const BACKLOGS = [300, 10_000];
const WORKERS = 3;
/** So few slots that they are the limit, not the CPU. The backlog must then keep every slot busy. */
const FEW_SLOTS = 10;
const SHARED_BACKLOG = 1_000;

export const slowSteps: Benchmark = {
  summary: `P17, P18: queued runs that wait ${LATENCY_MS} ms for a response, on default settings and with ${WORKERS} workers`,
  run: async ({ profile }) => {
    const [late, atOnce] = [await startStub(LATENCY_MS), await startStub()];
    const env = { OUTBOUND_ALLOW: "127.0.0.1" };
    try {
      const alone = await withProduct({ env, profile }, async (product) => {
        await product.publish(LATE, withHttp(late.url));
        await product.publish(AT_ONCE, withHttp(atOnce.url));
        await warmUpWaits(product);
        const figures: Figure[] = [];
        for (const runs of BACKLOGS) figures.push(...(await measureWaits(product, { runs, latencyMs: LATENCY_MS })));
        return figures;
      });
      const few = { env: { ...env, WORKER_CONCURRENCY: String(FEW_SLOTS) }, workers: WORKERS, profile };
      const shared = await withProduct(few, async (product) => {
        await product.publish(LATE, withHttp(late.url));
        return measureSharing(product, { runs: SHARED_BACKLOG, latencyMs: LATENCY_MS, workers: WORKERS });
      });
      return [...alone, ...shared];
    } finally {
      await Promise.all([late.stop(), atOnce.stop()]);
    }
  },
};
