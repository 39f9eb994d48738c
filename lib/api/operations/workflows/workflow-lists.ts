import { z } from "zod";
import { actorOf } from "#lib/api/operations/define/actor-of";
import type { Caller } from "#lib/api/operations/define/caller";
import { defineOperation } from "#lib/api/operations/define/define-operation";
import { countSchema, wireListOf } from "#lib/contract/wire/wire-values";
import { templateSchema } from "#lib/contract/workflow/template-schema";
import { subWorkflowNamesInput, tagWorkflowsInput, workflowIdsSchema } from "#lib/contract/workflow/workflow-inputs";
import {
  bulkOutcomeSchema,
  graphOutlineSchema,
  missingPartSchema,
  workflowActivitySchema,
  workflowDetailSchema,
} from "#lib/contract/workflow/workflow-schema";
import { importWorkflowInput, workflowDocumentSchema } from "#lib/core/graph/imported-document";
import { definitionSchema } from "#lib/core/steps/definition-schema";
import { TEMPLATES } from "#lib/core/templates/templates";
import { createSubWorkflow } from "#lib/domain/publish/create-sub-workflow";
import { archiveWorkflow, restoreWorkflow } from "#lib/domain/workflows/archive-workflow";
import { changeMany } from "#lib/domain/workflows/change-many";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { duplicateWorkflow } from "#lib/domain/workflows/duplicate-workflow";
import { importWorkflow } from "#lib/domain/workflows/import-workflow";
import { listWorkflowActivity } from "#lib/domain/workflows/list-workflow-activity";
import { listWorkflowOutlines } from "#lib/domain/workflows/list-workflow-outlines";
import { listTags, tagWorkflows } from "#lib/domain/workflows/tag-workflows";
import { exportWorkflow } from "#lib/domain/workflows/workflow-document";

function editorOf(caller: Caller): Editor {
  return { workspaceId: caller.workspaceId, userId: caller.userId, actor: actorOf(caller) };
}

export const archiveWorkflowsOperation = defineOperation({
  name: "archive_workflows",
  title: "Archive workflows",
  description: "Archives workflows: they leave the list, their actions are archived and their triggers start no runs.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_ids: workflowIdsSchema, archive_action: z.boolean().default(false) }),
  output: wireListOf(bulkOutcomeSchema),
  run: (caller, input) =>
    changeMany(input.workflow_ids, (id) =>
      archiveWorkflow(editorOf(caller), id, { archiveAction: input.archive_action }),
    ),
});

export const restoreWorkflowsOperation = defineOperation({
  name: "restore_workflows",
  title: "Restore workflows",
  description: "Restores archived workflows to the list. Their actions and triggers stay paused.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_ids: workflowIdsSchema }),
  output: wireListOf(bulkOutcomeSchema),
  run: (caller, input) => changeMany(input.workflow_ids, (id) => restoreWorkflow(editorOf(caller), id)),
});

export const tagWorkflowsOperation = defineOperation({
  name: "tag_workflows",
  title: "Tag workflows",
  description: "Adds tags to workflows and removes tags from them.",
  scope: "web",
  role: "editor",
  input: tagWorkflowsInput,
  output: z.object({ changed: countSchema }),
  run: (caller, { workflow_ids, add, remove }) =>
    tagWorkflows(caller.workspaceId, { workflowIds: workflow_ids, add, remove }),
});

export const listTagsOperation = defineOperation({
  name: "list_tags",
  title: "List tags",
  description: "Lists the tags in use.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(z.object({ tag: z.string(), workflows: countSchema })),
  run: (caller) => listTags(caller.workspaceId),
});

export const duplicateWorkflowOperation = defineOperation({
  name: "duplicate_workflow",
  title: "Duplicate workflow",
  description: "Creates a new workflow with the same draft.",
  scope: "web",
  role: "editor",
  input: z.object({ workflow_id: z.uuid() }),
  output: workflowDetailSchema,
  run: (caller, input) => duplicateWorkflow(editorOf(caller), input.workflow_id),
});

export const createSubWorkflowOperation = defineOperation({
  name: "create_sub_workflow",
  title: "Create sub-workflow",
  description: "Creates a callable workflow from extracted steps and publishes it as an action, in one transaction.",
  scope: "web",
  role: "editor",
  input: z.object({ ...subWorkflowNamesInput.shape, definition: definitionSchema }),
  output: z.object({ workflow_id: z.uuid(), published: z.boolean() }),
  run: (caller, { publish, ...input }) => createSubWorkflow(editorOf(caller), { ...input, publishes: publish }),
});

export const exportWorkflowOperation = defineOperation({
  name: "export_workflow",
  title: "Export workflow",
  description: "Returns a workflow as a document, without secrets and credentials.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_id: z.uuid() }),
  output: workflowDocumentSchema,
  run: (caller, input) => exportWorkflow(caller.workspaceId, input.workflow_id),
});

export const importWorkflowOperation = defineOperation({
  name: "import_workflow",
  title: "Import workflow",
  description:
    "Creates a workflow from an exported document and lists what it needs that this workspace does not have.",
  scope: "web",
  role: "editor",
  input: importWorkflowInput,
  output: z.object({ workflow: workflowDetailSchema, missing: z.array(missingPartSchema) }),
  run: (caller, input) => importWorkflow(editorOf(caller), input.document),
});

export const listTemplatesOperation = defineOperation({
  name: "list_templates",
  title: "List templates",
  description: "Lists workflows to start from.",
  scope: "web",
  role: "viewer",
  input: z.object({}),
  output: wireListOf(templateSchema),
  run: async () => ({ data: TEMPLATES }),
});

export const listWorkflowActivityOperation = defineOperation({
  name: "list_workflow_activity",
  title: "List workflow activity",
  description: "Counts runs per day in the last seven days.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_ids: workflowIdsSchema }),
  output: wireListOf(workflowActivitySchema).extend({ counted_max: countSchema }),
  run: (caller, input) => listWorkflowActivity(caller.workspaceId, input.workflow_ids),
});

export const listWorkflowOutlinesOperation = defineOperation({
  name: "list_workflow_outlines",
  title: "List workflow outlines",
  description: "Returns the outlines of some drafts, for their thumbnails.",
  scope: "web",
  role: "viewer",
  input: z.object({ workflow_ids: workflowIdsSchema }),
  output: wireListOf(graphOutlineSchema.extend({ workflow_id: z.uuid() })),
  run: (caller, input) => listWorkflowOutlines(caller.workspaceId, input.workflow_ids),
});
