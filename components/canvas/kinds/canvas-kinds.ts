import type { StepType } from "#lib/core/steps/step-kinds";
import { actionInputCanvasKind } from "@/components/canvas/kinds/action-input/action-input";
import { approvalCanvasKind } from "@/components/canvas/kinds/approval/approval";
import type { CanvasKind } from "@/components/canvas/kinds/canvas-kind";
import { codeCanvasKind } from "@/components/canvas/kinds/code/code";
import { conditionCanvasKind } from "@/components/canvas/kinds/condition/condition";
import { connectorCanvasKind } from "@/components/canvas/kinds/connector/connector";
import { delayCanvasKind } from "@/components/canvas/kinds/delay/delay";
import { filterCanvasKind } from "@/components/canvas/kinds/filter/filter";
import { llmCanvasKind } from "@/components/canvas/kinds/llm/llm";
import { loopCanvasKind } from "@/components/canvas/kinds/loop/loop";
import { returnOutputCanvasKind } from "@/components/canvas/kinds/return-output/return-output";
import { subWorkflowCanvasKind } from "@/components/canvas/kinds/sub-workflow/sub-workflow";
import { switchCanvasKind } from "@/components/canvas/kinds/switch/switch";
import { transformCanvasKind } from "@/components/canvas/kinds/transform/transform";
import { triggerCanvasKind } from "@/components/canvas/kinds/trigger/trigger";
import { waitForCallbackCanvasKind } from "@/components/canvas/kinds/wait-for-callback/wait-for-callback";

/**
 * The canvas part of each step kind. To add a kind, add its folder and a line here; without the line the code doesn't
 * compile.
 */
export const CANVAS_KINDS: Record<StepType, CanvasKind> = {
  action_input: actionInputCanvasKind,
  trigger: triggerCanvasKind,
  condition: conditionCanvasKind,
  switch: switchCanvasKind,
  loop: loopCanvasKind,
  filter: filterCanvasKind,
  delay: delayCanvasKind,
  approval: approvalCanvasKind,
  wait_for_callback: waitForCallbackCanvasKind,
  sub_workflow: subWorkflowCanvasKind,
  code: codeCanvasKind,
  transform: transformCanvasKind,
  connector: connectorCanvasKind,
  llm: llmCanvasKind,
  return_output: returnOutputCanvasKind,
};
