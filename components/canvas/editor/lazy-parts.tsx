"use client";

import { type ComponentType, lazy, type RefObject } from "react";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useSoon } from "@/components/ui/use-soon";

/** Parts of the editor that open on demand. They load after the drawing, so that the drawing appears first. */
const loadMenu = () => import("@/components/canvas/editor/canvas-menu");
const loadOutline = () => import("@/components/canvas/editor/outline/outline");
const loadFind = () => import("@/components/canvas/editor/find-bar");
const loadMap = () => import("@/components/canvas/minimap/minimap");
const loadPicker = () => import("@/components/canvas/editor/node-picker");
/** Loads with the form of every kind, so that the panel never opens without its step's form. */
const loadPanel = () => Promise.all([import("@/components/canvas/panel/node-panel"), loadKindForms()]);
const loadTest = () => import("@/components/canvas/testing/test-panel");
const loadSheet = () => import("@/components/canvas/editor/shortcut-sheet");

export const LazyCanvasMenu = lazy(() => loadMenu().then((m) => ({ default: m.CanvasMenu })));
export const LazyOutline = lazy(() => loadOutline().then((m) => ({ default: m.Outline })));
export const LazyFindBar = lazy(() => loadFind().then((m) => ({ default: m.FindBar })));
export const LazyMinimap = lazy(() => loadMap().then((m) => ({ default: m.Minimap })));
export const LazyNodePicker = lazy(() => loadPicker().then((m) => ({ default: m.NodePicker })));
export const LazyNodePanel = lazy(async () => {
  const [{ NodePanel }, forms] = await loadPanel();
  return { default: (props: { controls: RefObject<CanvasControls> }) => <NodePanel {...props} forms={forms} /> };
});
export const LazyTestPanel = lazy(() => loadTest().then((m) => ({ default: m.TestPanel })));
export const LazyShortcutSheet = lazy(() => loadSheet().then((m) => ({ default: m.ShortcutSheet })));

const LOADS = [loadPanel, loadPicker, loadMenu, loadTest, loadOutline, loadFind];

/** The publish dialog; passed in by the page, because it depends on the canvas. */
export interface PublishPart {
  Dialog: ComponentType<{ controls: RefObject<CanvasControls>; onClose: () => void }>;
  /** The functions that load the code. Created once, at module level. */
  loads: readonly (() => Promise<unknown>)[];
}

/** Loads the parts once the drawing is rendered, so that users don't wait when they open one. */
export function usePartsSoon(publish: PublishPart): void {
  useSoon(LOADS);
  useSoon(publish.loads);
}
