"use client";

import { useRouter } from "next/navigation";
import type { ReplayMode, ReplayVersion, RunObject } from "#lib/contract/run/run";
import { replayRunInput } from "#lib/contract/run/run-inputs";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { describeLongNumber, readTypedJson } from "#lib/core/input/read-typed-json";
import { isJsonObject } from "#lib/support/json";
import { useOperationForm } from "@/components/api/use-operation-form";
import { correctInput, listTypedProblems, type MisfitField } from "@/components/features/runs/replay/corrected-input";
import { toast } from "@/components/ui/toast";

export type Replay = ReturnType<typeof useReplay>;

interface Values {
  mode: ReplayMode;
  step_id: string | null;
  version: ReplayVersion;
  isEditing: boolean;
  input: string;
  /** Typed values of fields that do not fit the published version, by name. */
  corrections: Record<string, string>;
}

const NO_CORRECTIONS: Record<string, string> = {};
const NO_OBJECT = 'Enter a JSON object such as {"key": "value"}.';

interface ReplayStart {
  mode: ReplayMode;
  stepId: string | null;
  version: ReplayVersion;
}

/** Holds the choices of the replay dialog, starts the new run and opens it. */
export function useReplay(run: RunObject, initial: ReplayStart, misfits: readonly MisfitField[]) {
  const router = useRouter();
  const shownInput = JSON.stringify(run.input, null, 2);
  const isEdited = ({ mode, isEditing, input }: Values) => mode === "from_start" && isEditing && input !== shownInput;
  const correctedInput = ({ version, corrections }: Values) =>
    version === "latest" && Object.values(corrections).some((text) => text !== "")
      ? correctInput(run.input, misfits, corrections)
      : null;
  const form = useOperationForm("replay_run", {
    schema: replayRunInput,
    start: {
      mode: initial.mode,
      step_id: initial.stepId,
      version: initial.version,
      isEditing: false,
      input: shownInput,
      corrections: NO_CORRECTIONS,
    },
    toInput: (values: Values) => {
      const input = isEdited(values) ? readInput(values.input) : correctedInput(values);
      return {
        run_id: run.run_id,
        mode: values.mode,
        ...(values.version === "latest" ? { version: values.version } : {}),
        ...(values.mode === "from_step" && values.step_id !== null ? { step_id: values.step_id } : {}),
        ...(input === null ? {} : { input }),
      };
    },
    check: (values): { input?: string; corrections?: string } => {
      if (isEdited(values)) {
        const isObject = readInput(values.input) !== null;
        return isObject ? {} : { input: describeLongNumber(values.input) ?? NO_OBJECT };
      }
      const [problem] =
        values.version === "latest" ? Object.values(listTypedProblems(misfits, values.corrections)) : [];
      return problem === undefined ? {} : { corrections: problem };
    },
    invalidates: ["list_runs"],
    onSuccess: (made) => {
      toast("Replay started.");
      router.push(`/runs/${made.run_id}`);
    },
  });
  return {
    form,
    mode: form.value("mode"),
    stepId: form.value("step_id"),
    version: form.value("version"),
    corrections: form.value("corrections"),
    isEditing: form.value("isEditing"),
    error: form.general === null ? null : form.failure,
    // Stays busy until the new run is on the screen.
    isBusy: form.isBusy || form.isDone,
  };
}

/** Returns null if the text is not a JSON object. */
function readInput(text: string): JsonObject | null {
  const { value } = readTypedJson(text);
  return isJsonObject(value) ? value : null;
}
