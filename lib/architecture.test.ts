import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "#lib/api/operations/registry";
import { exportedNames, listAllSources, type SourceFile } from "#lib/source-files.fixture";
import { matchPath } from "#lib/support/match-path";

/**
 * The rooms from the lowest up. A room may import itself and the rooms before it (docs/architecture.md). A file belongs
 * to the longest entry that its folder starts with.
 */
const ROOMS = `
  contract contract/openapi
  support
  core/shapes core/schedules core/expressions core/input core/redaction core/engine core/steps
  core/graph core/graph/edits core/graph/checks core/graph/compare core/graph/extract core/templates
  connectors/sdk connectors/http connectors/llm connectors/custom connectors/vendors connectors
  platform/telemetry platform/config platform/db platform/jobs platform/secrets platform/metrics platform/telemetry/sdk
  platform/outgoing platform/child-pool platform/compute platform/sandbox
  domain/audit
  domain/workspaces domain/workspaces/invites
  domain/accounts/attempts domain/accounts domain/accounts/two-step domain/accounts/single-sign-on domain/keys domain/limits domain/repeats
  domain/custom-connectors domain/connections/credentials domain/connections domain/connections/oauth
  domain/workflows domain/actions
  domain/journal domain/journal/checkpoints
  domain/approvals domain/callbacks
  domain/runs/read domain/runs/traces domain/runs/notify domain/runs/decide domain/runs/execute
  domain/runs/create domain/runs/recover domain/runs/retain
  domain/runs/views
  domain/triggers/verification domain/triggers domain/triggers/deliveries domain/triggers/webhooks domain/triggers/listeners
  domain/triggers/forms domain/triggers/activation domain/triggers/schedules domain/triggers/failures
  domain/triggers/tests
  domain/publish
  domain/outbound-events domain/outbound-events/endpoints domain/outbound-events/alerts
  domain/outbound-events/mail domain/outbound-events/deliveries
  domain/usage domain/resealing
  api/operations api/admission api/edge api/auth api/rest api/mcp api/web api/webhooks api/openapi api/runtime api/documentation api/health api/testing`
  .trim()
  .split(/\s+/);
/**
 * The folders of components, in the same order. Features that draw a workflow come after the canvas. A page combines
 * several features.
 */
const COMPONENT_ROOMS = `
  api
  ui/forms ui ui/overlays ui/lists
  words shell
  features/json features/runs features/runs/list features/runs/timeline
  features/accounts features/two-step features/sso features/approvals features/keys features/settings features/usage features/outbound-events
  features/notices features/connections features/triggers features/actions
  canvas
  features/runs/graph features/runs/replay
  features/connectors features/templates features/onboarding features/workflows features/publish
  pages/docs pages/design pages/run pages/action pages/workflow pages/palette pages/frame`
  .trim()
  .split(/\s+/);
/** The folders of components/canvas, in the same order. */
const CANVAS_ROOMS = `
  expressions document document/clip lines store samples panel/fields kinds layout view docks actions testing catalog
  panel/data panel workspace minimap presence header editor/drawing editor/outline editor/picker editor`
  .trim()
  .split(/\s+/);
/** Rooms that know neither Next, React, Prisma, nor PostgreSQL. */
const PURE_ROOMS = ["contract", "support", "core", "connectors"];
/** Packages that the pure rooms must not import. connectors make outgoing calls through one client. */
const FRAMEWORKS =
  /^(next|next-auth|react|react-dom|@prisma\/.*|prisma|pg|graphile-worker|pino|node:(fs|child_process|cluster|worker_threads|process).*)$/;
const NETWORK = /^(undici|node:(http|https|http2|net|tls|dns).*)$/;
/** Packages that must not reach a browser. */
const SERVER_ONLY = /^(next-auth|pg|pino|graphile-worker|undici|@prisma\/.*|@node-rs\/.*|node:.*)$/;

const SAYS_NOTHING = /^(utils?|helpers?|common|misc|types|service|manager|index)\.(ts|tsx|mjs)$/;
/**
 * The number of source files that a reader can take in at a glance. Tests and fixtures in the same folder do not count.
 */
