"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { OVER_CANVAS } from "@/components/canvas/docks/read-room";
import { findNotes, isNoteId } from "@/components/canvas/document/canvas-notes";
import { findSteps, type StepMatch } from "@/components/canvas/document/find-steps";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useAnalysis, useEditor, useEditorStore } from "@/components/canvas/store/draft-context";
import type { EditorStore } from "@/components/canvas/store/editor-store";
import { IconButton } from "@/components/ui/icon-button";

interface FindBarProps {
  controls: RefObject<CanvasControls>;
  onClose: () => void;
}

/** Finds text in names, kinds and fields of this workflow (⌘F); Enter moves through the matching steps. */
export function FindBar({ controls, onClose }: FindBarProps) {
  const editor = useEditorStore();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(-1);
  const matches = useMatches(query);
  useEffect(() => input.current?.focus(), []);
  function walk(distance: number) {
    if (matches.length === 0) return;
    const next = (at + distance + matches.length) % matches.length;
    setAt(next);
    showMatch(editor, controls.current, matches[next]);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") walk(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** Closes the bar at the current match: its panel opens at the field that contains the text. */
  function close() {
    onClose();
    const match = matches[at];
    if (match === undefined) return;
    if (match.field !== null) editor.getState().open(match.nodeId, match.field);
    else controls.current.focusNode(match.nodeId);
  }
  return (
    <search
      aria-label="Find in this workflow"
      {...OVER_CANVAS}
      className="absolute top-3 right-3 z-10 flex max-w-[calc(100%-24px)] items-center gap-1 rounded-3 border border-border bg-raised p-1 shadow-2"
    >
      <input
        ref={input}
        aria-label="Find in this workflow"
        placeholder="Find in this workflow"
        value={query}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
        className="h-control w-52 min-w-0 rounded-2 bg-transparent px-2.5"
      />
      <span role="status" className="min-w-16 text-center text-dense text-text-3">
        {describeCount(query, matches.length, at)}
      </span>
      <IconButton icon={ChevronUp} label="Previous match" shortcut="⇧Enter" size="sm" onClick={() => walk(-1)} />
      <IconButton icon={ChevronDown} label="Next match" shortcut="Enter" size="sm" onClick={() => walk(1)} />
      <IconButton icon={X} label="Close the search" shortcut="Esc" size="sm" onClick={close} />
    </search>
  );
}

/** Returns the steps in reading order, then the notes, that contain the text. */
function useMatches(query: string): StepMatch[] {
  const { steps, index } = useAnalysis();
  const notes = useEditor((state) => state.notes);
  const order = [...steps].sort((a, b) => a[1] - b[1]).map(([id]) => id);
  return [
    ...findSteps(index.definition, order, query),
    ...findNotes(notes, query).map(({ id }) => ({ nodeId: id, field: null })),
  ];
}

function showMatch(editor: EditorStore, controls: CanvasControls, match: StepMatch | undefined): void {
  if (match === undefined) return;
  if (isNoteId(match.nodeId)) editor.getState().select([], [], [match.nodeId]);
  else editor.getState().select([match.nodeId]);
  editor.getState().closePanel();
  controls.showNode(match.nodeId);
}

function describeCount(query: string, count: number, at: number): string {
  if (query.trim() === "") return "";
  if (count === 0) return "No matches";
  if (at < 0) return formatCount(count, "match", "matches");
  return `${at + 1} of ${count}`;
}
