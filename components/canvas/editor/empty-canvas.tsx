"use client";

import { Plus, Zap } from "lucide-react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { STEP_KINDS, type StepType } from "#lib/core/steps/step-kinds";
import { insertAt, startCallableWorkflow } from "@/components/canvas/actions/canvas-actions";
import { useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { describeCard } from "@/components/canvas/view/card-model";
import { NodeCard } from "@/components/canvas/view/node-card";
import { Button } from "@/components/ui/button";

const EXAMPLES: readonly GraphNode[] = [
  exampleNode("action_input", [{ name: "order_id", type: "string", required: true }]),
  exampleNode("return_output", [{ name: "status" }]),
];

function exampleNode(type: StepType, properties: readonly unknown[]): GraphNode {
  return { id: type, type, position: { x: 0, y: 0 }, data: { name: STEP_KINDS[type].title, properties } };
}

/** The empty state of a new workflow: an example, and the button that creates it. */
export function EmptyCanvas() {
  const editor = useEditorStore();
  const isEmpty = useEditor((state) => state.definition.nodes.length + state.notes.length === 0);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (!isEmpty) return null;
  return (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-6 p-6">
      <div aria-hidden className="flex flex-col items-center opacity-70">
        {EXAMPLES.map((node, index) => (
          <div key={node.id} className="flex flex-col items-center">
            {index > 0 ? <span className="h-8 border-l-[1.6px] border-dashed border-border-strong" /> : null}
            <NodeCard model={describeCard(node, index + 1, [])} />
          </div>
        ))}
      </div>
      <div className="flex max-w-lg flex-col items-center gap-2 text-center">
        <h2 className="text-page font-semibold">An action takes an input and returns an output</h2>
        <p className="text-text-2">
          Start with these two steps, then add what happens between them. Or start with a trigger to run the workflow
          automatically.
        </p>
        {isReadOnly ? null : (
          <div className="pointer-events-auto mt-2 flex flex-wrap justify-center gap-2">
            <Button variant="primary" onClick={() => startCallableWorkflow(editor)}>
              <Plus aria-hidden className="size-4" />
              Start with Action Input and Return Output
            </Button>
            <Button onClick={() => insertAt(editor, { type: "trigger" }, { kind: "free", position: { x: 0, y: 0 } })}>
              <Zap aria-hidden className="size-4" />
              Start with a trigger
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
