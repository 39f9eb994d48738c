import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { dropPrivileges } from "#lib/platform/child-pool/drop-privileges";
import { findConfinement } from "#lib/platform/child-pool/find-confinement";
import { startChild } from "#lib/platform/sandbox/start-child";

/**
 * What code could still do after it left the interpreter. Node's permission model holds on every system; the rest where
 * the system has util-linux and allows it, as here for root.
 */
const { prefix } = await findConfinement();
const has = (program: string) => prefix.some((part) => part.endsWith(`/${program}`));
const isRoot = process.getuid?.() === 0;

async function newChild(): Promise<ChildProcess> {
  const child = await startChild();
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs a program exactly as a child of the sandbox is run, as the same user, and returns what it prints. */
async function probe(source: string): Promise<unknown> {
  const [command = "", ...args] = (await newChild()).spawnargs;
  const drop = `(${dropPrivileges.toString().replaceAll("NOBODY", "65534")})();`;
  const program = spawn(command, [...args.slice(0, -1), "--eval", `${drop}${source}`], {
    env: { NODE_ENV: "test" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await once(program.stdout, "data");
  return JSON.parse(String(output));
}

/** The error codes of functions that should fail; "reached" for those that did not. */
const attempts = (functions: Record<string, string>) => `
  const entries = Object.entries({ ${Object.entries(functions).map(([name, body]) => `${name}: () => ${body}`)} });
  const codes = entries.map(([name, attempt]) => {
    try { attempt(); return [name, "reached"]; } catch (error) { return [name, error.code]; }
  });
  process.stdout.write(JSON.stringify(Object.fromEntries(codes)));`;

async function statusOf(child: ChildProcess): Promise<Record<string, string>> {
  const lines = readFileSync(`/proc/${child.pid}/status`, "utf8").split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)));
}

describe("a process of the sandbox", () => {
  test("cannot read files of the system or of the project", async () => {
    const read = (path: string) => `require("node:fs").readFileSync(${JSON.stringify(path)})`;
    expect(
      await probe(
        attempts({
          passwd: read("/etc/passwd"),
          environment: read(`/proc/${process.pid}/environ`),
          key: read("lib/platform/secrets/seal.ts"),
          folder: `require("node:fs").readdirSync("/")`,
        }),
      ),
    ).toEqual({
      passwd: "ERR_ACCESS_DENIED",
      environment: "ERR_ACCESS_DENIED",
      key: "ERR_ACCESS_DENIED",
      folder: "ERR_ACCESS_DENIED",
    });
  });

  test("cannot write anywhere, not even to /tmp", async () => {
    const write = (path: string) => `require("node:fs").writeFileSync(${JSON.stringify(path)}, "x")`;
    expect(
      await probe(
        attempts({
          temporary: write("/tmp/signalbox-sandbox-probe"),
          own: write("lib/platform/sandbox/probe"),
          memory: write("/dev/shm/signalbox-sandbox-probe"),
          folder: `require("node:fs").mkdtempSync("/tmp/probe")`,
        }),
      ),
    ).toEqual({
      temporary: "ERR_ACCESS_DENIED",
      own: "ERR_ACCESS_DENIED",
      memory: "ERR_ACCESS_DENIED",
      folder: "ERR_ACCESS_DENIED",
    });
  });

  test("cannot start programs or threads", async () => {
    expect(
      await probe(
        attempts({
          program: `require("node:child_process").spawnSync("id")`,
          thread: `new (require("node:worker_threads").Worker)("1", { eval: true })`,
        }),
      ),
    ).toEqual({ program: "ERR_ACCESS_DENIED", thread: "ERR_ACCESS_DENIED" });
  });

  test.runIf(has("unshare"))("has no network: it cannot reach a port of this machine", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const source = `
      const socket = require("node:net").connect(${port}, "127.0.0.1");
      const say = (text) => process.stdout.write(JSON.stringify(text));
      socket.on("connect", () => say("reached")).on("error", (error) => say(error.code));`;
    expect(await probe(source)).toBe("ENETUNREACH");
    const child = await newChild();
    expect(readlinkSync(`/proc/${child.pid}/ns/net`)).not.toBe(readlinkSync("/proc/self/ns/net"));
  });

  test.runIf(isRoot && process.platform === "linux")("runs as another user when its parent is root", async () => {
    const status = await statusOf(await newChild());
    expect(status).toMatchObject({
      Uid: expect.stringMatching(/^65534(\t65534){3}$/),
      Groups: expect.stringMatching(/^ *$/),
    });
    expect(status.Gid).toBe(status.Uid);
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapAmb"]) expect(status[set]).toMatch(/^0+$/);
  });

  test.runIf(isRoot)("cannot become root again", async () => {
    expect(await probe(attempts({ user: "process.setuid(0)", group: "process.setgid(0)" }))).toEqual({
      user: "EPERM",
      group: "EPERM",
    });
  });

  test.runIf(has("setpriv"))("gains no rights from programs that have more", async () => {
    expect(await statusOf(await newChild())).toMatchObject({ NoNewPrivs: "1" });
  });

  test.runIf(has("prlimit"))("leaves no dump, and is limited in files, memory and CPU by the system", async () => {
    const { pid } = await newChild();
    const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(limits).toMatch(/^Max file size +0 +0 /m);
    expect(limits).toMatch(/^Max open files +64 +64 /m);
    expect(limits).toMatch(/^Max data size +4294967296 +4294967296 /m);
    expect(limits).toMatch(/^Max cpu time +900 +900 /m);
  });
});
