"use client";

import { useId } from "react";
import { nodeLabel } from "#lib/core/steps/node-data";
import { moveInto } from "@/components/canvas/actions/canvas-actions";
import { frameOfNode, framesOf, ROOT } from "@/components/canvas/document/frames";
import { crossingRefusal } from "@/components/canvas/layout/move-across";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { Select } from "@/components/ui/forms/select";

/** Moves the step into or out of a loop without dragging. Hidden when there is no choice. */
export function FrameSection() {
  const { node } = usePanel();
  const id = useId();
  const editor = useEditorStore();
  const { index } = useAnalysis();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const { definition } = index;
  const frame = frameOfNode(definition, node.id);
  const loops = framesOf(definition).outerFirst.filter(
    (loopId) => loopId !== ROOT && crossingRefusal(definition, node.id, loopId) === null,
  );
  if (loops.length === 0) return null;
  return (
    <section aria-label="Location" className="flex flex-col gap-1">
      <label htmlFor={id} className="font-semibold">
        Location
      </label>
      <Select
        id={id}
        value={frame}
        disabled={isReadOnly}
        onChange={(event) => moveInto(editor, node.id, event.target.value)}
      >
        <option value={ROOT}>Not in a loop</option>
        {loops.map((loopId) => {
          const loop = index.nodes.get(loopId);
          return (
            <option key={loopId} value={loopId}>
              {loop === undefined ? loopId : nodeLabel(loop)}
            </option>
          );
        })}
      </Select>
    </section>
  );
}
