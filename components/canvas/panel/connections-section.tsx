"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { GraphNode } from "#lib/contract/workflow/graph";
import type { Branch } from "#lib/core/steps/define-step-kind";
import { nodeLabel } from "#lib/core/steps/node-data";
import { connect, deleteEdge } from "@/components/canvas/actions/canvas-actions";
import { branchesOf } from "@/components/canvas/document/branches-of";
import { connectableTargets } from "@/components/canvas/document/connect-nodes";
import { keepFocusIn } from "@/components/canvas/panel/fields/focus-field";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import { Select } from "@/components/ui/forms/select";
import { IconButton } from "@/components/ui/icon-button";

/** Lists the next steps of each branch, to connect and disconnect without a pointer. */
export function ConnectionsSection() {
  const { node } = usePanel();
  const edges = useEditor((state) => state.definition.edges);
  const outputs = branchesOf(node, edges);
  if (outputs.length === 0) return null;
  return (
    <section aria-label="Next steps" className="flex flex-col gap-2">
      <h2 className="font-semibold">Next</h2>
      {outputs.map((output) => (
        <OutputTargets key={output.handle ?? ""} output={output} />
      ))}
    </section>
  );
}

function OutputTargets({ output }: { output: Branch }) {
  const { node } = usePanel();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const editor = useEditorStore();
  const definition = useEditor((state) => state.definition);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const leaving = definition.edges.filter(
    (edge) => edge.source === node.id && (edge.sourceHandle ?? null) === output.handle,
  );
  const source = { source: node.id, sourceHandle: output.handle };
  const { index } = useAnalysis();
  const targets = connectableTargets(index, node.id, output.handle);
  const nameOf = (nodeId: string) => {
    const other = definition.nodes.find((candidate) => candidate.id === nodeId);
    return other === undefined ? nodeId : nodeLabel(other);
  };
  return (
    <div ref={box} className="flex flex-col gap-1">
      <label htmlFor={id} className="text-text-2">
        {output.label === "" ? "After this step" : output.label}
      </label>
      {leaving.length === 0 ? null : (
        <ul>
          {leaving.map((edge) => (
            <ConnectedStep
              key={edge.id}
              name={nameOf(edge.target)}
              onOpen={() => editor.getState().select([edge.target])}
              onDisconnect={
                isReadOnly
                  ? null
                  : () => {
                      deleteEdge(editor, edge.id);
                      keepFocusIn(box.current);
                    }
              }
            />
          ))}
        </ul>
      )}
      {leaving.length + targets.length === 0 ? (
        <p className="text-dense text-text-3">There are no steps to connect to.</p>
      ) : null}
      {isReadOnly || targets.length === 0 ? null : (
        <TargetSelect
          id={id}
          targets={targets}
          onChoose={(target) => {
            connect(editor, { ...source, target });
            keepFocusIn(box.current);
          }}
        />
      )}
    </div>
  );
}

interface ConnectedStepProps {
  name: string;
  onOpen: () => void;
  /** Null for read-only users. */
  onDisconnect: (() => void) | null;
}

function ConnectedStep({ name, onOpen, onDisconnect }: ConnectedStepProps) {
  return (
    <li className="flex h-7 items-center gap-1">
      <button type="button" className="link min-w-0 truncate" onClick={onOpen}>
        {name}
      </button>
      {onDisconnect === null ? null : (
        <IconButton icon={X} size="sm" label={`Disconnect ${name}`} onClick={onDisconnect} />
      )}
    </li>
  );
}

interface TargetSelectProps {
  id: string;
  targets: readonly GraphNode[];
  onChoose: (nodeId: string) => void;
}

/**
 * Chosen with a pointer, a step is connected immediately. With the keyboard, where each key selects another step, only
 * Enter or leaving the list connects it.
 */
function TargetSelect({ id, targets, onChoose }: TargetSelectProps) {
  const [held, setHeld] = useState("");
  const isByKey = useRef(false);
  const chosen = targets.some((other) => other.id === held) ? held : "";
  function choose(nodeId: string) {
    setHeld("");
    if (nodeId !== "") onChoose(nodeId);
  }
  function onKeyDown(event: KeyboardEvent) {
    isByKey.current = isSteppingKey(event);
    if (chosen === "" || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    choose(event.key === "Enter" ? chosen : "");
  }
  return (
    <Select
      id={id}
      value={chosen}
      onKeyDown={onKeyDown}
      onKeyUp={() => {
        isByKey.current = false;
      }}
      onPointerDown={() => {
        isByKey.current = false;
      }}
      onBlur={(event) => {
        // When the whole window loses focus, the list keeps its own.
        if (document.activeElement !== event.currentTarget) choose(chosen);
      }}
      onChange={({ target }) => (isByKey.current ? setHeld(target.value) : choose(target.value))}
    >
      <option value="">Connect to…</option>
      {targets.map((other) => (
        <option key={other.id} value={other.id}>
          {nodeLabel(other)}
        </option>
      ))}
    </Select>
  );
}

const STEPPING_KEYS = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "PageUp"]);

/**
 * Returns true for keys that change the selection of a closed list; Alt with an arrow key, and the space bar, open it.
 */
function isSteppingKey({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  return STEPPING_KEYS.has(key) || ([...key].length === 1 && key !== " ");
}
