"use client";

import { type ComponentType, lazy, type RefObject } from "react";
import { loadKindForms } from "@/components/canvas/kinds/load-kind-forms";
import type { CanvasControls } from "@/components/canvas/store/canvas-controls";
import { useSoon } from "@/components/ui/use-soon";

/**
 * What is opened on the canvas, apart from the canvas: the drawing is there first, and what a person opens comes while they
 * look at it.
 */
const loadMenu = () => import("@/components/canvas/editor/canvas-menu");
const loadOutline = () => import("@/components/canvas/editor/outline/outline");
const loadFind = () => import("@/components/canvas/editor/find-bar");
const loadMap = () => import("@/components/canvas/minimap/minimap");
const loadPicker = () => import("@/components/canvas/editor/node-picker");
/** With the form of every kind: the panel is never open without the form of its step. */
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

/** The publish dialog, which knows the canvas and comes from the page. */
export interface PublishPart {
  Dialog: ComponentType<{ controls: RefObject<CanvasControls>; onClose: () => void }>;
  /** Fetches its code. Made once, at module level. */
  loads: readonly (() => Promise<unknown>)[];
}

/** Fetches them once the drawing is there, so that no one waits for what they open. */
export function usePartsSoon(publish: PublishPart): void {
  useSoon(LOADS);
  useSoon(publish.loads);
}