const MAX_FILES = 30;

const FILES = listAllSources();
/** The files of the product. Tests may import more than the code that they test. */
const PRODUCT = FILES.filter((file) => !/\.(test|fixture)\.tsx?$|\/test-[^/]*$/.test(file.path));

/** Returns the imports of the files below `folder` that `isAllowed` refuses, as `file imports what`. */
function refused(folder: string, isAllowed: (specifier: string, file: SourceFile) => boolean): string[] {
  return PRODUCT.filter((file) => file.path.startsWith(`${folder}/`)).flatMap((file) =>
    file.imports
      .filter((specifier) => !isAllowed(specifier, file))
      .map((specifier) => `${file.path} imports ${specifier}`),
  );
}

/** The one file of lib/api that components may import, once and by type only. Its types come from the operations. */
const WEB_OPERATIONS = "#lib/api/operations/web-operations";
const importsTypesOnly = ({ text }: SourceFile) =>
  text.split(WEB_OPERATIONS).length === 2 && /^import type [^"]*"#lib\/api\/operations\/web-operations"/m.test(text);

/** Returns the first-level room of lib that an import leads to. */
const roomOf = (specifier: string): string | null => /^#lib\/([^/]+)\//.exec(specifier)?.[1] ?? null;
/** Returns the position of a file's room in `rooms`, or -1. The path is relative to the rooms' folder. */
function floorOf(rooms: readonly string[], path: string): number {
  const around = rooms.filter((room) => path.startsWith(`${room}/`));
  return rooms.indexOf(around.toSorted((left, right) => right.length - left.length)[0] ?? "");
}

/** Returns the imports below `folder` that lead to a room above their own. `root` is how imports name the folder. */
function upwardImports(folder: string, root: string, rooms: readonly string[]): string[] {
  return refused(folder, (specifier, file) => {
    if (!specifier.startsWith(root) || isStyle(specifier)) return true;
    const target = floorOf(rooms, specifier.slice(root.length));
    return target !== -1 && target <= floorOf(rooms, file.path.slice(folder.length + 1));
  });
}

/** Returns the files below `folder` that are in none of its rooms. */
function homeless(folder: string, rooms: readonly string[]): string[] {
  const inside = PRODUCT.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
  return inside.filter((path) => floorOf(rooms, path.slice(folder.length + 1)) < 0);
}
const isOurs = (specifier: string): boolean => /^(#|@\/|\.)/.test(specifier);
const isStyle = (specifier: string): boolean => specifier.endsWith(".css");

describe("the house", () => {
  test("knows every room of lib and of components", () => {
    expect(homeless("lib", ROOMS)).toEqual([]);
    expect(homeless("components", COMPONENT_ROOMS)).toEqual([]);
    expect(homeless("components/canvas", CANVAS_ROOMS)).toEqual([]);
  });

  test("lets lib import nothing but lib", () => {
    expect(refused("lib", (specifier) => !isOurs(specifier) || specifier.startsWith("#lib/"))).toEqual([]);
  });

  test("lets a room of components import itself and the rooms below it", () => {
    expect(upwardImports("components", "@/components/", COMPONENT_ROOMS)).toEqual([]);
    expect(upwardImports("components/canvas", "@/components/canvas/", CANVAS_ROOMS)).toEqual([]);
  });

  test("lets a room of lib import itself and the rooms below it", () => {
    expect(upwardImports("lib", "#lib/", ROOMS)).toEqual([]);
  });

  test("keeps frameworks and the network out of the pure rooms", () => {
    const wrong = PURE_ROOMS.flatMap((room) =>
      refused(`lib/${room}`, (name) => !FRAMEWORKS.test(name) && (room === "connectors" || !NETWORK.test(name))),
    );
    expect(wrong).toEqual([]);
  });

  test("lets components import contract, support, core, and each other", () => {
    const rooms = ["contract", "support", "core"];
    const wrong = refused("components", (specifier, file) => {
      if (!isOurs(specifier)) return !SERVER_ONLY.test(specifier) || specifier === "next-auth/react";
      if (specifier === WEB_OPERATIONS) return importsTypesOnly(file);
      return specifier.startsWith("@/components/") || rooms.includes(roomOf(specifier) ?? "") || isStyle(specifier);
    });
    expect(wrong).toEqual([]);
  });

  test("lets only components/ui/toast show messages, because its code loads with the first one", () => {
    const own = /^components\/(ui\/toast\.ts|pages\/frame\/toaster\.tsx)$/;
    expect(refused("components", (specifier, file) => specifier !== "sonner" || own.test(file.path))).toEqual([]);
  });

  test("lets only components/ui/link lead to pages, because it fetches none that the user does not point at", () => {
    for (const folder of ["app", "components"])
      expect(refused(folder, (name, { path }) => name !== "next/link" || path === "components/ui/link.tsx")).toEqual(
        [],
      );
  });

  test("lets app import components and api", () => {
    const wrong = refused("app", (specifier, file) => {
      if (!isOurs(specifier) || isStyle(specifier) || /^@\/(app|components)\//.test(specifier)) return true;
      const isRoute = file.path.endsWith("/route.ts");
      if (specifier.startsWith("#lib/api/operations/")) return isRoute;
      return ["contract", "api"].includes(roomOf(specifier) ?? "");
    });
    expect(wrong).toEqual([]);
  });

  test("keeps the worker from importing api, pages, and scripts, and the web server from importing anything but api and settings", () => {
    expect(refused("worker", (name) => !isOurs(name) || /^#(worker|lib\/(?!api\/)[^/]+)\//.test(name))).toEqual([]);
    expect(refused("server", (name) => !isOurs(name) || /^#(server|lib\/(api|platform\/config))\//.test(name))).toEqual(
      [],
    );
  });

  test("keeps the end-to-end tests from importing the product, because they use HTTP and a browser", () => {
    const wrong = refused("e2e", (specifier, file) => {
      // These two files start the product and find a browser. The specs do neither.
      if (/^e2e\/(playwright\.config|fixtures)\.ts$/.test(file.path) && specifier.startsWith("#scripts/")) return true;
      return !isOurs(specifier) || /^#(e2e|lib\/contract)\//.test(specifier);
    });
    expect(wrong).toEqual([]);
  });

  test("lets examples import only what their readers can install or copy", () => {
    const allowed = /^(node:.+|@modelcontextprotocol\/client|#docs\/client\/signalbox)$/;
    expect(refused("examples", (specifier) => allowed.test(specifier))).toEqual([]);
  });

  test("names files from the root, never relative to each other", () => {
    const wrong = FILES.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith(".") && !isStyle(specifier))
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});

test(`no folder holds more than ${MAX_FILES} sources`, () => {
  // Specs are tests, though their names end otherwise.
  const inside = PRODUCT.map(({ path }) => dirname(path)).filter((folder) => !folder.startsWith("e2e"));
  const counts = Map.groupBy(inside, (folder) => folder);
  const crowded = [...counts].filter(([, { length }]) => length > MAX_FILES);
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});

/** Matches code that reads the wording of an error: a pattern or a comparison applied to a message. */
const READS_MESSAGE =
  /\.(?:test|exec)\((?:\w+\??\.)*message\)|\bmessage\??\.(?:startsWith|endsWith|includes|match|search)\(|(?<!typeof (?:\w+\.)*)\bmessage [!=]== "[^"]/;
/** Files that word a sentence, or explain an error of the interpreter, which has no codes. */
const MAY_READ_MESSAGE =
  /^components\/(api\/form-faults|features\/connections\/use-credentials-form)\.ts$|explain-error\.ts$/;

test("an error's meaning is its code and reason, and no code reads it from the message", () => {
  const readers = PRODUCT.filter(({ path, text }) => !MAY_READ_MESSAGE.test(path) && READS_MESSAGE.test(text));
  expect(readers.map(({ path }) => path)).toEqual([]);
});

test("only one file knows the codes and messages of PostgreSQL's driver", () => {
  const CODES = /"(?:08|22|23|40|42|53|55|57)[0-9A-Z]{3}"|"ECONN[A-Z]+"|\bpg\.DatabaseError\b|Query read timeout/;
  const readers = PRODUCT.filter(({ path, text }) => /^(lib|worker|prisma|scripts)\//.test(path) && CODES.test(text));
  expect(readers.map(({ path }) => path)).toEqual(["lib/platform/db/classify-database-error.ts"]);
});

test("docs/architecture.md lists the rooms of lib in their order", () => {
  const rows = readFileSync("docs/architecture.md", "utf8").matchAll(/^\| `lib\/([\w-]+)` \|([^|]*)\|/gm);
  const documented = [...rows].flatMap(([, room = "", folders = ""]) => {
    const names = [...folders.matchAll(/`([\w-]+)`/g)].map(([, name]) => `${room}/${name}`);
    return names.length > 0 ? names : [room];
  });
  const secondLevel = ROOMS.map((room) => room.split("/").slice(0, 2).join("/")).filter(
    (room) => !/^contract\/|^connectors$|\/testing$/.test(room),
  );
  expect(documented).toEqual([...new Set(secondLevel)]);
});

const README_MAX_LINES = 10;

test("every second-level room has a short README that says what it knows and how to add to it", () => {
  const listed = ROOMS.filter((room) => room !== "api/testing").map(
    (room) => `lib/${room.split("/").slice(0, 2).join("/")}`,
  );
  const rooms = new Set([...listed, "worker/supervise", "worker/execute", "worker/chores"]);
  const wrong = [...rooms].filter((room) => {
    const path = join(room.startsWith("lib/contract") ? "lib/contract" : room, "README.md");
    return !existsSync(path) || readFileSync(path, "utf8").trimEnd().split("\n").length > README_MAX_LINES;
  });
  expect(wrong).toEqual([]);
});

test("an exported name exists once", () => {
  const files = FILES.filter(
    ({ path }) => /^(app|components|lib|scripts|server|worker)\//.test(path) && !/\.test\./.test(path),
  );
  const exports = files.flatMap((file) => exportedNames(file).map((name) => ({ name, path: file.path })));
  const byName = Map.groupBy(exports, ({ name }) => name);
  const repeated = [...byName].filter(([, found]) => found.length > 1).map(([name]) => name);
  expect(repeated).toEqual([]);
});

describe("every file", () => {
  test("has a specific name", () => {
    expect(FILES.map((file) => file.path).filter((path) => SAYS_NOTHING.test(basename(path)))).toEqual([]);
  });

  test("waits for expectations with one function, whose limit no busy machine reaches", () => {
    const waiting = FILES.filter((file) => /\bvi\.(waitFor|waitUntil)\(/.test(file.text)).map((file) => file.path);
    expect(waiting).toEqual(["lib/support/eventually.fixture.ts"]);
  });

  test("leaves the environment to lib/platform/config", () => {
    const readers = PRODUCT.filter((file) => file.text.includes("process.env"))
      .map((file) => file.path)
      .filter((path) => !/^(lib\/platform\/config|scripts|e2e|bench|examples)\//.test(path))
      // These files hold code for callers to copy. That code reads the callers' environment.
      .filter((path) => !/^components\/features\/(actions\/snippets|triggers\/signing-snippets)\.ts$/.test(path));
    expect(readers).toEqual([]);
  });
});

test("no two operations answer the same request of the runtime API", () => {
  const bound = OPERATIONS.flatMap(({ name, rest }) => (rest ? [{ name, ...rest, fits: matchPath(rest.path) }] : []));
  const doubles = bound.flatMap((one) =>
    bound
      .filter((other) => other !== one && other.method === one.method && one.fits(other.path))
      .map((other) => [one.name, other.name]),
  );
  expect(bound.length).toBeGreaterThan(5);
  expect(doubles).toEqual([]);
});
