import type { ApprovalPolicy } from "#lib/contract/action/action";
import type { AffectedCaller, CallerReport } from "#lib/contract/action/publish";
import { ApiError } from "#lib/contract/error/api-error";
import type { InputSchema } from "#lib/contract/wire/json-schema";
import type { Definition } from "#lib/contract/workflow/graph";
import type { DeployResult, GraphProblem, SchemaChange, WorkflowType } from "#lib/contract/workflow/workflow";
import { asPublishedBefore, isError } from "#lib/core/graph/checks/problem";
import { warnSecrets } from "#lib/core/graph/checks/typed-secrets";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { deriveType } from "#lib/core/graph/derive-type";
import { deriveInputSchema, deriveOutputSchema } from "#lib/core/steps/derive-schemas";
import { recordAudit } from "#lib/domain/audit/record-audit";
import { findConnectionProblems } from "#lib/domain/connections/find-connection-problems";
import { createVersion } from "#lib/domain/publish/create-version";
import { findAffectedCallers } from "#lib/domain/publish/find-affected-callers";
import { findPublished } from "#lib/domain/publish/find-published";
import { assertKeepsPolicy, reportKeyPublish } from "#lib/domain/publish/guard-controls";
import { assertSlugFits, releaseAction } from "#lib/domain/publish/release-action";
import { rereadTools } from "#lib/domain/publish/reread-tools";
import type { KeepAnswer } from "#lib/domain/repeats/answer-once";
import { subscribe } from "#lib/domain/triggers/activation/subscribe";
import { assertNotArchived } from "#lib/domain/workflows/assert-not-archived";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { loadSurroundings, type Surroundings } from "#lib/domain/workflows/checks/load-surroundings";
import type { Editor } from "#lib/domain/workflows/create-workflow";
import { getDefinition } from "#lib/domain/workflows/get-definition";
import { type LockedWorkflow, lockWorkflow } from "#lib/domain/workflows/lock-workflow";
import { pageUrl } from "#lib/platform/config/page-url";
import type { Db } from "#lib/platform/db/pool";
import { type PrismaTx, prismaTransaction } from "#lib/platform/db/prisma";

interface DeployRequest {
  workflowId: string;
  slug?: string | undefined;
  approvalPolicy?: ApprovalPolicy | undefined;
  expectedRevision?: number | undefined;
  allowBreaking?: boolean | undefined;
  note?: string | undefined;
  /** An earlier version to publish again, as a new one; the draft is neither read nor changed. */
  version?: number | undefined;
  /** True for keys: the contract lets agents publish callable workflows only. */
  callableOnly?: boolean | undefined;
}

/**
 * Promotes the draft, or an earlier version, to a deployed version in one transaction (contract, Workflows and
 * versions): the previous version is archived, the schemas are derived and fixed, and the action of a callable workflow
 * is released. The draft and its revision do not change.
 * @throws ApiError NOT_FOUND, REVISION_CONFLICT, BAD_REQUEST (archived, slug), WORKFLOW_NOT_CALLABLE,
 * PUBLISH_VALIDATION_FAILED, SLUG_TAKEN, BREAKING_SCHEMA_CHANGE; FORBIDDEN if a key would relax the approval policy
 */
export async function deployWorkflow(
  editor: Editor,
  request: DeployRequest,
  keep?: KeepAnswer<DeployResult>,
): Promise<DeployResult> {
  // Before the transaction, so that no lock of ours waits for a server.
  await rereadTools(editor.workspaceId, request.workflowId, request.version ?? "draft");
  return prismaTransaction(async (tx) => {
    const deployed = await deployWorkflowIn(tx, editor, request);
    await keep?.(tx, deployed);
    return deployed;
  });
}

