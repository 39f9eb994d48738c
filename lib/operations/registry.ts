import { changePasswordOperation, signOutEverywhereOperation, updateAccountOperation } from "#lib/operations/account";
import {
  getActionOperation,
  listActionActivityOperation,
  listActionsOperation,
  runActionOperation,
  setActionStatusOperation,
} from "#lib/operations/actions";
import { countApprovalsOperation, getApprovalOperation, listApprovalsOperation } from "#lib/operations/approvals";
import {
  createConnectionOperation,
  deleteConnectionOperation,
  listConnectionKindsOperation,
  listConnectionsOperation,
  listModelsOperation,
  renameConnectionOperation,
  replaceCredentialsOperation,
  startAuthorizationOperation,
  testConnectionOperation,
} from "#lib/operations/connections";
import {
  buildConnectorOperation,
  getBuildStatusOperation,
  validateConnectorOperation,
} from "#lib/operations/connector-builds";
import {
  getConnectorOperationsOperation,
  getOperationSchemaOperation,
  listConnectorsOperation,
} from "#lib/operations/connectors";
import { CUSTOM_CONNECTOR_OPERATIONS } from "#lib/operations/custom-connectors";
import type { Operation } from "#lib/operations/define-operation";
import { createKeyOperation, listKeysOperation, revokeKeyOperation, rotateKeyOperation } from "#lib/operations/keys";
import {
  acceptInviteOperation,
  createInviteOperation,
  leaveWorkspaceOperation,
  listInvitesOperation,
  listMembersOperation,
  removeMemberOperation,
  revokeInviteOperation,
  setMemberRoleOperation,
} from "#lib/operations/members";
import { OUTBOUND_EVENT_OPERATIONS } from "#lib/operations/outbound-events";
import { tellPresenceOperation } from "#lib/operations/presence";
import { cancelRunsOperation, replayRunsOperation } from "#lib/operations/run-bulk";
import { approveRunOperation, cancelRunOperation } from "#lib/operations/run-decisions";
import { replayRunOperation, testWorkflowOperation } from "#lib/operations/run-replays";
import { getOnboardingOperation, getRunUsageOperation } from "#lib/operations/run-usage";
import { getRunGraphOperation, getRunStepOperation } from "#lib/operations/run-views";
import { getRunStatusOperation, listRunsOperation, waitForRunOperation } from "#lib/operations/runs";
import { getSessionOperation } from "#lib/operations/session";
import {
  fireScheduleOperation,
  getTriggerOperation,
  listDeliveriesOperation,
  redeliverEventOperation,
  sealSecretOperation,
  setTriggerStatusOperation,
} from "#lib/operations/triggers";
import {
  archiveWorkflowsOperation,
  duplicateWorkflowOperation,
  exportWorkflowOperation,
  importWorkflowOperation,
  listTagsOperation,
  listTemplatesOperation,
  listWorkflowActivityOperation,
  restoreWorkflowsOperation,
  tagWorkflowsOperation,
} from "#lib/operations/workflow-lists";
import {
  checkSlugOperation,
  compareVersionsOperation,
  createWorkflowOperation,
  deleteWorkflowOperation,
  deployWorkflowOperation,
  getWorkflowOperation,
  listWorkflowsOperation,
  openWorkflowOperation,
  previewPublishOperation,
  updateWorkflowOperation,
} from "#lib/operations/workflows";
import {
  createWorkspaceOperation,
  getUsageOperation,
  getWorkspaceOperation,
  listAuditEventsOperation,
  listWorkspacesOperation,
  updateWorkspaceOperation,
} from "#lib/operations/workspace";

/** Everything a caller can ask for. Each surface shows the part of it that is its own. */
export const OPERATIONS: readonly Operation[] = [
  listActionsOperation,
  getActionOperation,
  runActionOperation,
  getRunStatusOperation,
  waitForRunOperation,
  listRunsOperation,
  approveRunOperation,
  cancelRunOperation,
  replayRunOperation,
  cancelRunsOperation,
  replayRunsOperation,
  getRunStepOperation,
  getRunGraphOperation,
  listConnectorsOperation,
  getConnectorOperationsOperation,
  getOperationSchemaOperation,
  validateConnectorOperation,
  buildConnectorOperation,
  ...CUSTOM_CONNECTOR_OPERATIONS,
  getBuildStatusOperation,
  listWorkflowsOperation,
  getWorkflowOperation,
  openWorkflowOperation,
  createWorkflowOperation,
  updateWorkflowOperation,
  deleteWorkflowOperation,
  deployWorkflowOperation,
  previewPublishOperation,
  checkSlugOperation,
  compareVersionsOperation,
  archiveWorkflowsOperation,
  restoreWorkflowsOperation,
  tagWorkflowsOperation,
  listTagsOperation,
  duplicateWorkflowOperation,
  exportWorkflowOperation,
  importWorkflowOperation,
  listWorkflowActivityOperation,
  listTemplatesOperation,
  testWorkflowOperation,
  tellPresenceOperation,
  getTriggerOperation,
  setTriggerStatusOperation,
  fireScheduleOperation,
  listDeliveriesOperation,
  redeliverEventOperation,
  sealSecretOperation,
  setActionStatusOperation,
  listActionActivityOperation,
  listKeysOperation,
  createKeyOperation,
  rotateKeyOperation,
  revokeKeyOperation,
  listConnectionKindsOperation,
  listConnectionsOperation,
  createConnectionOperation,
  renameConnectionOperation,
  replaceCredentialsOperation,
  startAuthorizationOperation,
  testConnectionOperation,
  listModelsOperation,
  deleteConnectionOperation,
  listApprovalsOperation,
  getApprovalOperation,
  countApprovalsOperation,
  ...OUTBOUND_EVENT_OPERATIONS,
  getRunUsageOperation,
  getOnboardingOperation,
  getSessionOperation,
  listWorkspacesOperation,
  createWorkspaceOperation,
  getWorkspaceOperation,
  updateWorkspaceOperation,
  getUsageOperation,
  listAuditEventsOperation,
  listMembersOperation,
  setMemberRoleOperation,
  removeMemberOperation,
  leaveWorkspaceOperation,
  listInvitesOperation,
  createInviteOperation,
  revokeInviteOperation,
  acceptInviteOperation,
  updateAccountOperation,
  changePasswordOperation,
  signOutEverywhereOperation,
];
