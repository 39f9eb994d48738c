import { type Benchmark, withProduct } from "#bench/benchmark";
import { mixed } from "#bench/load/workflows";
import { AT_ONCE, LATE, measureWaits, warmUpWaits } from "#bench/measure/measure-waits";
import { startStub } from "#bench/stage/start-stub";

const LATENCY_MS = 200;
const RUNS = 1_000;

export const mix: Benchmark = {
  summary: `P17: ten steps, with a response after ${LATENCY_MS} ms, user code, a condition and a loop of 20`,
  run: async ({ profile }) => {
    const [late, atOnce] = [await startStub(LATENCY_MS), await startStub()];
    try {
      return await withProduct({ env: { OUTBOUND_ALLOW: "127.0.0.1" }, profile }, async (product) => {
        await product.publish(LATE, mixed(late.url));
        await product.publish(AT_ONCE, mixed(atOnce.url));
        await warmUpWaits(product);
        return measureWaits(product, { runs: RUNS, latencyMs: LATENCY_MS });
      });
    } finally {
      await Promise.all([late.stop(), atOnce.stop()]);
    }
  },
};
