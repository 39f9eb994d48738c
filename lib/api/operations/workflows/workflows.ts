import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import { type Caller, canReadSecrets } from "#lib/api/operations/define/caller";
import { defineCreation } from "#lib/api/operations/define/define-creation";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { orderInput, pageInput } from "#lib/api/operations/define/list-page";
import { presentActor } from "#lib/api/operations/workflows/presence";
import { publishPreviewSchema, versionComparisonSchema } from "#lib/contract/action/publish-schema";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { wirePageOf } from "#lib/contract/wire/wire-values";
import { EMPTY_DEFINITION } from "#lib/contract/workflow/graph";
import {
  WORKFLOW_SORTS,
  WORKFLOW_STATES,
  WORKFLOW_TYPES,
  type WorkflowDetailObject,
} from "#lib/contract/workflow/workflow";
import {
  deployWorkflowInput,
  drawnInput,
  expectedRevisionSchema,
  workflowDescriptionSchema,
  workflowNameSchema,
  workflowNamesInput,
} from "#lib/contract/workflow/workflow-inputs";
import { deployResultSchema, workflowDetailSchema, workflowSchema } from "#lib/contract/workflow/workflow-schema";
import { maskDefinition } from "#lib/core/graph/checks/typed-secrets";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { placeNodes } from "#lib/core/graph/edits/place-nodes";
import { maskCredentials } from "#lib/core/redaction/find-credentials";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { checkSlug } from "#lib/domain/publish/check-slug";
import { compareVersions } from "#lib/domain/publish/compare-versions";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { previewPublish } from "#lib/domain/publish/preview-publish";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { createWorkflow, type Editor } from "#lib/domain/workflows/create-workflow";
import { deleteWorkflow } from "#lib/domain/workflows/delete-workflow";
import { getWorkflow } from "#lib/domain/workflows/get-workflow";
import { listWorkflows } from "#lib/domain/workflows/list-workflows";
import { notifyWorkflow } from "#lib/domain/workflows/notify-workflow";
import { openWorkflow } from "#lib/domain/workflows/open-workflow";
import { updateWorkflow } from "#lib/domain/workflows/update-workflow";

const workflowId = z.uuid().describe("workflow_id of the workflow.");

/** More changes than any edit needs that does not replace the definition. */
const MAX_OPERATIONS = LIMITS.graphNodes + LIMITS.graphEdges;

function editorOf(caller: Caller): Editor {
  return { workspaceId: caller.workspaceId, userId: caller.userId, actor: actorOf(caller) };
}

/**
 * Masks the secrets in the definition and the notes for everyone who may not edit them in the web application, and removes
 * the notes and the direction for agents: people draw them for people.
 */
function presentTo(caller: Caller, workflow: WorkflowDetailObject): WorkflowDetailObject {
  if (canReadSecrets(caller)) return workflow;
  const { notes, orientation, ...rest } = workflow;
  const shown = { ...rest, definition: maskDefinition(workflow.definition) };
  return caller.kind === "user" && notes !== undefined
    ? { ...shown, notes: maskCredentials(notes), orientation }
    : shown;
}

/** Keeps what the caller is shown. */
function keepPresented(caller: Caller, keep: KeepAnswer | undefined): KeepAnswer<WorkflowDetailObject> {
  return async (tx, workflow) => keep?.(tx, presentTo(caller, workflow));
}

function tellChange(caller: Caller, workflow: WorkflowDetailObject): Promise<void> {
  return notifyWorkflow(caller.workspaceId, {
    workflow_id: workflow.workflow_id,
    kind: "changed",
    actor: presentActor(caller),
    client_id: null,
    revision: workflow.draft_revision,
  });
}

export const listWorkflowsOperation = defineOperation({
  name: "list_workflows",
  title: "List workflows",
  description: "Lists the workspace's workflows, newest first, with their publishing state and last run.",
  scope: "workflows:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({
    q: z.string().trim().max(200).optional().describe("Text that the name, the slug or a tag must contain."),
    type: z.enum(WORKFLOW_TYPES).optional(),
    state: z
      .enum(WORKFLOW_STATES)
      .optional()
      .describe("changed: published, but the draft differs. Archived workflows are listed only with archived."),
    tag: z.string().max(100).optional(),
    sort: z.enum(WORKFLOW_SORTS).default("created"),
    order: orderInput,
    ...pageInput,
  }),
  output: wirePageOf(workflowSchema),
  run: (caller, { limit, cursor, ...filters }) => listWorkflows(caller.workspaceId, filters, { limit, cursor }),
});

