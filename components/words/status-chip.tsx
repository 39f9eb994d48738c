import type { RunStatus } from "#lib/contract/run/run";
import { Chip } from "@/components/ui/chip";
import { RUN_STATUS_LOOK, type ShownStepStatus, STEP_STATUS_LOOK, type StatusLook } from "@/components/words/status";

export function RunStatusChip({ status }: { status: RunStatus }) {
  return <LookChip look={RUN_STATUS_LOOK[status]} />;
}

export function StepStatusChip({ status }: { status: ShownStepStatus }) {
  return <LookChip look={STEP_STATUS_LOOK[status]} />;
}

function LookChip({ look }: { look: StatusLook }) {
  return (
    <Chip tone={look.tone} icon={look.icon} isSpinning={look.isSpinning ?? false}>
      <Word word={look.word} />
    </Chip>
  );
}

/** In a narrow list, the first words of a long status are enough next to its icon. */
function Word({ word }: { word: string }) {
  const [first, rest] = word.split(/(?= for )/);
  if (rest === undefined) return <>{word}</>;
  return (
    <span>
      {first}
      <span className="max-sm:sr-only">{rest}</span>
    </span>
  );
}
