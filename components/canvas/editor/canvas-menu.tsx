"use client";

import type { RefObject } from "react";
import { NOTE_COLORS } from "#lib/contract/workflow/canvas-choices";
import { STEP_KINDS } from "#lib/core/steps/step-kinds";
import {
  deleteEdge,
  deleteSelection,
  duplicateSelection,
  selectAll,
  tidy,
} from "@/components/canvas/actions/canvas-actions";
import { copyByMenu } from "@/components/canvas/actions/clipboard-actions";
import { copyToNew } from "@/components/canvas/actions/copy-to-new";
import { addNote, updateNote } from "@/components/canvas/actions/note-actions";
import { pasteByMenu } from "@/components/canvas/actions/paste-actions";
import { choicesFor, setForSelected } from "@/components/canvas/actions/set-for-selected";
import { disableWord, toggleDisabled } from "@/components/canvas/actions/toggle-disabled";
import { TURN_WORDS, turnDrawing } from "@/components/canvas/actions/turn-drawing";
import type { Point } from "@/components/canvas/document/dimensions";
import type { MenuTarget } from "@/components/canvas/editor/canvas-menu-area";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import { pinOf } from "@/components/canvas/testing/choose-pins";
import { runFrom, runTest, testStep } from "@/components/canvas/testing/run-test";
import { useReactFlow } from "@/components/canvas/view/flow";
import { NOTE_COLOR_WORDS } from "@/components/canvas/view/note-looks";
import { useSession } from "@/components/shell/session-context";
import { ContextItem, ContextMenu, ContextSeparator } from "@/components/ui/overlays/context-menu";

interface CanvasMenuProps {
  target: MenuTarget;
  /** The position in the window where the menu opens. */
  at: Point;
  controls: RefObject<CanvasControls>;
  onClose: () => void;
}

/** The context menu of the right-clicked element, or of the focused element when Shift+F10 is pressed. */
export function CanvasMenu({ target, at, controls, onClose }: CanvasMenuProps) {
  return (
    <ContextMenu label="Drawing" at={at} onClose={onClose}>
      <MenuItems target={target} point={at} controls={controls} />
    </ContextMenu>
  );
}

interface MenuItemsProps {
  target: MenuTarget;
  point: Point;
  controls: RefObject<CanvasControls>;
}

function MenuItems({ target, point, controls }: MenuItemsProps) {
  const { editor } = useDraftSession();
  const isReadOnly = editor.getState().isReadOnly;
  if (target.kind === "pane") return <PaneItems point={point} controls={controls} isReadOnly={isReadOnly} />;
  if (target.kind === "edge") {
    return (
      <ContextItem isDestructive disabled={isReadOnly} onSelect={() => deleteEdge(editor, target.edgeId)}>
        Delete the line
      </ContextItem>
    );
  }
  return (
    <>
      {target.kind === "node" ? <StepItems nodeId={target.nodeId} isReadOnly={isReadOnly} /> : null}
      {target.kind === "note" && !isReadOnly ? <NoteItems noteId={target.noteId} /> : null}
      <SelectionItems isReadOnly={isReadOnly} />
    </>
  );
}

function StepItems({ nodeId, isReadOnly }: { nodeId: string; isReadOnly: boolean }) {
  const session = useDraftSession();
  const { open } = session.editor.getState();
  const { pins, results, pin, unpin } = session.tests.getState();
  const node = session.editor.getState().definition.nodes.find(({ id }) => id === nodeId);
  const result = pinOf(results[nodeId]);
  const hasInput = node !== undefined && STEP_KINDS[node.type].hasInput;
  return (
    <>
      <ContextItem shortcut="Enter" onSelect={() => open(nodeId)}>
        Open
      </ContextItem>
      {isReadOnly ? null : (
        <>
          <ContextItem shortcut="F2" onSelect={() => open(nodeId, "name")}>
            Rename
          </ContextItem>
          <ContextItem shortcut="⌘⇧↵" disabled={!hasInput} onSelect={() => void testStep(session, nodeId)}>
            Test this step
          </ContextItem>
          <ContextItem onSelect={() => void runTest(session, { untilStep: nodeId })}>Run to here</ContextItem>
          <ContextItem disabled={!hasInput} onSelect={() => void runFrom(session, nodeId)}>
            Run from here
          </ContextItem>
          {nodeId in pins ? (
            <ContextItem onSelect={() => unpin(nodeId)}>Unpin the output</ContextItem>
          ) : (
            <ContextItem disabled={result === null || !hasInput} onSelect={() => result && pin(nodeId, result)}>
              Pin the output
            </ContextItem>
          )}
        </>
      )}
      <ContextSeparator />
    </>
  );
}

