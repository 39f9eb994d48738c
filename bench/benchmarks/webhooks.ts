import { type Benchmark, compare, withFloor } from "#bench/benchmark";
import { compareToFloor, cpuFigure } from "#bench/figures";
import { drain } from "#bench/load/drain";
import { acceptWebhook, floorInsert } from "#bench/load/shots";
import { STANDARD_SECRET, triggerDefinition } from "#lib/domain/triggers/trigger.fixture";

/** Sends signed deliveries, each with a new id, to a workflow with one pure step. The workers are stopped. */
export const webhooks: Benchmark = {
  summary: "P7: webhooks accepted per second, with signature and duplicate checks, next to a route with one INSERT",
  run: (options) =>
    withFloor({ profile: options.profile }, async ({ product, floor }) => {
      const url = await product.activate(
        "signed",
        triggerDefinition({ kind: "webhook", scheme: "standard", secret: STANDARD_SECRET }),
      );
      await product.pauseWorkers(true);
      const [bare, accepted] = await compare([floorInsert(floor), acceptWebhook(product, url)], options);
      await product.pauseWorkers(false);
      await drain(product.db);
      if (!bare || !accepted) throw new Error("nothing was measured");
      return [
        compareToFloor(
          "P7 webhooks accepted/s",
          { measured: accepted.perSecond, floor: bare.perSecond },
          { atLeast: 0.65 },
        ),
        { figure: "P7 p50 ms", measured: accepted.p50Ms, floor: bare.p50Ms, ratio: accepted.p50Ms / bare.p50Ms },
        { figure: "P7 p99 ms", measured: accepted.p99Ms, floor: bare.p99Ms, ratio: accepted.p99Ms / bare.p99Ms },
        cpuFigure("webhook accepted", accepted, bare),
      ];
    }),
};
