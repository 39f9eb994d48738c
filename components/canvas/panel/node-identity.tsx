"use client";

import { Pencil } from "lucide-react";
import { type FocusEvent, type FormEvent, useId, useState } from "react";
import { changeNodeId } from "#lib/core/graph/edits/rewrite-references";
import { nodeLabel } from "#lib/core/steps/node-data";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import { idRefusal } from "@/components/canvas/document/node-ids";
import { renameNode } from "@/components/canvas/document/rename-node";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import { useDraftSession, useEditor } from "@/components/canvas/store/draft-context";
import { afterPointer } from "@/components/ui/after-pointer";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/forms/input";
import { IconButton } from "@/components/ui/icon-button";

/** The step's name as an editable heading. An automatic id follows it. */
export function NodeNameInput() {
  const { node } = usePanel();
  const { editor, tests } = useDraftSession();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [typed, setTyped] = useState<string | null>(null);
  function commit({ relatedTarget }: FocusEvent) {
    if (typed === null || typed.trim() === "") return setTyped(null);
    // The card of another id is another element. One that is being pressed keeps its id until the click has reached it.
    if (relatedTarget?.closest(".react-flow__node")) afterPointer(() => rename(typed));
    else rename(typed);
  }
  function rename(name: string) {
    setTyped(null);
    const { definition, edit, follow } = editor.getState();
    const renamed = renameNode(definition, node.id, name);
    // Update the selection first, because otherwise the panel would briefly have no node.
    follow(node.id, renamed.nodeId);
    tests.getState().follow(node.id, renamed.nodeId);
    edit(renamed.definition);
  }
  return (
    <input
      data-field="name"
      data-held
      aria-label="Step name"
      value={typed ?? nodeLabel(node)}
      readOnly={isReadOnly}
      maxLength={200}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key !== "Escape" || typed === null) return;
        event.stopPropagation();
        setTyped(null);
      }}
      className="-mx-1.5 h-8 min-w-0 flex-1 truncate rounded-2 border border-transparent bg-transparent px-1.5 text-title font-semibold hover:border-border focus:border-border-strong focus:bg-surface"
    />
  );
}

/** Shows the name that expressions use for the step, and lets the user change it. */
export function NodeIdLine() {
  const { node } = usePanel();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [isEditing, setEditing] = useState(false);
  const isEntry = !STEP_KINDS[node.type].hasInput;
  if (isEditing) return <NodeIdForm onDone={() => setEditing(false)} />;
  return (
    <p className="flex h-6 min-w-0 items-center gap-1.5 text-dense text-text-3">
      <span>ID</span>
      <code className="min-w-0 truncate font-mono text-text-2" data-testid="node-id">
        {isEntry ? node.type : node.id}
      </code>
      {isEntry || isReadOnly ? null : (
        <IconButton icon={Pencil} size="sm" label="Change ID" onClick={() => setEditing(true)} />
      )}
    </p>
  );
}

function NodeIdForm({ onDone }: { onDone: () => void }) {
  const { node } = usePanel();
  const { editor, tests } = useDraftSession();
  const errorId = useId();
  const [id, setId] = useState(node.id);
  const taken = new Set(
    editor
      .getState()
      .definition.nodes.filter((other) => other !== node)
      .map((other) => other.id),
  );
  const refusal = idRefusal(id, taken);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (refusal !== null) return;
    const { definition, edit, follow } = editor.getState();
    follow(node.id, id);
    tests.getState().follow(node.id, id);
    edit(changeNodeId(definition, node.id, id));
    onDone();
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
      className="flex flex-col gap-1"
    >
      <div className="flex gap-1.5">
        <Input
          isMono
          aria-label="Step ID"
          aria-invalid={refusal !== null || undefined}
          aria-describedby={errorId}
          value={id}
          onChange={(event) => setId(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          ref={focusOnce}
        />
        <Button type="submit" disabled={refusal !== null}>
          Change
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
      <p id={errorId} className={refusal === null ? "text-dense text-text-3" : "text-dense text-err"}>
        {refusal ?? "Expressions that use this step are updated too."}
      </p>
    </form>
  );
}

function focusOnce(element: HTMLInputElement | null): void {
  element?.focus();
}
