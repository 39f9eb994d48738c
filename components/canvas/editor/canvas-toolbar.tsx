"use client";

import {
  ArrowDownFromLine,
  ArrowRightFromLine,
  CircleHelp,
  ListChecks,
  ListTree,
  MapIcon,
  Maximize,
  Plus,
  Redo2,
  StickyNote,
  Undo2,
  WandSparkles,
} from "lucide-react";
import { lazy, type RefObject } from "react";
import { useStore } from "zustand";
import { tidy } from "@/components/canvas/actions/canvas-actions";
import { TURN_WORDS, turnDrawing } from "@/components/canvas/actions/turn-drawing";
import { CANVAS_TOOLS, ChoosingToolbar } from "@/components/canvas/editor/choosing-toolbar";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useEditor, useEditorStore, useHistory } from "@/components/canvas/store/draft-context";
import type { ZoomStore } from "@/components/canvas/store/zoom-store";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/forms/kbd";
import { IconButton } from "@/components/ui/icon-button";
import { LazyMenu } from "@/components/ui/overlays/lazy-menu";

interface CanvasToolbarProps {
  controls: RefObject<CanvasControls>;
  zoom: ZoomStore;
  isOutlineOpen: boolean;
  isMapShown: boolean;
}

/** The tools of the canvas, in the row of the workflow's tabs. Every button shows its key. */
export function CanvasToolbar({ controls, zoom, isOutlineOpen, isMapShown }: CanvasToolbarProps) {
  const editor = useEditorStore();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const isEmpty = useEditor((state) => state.definition.nodes.length === 0);
  const isChoosing = useEditor((state) => state.isChoosing);
  if (isChoosing) return <ChoosingToolbar />;
  return (
    <div role="toolbar" aria-label="Canvas" className={CANVAS_TOOLS}>
      {isReadOnly ? null : <EditButtons controls={controls} isEmpty={isEmpty} />}
      <ZoomControl controls={controls} zoom={zoom} />
      <IconButton icon={Maximize} label="Fit to view" shortcut="1" onClick={() => controls.current.fit()} />
      <IconButton
        icon={ListChecks}
        label="Select several"
        disabled={isEmpty}
        onClick={() => editor.getState().chooseSeveral(true)}
      />
      <IconButton
        icon={ListTree}
        label="Outline"
        shortcut="O"
        aria-pressed={isOutlineOpen}
        className={isOutlineOpen ? "bg-sunken text-text" : ""}
        onClick={() => controls.current.toggleOutline()}
      />
      <span className="hidden @xl:inline">
        <IconButton
          icon={MapIcon}
          label="Minimap"
          shortcut="M"
          aria-pressed={isMapShown}
          className={isMapShown ? "bg-sunken text-text" : ""}
          onClick={() => controls.current.toggleMap()}
        />
      </span>
      <span className="hidden @sm:inline">
        <IconButton
          icon={CircleHelp}
          label="Keyboard shortcuts"
          shortcut="?"
          onClick={() => controls.current.openHelp()}
        />
      </span>
    </div>
  );
}

/** Tools that change the drawing; hidden from read-only users. */
function EditButtons({ controls, isEmpty }: Pick<CanvasToolbarProps, "controls"> & { isEmpty: boolean }) {
  const editor = useEditorStore();
  const canUndo = useHistory((history) => history.pastStates.length > 0);
  const canRedo = useHistory((history) => history.futureStates.length > 0);
  const orientation = useEditor((state) => state.orientation);
  const { undo, redo } = editor.getState();
  return (
    <>
      <Button variant="ghost" onClick={() => controls.current.addNode()}>
        <Plus aria-hidden className="size-4" strokeWidth={1.75} />
        <ButtonText shortcut="N">Add step</ButtonText>
      </Button>
      <Button variant="ghost" onClick={() => void tidy(editor)} disabled={isEmpty}>
        <WandSparkles aria-hidden className="size-4" strokeWidth={1.75} />
        <ButtonText shortcut="⇧L">Tidy</ButtonText>
      </Button>
      <span className="hidden @sm:inline">
        <IconButton
          icon={orientation === "vertical" ? ArrowRightFromLine : ArrowDownFromLine}
          label={TURN_WORDS[orientation]}
          shortcut="⇧T"
          disabled={isEmpty}
          onClick={() => void turnDrawing(editor, controls.current)}
        />
      </span>
      <IconButton icon={StickyNote} label="Add a note" shortcut="⇧N" onClick={() => controls.current.addNote()} />
      <Divider />
      <IconButton icon={Undo2} label="Undo" shortcut="⌘Z" disabled={!canUndo} onClick={() => undo()} />
      <IconButton icon={Redo2} label="Redo" shortcut="⌘⇧Z" disabled={!canRedo} onClick={() => redo()} />
      <Divider />
    </>
  );
}

/** Shows the label and key if there is room for them; screen readers always read the label. */
function ButtonText({ children, shortcut }: { children: string; shortcut: string }) {
  return (
    <>
      <span className="sr-only @lg:not-sr-only">{children}</span>
      <span aria-hidden className="hidden @lg:inline">
        <Kbd>{shortcut}</Kbd>
      </span>
    </>
  );
}

function Divider() {
  return <span aria-hidden className="mx-1 hidden h-5 border-l border-border @sm:inline" />;
}

const loadMenu = () => import("@/components/canvas/editor/zoom-menu");
const ZoomMenu = lazy(() => loadMenu().then((m) => ({ default: m.ZoomMenu })));

/** Shows the zoom in percent; opens a menu of zooms. */
function ZoomControl({ controls, zoom }: { controls: RefObject<CanvasControls>; zoom: ZoomStore }) {
  const percent = useStore(zoom, (state) => Math.round(state.zoom * 100));
  return (
    <LazyMenu
      preload={loadMenu}
      trigger={
        <Button variant="ghost" aria-label={`Zoom: ${percent}%`} className="min-w-14 px-2 tabular-nums">
          {percent}%
        </Button>
      }
    >
      {(menu) => <ZoomMenu {...menu} controls={controls} />}
    </LazyMenu>
  );
}
