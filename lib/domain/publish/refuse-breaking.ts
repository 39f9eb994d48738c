import { ApiError } from "#lib/contract/api-error";
import type { AffectedCaller, CallerReport } from "#lib/contract/publish";
import type { SchemaChange } from "#lib/contract/workflow";

/** The most names in one message; a longer list helps no one. */
const NAMED = 5;

/**
 * Builds the refusal of a change that breaks callers, and names them (contract, Workflows and versions; decisions,
 * MCP). `details` are the breaking changes, each with the callers whose calls it would have refused or ignored.
 */
export function refuseBreaking(breaking: readonly SchemaChange[], report: CallerReport): ApiError {
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
