import type { Operation } from "#lib/operations/define-operation";
import { getSessionOperation } from "#lib/operations/session";
import {
  checkSlugOperation,
  createWorkflowOperation,
  deleteWorkflowOperation,
  deployWorkflowOperation,
  getWorkflowOperation,
  listWorkflowsOperation,
  previewPublishOperation,
  updateWorkflowOperation,
} from "#lib/operations/workflows";

/** Everything a caller can ask for. Each surface shows the part of it that is its own. */
export const OPERATIONS: readonly Operation[] = [
  listWorkflowsOperation,
  getWorkflowOperation,
  createWorkflowOperation,
  updateWorkflowOperation,
  deleteWorkflowOperation,
  deployWorkflowOperation,
  previewPublishOperation,
  checkSlugOperation,
  getSessionOperation,
];
