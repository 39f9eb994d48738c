import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { BuildRefused } from "#lib/connectors/custom/custom-definition";

/** Builds every OpenAPI document of a folder as build_connector would, and says what came of it. */
const [folder = "."] = process.argv.slice(2);
for (const name of readdirSync(folder).sort()) {
  if (!/\.(json|ya?ml)$/.test(name)) continue;
  const text = readFileSync(join(folder, name), "utf8");
  const startMs = performance.now();
  const outcome = build(name, text);
  process.stdout.write(`${name}\t${Math.round(performance.now() - startMs)} ms\t${outcome}\n`);
}

function build(name: string, text: string): string {
  try {
    const source = { name, baseUrl: "https://api.example.com", auth: "none", document: text } as const;
    const { definition, findings } = buildDefinition(source);
    return `ready: ${definition.operations.length} operations, ${findings.length} things left out`;
  } catch (error) {
    if (!(error instanceof BuildRefused)) throw error;
    return `refused: ${error.finding.pointer} ${error.message}`;
  }
}
