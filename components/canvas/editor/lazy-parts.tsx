"use client";

import { type ComponentType, lazy, type RefObject } from "react";
import { loadPaste } from "@/components/canvas/actions/load-actions";
import { loadExpressionEditor } from "@/components/canvas/expressions/editor/load-editor";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useOnIntent } from "@/components/ui/use-on-intent";

/** Parts of the editor that open on demand. A user who only reads the drawing loads none of them. */
const loadMenu = () => import("@/components/canvas/editor/canvas-menu");
const loadOutline = () => import("@/components/canvas/editor/outline/outline");
const loadFind = () => import("@/components/canvas/editor/find-bar");
const loadMap = () => import("@/components/canvas/minimap/minimap");
const loadPicker = () => import("@/components/canvas/editor/picker/step-picker");
/** Loads with the form of every kind, so that the panel never opens without its step's form. */
const loadPanel = () => Promise.all([import("@/components/canvas/panel/node-panel"), loadKindForms()]);
const loadWorkspace = () => Promise.all([import("@/components/canvas/workspace/step-workspace"), loadKindForms()]);
const loadTest = () => import("@/components/canvas/testing/test-panel");
const loadExtract = () => import("@/components/canvas/editor/extract/extract-dialog");
const loadRunBar = () => import("@/components/canvas/testing/run-bar");
const loadSheet = () => import("@/components/canvas/editor/shortcut-sheet");

export const LazyCanvasMenu = lazy(() => loadMenu().then((m) => ({ default: m.CanvasMenu })));
export const LazyOutline = lazy(() => loadOutline().then((m) => ({ default: m.Outline })));
export const LazyFindBar = lazy(() => loadFind().then((m) => ({ default: m.FindBar })));
export const LazyMinimap = lazy(() => loadMap().then((m) => ({ default: m.Minimap })));
export const LazyStepPicker = lazy(() => loadPicker().then((m) => ({ default: m.StepPicker })));
export const LazyNodePanel = lazy(async () => {
  const [{ NodePanel }, forms] = await loadPanel();
  return { default: (props: { controls: RefObject<CanvasControls> }) => <NodePanel {...props} forms={forms} /> };
});
export const LazyStepWorkspace = lazy(async () => {
  const [{ StepWorkspace }, forms] = await loadWorkspace();
  return { default: (props: { controls: RefObject<CanvasControls> }) => <StepWorkspace {...props} forms={forms} /> };
});
export const LazyTestPanel = lazy(() => loadTest().then((m) => ({ default: m.TestPanel })));
export const LazyExtractDialog = lazy(() => loadExtract().then((m) => ({ default: m.ExtractDialog })));
export const LazyRunBar = lazy(() => loadRunBar().then((m) => ({ default: m.RunBar })));
export const LazyShortcutSheet = lazy(() => loadSheet().then((m) => ({ default: m.ShortcutSheet })));

const ON_INTENT = [
  loadPanel,
  loadExpressionEditor,
  loadWorkspace,
  loadPicker,
  loadMenu,
  loadTest,
  loadOutline,
  loadFind,
  loadPaste,
];

/** The publish dialog; passed in by the page, because it depends on the canvas. */
export interface PublishPart {
  Dialog: ComponentType<{ controls: RefObject<CanvasControls>; onClose: () => void }>;
  /** The functions that load the code. Created once, at module level. */
  loads: readonly (() => Promise<unknown>)[];
}

/** Loads the parts once the user is about to use the page, so that opening one doesn't wait. */
export function usePartsOnIntent(publish: PublishPart): void {
  useOnIntent(ON_INTENT);
  useOnIntent(publish.loads);
}
