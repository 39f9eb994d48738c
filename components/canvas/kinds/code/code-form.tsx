"use client";

import { ScriptArea } from "@/components/canvas/kinds/code/script/script-area";
import { PairsField } from "@/components/canvas/panel/fields/pairs-field";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useEditor } from "@/components/canvas/store/draft-context";

/** Edits a code step: its named input values and its source. */
export function CodeForm() {
  const { node } = usePanel();
  const isFullSize = useEditor((state) => state.isFullSize);
  return (
    <>
      <PairsField path={["input"]} title="Input" noun="value" placeholder="orders" />
      <div className="flex flex-col gap-1.5">
        {/* Each step's code has its own undo history. */}
        <ScriptArea key={node.id} isLarge={isFullSize} />
        <p className="text-dense text-text-3">
          Write a default export that takes <code>input</code> and returns JSON, or only the body of that function.
          Network access, imports and timers aren't available. <code>URL</code>, <code>crypto</code>,{" "}
          <code>structuredClone</code> and text encoders are. What it writes with <code>console.log</code> is shown with
          its result.
        </p>
      </div>
    </>
  );
}
