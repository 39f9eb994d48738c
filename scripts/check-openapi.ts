import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type BuildFinding, BuildRefused } from "#lib/connectors/custom/custom-definition";
import { buildInThread } from "#lib/domain/custom-connectors/build-in-thread";
import type { BuildOrder } from "#lib/domain/custom-connectors/build-source";

const SOURCE = { baseUrl: "https://api.example.com", auth: "none" } as const;
const NOTHING_ELSE = { documentJson: null, operations: null, beforeJson: null };

/**
 * Builds every OpenAPI document of a folder like build_connector, and prints the outcome. Exits with 1 after a crash.
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
for (const name of readdirSync(place).sort()) {
  if (!/\.(json|ya?ml)$/.test(name)) continue;
  const documentText = readFileSync(join(place, name), "utf8");
  const startMs = performance.now();
  const [outcome, ...details] = await build({ ...SOURCE, ...NOTHING_ELSE, name, documentText });
  const facts = [name, `${Math.ceil(documentText.length / 1_024)} KB`, `${Math.round(performance.now() - startMs)} ms`];
  process.stdout.write(`${[...facts, outcome].join("\t")}\n${details.map((line) => `\t${line}\n`).join("")}`);
}
process.stdout.write(`The event loop of this process was blocked for at most ${Math.round(delays.max / 1e6)} ms.`);

async function build(order: BuildOrder): Promise<string[]> {
  try {
    const built = await buildInThread("local", order);
    return [`built: ${built.routes.length} operations`, ...leftOut(built.findings)];
  } catch (error) {
    if (error instanceof BuildRefused) return [`refused: ${error.finding.pointer} ${error.message}`];
    process.exitCode = 1;
    return [`CRASHED: ${(error as Error).stack}`];
  }
}

/** Each reason once, with the first place where it occurred. */
function leftOut(findings: readonly BuildFinding[]): string[] {
  const reasons = Map.groupBy(findings, (finding) => finding.message);
  return [...reasons].map(([message, same]) => {
    const more = same.length > 1 ? ` and ${same.length - 1} more` : "";
    return `left out: ${message} (${same[0]?.pointer}${more})`;
  });
}
