import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "#e2e/fixtures";

interface AttackedRow {
  attack: string;
  facts: { what: string; isMet: boolean; measured: string }[];
}

/**
 * The short form of `npm run abuse`: one tenant attacks while another one uses the product. The tests assert what is
 * refused, what is stored, and which run comes first, but nothing that depends on the machine's speed. In every row, no
 * process ends, every call of the victim is answered, and every run of the victim succeeds while the attack lasts.
 */
const GUARANTEES = {
  patterns: "hostile patterns are answered and never published",
  operations: "600 operations on the largest definition are answered",
  loops: "a run of a million steps is refused within its budget",
  queue: "a queue of runs that each take half a minute does not hold up a run of another tenant",
  code: "code that never ends does not hold up code of another tenant",
  webhooks: "a flood of webhooks starts no more runs than the limit, and stores no refused body",
  bodies: "bodies that never end are refused without a key, and capped with one",
};

/** Long enough for a machine that also runs the other tests. */
const PATIENCE_MS = 400_000;
const execute = promisify(execFile);
let rows: AttackedRow[] = [];

test.describe.configure({ mode: "default" });

test.beforeAll(async ({ product: _built }, testInfo) => {
  testInfo.setTimeout(PATIENCE_MS);
  const env: NodeJS.ProcessEnv = { ...process.env };
  // With this variable, the command would end together with the test runner's npm.
  delete env.npm_lifecycle_event;
  const only = Object.keys(GUARANTEES).join();
  const command = ["scripts/start.mjs", "abuse", "--short", "--json", "--only", only];
  // The exit code is 1 if a guarantee is broken. The rows name the guarantee.
  const { stdout, stderr } = await execute(process.execPath, command, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  if (stdout.trim() === "") throw new Error(stderr);
  rows = JSON.parse(stdout) as AttackedRow[];
});

for (const [attack, guarantee] of Object.entries(GUARANTEES)) {
  test(`${guarantee}, while another tenant notices nothing`, () => {
    const row = rows.find((one) => one.attack === attack);
    expect(row?.facts.length).toBeGreaterThan(0);
    expect(row?.facts.filter(({ isMet }) => !isMet)).toEqual([]);
  });
}
