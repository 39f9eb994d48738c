"use client";

import { lazy, useEffect } from "react";

/**
 * What is opened on the canvas, apart from the canvas: the drawing is there first, and what a person opens comes while they
 * look at it.
 */
const loadPanel = () => import("@/components/canvas/panel/node-panel");
const loadTest = () => import("@/components/canvas/testing/test-panel");
const loadPublish = () => import("@/components/publish/publish-dialog");
const loadSheet = () => import("@/components/canvas/editor/shortcut-sheet");

export const NodePanel = lazy(() => loadPanel().then((m) => ({ default: m.NodePanel })));
export const TestPanel = lazy(() => loadTest().then((m) => ({ default: m.TestPanel })));
export const PublishDialog = lazy(() => loadPublish().then((m) => ({ default: m.PublishDialog })));
export const ShortcutSheet = lazy(() => loadSheet().then((m) => ({ default: m.ShortcutSheet })));

const AFTER_MS = 300;

/** Fetches them once the drawing stands, so that nobody waits for what they open. */
export function usePartsSoon(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadPanel, loadTest, loadPublish]) load().catch(() => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
