"use client";

import { useState } from "react";
import { formatRelative } from "#lib/support/format/format-relative";
import { useOperation } from "@/components/api/operation-hooks";
import { emptyTexts, exampleTexts, textsOf } from "@/components/canvas/samples/test-input";
import { useDraft, useDraftSession } from "@/components/canvas/store/draft-context";
import { Select } from "@/components/ui/forms/select";
import { RUN_SOURCE_WORDS } from "@/components/words/run-sources";
import { RUN_STATUS_WORDS } from "@/components/words/run-status-words";

const RUNS_SHOWN = 10;

/** Fills in the input with an example, with nothing, or with the input of an earlier run. */
export function TestPresets() {
  const { editor, tests } = useDraftSession();
  const workflowId = useDraft((draft) => draft.facts.workflow_id);
  const [isWanted, setWanted] = useState(false);
  const runs = useOperation("list_runs", { workflow_id: workflowId, limit: RUNS_SHOWN }, { enabled: isWanted });
  const former = runs.data?.data ?? [];
  function fill(choice: string) {
    const { definition } = editor.getState();
    const { setTexts } = tests.getState();
    const run = former.find(({ run_id }) => run_id === choice);
    if (run !== undefined) setTexts(textsOf(definition, run.input), run.run_id);
    else setTexts(choice === "example" ? exampleTexts(definition, Date.now()) : emptyTexts(definition), null);
  }
  return (
    <Select
      aria-label="Fill in the input"
      value=""
      onFocus={() => setWanted(true)}
      onPointerEnter={() => setWanted(true)}
      onChange={(event) => fill(event.target.value)}
    >
      <option value="">Fill in the input…</option>
      <option value="example">Example input</option>
      <option value="empty">Empty input</option>
      {former.length === 0 ? null : (
        <optgroup label="Input of an earlier run">
          {former.map((run) => (
            <option key={run.run_id} value={run.run_id}>
              {formatRelative(Date.parse(run.created_at), Date.now())} · {RUN_SOURCE_WORDS[run.source]} ·{" "}
              {RUN_STATUS_WORDS[run.status]}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  );
}
