"use client";

import { useState } from "react";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";

/** The workflow's name, edited in place. It is saved with the draft and can't be empty. */
export function WorkflowName() {
  const editor = useEditorStore();
  const name = useEditor((state) => state.name);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [typed, setTyped] = useState<string | null>(null);
  if (isReadOnly) return name;
  return (
    <input
      data-held
      aria-label="Workflow name"
      value={typed ?? name}
      maxLength={200}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== null && typed.trim() !== "") editor.getState().rename(typed.trim());
        setTyped(null);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setTyped(null);
      }}
      // As wide as its text, so that the following elements stay next to it.
      className="h-8 w-48 max-w-[36vw] truncate rounded-2 border border-transparent bg-transparent px-1.5 font-semibold [field-sizing:content] supports-[field-sizing:content]:w-auto hover:border-border focus:border-border-strong focus:bg-surface"
    />
  );
}