/** The same, as a part of a larger change. */
export async function deployWorkflowIn(tx: PrismaTx, editor: Editor, request: DeployRequest): Promise<DeployResult> {
  const { workspaceId } = editor;
  const workflow = await lockSource(tx, workspaceId, request);
  assertNotArchived(workflow);
  const missing = await findConnectionProblems(tx, workspaceId, workflow.source, "for key share");
  const surroundings = await loadSurroundings(tx, workspaceId, workflow.source, workflow.id);
  const { type, warnings } = assertPublishable(workflow, surroundings, missing, request.callableOnly ?? false);
  const version = workflow.latestVersion + 1;
  const result =
    type === "callable"
      ? await deployCallable(tx, editor, workflow, version, request)
      : await deployEventDriven(tx, editor, workflow, version, request);
  await tx.prisma.workflow.updateMany({ where: { workspaceId, id: workflow.id }, data: { type } });
  await recordAudit(tx, {
    workspaceId,
    actor: editor.actor,
    action: "workflow.published",
    objectType: "workflow",
    objectId: workflow.id,
    details: {
      version,
      slug: result.action?.slug ?? null,
      approval_policy: result.action?.approval_policy ?? null,
      breaking: result.breaking_changes.length > 0,
      ...(request.version === undefined ? {} : { republished: request.version }),
    },
  });
  return { ...result, warnings };
}

type Deployed = Omit<DeployResult, "warnings">;

/** A locked workflow with the definition to publish. */
type Publishable = LockedWorkflow & { source: Definition };

/** @throws ApiError NOT_FOUND for an unknown workflow or version, REVISION_CONFLICT */
async function lockSource(tx: Db, workspaceId: string, request: DeployRequest): Promise<Publishable> {
  const workflow = await lockWorkflow(tx, workspaceId, request.workflowId, request.expectedRevision);
  if (request.version === undefined) return { ...workflow, source: workflow.draft };
  const { definition } = await getDefinition(workspaceId, workflow.id, request.version, tx);
  return { ...workflow, source: definition };
}

/** @returns the type of the workflow from now on, and the likely mistakes that do not prevent publishing */
function assertPublishable(
  workflow: Publishable,
  surroundings: Surroundings,
  missing: GraphProblem[],
  callableOnly: boolean,
): { type: WorkflowType; warnings: GraphProblem[] } {
  const fixedType = workflow.latestVersion === 0 ? null : workflow.type;
  const type = fixedType ?? deriveType(workflow.source);
  if (callableOnly && type !== "callable") {
    throw new ApiError(
      "WORKFLOW_NOT_CALLABLE",
      `This workflow is event_driven: its trigger starts it. A person can publish it at ${pageUrl(`/workflows/${workflow.id}`)}`,
    );
  }
  const found = [...findProblems(workflow.source, fixedType, surroundings), ...missing];
  const problems = workflow.source === workflow.draft ? found : asPublishedBefore(found);
  const errors = problems.filter(isError);
  if (errors.length > 0) {
    throw new ApiError("PUBLISH_VALIDATION_FAILED", "The workflow cannot be published yet.", { details: errors });
  }
  return { type, warnings: [...problems, ...warnSecrets(workflow.source)] };
}

async function deployCallable(
  tx: Db,
  editor: Editor,
  workflow: Publishable,
  version: number,
  request: DeployRequest,
): Promise<Deployed> {
  const { workspaceId, userId } = editor;
  const existing = await findPublished(tx, workspaceId, workflow.id);
  assertSlugFits(existing, request.slug);
  assertKeepsPolicy(editor.actor, { id: workflow.id, existing }, request.approvalPolicy);
  const inputSchema = deriveInputSchema(workflow.source);
  const before = existing?.inputSchema ?? null;
  const changes = before ? schemaChanges(before, inputSchema) : [];
  const breaking = changes.filter((change) => change.breaking);
  // The input schema is public, so the publisher must confirm a breaking change (contract, Workflows and versions).
  if (existing && before && breaking.length > 0 && !request.allowBreaking) {
    const { slug } = existing;
    const change = { workspaceId, workflowId: workflow.id, slug, before, after: inputSchema, changes };
    throw refuseBreaking(breaking, await findAffectedCallers(tx, change));
  }
  if (existing && before && editor.actor.type === "api_key") {
    const deployed = await getDefinition(workspaceId, workflow.id, "deployed", tx);
    await reportKeyPublish(tx, {
      workspaceId,
      workflowId: workflow.id,
      workflowName: workflow.name,
      slug: existing.slug,
      version,
      breaking,
      actor: editor.actor,
      before: deployed.definition,
      after: workflow.source,
    });
  }
  const { versionId } = await createVersion(tx, {
    ...versionOf(editor, workflow, version, request),
    inputSchema,
    outputSchema: deriveOutputSchema(workflow.source),
  });
  const action = await releaseAction(tx, existing, {
    workspaceId,
    workflowId: workflow.id,
    versionId,
    version,
    changes,
    deployedBy: userId,
    slug: request.slug,
    approvalPolicy: request.approvalPolicy,
  });
  return {
    workflow_id: workflow.id,
    version,
    status: "deployed",
    action,
    breaking_changes: breaking,
  };
}

