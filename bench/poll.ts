import { type Benchmark, compare, withFloor } from "#bench/benchmark";
import { drain } from "#bench/drain";
import { compareToFloor, cpuFigure } from "#bench/figures";
import { runLoad } from "#bench/load";
import { acceptRun, floorInsert, floorRead } from "#bench/shots";

/** The three-step run that every product has, finished, with its timeline. */
export const poll: Benchmark = {
  summary: "P6: GET of a run per second, next to a route without SQL",
  run: (options) =>
    withFloor({ profile: options.profile }, async ({ product, floor }) => {
      const accepting = acceptRun(product);
      await runLoad({ ...accepting, connections: options.connections, seconds: 1 });
      await drain(product.db);
      const { rows } = await product.db.query<{ id: string }>("select id from runs order by id limit 500");
      const polling = (query: string) => ({
        url: product.url,
        servingPids: product.servingPids,
        expectedStatus: 200,
        shot: (index: number) => ({
          method: "GET" as const,
          path: `/api/v1/runtime/runs/${rows[index % rows.length]?.id}${query}`,
          headers: product.headers,
        }),
      });
      const contenders = [floorRead(floor), polling(""), polling("?steps=summary"), floorInsert(floor)];
      const [bare, polled, summary, insert] = await compare(contenders, options);
      if (!bare || !polled || !summary || !insert) throw new Error("nothing was measured");
      const ratioOf = (measured: number) => ({ measured, floor: bare.perSecond, ratio: measured / bare.perSecond });
      return [
        compareToFloor("P6 GET run/s", { measured: polled.perSecond, floor: bare.perSecond }, { atLeast: 0.75 }),
        { figure: "P6 p50 ms", measured: polled.p50Ms, floor: bare.p50Ms, ratio: polled.p50Ms / bare.p50Ms },
        { figure: "P6 p99 ms", measured: polled.p99Ms, floor: bare.p99Ms, ratio: polled.p99Ms / bare.p99Ms },
        cpuFigure("GET run", polled, bare),
        { figure: "GET run/s, steps=summary", ...ratioOf(summary.perSecond) },
        { figure: "the floor's route with one INSERT/s", ...ratioOf(insert.perSecond) },
      ];
    }),
};
