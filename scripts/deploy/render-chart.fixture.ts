import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, loadAll } from "js-yaml";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { runProgram } from "#scripts/run-program";

export const CHART = "deploy/helm/signalbox";
const RENDERER = "deploy/helm/render/main.go";
/** The source folder of Debian's Go libraries. They need no module proxy. */
const GO_PATH = "/usr/share/gocode";
const LIBRARIES = ["github.com/Masterminds/sprig", "sigs.k8s.io/yaml"];
const DEBIAN_PACKAGES = ["golang-go", "golang-github-masterminds-sprig-dev", "golang-k8s-sigs-yaml-dev"];

/** A Kubernetes object. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  [field: string]: unknown;
}
/** Values that a user sets. They replace the values in values.yaml field by field. */
export interface ChartValues {
  [name: string]: unknown;
}

/** Installing Go takes a minute or two the first time. */
const BUILD_TIMEOUT_MS = 600_000;

/** Builds the renderer for the calling test file, and skips its tests where it cannot be built. */
export function useChart(): { program(): string } {
  let renderer: Awaited<ReturnType<typeof buildRenderer>>;
  beforeAll(async () => {
    renderer = await buildRenderer(await mkdtemp(join(tmpdir(), "chart-renderer-")));
  }, BUILD_TIMEOUT_MS);
  afterAll(async () => {
    if ("program" in renderer) await rm(join(renderer.program, ".."), { recursive: true, force: true });
  });
  beforeEach(({ skip }) => {
    if ("missing" in renderer) skip(renderer.missing);
  });
  return {
    program: () => {
      if ("missing" in renderer) throw new Error(renderer.missing);
      return renderer.program;
    },
  };
}

/**
 * Builds the renderer in `deploy/helm/render` with Go and its libraries from Debian.
 * @returns the renderer's path, or the reason why it cannot be built here
 */
async function buildRenderer(folder: string): Promise<{ program: string } | { missing: string }> {
  if (!hasLibraries() && process.getuid?.() === 0 && existsSync("/etc/debian_version")) await installLibraries();
  if (!hasLibraries()) return { missing: `Go and its libraries are not installed: ${DEBIAN_PACKAGES.join(", ")}` };
  const program = join(folder, "render");
  const env = { ...process.env, GO111MODULE: "off", GOPATH: GO_PATH, GOCACHE: join(folder, "cache") };
  await runProgram("go", ["build", "-o", program, RENDERER], { env });
  return { program };
}

function hasLibraries(): boolean {
  const hasGo = spawnSync("go", ["version"]).status === 0;
  return hasGo && LIBRARIES.every((library) => existsSync(join(GO_PATH, "src", library)));
}

async function installLibraries(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runProgram("apt-get", ["update"], { env });
  await runProgram("apt-get", ["install", "--yes", "--no-install-recommends", ...DEBIAN_PACKAGES], { env });
}

export async function readChartFile(name: string): Promise<ChartValues> {
  const text = await readFile(join(CHART, name), "utf8");
  return name.endsWith(".json") ? JSON.parse(text) : (load(text) as ChartValues);
}

/** Renders the objects of the chart for a release `demo` in the namespace `apps`. */
export async function renderChart(program: string, given: ChartValues): Promise<Manifest[]> {
  const files = Object.entries(await renderFiles(program, given));
  return files.filter(([name]) => name.endsWith(".yaml")).flatMap(([name, text]) => parseManifests(name, text));
}

/**
 * Renders every template, with the notes that Helm shows after an install.
 * @throws Error with what the renderer reports
 */
export async function renderFiles(program: string, given: ChartValues): Promise<Record<string, string>> {
  const chart = Object.entries(await readChartFile("Chart.yaml"));
  // Templates capitalize the fields of Chart.yaml, as Go does.
  const named = Object.fromEntries(chart.map(([key, value]) => [key.charAt(0).toUpperCase() + key.slice(1), value]));
  const input = JSON.stringify({ Values: mergeValues(await readChartFile("values.yaml"), given), Chart: named });
  const { status, stdout, stderr } = spawnSync(program, [CHART, "demo", "apps"], { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}

function parseManifests(name: string, text: string): Manifest[] {
  try {
    return loadAll(text).flatMap((document) => (document as Manifest | null) ?? []);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}\n${text}`, { cause: error });
  }
}

/** Returns the only object of a kind with this name. */
export function findManifest(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found[0] || found.length > 1) throw new Error(`${found.length} of ${kind} ${name}`);
  return found[0];
}

/** Merges as Helm does: objects by field, everything else as a whole. */
export function mergeValues(base: ChartValues, given: ChartValues): ChartValues {
  const merged = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? mergeValues(before, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is ChartValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
