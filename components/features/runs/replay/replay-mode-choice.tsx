import { clsx } from "clsx";
import { useId, useState } from "react";
import type { ReplayMode } from "#lib/contract/run/run";
import type { Replay } from "@/components/features/runs/replay/use-replay";
import { Select } from "@/components/ui/forms/select";

const WORDS: Record<ReplayMode, { label: string; text: string }> = {
  resume: { label: "Resume where it stopped", text: "Reuses the completed steps and runs the rest." },
  from_start: { label: "From the start", text: "Runs every step again, with the same input or a different one." },
  from_step: { label: "From a step", text: "Runs this step and everything after it again." },
};

interface ReplayModeChoiceProps {
  replay: Replay;
  modes: readonly ReplayMode[];
  steps: readonly { stepId: string; name: string }[];
}

/** Selects the replay mode, and for the last mode the step to start from. */
export function ReplayModeChoice({ replay, modes, steps }: ReplayModeChoiceProps) {
  const name = useId();
  const [initial] = useState(replay.mode);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">How</legend>
      {modes.map((mode) => (
        <div
          key={mode}
          className={clsx(
            "rounded-2 border p-2.5",
            mode === replay.mode ? "border-accent bg-accent-weak" : "border-border hover:border-border-strong",
          )}
        >
          <label className="flex cursor-pointer items-start gap-2.5">
            <input
              type="radio"
              name={name}
              checked={mode === replay.mode}
              onChange={() => replay.form.set("mode", mode)}
              ref={mode === initial ? takeFocus : null}
              className="mt-1 accent-accent-solid"
            />
            <span>
              <span className="block font-medium">{WORDS[mode].label}</span>
              <span className="block text-dense text-text-2">{WORDS[mode].text}</span>
            </span>
          </label>
          {mode === "from_step" && replay.mode === mode ? <StepSelect replay={replay} steps={steps} /> : null}
        </div>
      ))}
    </fieldset>
  );
}

/** Focuses the selected mode: arrow keys change it, Enter replays. */
function takeFocus(radio: HTMLInputElement | null): void {
  radio?.focus();
}

function StepSelect({ replay, steps }: Pick<ReplayModeChoiceProps, "replay" | "steps">) {
  return (
    <Select
      aria-label="Start from"
      value={replay.stepId ?? ""}
      onChange={(event) => replay.form.set("step_id", event.target.value)}
      className="mt-2 ml-6"
    >
      {steps.map(({ stepId, name }) => (
        <option key={stepId} value={stepId}>
          {name}
        </option>
      ))}
    </Select>
  );
}
