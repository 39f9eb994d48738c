import { CircleDot } from "lucide-react";
import { RUN_STATUSES } from "#lib/contract/run/run";
import { Specimen, SpecimenSheet } from "@/components/pages/design/specimen";
import { Badge } from "@/components/ui/badge";
import { Chip, TONES, type Tone } from "@/components/ui/chip";
import { type ShownStepStatus, STEP_STATUS_LOOK } from "@/components/words/status";
import { RunStatusChip, StepStatusChip } from "@/components/words/status-chip";
import { TONE_TEXT } from "@/components/words/tone-text";

const ALL_TONES = Object.keys(TONES) as Tone[];

/** Every status a run and a step can have, and what they are made of. */
export function StatusSpecimens() {
  return (
    <SpecimenSheet>
      <Specimen name="Runs" isWide>
        {RUN_STATUSES.map((status) => (
          <RunStatusChip key={status} status={status} />
        ))}
      </Specimen>
      <Specimen name="Steps" isWide>
        {(Object.keys(STEP_STATUS_LOOK) as ShownStepStatus[]).map((status) => (
          <StepStatusChip key={status} status={status} />
        ))}
      </Specimen>
      <Specimen name="Tones" isWide>
        {ALL_TONES.map((tone) => (
          <Chip key={tone} tone={tone} icon={CircleDot}>
            {tone}
          </Chip>
        ))}
        <Chip isDraft>Draft</Chip>
      </Specimen>
      <Specimen name="Tones as words on paper" isWide>
        {ALL_TONES.map((tone) => (
          <span key={tone} className={TONE_TEXT[tone]}>
            {tone}
          </span>
        ))}
      </Specimen>
      <Specimen name="What a thing is">
        <Badge>callable</Badge>
        <Badge title="The version that runs now">v4</Badge>
      </Specimen>
    </SpecimenSheet>
  );
}
