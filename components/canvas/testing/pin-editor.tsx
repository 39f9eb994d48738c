"use client";

import { Pin as PinIcon, PinOff } from "lucide-react";
import { useState } from "react";
import { readTypedJson } from "#lib/core/input/read-typed-json";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { Pin } from "@/components/canvas/store/test-store";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code/code-field";

interface PinEditorProps {
  nodeId: string;
  pin: Pin;
}

/** Edits a pinned output as JSON. Invalid JSON is not applied. */
export function PinEditor({ nodeId, pin }: PinEditorProps) {
  const { tests } = useDraftSession();
  const [text, setText] = useState(() => JSON.stringify(pin.value, null, 2));
  const [error, setError] = useState<string | null>(null);
  function change(next: string) {
    setText(next);
    const { value, problem } = readTypedJson(next);
    setError(problem === null ? null : `${problem} The pin keeps its last valid value.`);
    if (problem === null) tests.getState().pin(nodeId, { value, fromRunId: pin.fromRunId });
  }
  return (
    <CodeField
      label={
        <span className="flex items-center gap-1.5">
          <PinIcon aria-hidden className="size-3.5 text-accent" /> Pinned output
        </span>
      }
      description="Tests use this output instead of executing the step. Publishing ignores it."
      hint={
        <Button size="sm" variant="ghost" onClick={() => tests.getState().unpin(nodeId)}>
          <PinOff aria-hidden className="size-3.5" />
          Unpin
        </Button>
      }
      error={error}
      language="json"
      rows={6}
      value={text}
      onChange={change}
    />
  );
}
