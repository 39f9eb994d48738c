import { z } from "zod";
import { ALL, allInput, fitAnswer, leaveOut } from "#lib/api/mcp/forms/shorten";
import { defineToolForm } from "#lib/api/mcp/forms/tool-form";
import { keepListed } from "#lib/api/operations/agents/keep-listed";
import type { AnswerView, Caller, RequestContext } from "#lib/api/operations/define/caller";
import {
  createWorkflowOperation,
  deployWorkflowOperation,
  getWorkflowOperation,
  listWorkflowsOperation,
  updateWorkflowOperation,
} from "#lib/api/operations/workflows/workflows";
import { APPROVAL_POLICIES } from "#lib/contract/action/action";
import { ApiError } from "#lib/contract/error/api-error";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphProblem, WorkflowDetailObject, WorkflowObject } from "#lib/contract/workflow/workflow";
import { deployWorkflowInput } from "#lib/contract/workflow/workflow-inputs";

/** What a short answer about a workflow leaves out unless it is requested by name. */
const WORKFLOW_PARTS = ["definition", "schemas", "versions"] as const;
const LEFT_OUT: Record<(typeof WORKFLOW_PARTS)[number], readonly (keyof WorkflowDetailObject)[]> = {
  definition: ["definition"],
  schemas: ["input_schema", "output_schema"],
  versions: ["versions"],
};
const ALWAYS_LEFT_OUT: readonly (keyof WorkflowDetailObject)[] = [
  "owner",
  "created_at",
  "updated_at",
  "notes",
  "orientation",
];

const partsInput = z
  .array(z.enum([...WORKFLOW_PARTS, ALL]))
  .optional()
  .describe("More of the workflow: its definition, schemas, versions, or all.");

const HELP = "get_step_kinds with the kind of the step explains its data and branches.";

/** Says how to learn the rules that a problem is about. */
function helpWith(problems: readonly GraphProblem[], { agent }: RequestContext): { help?: string } {
  const [help] = problems.length === 0 ? [] : keepListed([HELP], agent?.hiddenTools);
  return help === undefined ? {} : { help };
}

function shortWorkflow(
  workflow: WorkflowDetailObject,
  context: RequestContext,
  parts: readonly string[] = [],
): JsonObject {
  const hidden = WORKFLOW_PARTS.filter((part) => !parts.includes(part)).flatMap((part) => LEFT_OUT[part]);
  const { tags, ...short } = leaveOut(workflow, [...hidden, ...ALWAYS_LEFT_OUT]);
  return { ...short, ...(workflow.tags.length === 0 ? {} : { tags }), ...helpWith(workflow.problems, context) };
}

/** Returns what changed: the caller sent the rest. */
function shortDraft(
  workflow: WorkflowDetailObject,
  context: RequestContext,
  parts: readonly string[] = [],
): JsonObject {
  if (parts.length > 0) return shortWorkflow(workflow, context, parts);
  const { workflow_id, type, draft_revision, deployed_version, applied_fixes, problems, webhook_url } = workflow;
  return leaveOut({
    workflow_id,
    type,
    draft_revision,
    deployed_version,
    applied_fixes,
    problems,
    webhook_url,
    ...helpWith(problems, context),
  });
}

const deployInput = {
  deploy: deployWorkflowInput.pick({ slug: true, approval_policy: true, allow_breaking: true, note: true }).optional(),
  parts: partsInput,
};

type DeployInput = z.output<typeof deployInput.deploy>;

interface SavedView {
  deploy: DeployInput;
  parts: readonly string[] | undefined;
  view: AnswerView;
}

type DeployOutcome =
  | { deployed: { version: number; slug?: string; breaking_changes?: object } }
  | { deploy_refused: object }
  | Record<never, never>;

/** Answers a draft, and what became of its publishing if the same call asked for it. */
async function answerSaved(
  caller: Caller,
  workflow: WorkflowDetailObject,
  { deploy, parts, view }: SavedView,
  context: RequestContext,
): Promise<object> {
  const outcome: DeployOutcome = deploy === undefined ? {} : await deploySaved(caller, workflow, deploy, context);
  const saved = "deployed" in outcome ? { ...workflow, ...(await readAgain(caller, workflow, context)) } : workflow;
  return view === "full"
    ? { ...saved, ...outcome }
    : fitAnswer({ ...shortDraft(saved, context, parts), ...outcome }, parts);
}

/** Publishing changes the action, the versions, and the schemas, too. */
function readAgain(caller: Caller, { workflow_id }: WorkflowDetailObject, context: RequestContext) {
  return getWorkflowOperation.run(caller, { workflow_id, version: "draft" }, context);
}

/**
 * Publishes the draft that the same call saved. A refusal does not undo the save: the answer says what to mend.
 */
async function deploySaved(
  caller: Caller,
  { workflow_id, draft_revision: expected_revision }: WorkflowDetailObject,
  deploy: NonNullable<DeployInput>,
  context: RequestContext,
): Promise<DeployOutcome> {
  try {
    const asked = { ...deploy, workflow_id, expected_revision };
    const { version, action, breaking_changes } = await deployWorkflowOperation.run(caller, asked, context);
    const slug = action === null ? {} : { slug: action.slug };
    const breaking = breaking_changes.length === 0 ? {} : { breaking_changes };
    return { deployed: { version, ...slug, ...breaking } };
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.status >= 500) throw thrown;
    // The problems of the draft are in the answer already.
    const { details, ...refusal } = thrown.toBody();
    const refused = thrown.code === "PUBLISH_VALIDATION_FAILED" ? refusal : leaveOut({ ...refusal, details });
    return { deploy_refused: refused };
  }
}

