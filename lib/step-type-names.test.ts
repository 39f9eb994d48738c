import { expect, test } from "vitest";
import { UNKNOWN } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { findStepKind, STEP_TYPES } from "#lib/core/steps/step-kinds";
import { listAllSources } from "#lib/source-files.fixture";

/**
 * The files that may name a kind of step outside its own folders, and why no field of the kind can say it. A kind that such
 * a file does not know must be safe there.
 */
const MAY_NAME: Record<string, string> = {
  // Only a connector step names an app, an operation, and a connection.
  "components/canvas/document/app-of.ts": "the app of a step",
  "components/canvas/panel/fields/use-declared-outputs.ts":
    "the operation or action whose declared output is asked for",
  "components/canvas/document/derive-connection.ts": "the connection that an HTTP request needs",
  "lib/core/graph/checks/find-moved-secret.ts": "the address that a secret is sent to",
  "lib/core/graph/checks/keep-secrets.ts":
    "the headers of an HTTP request; typed-secrets finds the others by their names",
  "lib/core/graph/checks/unknown-keys.ts": "the parameters of an operation are checked by its schema",
  "lib/domain/connections/find-connection-problems.ts": "the connection of an event",
  "lib/domain/connections/tools/stored-tools.ts": "the tools of an MCP server",
  "lib/domain/custom-connectors/load-custom-connectors.ts": "the connectors that a definition uses",
  "lib/domain/workflows/checks/check-destinations.ts": "the address that a connection sends its credentials to",
  "lib/domain/workflows/checks/check-tools.ts": "the tools of an MCP server",
  "lib/domain/workflows/checks/find-problems.ts": "the operations and events of a connector",
  // Only a trigger has a secret of its own.
  "components/canvas/document/clip/step-clip.ts": "a copy leaves out the secret of a webhook",
  "lib/core/graph/checks/typed-secrets.ts": "the secret of a webhook",
  "lib/domain/workflows/seal-trigger-secrets.ts": "the secret of a webhook",
  "lib/domain/workflows/workflow-document.ts": "the secret of a webhook",
  // Approvals are gates for people with fewer rights; another kind of gate would need rules of its own.
  "lib/core/graph/compare/find-unguarded-steps.ts": "a branch that only an approval opens",
  "lib/core/graph/extract/find-border.ts": "an approval without a branch for its rejection",
  "lib/domain/publish/guard-controls.ts": "the approvals that a new version lacks",
  // Only these settings name something outside the definition.
  "lib/domain/workflows/checks/check-actions.ts": "the action that a sub-workflow step calls",
  "lib/domain/workflows/checks/load-surroundings.ts": "the actions that are loaded with a definition",
  "lib/domain/workflows/checks/check-callback-schemas.ts": "the schema of a callback",
  "components/canvas/catalog/list-kind-entries.ts": "the kinds that the picker offers first",
  "lib/platform/metrics/counter-families.ts": "labels of a metric with the same words",
};

/** Where everything about one kind is: in the core, on the canvas. */
const OWN_FOLDER = /^(lib\/core\/steps|components\/canvas\/kinds)\/[^/]+\//;
const TYPES = STEP_TYPES.join("|");
const COMPARES = new RegExp(`\\b[tT]ype\\s*(?:===|!==)\\s*"(?:${TYPES})"|\\bSTEP_KINDS\\.(?:${TYPES})\\b`);
const LISTS = new RegExp(`\\[\\s*(?:"(?:${TYPES})",?\\s*){2,}\\]`);

test("a list of step types, or a comparison with one, is in the folder of the kind", () => {
  const sources = listAllSources().filter(({ path }) => {
    if (!/^(app|components|lib|server|worker)\//.test(path) || OWN_FOLDER.test(path)) return false;
    return !/\.(test|fixture)\.tsx?$|\/test-[^/]*$/.test(path);
  });
  const naming = sources.filter(({ text }) => COMPARES.test(text) || LISTS.test(text)).map(({ path }) => path);
  expect(naming.sort()).toEqual(Object.keys(MAY_NAME).sort());
});

test("the output of a kind that says nothing about it repeats the settings, so secrets are followed through it", () => {
  const kind = defineStepKind({
    type: "new",
    title: "New",
    category: "data",
    description: "",
    keywords: "",
    newData: () => ({}),
    example: {},
    least: {},
    output: "",
    outputShape: () => UNKNOWN,
    templates: [],
    effects: "none",
    handler: () => Promise.reject(new Error("no run has this kind")),
  });
  expect(kind.repeatsSettings).toBe(true);
});

test("a type that no kind has is found nowhere, whatever objects inherit", () => {
  expect([findStepKind("constructor"), findStepKind("no_such_kind")]).toEqual([undefined, undefined]);
  expect(findStepKind("filter")?.type).toBe("filter");
});
