import { STEP_TYPES, type StepType } from "#lib/core/steps/step-kinds";
import type { KindForm } from "@/components/canvas/kinds/canvas-kind";
import { CANVAS_KINDS } from "@/components/canvas/kinds/canvas-kinds";

export type KindForms = Readonly<Record<StepType, KindForm>>;

/** Loads the forms of all kinds, so that an open panel shows any step's form immediately. */
export async function loadKindForms(): Promise<KindForms> {
  const loads = STEP_TYPES.map(async (type) => [type, await CANVAS_KINDS[type].form()] as const);
  return Object.fromEntries(await Promise.all(loads)) as Record<StepType, KindForm>;
}