const TEXT = { type: "string" } as const;
const OBJECT = { type: "object" } as const;

/** The definition without what agents leave out: positions and the names of the kinds, which get_step_kinds lists. */
const DEFINITION = {
  type: "object",
  description: "The graph. get_step_kinds returns its rules, every kind of step, and an example.",
  properties: {
    nodes: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: TEXT,
          type: { ...TEXT, description: "A kind of step." },
          data: OBJECT,
          parentId: { ...TEXT, description: "The loop around the step." },
        },
        required: ["id", "type"],
      },
    },
    edges: {
      type: "array",
      items: {
        type: "object",
        properties: { id: TEXT, source: TEXT, target: TEXT, sourceHandle: { ...TEXT, description: "The branch." } },
        required: ["id", "source", "target"],
      },
    },
  },
  required: ["nodes", "edges"],
};

/** One flat object instead of a union of six: strict providers and Gemini read it, and it has a third of the size. */
const OPERATIONS_SCHEMA = {
  type: "array",
  description: "Changes to the draft, applied in order. If one is invalid, nothing changes.",
  items: {
    type: "object",
    description:
      "add_node {node}; update_node {node_id, data?, parentId?}: merges data key by key, null removes a key, an empty parentId moves " +
      "the node out of its loop; rename_node {node_id, new_id}: templates follow; remove_node {node_id}: with its edges; " +
      "add_edge and remove_edge {source, target, sourceHandle?}.",
    properties: {
      op: { ...TEXT, enum: ["add_node", "update_node", "rename_node", "remove_node", "add_edge", "remove_edge"] },
      node: { ...OBJECT, description: "{id, type, data}, as in create_workflow." },
      node_id: TEXT,
      data: OBJECT,
      position: { ...OBJECT, properties: { x: { type: "number" }, y: { type: "number" } } },
      parentId: TEXT,
      new_id: TEXT,
      source: TEXT,
      target: TEXT,
      sourceHandle: TEXT,
    },
    required: ["op"],
  },
};

const DEPLOY = {
  ...OBJECT,
  description: "Publishes the draft in the same call. The fields are those of deploy_workflow.",
  properties: {
    slug: TEXT,
    approval_policy: { ...TEXT, enum: [...APPROVAL_POLICIES] },
    allow_breaking: { type: "boolean" },
    note: TEXT,
  },
};

const createWorkflowForm = defineToolForm(createWorkflowOperation, {
  input: createWorkflowOperation.input.extend(deployInput),
  run: async (caller, { deploy, parts, ...input }, context, view) => {
    const workflow = await createWorkflowOperation.run(caller, input, context);
    return answerSaved(caller, workflow, { deploy, parts, view }, context);
  },
  schemas: { definition: DEFINITION, deploy: DEPLOY },
});

const updateWorkflowForm = defineToolForm(updateWorkflowOperation, {
  input: updateWorkflowOperation.input.extend(deployInput),
  run: async (caller, { deploy, parts, ...input }, context, view) => {
    const workflow = await updateWorkflowOperation.run(caller, input, context);
    return answerSaved(caller, workflow, { deploy, parts, view }, context);
  },
  schemas: {
    definition: { ...OBJECT, description: "The whole new draft, as in create_workflow, instead of operations." },
    operations: OPERATIONS_SCHEMA,
    deploy: DEPLOY,
  },
});

/** The definition is what the caller asks for; one that is too long is in `left_out`. */
const getWorkflowForm = defineToolForm(getWorkflowOperation, {
  input: getWorkflowOperation.input.extend({ parts: partsInput }),
  run: async (caller, { parts, ...input }, context, view) => {
    const workflow = await getWorkflowOperation.run(caller, input, context);
    return view === "full"
      ? workflow
      : fitAnswer(shortWorkflow(workflow, context, ["definition", ...(parts ?? [])]), parts);
  },
});

function shortListed({ tags, last_run: run, ...workflow }: WorkflowObject): JsonObject {
  const short = leaveOut(workflow, ["owner", "created_at", "updated_at", "description"]);
  return {
    ...short,
    ...(tags.length === 0 ? {} : { tags }),
    ...(run === null ? {} : { last_run: { run_id: run.run_id, status: run.status } }),
  };
}

const listWorkflowsForm = defineToolForm(listWorkflowsOperation, {
  input: listWorkflowsOperation.input.extend({ parts: allInput }),
  run: async (caller, { parts: _, ...input }, context, view) => {
    const page = await listWorkflowsOperation.run(caller, input, context);
    return view === "full" ? page : fitAnswer({ ...leaveOut(page), data: page.data.map(shortListed) });
  },
});

export const WORKFLOW_FORMS = [createWorkflowForm, updateWorkflowForm, getWorkflowForm, listWorkflowsForm];