export const getWorkflowOperation = defineOperation({
  name: "get_workflow",
  title: "Get workflow",
  description:
    "Returns one workflow with its draft or one of its versions, and its `problems`: errors prevent publishing it, warnings do not.",
  scope: "workflows:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({
    workflow_id: workflowId,
    version: z
      .union([z.enum(["draft", "deployed"]), z.int().positive()])
      .default("draft")
      .describe("draft, deployed or a version number."),
  }),
  output: workflowDetailSchema,
  run: async (caller, input) =>
    presentTo(caller, await getWorkflow(caller.workspaceId, input.workflow_id, input.version)),
});

export const openWorkflowOperation = defineOperation({
  name: "open_workflow",
  title: "Open workflow",
  description:
    "Returns the link that a person opens to see and edit the draft on the canvas, and the draft's revision.",
  scope: "workflows:read",
  role: "viewer",
  mcp: { readOnly: true, sets: ["build"] },
  input: z.object({ workflow_id: workflowId }),
  output: z.object({ url: z.string(), draft_revision: z.int() }),
  run: (caller, input) => openWorkflow(caller.workspaceId, input.workflow_id),
});

export const createWorkflowOperation = defineCreation({
  name: "create_workflow",
  title: "Create workflow",
  description:
    "Creates a workflow as a draft; with deploy, also publishes it. get_step_kinds returns the rules and every kind of step. " +
    "`problems` lists errors, which prevent publishing, and warnings: code, message, the node_id and field to fix, and if certain the `fix`, an operation for update_workflow.",
  scope: "workflows:write",
  role: "editor",
  mcp: { readOnly: false, sets: ["build"] },
  input: z.object({
    ...workflowNamesInput.shape,
    definition: definitionSchema.default(EMPTY_DEFINITION).describe("The graph. get_step_kinds explains it."),
  }),
  output: workflowDetailSchema,
  run: async (caller, input, _context, keep) => {
    const workflow = {
      name: input.name,
      description: input.description || null,
      definition: caller.kind === "api_key" ? placeNodes(input.definition) : input.definition,
    };
    return presentTo(caller, await createWorkflow(editorOf(caller), workflow, keepPresented(caller, keep)));
  },
});

export const updateWorkflowOperation = defineCreation({
  name: "update_workflow",
  title: "Update workflow",
  description:
    "Changes a draft with operations on its graph or with a whole new definition, or changes its name or description. All or " +
    "nothing. With deploy, also publishes it. A secret that get_workflow shows as [REDACTED] stays as it is if you send " +
    "[REDACTED] back and do not change where it goes. Returns the draft_revision and the `problems`.",
  scope: "workflows:write",
  role: "editor",
  mcp: { readOnly: false, destructive: true, sets: ["build"] },
  input: z.object({
    workflow_id: workflowId,
    expected_revision: expectedRevisionSchema.optional(),
    name: workflowNameSchema.optional(),
    description: workflowDescriptionSchema.optional().describe("An empty text removes the description."),
    definition: definitionSchema
      .optional()
      .describe("The whole new draft, as in create_workflow. Send either definition or operations."),
    operations: z
      .array(graphOperationSchema)
      .min(1)
      .max(MAX_OPERATIONS)
      .optional()
      .describe("Changes to the draft, applied in order, all or none. Data as in create_workflow."),
    apply_fixes: z.boolean().default(false).describe("Then apply the fix of every problem that has one."),
  }),
  output: workflowDetailSchema,
  run: async (caller, input, _context, keep) => {
    if (input.definition && input.operations) {
      throw new ApiError("BAD_REQUEST", "operations: send either definition or operations, not both");
    }
    const workflow = await updateWorkflow(
      caller.workspaceId,
      input.workflow_id,
      {
        name: input.name,
        description: input.description === undefined ? undefined : input.description || null,
        definition: input.definition,
        operations: input.operations,
        appliesFixes: input.apply_fixes,
        placesNodes: caller.kind === "api_key",
        isBlind: !canReadSecrets(caller),
      },
      input.expected_revision,
      keepPresented(caller, keep),
    );
    await tellChange(caller, workflow);
    return presentTo(caller, workflow);
  },
});

