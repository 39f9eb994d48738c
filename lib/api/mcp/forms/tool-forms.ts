import { CATALOG_FORMS } from "#lib/api/mcp/forms/catalog-forms";
import { RUN_FORMS } from "#lib/api/mcp/forms/run-forms";
import type { ToolForm } from "#lib/api/mcp/forms/tool-form";
import { WORKFLOW_FORMS } from "#lib/api/mcp/forms/workflow-forms";
import type { Operation } from "#lib/api/operations/define/define-operation";

const FORMS: ReadonlyMap<string, ToolForm> = new Map([...RUN_FORMS, ...WORKFLOW_FORMS, ...CATALOG_FORMS]);

/** Returns an operation as agents call it, and the JSON Schemas of its arguments that are not derived. */
export function asTool(operation: Operation): { operation: Operation; schemas: ToolForm["schemas"] } {
  const form = FORMS.get(operation.name);
  if (!form) return { operation, schemas: {} };
  const { input, run, schemas } = form;
  return { operation: { ...operation, input, run }, schemas };
}
