"use client";

import { Plus } from "lucide-react";
import type { MouseEvent } from "react";
import { nodeLabel } from "#lib/core/steps/node-data";
import { framesOf } from "@/components/canvas/document/frames";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { Button } from "@/components/ui/button";

/** Lists the steps inside a loop and adds new ones, without a pointer. */
export function LoopBody() {
  const { node } = usePanel();
  const editor = useEditorStore();
  const { index, steps } = useAnalysis();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const stepOf = (id: string) => steps.get(id) ?? 0;
  const body = [...(framesOf(index.definition).bodyOf.get(node.id) ?? [])].sort((a, b) => stepOf(a.id) - stepOf(b.id));
  function add(event: MouseEvent<HTMLButtonElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const anchor = { x: box.left + box.width / 2, y: box.bottom };
    editor.getState().openPicker({ spot: { kind: "inside", loopId: node.id }, anchor });
  }
  return (
    <section aria-label="Steps inside" className="flex flex-col gap-1.5">
      <h2 className="font-semibold">Steps inside</h2>
      {body.length === 0 ? (
        <p className="text-dense text-text-3">No steps yet. Add one here, or drag a step into the loop.</p>
      ) : (
        <ul>
          {body.map((inner) => (
            <li key={inner.id} className="flex h-7 items-center">
              <button
                type="button"
                className="link min-w-0 truncate"
                onClick={() => editor.getState().select([inner.id])}
              >
                {stepOf(inner.id)}. {nodeLabel(inner)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isReadOnly ? null : (
        <Button size="sm" className="self-start" onClick={add}>
          <Plus aria-hidden className="size-3.5" />
          Add a step inside
        </Button>
      )}
    </section>
  );
}
