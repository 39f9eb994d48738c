import type { z } from "zod";
import { actionInputData } from "#lib/core/steps/action-input/action-input-data";
import { approvalData } from "#lib/core/steps/approval/approval-data";
import { codeData } from "#lib/core/steps/code/code-data";
import { conditionData } from "#lib/core/steps/condition/condition-data";
import { connectorData } from "#lib/core/steps/connector/connector-data";
import { delayData } from "#lib/core/steps/delay/delay-data";
import { filterData } from "#lib/core/steps/filter/filter-data";
import { llmData } from "#lib/core/steps/llm/llm-data";
import { loopData } from "#lib/core/steps/loop/loop-data";
import { returnOutputData } from "#lib/core/steps/return-output/return-output-data";
import type { StepType } from "#lib/core/steps/step-kinds";
import { subWorkflowData } from "#lib/core/steps/sub-workflow/sub-workflow-data";
import { switchData } from "#lib/core/steps/switch/switch-data";
import { transformData } from "#lib/core/steps/transform/transform-data";
import { triggerData } from "#lib/core/steps/trigger/trigger-data";
import { waitForCallbackData } from "#lib/core/steps/wait-for-callback/wait-for-callback-data";

/**
 * The schema of the `data` of a publishable node, by its type. Unknown keys are dropped when it runs; the checks of a
 * definition report them. Kept out of the registry of kinds, because the canvas draws steps long before it checks them.
 */
export const STEP_DATA = {
  action_input: actionInputData,
  trigger: triggerData,
  condition: conditionData,
  switch: switchData,
  loop: loopData,
  filter: filterData,
  delay: delayData,
  approval: approvalData,
  wait_for_callback: waitForCallbackData,
  sub_workflow: subWorkflowData,
  code: codeData,
  transform: transformData,
  connector: connectorData,
  llm: llmData,
  return_output: returnOutputData,
} satisfies Record<StepType, z.ZodType>;
