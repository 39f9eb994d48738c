import { type Benchmark, type Contender, compare, withFloor } from "#bench/benchmark";
import { cpuFigure } from "#bench/figures";
import { floorInsert } from "#bench/load/shots";
import { INPUT } from "#bench/load/workflows";
import { type Product, SLUG } from "#bench/stage/product";

const MODERN = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Makes the same call as `accept` the way agents do, in both versions of the protocol. The workers are stopped. */
export const mcp: Benchmark = {
  summary: "run_action calls per second over MCP, next to the same floor as accept",
  run: (options) =>
    withFloor({ profile: options.profile }, async ({ product, floor }) => {
      await product.pauseWorkers(true);
      const contenders = [floorInsert(floor), calling(product, "legacy"), calling(product, "modern")];
      const [bare, legacy, modern] = await compare(contenders, options);
      if (!bare || !legacy || !modern) throw new Error("nothing was measured");
      return [legacy, modern].flatMap((result, index) => {
        const era = index === 0 ? "2025-11-25" : MODERN;
        return [
          {
            figure: `run_action/s, revision ${era}`,
            measured: result.perSecond,
            floor: bare.perSecond,
            ratio: result.perSecond / bare.perSecond,
          },
          {
            figure: `run_action p99 ms, revision ${era}`,
            measured: result.p99Ms,
            floor: bare.p99Ms,
            ratio: result.p99Ms / bare.p99Ms,
          },
          cpuFigure(`run_action, revision ${era}`, result, bare),
        ];
      });
    }),
};

function calling({ url, servingPids, headers }: Product, era: "legacy" | "modern"): Contender {
  const call = { name: "run_action", arguments: { slug: SLUG, input: INPUT } };
  const isModern = era === "modern";
  const params = isModern ? { ...call, _meta: ENVELOPE } : call;
  const shot = {
    method: "POST",
    path: "/mcp",
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": isModern ? MODERN : "2025-11-25",
      ...(isModern ? { "mcp-method": "tools/call", "mcp-name": call.name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  } as const;
  return { url, servingPids, expectedStatus: 200, shot: () => shot };
}
