import { type Benchmark, type Contender, compare, withFloor } from "#bench/benchmark";
import { compareToFloor, cpuFigure } from "#bench/figures";
import { drain } from "#bench/load/drain";
import { runLoad } from "#bench/load/load";
import { acceptRun, floorInsert, floorRead } from "#bench/load/shots";
import type { Product } from "#bench/stage/product";

/** Polls a finished run of the three-step action that every product has, with its timeline. */
export const poll: Benchmark = {
  summary: "P6: GET of a run per second, next to a route without SQL",
  run: (options) =>
    withFloor({ profile: options.profile }, async ({ product, floor }) => {
      const accepting = acceptRun(product);
      await runLoad({ ...accepting, connections: options.connections, seconds: 1 });
      await drain(product.db);
      const { rows } = await product.db.query<{ id: string }>("select id from runs order by id limit 500");
      const paths = rows.map(({ id }) => `/api/v1/runtime/runs/${id}`);
      const known = await readTags(product, paths);
      const contenders = [
        floorRead(floor),
        polling(product, paths),
        polling(product, paths, { query: "?steps=summary" }),
        polling(product, paths, { known }),
        floorInsert(floor),
      ];
      const [bare, polled, summary, unchanged, insert] = await compare(contenders, options);
      if (!bare || !polled || !summary || !unchanged || !insert) throw new Error("nothing was measured");
      const ratioOf = (measured: number) => ({ measured, floor: bare.perSecond, ratio: measured / bare.perSecond });
      return [
        compareToFloor("P6 GET run/s", { measured: polled.perSecond, floor: bare.perSecond }, { atLeast: 0.75 }),
        { figure: "P6 p50 ms", measured: polled.p50Ms, floor: bare.p50Ms, ratio: polled.p50Ms / bare.p50Ms },
        { figure: "P6 p99 ms", measured: polled.p99Ms, floor: bare.p99Ms, ratio: polled.p99Ms / bare.p99Ms },
        cpuFigure("GET run", polled, bare),
        { figure: "GET run/s, steps=summary", ...ratioOf(summary.perSecond) },
        { figure: "GET run/s, 304 to a known ETag", ...ratioOf(unchanged.perSecond) },
        cpuFigure("304 to a known ETag", unchanged, bare),
        { figure: "the floor's route with one INSERT/s", ...ratioOf(insert.perSecond) },
      ];
    }),
};

/** @param known the tag that the caller sends for each path, which the product answers with 304 */
function polling(
  { url, servingPids, headers }: Product,
  paths: readonly string[],
  { query = "", known }: { query?: string; known?: ReadonlyMap<string, string> } = {},
): Contender {
  return {
    url,
    servingPids,
    expectedStatus: known ? 304 : 200,
    shot: (index) => {
      const path = paths[index % paths.length] ?? "";
      const tag = known?.get(path);
      return { method: "GET", path: path + query, headers: { ...headers, ...(tag ? { "if-none-match": tag } : {}) } };
    },
  };
}

async function readTags({ url, headers }: Product, paths: readonly string[]): Promise<Map<string, string>> {
  const tags = new Map<string, string>();
  for (const path of paths) {
    const answer = await fetch(url + path, { headers });
    tags.set(path, answer.headers.get("etag") ?? "");
    await answer.body?.cancel();
  }
  return tags;
}
