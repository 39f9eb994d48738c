import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import { BUILD_LIMITS, type DocumentSummary, type Selection } from "#lib/contract/connector/connector";
import { buildInThread } from "#lib/domain/custom-connectors/build-in-thread";
import type { BuildOrder } from "#lib/domain/custom-connectors/build-source";

const SOURCE = { baseUrl: "https://api.example.com", auth: "none" } as const;
const NOTHING_ELSE = { documentJson: null, operations: null, beforeJson: null, documentUrl: null };

/**
 * Builds every OpenAPI document of a folder the way build_connector does, and prints the outcome. If a document has too
 * many operations, it builds the largest tags or paths that fit. Exits with 1 after a crash.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("Usage: npm run check-openapi -- <folder with .json, .yaml and .yml documents>\n");
  process.exit(1);
}
// npm sets INIT_CWD to the user's current folder.
const place = resolve(process.env.INIT_CWD ?? ".", folder);
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
const counts = { built: 0, refused: 0, crashed: 0 };
const times: number[] = [];
for (const name of readdirSync(place).sort()) {
  if (!/\.(json|ya?ml)$/.test(name)) continue;
  const documentBytes = readFileSync(join(place, name));
  const { facts, details } = await check({ ...SOURCE, ...NOTHING_ELSE, name, documentBytes, select: null });
  const all = [name, `${Math.ceil(documentBytes.byteLength / 1_024)} KB`, ...facts];
  process.stdout.write(`${all.join("\t")}\n${details.map((line) => `\t${line}\n`).join("")}`);
}
const total = counts.built + counts.refused + counts.crashed;
const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
process.stdout.write(
  `${total} documents: ${counts.built} built (${Math.round((100 * counts.built) / total)}%), ${counts.refused} refused, ` +
    `${counts.crashed} crashed. Median ${Math.round(median)} ms, longest ${Math.round(times.at(-1) ?? 0)} ms.\n` +
    `The event loop of this process was blocked for at most ${Math.round(delays.max / 1e6)} ms.\n`,
);

async function check(order: BuildOrder): Promise<{ facts: string[]; details: string[] }> {
  const startMs = performance.now();
  const outcome = await build(order);
  const select = outcome.kind === "refused" && outcome.code === "too_many_operations" ? choose(outcome.document) : null;
  if (select !== null && order.select === null) return check({ ...order, select });
  counts[outcome.kind] += 1;
  times.push(performance.now() - startMs);
  const document = outcome.document;
  const facts = [
    `${Math.round(times.at(-1) ?? 0)} ms`,
    document?.format ?? "",
    `${document?.operations ?? 0} operations`,
  ];
  const tags = order.select ? [`chosen: ${JSON.stringify(order.select)}`] : [];
  return { facts: [...facts, outcome.words], details: [...tags, ...outcome.details] };
}

interface Outcome {
  kind: keyof typeof counts;
  code: string;
  words: string;
  document: DocumentSummary | null;
  details: string[];
}

async function build(order: BuildOrder): Promise<Outcome> {
  try {
    const { routes, findings, document } = await buildInThread("local", order);
    const words = `built: ${routes.length} operations`;
    return { kind: "built", code: "", words, document, details: leftOut(findings) };
  } catch (error) {
    if (error instanceof BuildRefused) {
      const { pointer, code, line } = error.finding;
      const words = `refused: ${pointer}${line === undefined ? "" : ` in line ${line}`} ${error.message}`;
      return { kind: "refused", code, words, document: error.summary, details: [] };
    }
    process.exitCode = 1;
    return { kind: "crashed", code: "", words: `CRASHED: ${(error as Error).stack}`, document: null, details: [] };
  }
}

/** Returns the largest tags that fit together, or else the largest paths. */
function choose(document: DocumentSummary | null): Selection | null {
  const tags = fitting(document?.tags ?? []).map(({ tag }) => tag);
  const paths = fitting(document?.paths ?? []).map(({ path }) => path);
  return tags.length > 0 ? { tags } : paths.length > 0 ? { paths } : null;
}

function fitting<T extends { operations: number }>(groups: readonly T[]): T[] {
  let left: number = BUILD_LIMITS.operations;
  return groups.filter(({ operations }) => {
    if (operations > left) return false;
    left -= operations;
    return true;
  });
}

/** Lists each reason once, with the first place where it occurred. */
function leftOut(findings: readonly BuildFinding[]): string[] {
  const reasons = Map.groupBy(findings, (finding) => finding.message);
  return [...reasons].map(([message, same]) => {
    const more = same.length > 1 ? ` and ${same.length - 1} more` : "";
    const line = same[0]?.line === undefined ? "" : `line ${same[0].line}, `;
    return `left out: ${message} (${line}${same[0]?.pointer}${more})`;
  });
}
