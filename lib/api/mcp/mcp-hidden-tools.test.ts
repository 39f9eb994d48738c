import { describe, expect, test } from "vitest";
import { nextOf } from "#lib/api/mcp/forms/short-run";
import { writeInstructions } from "#lib/api/mcp/mcp-instructions";
import { listResourceTemplates, readResource } from "#lib/api/mcp/mcp-resources";
import { describeListed } from "#lib/api/mcp/mcp-server";
import { describeTools, listHidden, toolsFor } from "#lib/api/mcp/mcp-tools";
import { getStepKindsOperation } from "#lib/api/operations/agents/get-step-kinds";
import { ANSWER_VIEWS, type KeyCaller } from "#lib/api/operations/define/caller";
import { TOOL_SETS, type ToolSet } from "#lib/api/operations/define/define-operation";
import { requestContext } from "#lib/api/operations/define/request-context.fixture";
import { OPERATIONS } from "#lib/api/operations/registry";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "#lib/contract/key/scopes";
import type { RunObject } from "#lib/contract/run/run";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

/** contract, API keys: the tools that each scope grants. */
const GRANTED: Record<Scope, readonly string[]> = {
  "actions:read": ["list_actions", "get_action"],
  "actions:run": ["run_action"],
  "runs:read": ["get_run_status", "list_runs"],
  "approvals:decide": ["approve_run"],
  "connectors:read": ["list_connectors", "get_connector_operations", "get_operation_schema", "get_build_status"],
  "connectors:write": ["build_connector", "validate_connector"],
  "workflows:read": ["list_workflows", "get_workflow", "open_workflow"],
  "workflows:write": ["create_workflow", "update_workflow", "delete_workflow", "deploy_workflow"],
  "workflows:run": [],
};

const tools = describeTools(OPERATIONS);
const NAMES = new Set(tools.map(({ definition }) => definition.name));

const COMBINATIONS = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, index) => (bits >> index) % 2 === 1),
);

function exchangeOf(scopes: readonly Scope[], toolSet: ToolSet | "all") {
  const caller: KeyCaller = {
    kind: "api_key",
    keyId: "k",
    prefix: "svc_test",
    name: "k",
    workspaceId: "w",
    userId: "u",
    plan: "free",
    scopes,
    actionSlugs: null,
  };
  return { caller, context: requestContext(), typedActions: null, toolSet, view: "full" } as const;
}
const listed = (scopes: readonly Scope[], toolSet: ToolSet | "all" = "all") =>
  toolsFor(tools, exchangeOf(scopes, toolSet)).map(({ definition }) => definition.name);

/** Every description in a value, at any depth. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "description" && typeof item === "string" ? [item] : descriptionsIn(item),
  );
}

/** The tools that a text names. */
const namedIn = (text: string) => (text.match(/\w+/g) ?? []).filter((word) => NAMES.has(word));

describe("the list of tools", () => {
  test("of every combination of scopes has exactly the tools of the contract that these scopes grant", () => {
    const inContract = Object.values(GRANTED).flat();
    for (const scopes of COMBINATIONS) {
      const expected = scopes.flatMap((scope) => GRANTED[scope]).toSorted();
      const names = listed(scopes).filter((name) => inContract.includes(name));
      if (names.toSorted().join() !== expected.join()) expect({ scopes, names }).toEqual({ scopes, names: expected });
    }
  });

  test("of a key with the default scopes has every tool that the contract lists for them", () => {
    expect(listed(DEFAULT_SCOPES)).toEqual(expect.arrayContaining(DEFAULT_SCOPES.flatMap((scope) => GRANTED[scope])));
  });
});

describe("a tool that the list does not have", () => {
  test.each(["all", ...TOOL_SETS] as const)(
    "is named neither by the instructions nor by a next step, with any scopes and ?tools=%s",
    (toolSet) => {
      const faults: string[] = [];
      for (const scopes of COMBINATIONS) {
        const hiddenTools = listHidden(tools, exchangeOf(scopes, toolSet));
        const names = new Set(listed(scopes, toolSet));
        const texts = ANSWER_VIEWS.flatMap((view) => [
          writeInstructions(view, hiddenTools),
          ...(["accepted", "running", "waiting_for_approval"] as const).map(
            (status) => nextOf({ status } as RunObject, requestContext({ agent: { view, hiddenTools } })).next ?? "",
          ),
        ]);
        for (const name of texts.flatMap(namedIn)) if (!names.has(name)) faults.push(`${scopes}: ${name}`);
      }
      expect(faults).toEqual([]);
    },
  );

  test.each(["all", ...TOOL_SETS] as const)(
    "is named by no description of a listed tool or of its arguments, with any scopes and ?tools=%s",
    (toolSet) => {
      const faults = new Set<string>();
      for (const scopes of COMBINATIONS) {
        const exchange = exchangeOf(scopes, toolSet);
        const hiddenTools = listHidden(tools, exchange);
        for (const { definition } of toolsFor(tools, exchange)) {
          const shown = describeListed(definition, hiddenTools);
          for (const name of descriptionsIn(shown).flatMap(namedIn)) {
            if (hiddenTools.has(name)) faults.add(`${shown.name}: ${name}`);
          }
        }
      }
      expect([...faults]).toEqual([]);
    },
  );

  test("is named by no resource and no kind of step", async () => {
    for (const hidden of NAMES) {
      const hiddenTools = new Set([hidden]);
      const exchange = {
        ...exchangeOf(SCOPES, "all"),
        context: requestContext({ agent: { view: "full" as const, hiddenTools } }),
      };
      const guide = await getStepKindsOperation.run(exchange.caller, {}, exchange.context);
      const kinds = await Promise.all(
        STEP_TYPES.map((kind) => getStepKindsOperation.run(exchange.caller, { kind }, exchange.context)),
      );
      const { contents } = await readResource(exchange, "signalbox://nodes");
      const texts = [guide, kinds, contents, listResourceTemplates(exchange)].map((value) => JSON.stringify(value));
      expect(texts.flatMap(namedIn).filter((name) => name === hidden)).toEqual([]);
    }
  });

  test("leaves the descriptions of a caller that has every tool as they are", () => {
    for (const { definition } of tools) expect(describeListed(definition, new Set())).toEqual(definition);
    const named = tools.flatMap(({ definition }) => descriptionsIn(definition.inputSchema).flatMap(namedIn));
    // The test above says something only if arguments name tools.
    expect(new Set(named).size).toBeGreaterThan(3);
  });

  test("leaves the rest of a description that names it", () => {
    const tool = tools.find(({ definition }) => definition.name === "create_workflow");
    if (!tool) throw new Error("there is no create_workflow");
    const { description, inputSchema } = describeListed(tool.definition, new Set(["get_step_kinds"]));
    expect(description).toContain("Creates a workflow as a draft");
    expect(JSON.stringify(inputSchema)).toContain('"description":"The graph."');
  });

  test("leaves a next step that the caller can take", () => {
    const hidden = requestContext({ agent: { view: "short", hiddenTools: new Set(["approve_run"]) } });
    const { next } = nextOf({ status: "waiting_for_approval" } as RunObject, hidden);
    expect(next).toMatch(/A person must decide at .*\/approvals\. Then call wait_for_run/);
    expect(next).not.toContain("approve_run");
  });
});
