import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, sep } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "#bench/benchmark";
import { compareToNumber } from "#bench/figures";
import { median } from "#bench/measure/statistics";
import { runProgram } from "#scripts/run-program";
import { endChild } from "#worker/supervise/keep-running";

interface FirstStart {
  acceptedSeconds: number;
  pageSeconds: number;
  packages: number;
  mebibytes: number;
}

/** What `npm start -- --json` prints. */
interface Ready {
  url: string;
  raw_key: string;
  slug: string;
  input: unknown;
}

const STOP_MS = 30_000;
const ASK_EVERY_MS = 100;

export const firstStart: Benchmark = {
  summary: "P28: a new clone to its first accepted run and its first page, with empty caches (needs the network)",
  run: async ({ rounds }) => {
    const starts: FirstStart[] = [];
    while (starts.length < rounds) starts.push(await startClone());
    const middle = (name: keyof FirstStart) => median(starts.map((start) => start[name]));
    return [
      compareToNumber("P28 seconds from clone to the first accepted run", middle("acceptedSeconds"), { atMost: 45 }),
      compareToNumber("P28 seconds from clone to the first page", middle("pageSeconds"), { atMost: 75 }),
      { figure: "  packages installed", measured: middle("packages") },
      { figure: "  MiB installed", measured: middle("mebibytes") },
    ];
  },
};

/** Clones the last commit, and starts it as a stranger would: without this project's Node and npm's cache. */
async function startClone(): Promise<FirstStart> {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-first-start-"));
  const clone = join(folder, "signalbox");
  // The last round's files must not wait for the disk at the same time.
  await runProgram("sync", []);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  let launcher: ChildProcess | null = null;
  try {
    await runProgram("git", ["clone", "--quiet", process.cwd(), clone]);
    launcher = startProduct(clone, join(folder, "npm-cache"));
    const ready = await readReady(launcher);
    await callDemo(ready);
    const acceptedSeconds = seconds();
    await waitForPage(ready.url);
    return { acceptedSeconds, pageSeconds: seconds(), ...(await measureInstalled(clone)) };
  } finally {
    if (launcher) await endChild(launcher, STOP_MS);
    await rm(folder, { recursive: true, force: true });
  }
}

function startProduct(clone: string, cache: string): ChildProcess {
  const ours = process.cwd() + sep;
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(ours));
  // npm's own variables would name this project.
  const npms = Object.keys(process.env).filter((name) => /^(npm_|node_compile_cache$|init_cwd$)/i.test(name));
  const without = Object.fromEntries(npms.map((name) => [name, undefined]));
  const env = { ...process.env, ...without, PATH: path.join(delimiter), npm_config_cache: cache };
  // What `npm start` runs. npm itself would end before the instance does.
  return spawn("node", ["scripts/start.mjs", "start", "--json", "--port", "0"], {
    cwd: clone,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function readReady(launcher: ChildProcess): Promise<Ready> {
  if (!launcher.stdout) throw new Error("The start has no output.");
  const ended = once(launcher, "exit").then(([code]) => {
    throw new Error(`The start ended with ${code}.`);
  });
  const line = once(createInterface(launcher.stdout), "line").then(([text]) => JSON.parse(String(text)) as Ready);
  return await Promise.race([line, ended]);
}

async function callDemo({ url, raw_key, slug, input }: Ready): Promise<void> {
  const answer = await fetch(`${url}/api/v1/runtime/actions/${slug}/run`, {
    method: "POST",
    headers: { authorization: `Bearer ${raw_key}`, "content-type": "application/json" },
    body: JSON.stringify({ input }),
  });
  if (answer.status !== 202) throw new Error(`The first call was answered ${answer.status}: ${await answer.text()}`);
}

async function waitForPage(url: string): Promise<void> {
  const ask = () => fetch(`${url}/sign-in`, { headers: { accept: "text/html" } });
  for (let answer = await ask(); !answer.ok; answer = await ask()) {
    if (answer.status !== 503) throw new Error(`The page was answered ${answer.status}.`);
    await sleep(ASK_EVERY_MS);
  }
}

async function measureInstalled(clone: string): Promise<Pick<FirstStart, "packages" | "mebibytes">> {
  const record = JSON.parse(await readFile(join(clone, "node_modules", ".package-lock.json"), "utf8"));
  const { output } = await runProgram("du", ["-sm", "--total", "node_modules", "scripts/node"], { cwd: clone });
  return {
    packages: Object.keys(record.packages).length,
    mebibytes: Number.parseInt(output.split("\n").at(-2) ?? "", 10),
  };
}
