"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import type { JsonObject } from "#lib/contract/json-schema";
import type { ReplayMode, RunObject } from "#lib/contract/run";
import { isJsonObject } from "#lib/support/json";
import { useOperationMutation } from "@/components/api/operation-hooks";
import { toast } from "@/components/ui/toast";

export type Replay = ReturnType<typeof useReplay>;

/** The replay dialog's choices, and the new run they make, which is then shown. */
export function useReplay(run: RunObject, initial: { mode: ReplayMode; stepId: string | null }) {
  const router = useRouter();
  const shownInput = JSON.stringify(run.input, null, 2);
  const [mode, setMode] = useState(initial.mode);
  const [stepId, setStepId] = useState(initial.stepId);
  const [isEditing, setEditing] = useState(false);
  const [inputText, setInputText] = useState(shownInput);
  const [inputError, setInputError] = useState<string | null>(null);
  const replay = useOperationMutation("replay_run", {
    invalidates: ["list_runs"],
    onSuccess: (made) => {
      toast("Replay started.");
      router.push(`/runs/${made.run_id}`);
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const isEdited = mode === "from_start" && isEditing && inputText !== shownInput;
    const input = isEdited ? readInput(inputText) : undefined;
    setInputError(input === null ? 'Enter a JSON object such as {"key": "value"}.' : null);
    if (input === null) return;
    replay.mutate({
      run_id: run.run_id,
      mode,
      ...(mode === "from_step" && stepId !== null ? { step_id: stepId } : {}),
      ...(input === undefined ? {} : { input }),
    });
  }

  return {
    submit,
    mode,
    setMode,
    stepId,
    setStepId,
    isEditing,
    setEditing,
    inputText,
    setInputText,
    inputError,
    error: replay.error,
    // Until the new run is on the screen.
    isBusy: replay.isPending || replay.isSuccess,
  };
}

/** Null for what is no JSON object. */
function readInput(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
