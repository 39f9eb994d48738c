import { actionInputKind } from "#lib/core/steps/action-input/action-input-kind";
import { approvalKind } from "#lib/core/steps/approval/approval-kind";
import { codeKind } from "#lib/core/steps/code/code-kind";
import { conditionKind } from "#lib/core/steps/condition/condition-kind";
import { connectorKind } from "#lib/core/steps/connector/connector-kind";
import type { StepKind } from "#lib/core/steps/define-step-kind";
import { delayKind } from "#lib/core/steps/delay/delay-kind";
import { filterKind } from "#lib/core/steps/filter/filter-kind";
import { llmKind } from "#lib/core/steps/llm/llm-kind";
import { loopKind } from "#lib/core/steps/loop/loop-kind";
import { returnOutputKind } from "#lib/core/steps/return-output/return-output-kind";
import { subWorkflowKind } from "#lib/core/steps/sub-workflow/sub-workflow-kind";
import { switchKind } from "#lib/core/steps/switch/switch-kind";
import { transformKind } from "#lib/core/steps/transform/transform-kind";
import { triggerKind } from "#lib/core/steps/trigger/trigger-kind";
import { waitForCallbackKind } from "#lib/core/steps/wait-for-callback/wait-for-callback-kind";

/** Every kind of step, in the order that catalogs list them. To add a kind, add its folder and a line here. */
export const STEP_KINDS = {
  action_input: actionInputKind,
  trigger: triggerKind,
  condition: conditionKind,
  switch: switchKind,
  loop: loopKind,
  filter: filterKind,
  delay: delayKind,
  approval: approvalKind,
  wait_for_callback: waitForCallbackKind,
  sub_workflow: subWorkflowKind,
  code: codeKind,
  transform: transformKind,
  connector: connectorKind,
  llm: llmKind,
  return_output: returnOutputKind,
};

export type StepType = keyof typeof STEP_KINDS;

declare module "#lib/contract/workflow/graph" {
  interface NodeRegister {
    types: StepType;
  }
}

export const STEP_TYPES = Object.keys(STEP_KINDS) as StepType[];

/** Names that always refer to the entry node in an expression, whatever its id is (decisions, The graph document). */
export const ENTRY_NAMES: readonly string[] = STEP_TYPES.filter((type) => STEP_KINDS[type].starts !== null);

/** Returns the kind with this type; undefined for a type that no kind has any more. */
export function findStepKind(type: string): StepKind | undefined {
  return Object.hasOwn(STEP_KINDS, type) ? STEP_KINDS[type as StepType] : undefined;
}
