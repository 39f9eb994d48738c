import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";

const execute = promisify(execFile);

/** A shell of a machine without Signalbox's settings, and with a registry that does not answer. */
const { PATH, HOME, NODE_ENV } = process.env;
const MACHINE = { PATH, HOME, NODE_ENV, npm_config_registry: "http://127.0.0.1:1" };

test("a release archive runs in a new folder without installing or building anything", async () => {
  // Packing 300 MB takes a minute of an idle core.
  test.setTimeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), "signalbox-unpacked-"));
  // PostgreSQL's user must reach its files.
  chmodSync(folder, 0o711);
  try {
    const packed = await execute(process.execPath, ["scripts/start.mjs", "package", folder]);
    const archive = packed.stdout.trim();
    expect(basename(archive)).toMatch(/^signalbox-[\d.]+-\w+-\w+\.tar\.gz$/);
    await execute("tar", ["-xzf", archive, "-C", folder]);
    const release = join(folder, basename(archive).split("-").slice(0, 2).join("-"));

    const launcher = spawn("npm", ["start", "--silent", "--", "--json", "--port", "0"], { cwd: release, env: MACHINE });
    const exited = once(launcher, "exit");
    let progress = "";
    launcher.stderr.setEncoding("utf8").on("data", (text: string) => {
      progress += text;
    });
    try {
      const [line] = (await Promise.race([
        once(createInterface({ input: launcher.stdout }), "line"),
        exited.then(() => Promise.reject(new Error(progress))),
      ])) as [string];
      const { url, raw_key: key } = JSON.parse(line) as { url: string; raw_key: string };
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const call = { method: "POST", headers, body: JSON.stringify({ input: { name: "Ada" } }) };
      const called = await fetch(`${url}/api/v1/runtime/actions/hello-world/run`, call);
      const { run_id: runId } = (await called.json()) as { run_id: string };
      const read = await fetch(`${url}/api/v1/runtime/runs/${runId}`, { headers: { ...headers, prefer: "wait=25" } });
      expect(await read.json()).toMatchObject({ status: "succeeded" });
      const page = await fetch(`${url}/sign-in`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Sign in")]);
      const admin = await execute("npm", ["run", "--silent", "admin", "--", "list-queues"], {
        cwd: release,
        env: MACHINE,
      });
      expect(JSON.parse(admin.stdout)).toEqual({ queues: [expect.objectContaining({ workers: 1 })] });
      expect(progress).not.toMatch(/install|build|generat/i);
    } finally {
      launcher.kill("SIGTERM");
      await exited;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
