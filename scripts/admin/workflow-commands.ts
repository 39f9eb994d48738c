import { z } from "zod";
import { APPROVAL_POLICIES } from "#lib/contract/action/action";
import { workflowDocumentSchema } from "#lib/core/graph/imported-document";
import { assertStorable } from "#lib/core/input/assert-storable";
import { deployWorkflow } from "#lib/domain/publish/deploy-workflow";
import { listSubscriptions } from "#lib/domain/publish/list-subscriptions";
import { importWorkflow } from "#lib/domain/workflows/import-workflow";
import { exportWorkflow } from "#lib/domain/workflows/workflow-document";
import { getWorkspace, getWorkspaceOf } from "#lib/domain/workspaces/get-workspace";
import { parseMarkingDigits } from "#lib/support/exact-json";
import { editorOf } from "#scripts/admin/admin-actor";
import { type AdminCommand, adminCommand } from "#scripts/admin/admin-command";
import { assertKeysFit } from "#scripts/admin/assert-keys-fit";

const workflowId = z.uuid();
const importInput = z.object({ workspace: z.string(), file: z.string() });
const exportInput = z.object({ workflow_id: workflowId });
const deployInput = z.object({
  workflow_id: workflowId,
  slug: z.string().optional(),
  approval_policy: z.enum(APPROVAL_POLICIES).optional(),
  allow_breaking: z.boolean().optional(),
  note: z.string().trim().max(500).optional(),
});

export const WORKFLOW_COMMANDS: Record<string, AdminCommand> = {
  "import-workflow": adminCommand(importInput, async ({ workspace, file }, input) => {
    const record = await getWorkspace(workspace);
    const document = parseDocument(file, await input.readText(file));
    await assertKeysFit(document.definition.nodes.some((node) => node.type === "trigger" && Boolean(node.data.secret)));
    const { workflow, missing } = await importWorkflow(editorOf(record), document);
    return { workflow_id: workflow.workflow_id, ...(missing.length > 0 ? { missing } : {}) };
  }),
  "export-workflow": adminCommand(exportInput, async (input) => {
    const { workspaceId } = await getWorkspaceOf("workflow", input.workflow_id);
    return exportWorkflow(workspaceId, input.workflow_id);
  }),
  "deploy-workflow": adminCommand(deployInput, async (input) => {
    await assertKeysFit();
    const record = await getWorkspaceOf("workflow", input.workflow_id);
    const result = await deployWorkflow(editorOf(record), {
      workflowId: input.workflow_id,
      slug: input.slug,
      approvalPolicy: input.approval_policy,
      allowBreaking: input.allow_breaking,
      note: input.note,
    });
    return { ...result, subscriptions: await listSubscriptions(record.workspaceId, input.workflow_id) };
  }),
};

function parseDocument(file: string, content: string) {
  let value: unknown;
  try {
    value = parseMarkingDigits(content);
  } catch (error) {
    throw new Error(`--file: ${file} is not JSON (${(error as Error).message})`);
  }
  assertStorable(value);
  const parsed = workflowDocumentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${file}: ${issue.path.join(".")}: ${issue.message}`).join("\n"));
}