function NoteItems({ noteId }: { noteId: string }) {
  const { editor } = useDraftSession();
  const color = editor.getState().notes.find(({ id }) => id === noteId)?.color;
  return (
    <>
      <ContextItem shortcut="Enter" onSelect={() => editor.getState().writeNote(noteId)}>
        Edit the text
      </ContextItem>
      {NOTE_COLORS.filter((other) => other !== color).map((other) => (
        <ContextItem key={other} onSelect={() => updateNote(editor, noteId, { color: other })}>
          Make it {NOTE_COLOR_WORDS[other].toLowerCase()}
        </ContextItem>
      ))}
      <ContextSeparator />
    </>
  );
}

function SelectionItems({ isReadOnly }: { isReadOnly: boolean }) {
  const session = useDraftSession();
  const { editor } = session;
  const { selectedNodeIds } = editor.getState();
  const { workspace_id: workspaceId } = useSession().workspace;
  return (
    <>
      <ContextItem shortcut="⌘C" onSelect={() => void copyByMenu(editor, workspaceId, false)}>
        Copy
      </ContextItem>
      {isReadOnly ? null : (
        <>
          <ContextItem shortcut="⌘X" onSelect={() => void copyByMenu(editor, workspaceId, true)}>
            Cut
          </ContextItem>
          <ContextItem shortcut="⌘D" onSelect={() => duplicateSelection(editor)}>
            Duplicate
          </ContextItem>
          <DisableItem />
          {choicesFor(editor.getState().definition, selectedNodeIds).map((choice) => (
            <ContextItem key={choice.label} onSelect={() => setForSelected(editor, choice)}>
              {choice.label}
            </ContextItem>
          ))}
          {selectedNodeIds.length === 0 ? null : (
            <>
              <ContextSeparator />
              <ContextItem onSelect={() => void copyToNew(session, selectedNodeIds)}>
                Copy to a new workflow
              </ContextItem>
              <ContextItem onSelect={() => editor.getState().extract(true)}>Extract as sub-workflow…</ContextItem>
            </>
          )}
          <ContextSeparator />
          <ContextItem isDestructive shortcut="Del" onSelect={() => deleteSelection(editor)}>
            Delete
          </ContextItem>
        </>
      )}
    </>
  );
}

function DisableItem() {
  const editor = useDraftSession().editor;
  const { definition, selectedNodeIds } = editor.getState();
  const word = disableWord(definition, selectedNodeIds);
  return (
    <ContextItem shortcut="D" disabled={word === null} onSelect={() => toggleDisabled(editor)}>
      {word ?? "Disable"}
    </ContextItem>
  );
}

function PaneItems({ point, controls, isReadOnly }: Omit<MenuItemsProps, "target"> & { isReadOnly: boolean }) {
  const session = useDraftSession();
  const { editor } = session;
  const { workspace_id: workspaceId } = useSession().workspace;
  const { screenToFlowPosition } = useReactFlow();
  return (
    <>
      {isReadOnly ? null : (
        <>
          <ContextItem
            shortcut="N"
            onSelect={() => {
              const spot = { kind: "free", position: screenToFlowPosition(point) } as const;
              editor.getState().openPicker({ spot, anchor: point });
            }}
          >
            Add a step here
          </ContextItem>
          <ContextItem shortcut="⇧N" onSelect={() => addNote(editor, screenToFlowPosition(point))}>
            Add a note here
          </ContextItem>
          <ContextItem
            shortcut="⌘V"
            onSelect={() => void pasteByMenu(editor, workspaceId, screenToFlowPosition(point))}
          >
            Paste
          </ContextItem>
          <ContextSeparator />
          <ContextItem onSelect={() => void copyToNew(session, [])}>Copy to a new workflow</ContextItem>
          <ContextItem shortcut="⇧L" onSelect={() => void tidy(editor)}>
            Tidy
          </ContextItem>
          <ContextItem shortcut="⇧T" onSelect={() => void turnDrawing(editor, controls.current)}>
            {TURN_WORDS[editor.getState().orientation]}
          </ContextItem>
        </>
      )}
      <ContextItem shortcut="⌘A" onSelect={() => selectAll(editor)}>
        Select all
      </ContextItem>
      <ContextItem shortcut="1" onSelect={() => controls.current.fit()}>
        Fit to view
      </ContextItem>
    </>
  );
}