export const saveDraftOperation = defineOperation({
  name: "save_draft",
  title: "Save draft",
  description:
    "Saves the draft, its notes and its direction as a person edited them, if the draft still has the expected revision.",
  scope: "web",
  role: "editor",
  input: z.object({
    workflow_id: workflowId,
    expected_revision: expectedRevisionSchema,
    name: workflowNameSchema.optional(),
    definition: definitionSchema.optional(),
    ...drawnInput.shape,
  }),
  output: workflowDetailSchema,
  run: async (caller, { workflow_id, expected_revision, ...changes }) => {
    const workflow = await updateWorkflow(caller.workspaceId, workflow_id, changes, expected_revision);
    await tellChange(caller, workflow);
    return workflow;
  },
});

export const deleteWorkflowOperation = defineOperation({
  name: "delete_workflow",
  title: "Delete workflow",
  description:
    "Deletes a workflow. Fails with WORKFLOW_IN_USE while its action is active, unless archive_action is true.",
  scope: "workflows:write",
  role: "editor",
  mcp: { readOnly: false, destructive: true, sets: ["build"] },
  input: z.object({
    workflow_id: workflowId,
    archive_action: z.boolean().default(false).describe("Also archive the active action."),
  }),
  output: z.object({ workflow_id: z.uuid(), deleted: z.literal(true) }),
  run: (caller, input) => deleteWorkflow(editorOf(caller), input.workflow_id, { archiveAction: input.archive_action }),
});

export const deployWorkflowOperation = defineCreation({
  name: "deploy_workflow",
  title: "Deploy workflow",
  description:
    "Publishes the draft as a new version. From then on agents call it by the action's slug. An input change " +
    "that breaks callers is refused with the names of the affected keys, unless allow_breaking is true.",
  scope: "workflows:write",
  role: "editor",
  mcp: { readOnly: false, destructive: true, sets: ["build"] },
  input: deployWorkflowInput,
  output: deployResultSchema,
  run: (caller, input, _context, keep) => {
    const request = {
      workflowId: input.workflow_id,
      slug: input.slug,
      approvalPolicy: input.approval_policy,
      expectedRevision: input.expected_revision,
      allowBreaking: input.allow_breaking,
      note: input.note || undefined,
      version: input.version,
      callableOnly: caller.kind === "api_key",
    };
    return deployWorkflow(editorOf(caller), request, keep);
  },
});

export const previewPublishOperation = defineOperation({
  name: "preview_publish",
  title: "Preview publish",
  description:
    "Previews publishing the draft or an earlier version: the checks, the changes and the callers it would break.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId, version: z.int().positive().optional() }),
  output: publishPreviewSchema,
  run: (caller, input) => previewPublish(caller.workspaceId, input.workflow_id, input.version),
});

export const compareVersionsOperation = defineOperation({
  name: "compare_versions",
  title: "Compare versions",
  description: "Compares two versions of a workflow, or a version and the draft: schemas, steps and their settings.",
  scope: "web",
  role: "viewer",
  input: z.object({
    workflow_id: workflowId,
    from: z.int().positive(),
    to: z.union([z.literal("draft"), z.int().positive()]),
  }),
  output: versionComparisonSchema,
  run: (caller, input) => compareVersions(caller.workspaceId, input.workflow_id, input.from, input.to),
});

export const checkSlugOperation = defineOperation({
  name: "check_slug",
  title: "Check slug",
  description: "Checks whether a workflow can be published under a slug.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: workflowId, slug: z.string().max(200) }),
  output: z.object({ available: z.boolean(), message: z.string().nullable() }),
  run: (caller, input) => checkSlug(caller.workspaceId, input.workflow_id, input.slug),
});
