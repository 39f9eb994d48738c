import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";

/**
 * Runs the rows of the MCP conformance suite that a server can pass without the suite's fixture tools, against a
 * running instance: `SVC_API_KEY=svc_… node bench/mcp-conformance.ts http://localhost:3000/mcp`. Exits with 1 if a row
 * fails.
 */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const BOTH = ["tools-list", "resources-list", "prompts-list", "completion-complete", "dns-rebinding-protection"];
const ROWS = {
  "2025-11-25": ["server-initialize", "ping", ...BOTH],
  "2026-07-28": ["server-stateless", "caching", "http-header-validation", "sep-2164-resource-not-found", ...BOTH],
};
/** The number of checks per row that call the suite's fixture tools, which our server does not have. */
const UNTESTABLE: Record<string, number> = { "server-stateless": 4 };

const [target = "http://localhost:3000/mcp"] = process.argv.slice(2);
const key = process.env.SVC_API_KEY;
if (!key) throw new Error("SVC_API_KEY: a key of the instance, with all scopes");

/** Adds the authorization header, which the suite cannot send. */
const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
  const forwarded = request(new URL(target), { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on("error", (error) => outgoing.destroy(error));
  outgoing.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;

/** @returns the number of passed and failed checks, or null if the suite skipped the row, which is not a pass */
async function runRow(revision: string, row: string): Promise<{ passed: number; failed: number } | null> {
  const args = ["--yes", SUITE, "server", "--url", url, "--scenario", row, "--spec-version", revision];
  const { stdout } = await promisify(execFile)("npx", args).catch((failed: { stdout: string }) => failed);
  const [, passed, all] = /^Passed: (\d+)\/(\d+)/m.exec(stdout) ?? [];
  return passed === undefined ? null : { passed: Number(passed), failed: Number(all) - Number(passed) };
}

for (const [revision, rows] of Object.entries(ROWS)) {
  for (const row of rows) {
    const result = await runRow(revision, row);
    const isGood = result !== null && result.passed > 0 && result.failed <= (UNTESTABLE[row] ?? 0);
    if (!isGood) process.exitCode = 1;
    const counts = result ? `${result.passed} of ${result.passed + result.failed}` : "not run";
    process.stdout.write(`| ${revision} | ${row} | ${counts} |${isGood ? "" : " FAILED"}\n`);
  }
}
proxy.close();
