import {
  type ListResourcesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { findAction, listActiveActions } from "#lib/api/mcp/mcp-actions";
import type { McpExchange } from "#lib/api/mcp/mcp-exchange";
import { keepListedSchema, keepListedText } from "#lib/api/operations/agents/keep-listed";
import { invoke } from "#lib/api/operations/define/define-operation";
import { getRunStatusOperation } from "#lib/api/operations/runs/runs";
import type { ActionObject } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { NodeType } from "#lib/contract/workflow/graph";
import { describeNode, describeNodes, EXAMPLE_DEFINITION } from "#lib/core/steps/describe-nodes";
import { STEP_TYPES } from "#lib/core/steps/step-kinds";

const JSON_TYPE = "application/json";
/** The catalog changes only with the build. */
const CATALOGUE_CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;

export const RESOURCE_TEMPLATES: readonly (ResourceTemplateType & { variable: string })[] = [
  {
    uriTemplate: "signalbox://actions/{slug}",
    variable: "slug",
    name: "action",
    title: "Action",
    description: "One published action: input and output schema, examples and releases. Same as get_action.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: "signalbox://runs/{run_id}",
    variable: "run_id",
    name: "run",
    title: "Run",
    description: "Status, output, error and steps of one run, without step payloads. Same as get_run_status.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: "signalbox://nodes/{type}",
    variable: "type",
    name: "node",
    title: "Node type",
    description: "One type of node: what it does, its branches and output, the JSON Schema of its data and an example.",
    mimeType: JSON_TYPE,
  },
];

const CATALOGUE = {
  uri: "signalbox://nodes",
  name: "nodes",
  title: "Node types",
  description: "Every type of node that a workflow can have, with JSON Schemas and an example workflow.",
  mimeType: JSON_TYPE,
};

/** Lists the templates, whose descriptions name only tools that the caller's list has. */
export function listResourceTemplates({ context }: McpExchange): ResourceTemplateType[] {
  return RESOURCE_TEMPLATES.map(({ variable: _, description = "", ...template }) => ({
    ...template,
    description: keepListedText(description, context.agent?.hiddenTools),
  }));
}

/** Lists the catalog, then the active actions that the key may see. Runs are available by template. */
export async function listResources(exchange: McpExchange, cursor: string | undefined): Promise<ListResourcesResult> {
  const { actions, nextCursor } = await listActiveActions(exchange, cursor);
  const resources = actions.map(({ slug, name, description }: ActionObject) => ({
    uri: `signalbox://actions/${slug}`,
    name: slug,
    title: name,
    ...(description ? { description } : {}),
    mimeType: JSON_TYPE,
  }));
  return { resources: cursor === undefined ? [CATALOGUE, ...resources] : resources, ...nextCursor };
}

/** @throws ResourceNotFoundError for an unknown resource and one of another workspace; ApiError FORBIDDEN */
export async function readResource(exchange: McpExchange, uri: string): Promise<ReadResourceResult> {
  const [, kind, name] = /^signalbox:\/\/([a-z]+)(?:\/([^/]+))?$/.exec(uri) ?? [];
  const isCatalogue = kind === "nodes";
  const value = isCatalogue ? describe(name, exchange) : await find(exchange, kind, name);
  if (value === null) throw new ResourceNotFoundError(uri);
  const contents = [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }];
  return { contents, ...(isCatalogue ? CATALOGUE_CACHE : {}) };
}

function describe(type: string | undefined, { context }: McpExchange): object | null {
  const shown = (value: object) => keepListedSchema(value, context.agent?.hiddenTools);
  if (type === undefined) return shown({ nodes: describeNodes(), example_definition: EXAMPLE_DEFINITION });
  return (STEP_TYPES as readonly string[]).includes(type) ? shown(describeNode(type as NodeType)) : null;
}

/** Reads through the operations, like the tools: the same scopes and the same answer to an id of another workspace. */
async function find(exchange: McpExchange, kind: string | undefined, name: string | undefined): Promise<object | null> {
  if (name === undefined) return null;
  if (kind === "actions") return findAction(exchange, name);
  return kind === "runs" ? findRun(exchange, name) : null;
}

async function findRun({ caller, context }: McpExchange, runId: string): Promise<object | null> {
  try {
    return await invoke(getRunStatusOperation, caller, { run_id: runId, steps: "summary" }, context);
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return null;
    throw thrown;
  }
}