async function deployEventDriven(
  tx: Db,
  editor: Editor,
  workflow: Publishable,
  version: number,
  request: DeployRequest,
): Promise<Deployed> {
  const schemas: { inputSchema: InputSchema | null; outputSchema: null } = { inputSchema: null, outputSchema: null };
  await createVersion(tx, { ...versionOf(editor, workflow, version, request), ...schemas });
  await subscribe(tx, { workspaceId: editor.workspaceId, workflowId: workflow.id, definition: workflow.source });
  return {
    workflow_id: workflow.id,
    version,
    status: "deployed",
    action: null,
    breaking_changes: [],
  };
}

function versionOf(editor: Editor, workflow: Publishable, version: number, request: DeployRequest) {
  return {
    workspaceId: editor.workspaceId,
    workflowId: workflow.id,
    version,
    definition: workflow.source,
    note: request.note ?? null,
    publishedBy: editor.userId,
  };
}

/** The most names in one message; a longer list helps no one. */
const NAMED = 5;

/**
 * Builds the refusal of a change that breaks callers, and names them (contract, Workflows and versions; decisions,
 * MCP). `details` are the breaking changes, each with the callers whose calls it would have refused or ignored.
 */
function refuseBreaking(breaking: readonly SchemaChange[], report: CallerReport): ApiError {
  const affected = report.callers.filter((caller) => caller.fields.length > 0);
  const details = breaking.map((change) => ({
    ...change,
    callers: affected.flatMap((caller) => presentAffected(caller, change)),
  }));
  const callers = affected.filter(({ kind }) => kind !== "workflow");
  const workflows = affected.filter(({ kind }) => kind === "workflow");
  const byCalls =
    callers.length === 0
      ? `No call in the last ${report.days} days is affected.`
      : `Callers in the last ${report.days} days that would break: ${nameSome(callers.map(nameCaller))}.`;
  const bySteps = workflows.length === 0 ? "" : ` Affected workflows: ${nameSome(workflows.map(({ name }) => name))}.`;
  const message = `This is a breaking change for callers of this action. ${byCalls}${bySteps} Set allow_breaking to publish anyway.`;
  return new ApiError("BREAKING_SCHEMA_CHANGE", message, { details });
}

function presentAffected(caller: AffectedCaller, { field, new_field: newField }: SchemaChange) {
  const met = caller.fields.filter((item) => item.field === field || item.field === newField);
  if (met.length === 0) return [];
  const { kind, id, name, prefix, calls, sampled } = caller;
  const workflow = kind === "workflow" ? { workflow_id: id } : {};
  return [{ kind, ...workflow, name, prefix, calls, sampled, affected: Math.max(...met.map((item) => item.calls)) }];
}

function nameSome(names: readonly string[]): string {
  const others = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).join(", ") + others;
}

function nameCaller({ name, prefix, refused, ignored, sampled }: AffectedCaller): string {
  return `${name}${prefix === null ? "" : ` (${prefix})`} in ${refused + ignored} of ${sampled} calls`;
}
