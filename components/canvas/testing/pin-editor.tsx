"use client";

import { Pin as PinIcon, PinOff } from "lucide-react";
import { useState } from "react";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { Pin } from "@/components/canvas/testing/test-store";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";

interface PinEditorProps {
  nodeId: string;
  pin: Pin;
}

/** A pinned output as JSON that can be typed into. What is no JSON yet is not taken over. */
export function PinEditor({ nodeId, pin }: PinEditorProps) {
  const { tests } = useDraftSession();
  const [text, setText] = useState(() => JSON.stringify(pin.value, null, 2));
  const [error, setError] = useState<string | null>(null);
  function change(next: string) {
    setText(next);
    try {
      tests.getState().pin(nodeId, { value: JSON.parse(next), fromRunId: pin.fromRunId });
      setError(null);
    } catch {
      setError("This is not JSON. The pin keeps its former value until it is.");
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={
          <span className="flex items-center gap-1.5">
            <PinIcon aria-hidden className="size-3.5 text-accent" /> Pinned output
          </span>
        }
        description="Tests take it instead of executing the step. Publishing ignores it."
        error={error}
        hint={
          <Button size="sm" variant="ghost" onClick={() => tests.getState().unpin(nodeId)}>
            <PinOff aria-hidden className="size-3.5" />
            Unpin
          </Button>
        }
      >
        {({ required: _required, ...control }) => (
          <Textarea
            {...control}
            isMono
            rows={8}
            spellCheck={false}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
