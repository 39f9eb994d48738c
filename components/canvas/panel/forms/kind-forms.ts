import type { ReactNode } from "react";
import type { StepType } from "#lib/core/steps/step-kinds";
import { ActionInputForm } from "@/components/canvas/panel/forms/action-input-form";
import { ApprovalForm } from "@/components/canvas/panel/forms/approval-form";
import { CodeForm } from "@/components/canvas/panel/forms/code-form";
import { ConditionForm } from "@/components/canvas/panel/forms/condition-form";
import { ConnectorForm } from "@/components/canvas/panel/forms/connector-form";
import { DelayForm } from "@/components/canvas/panel/forms/delay-form";
import { FilterForm } from "@/components/canvas/panel/forms/filter-form";
import { LlmForm } from "@/components/canvas/panel/forms/llm-form";
import { LoopForm } from "@/components/canvas/panel/forms/loop-form";
import { ReturnOutputForm } from "@/components/canvas/panel/forms/return-output-form";
import { SubWorkflowForm } from "@/components/canvas/panel/forms/sub-workflow-form";
import { SwitchForm } from "@/components/canvas/panel/forms/switch-form";
import { TransformForm } from "@/components/canvas/panel/forms/transform-form";
import { TriggerForm } from "@/components/canvas/panel/forms/trigger-form";

/** The form of each step kind. It loads with the panel, after the drawing. A kind that is missing here does not compile. */
export const KIND_FORMS: Record<StepType, () => ReactNode> = {
  action_input: ActionInputForm,
  trigger: TriggerForm,
  condition: ConditionForm,
  switch: SwitchForm,
  loop: LoopForm,
  filter: FilterForm,
  delay: DelayForm,
  approval: ApprovalForm,
  sub_workflow: SubWorkflowForm,
  code: CodeForm,
  transform: TransformForm,
  connector: ConnectorForm,
  llm: LlmForm,
  return_output: ReturnOutputForm,
};
