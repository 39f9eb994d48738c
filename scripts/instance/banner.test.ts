import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatBanner, formatJson, type ReadyInstance, writeDemoFile } from "#scripts/instance/banner";

let dataDir: string;
let first: ReadyInstance;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalbox-banner-"));
  const demo = { email: "demo@example.com", password: "pass-1", rawKey: "svc_key_1", slug: "hello-world", input: {} };
  first = {
    role: "all",
    url: "http://localhost:3000",
    dataDir,
    logs: join(dataDir, "logs"),
    demo,
    isFirst: true,
    pages: null,
  };
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const demoFile = () => join(dataDir, "demo.txt");

describe("the output of a start", () => {
  test("shows the demo's password and API key at the first start only", () => {
    expect(formatBanner(first)).toContain("demo@example.com   pass-1");
    expect(formatBanner(first)).toContain("Bearer svc_key_1");
    const later = formatBanner({ ...first, isFirst: false });
    expect(later).not.toMatch(/pass-1|svc_key_1/);
    expect(later).toContain(`are in ${demoFile()}`);
  });

  test("names the page that creates the first account if there is no demo", () => {
    expect(formatBanner({ ...first, demo: null })).toContain("http://localhost:3000/signup");
  });

  test("names the folder of the logs", () => {
    expect(formatBanner(first)).toContain(`Logs        ${dataDir}/logs/\n`);
    expect(formatBanner({ ...first, role: "web", demo: null, logs: null })).toContain("Logs        stdout\n");
  });

  test("contains the login and the key for programs at every start", () => {
    const expected = { login: { email: "demo@example.com", password: "pass-1" }, raw_key: "svc_key_1" };
    expect(JSON.parse(formatJson({ ...first, isFirst: false }))).toMatchObject(expected);
  });
});

describe("the file with the demo's password and API key", () => {
  test("can be read only by its owner, even if an earlier file was open to others", async () => {
    await writeFile(demoFile(), "old");
    await chmod(demoFile(), 0o644);
    await writeDemoFile(first);
    expect((await stat(demoFile())).mode & 0o777).toBe(0o600);
    expect(await readFile(demoFile(), "utf8")).toMatch(/pass-1[\s\S]*svc_key_1/);
  });

  test("is removed when the instance has no demo", async () => {
    await writeDemoFile(first);
    await writeDemoFile({ ...first, demo: null });
    await expect(stat(demoFile())).rejects.toThrow("ENOENT");
  });

  test("doesn't name a password that the user has changed", async () => {
    if (first.demo) await writeDemoFile({ ...first, demo: { ...first.demo, password: null } });
    expect(await readFile(demoFile(), "utf8")).toContain("(the password you chose)");
  });
});
