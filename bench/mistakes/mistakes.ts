import { readdirSync, readFileSync } from "node:fs";
import { type Benchmark, withProduct } from "#bench/benchmark";
import type { Figure } from "#bench/figures";
import { countFalseAlarms, judgeOverMcp, judgeWireMistake, type McpVerdict } from "#bench/mistakes/judge-over-mcp";
import { type CallTool, mcpCaller } from "#bench/mistakes/mcp-caller";
import { prepareWorkspace } from "#bench/mistakes/prepare-workspace";
import { WIRE_MISTAKES } from "#bench/mistakes/wire-mistakes";
import type { Product } from "#bench/stage/product";
import { SCOPES } from "#lib/contract/key/scopes";
import type { Definition } from "#lib/contract/workflow/graph";
import { TEMPLATES } from "#lib/core/templates/templates";
import { insertKey } from "#lib/domain/keys/insert-key";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { generateDefinition } from "#lib/domain/workflows/checks/generate-definition.fixture";
import { NO_SURROUNDINGS } from "#lib/domain/workflows/checks/load-surroundings";
import { MISTAKES } from "#lib/domain/workflows/checks/mistakes.fixture";
import { uuidv7 } from "#lib/support/ids";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const GENERATED = 500;
const EXAMPLES = "examples/workflows";
/**
 * Problems that the checks rightly report, because a template or an example needs these resources from the workspace.
 */
const NEEDED = new Set([
  "INVALID_DATA connection_id",
  "UNKNOWN_CONNECTION connection_id",
  "UNKNOWN_ACTION action_slug",
  "INVALID_DATA secret",
]);

/** Seeds every kind of mistake through an agent's tools, and counts false alarms. */
export const mistakes: Benchmark = {
  summary: "seeded mistakes that create, update and publish find over MCP, and false alarms",
  run: (options) =>
    withProduct({ profile: options.profile }, async (product) => {
      const call = await openAsAgent(product);
      await prepareWorkspace(product.db, product.workspaceId, call);
      const { figures, report } = await measureMistakes(call);
      process.stdout.write(`${report.join("\n")}\n`);
      return figures;
    }),
};

async function openAsAgent({ db, url, workspaceId }: Product): Promise<CallTool> {
  const userId = uuidv7();
  const email = `${userId}@example.com`;
  await db.query("insert into users (id, email, name, password_hash) values ($1, $2, 'Agent', 'none')", [
    userId,
    email,
  ]);
  const { rawKey } = await insertKey(db, {
    workspaceId,
    userId,
    name: "agent",
    scopes: SCOPES,
    expiresAt: null,
    actionSlugs: null,
    rotatedFromId: null,
  });
  return mcpCaller(`${url}/mcp`, { authorization: `Bearer ${rawKey}`, "content-type": "application/json" });
}

/** Measures any product whose workspace is prepared. The report has a line for every kind and every false alarm. */
export async function measureMistakes(call: CallTool): Promise<{ figures: Figure[]; report: string[] }> {
  const verdicts: McpVerdict[] = [];
  for (const [at, mistake] of MISTAKES.entries()) verdicts.push(await judgeOverMcp(call, mistake, `mistake-${at}`));
  for (const mistake of WIRE_MISTAKES) verdicts.push(await judgeWireMistake(call, mistake));
  const alarms = await countFalseAlarms(call, validDefinitions(), ({ code, field }) => NEEDED.has(`${code} ${field}`));
  const report = [...verdicts.map(describe), ...alarms.map(({ message }) => `  false alarm: ${message}`)];
  const caught = verdicts.filter(({ create, update, publish }) => create && update && publish !== "passed");
  const share = caught.length / verdicts.length;
  const wrongFixes = verdicts.filter(({ isFixed }) => isFixed === false).length;
  const silent = verdicts.filter(({ isSilentSuccess }) => isSilentSuccess === true).length;
  const figures: Figure[] = [
    { figure: "kinds of mistakes", target: ">= 60", measured: verdicts.length, isMet: verdicts.length >= 60 },
    { figure: "share that is caught", target: ">= 0.95", measured: share, isMet: share >= 0.95 },
    { figure: "refused at publish", measured: verdicts.filter(({ publish }) => publish === "refused").length },
    { figure: "mended by their fix", measured: verdicts.filter(({ isFixed }) => isFixed === true).length },
    { figure: "fixes that mend nothing", target: "0", measured: wrongFixes, isMet: wrongFixes === 0 },
    { figure: "silent successes", target: "0", measured: silent, isMet: silent === 0 },
    { figure: "false alarms", target: "0", measured: alarms.length, isMet: alarms.length === 0 },
    { figure: "CPU of one check of 200 steps, ms", target: "<= 50", ...measureCheck() },
  ];
  return { figures, report };
}

function describe({ name, create, update, publish, isFixed, isSilentSuccess }: McpVerdict): string {
  const marks = [`create ${create ? "found" : "MISSED"}`, `update ${update ? "found" : "MISSED"}`, publish];
  const run = isSilentSuccess === null ? "" : isSilentSuccess ? "  SILENT SUCCESS" : "  the run says so";
  return `  ${name.padEnd(46)}${marks.join("  ")}${isFixed === null ? "" : isFixed ? "  fix" : "  WRONG FIX"}${run}`;
}

/** Returns the templates, the examples, and generated definitions. None of them has a mistake. */
function validDefinitions(): Definition[] {
  const random = seededRandom(1);
  const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith(".json"));
  return [
    ...TEMPLATES.map(({ definition }) => definition),
    ...examples.map((name): Definition => JSON.parse(readFileSync(`${EXAMPLES}/${name}`, "utf8")).definition),
    ...Array.from({ length: GENERATED }, () => generateDefinition(random)),
  ];
}

const CHECKS = 20;
const STEPS = 198;

function measureCheck(): { measured: number; isMet: boolean } {
  const definition = generateDefinition(seededRandom(2), STEPS);
  findProblems(definition, null, NO_SURROUNDINGS);
  const before = process.cpuUsage();
  for (let round = 0; round < CHECKS; round += 1) findProblems(definition, null, NO_SURROUNDINGS);
  const { user, system } = process.cpuUsage(before);
  const measured = (user + system) / 1_000 / CHECKS;
  return { measured, isMet: measured <= 50 };
}
