import { useEffect, useState } from "react";
import { type MinimapShapes, minimapShapes } from "@/components/canvas/minimap/minimap-shapes";
import { useDraftSession } from "@/components/canvas/store/draft-context";
import type { CanvasEditor } from "@/components/canvas/store/editor-store";
import type { DraftSession } from "@/components/canvas/store/open-draft";

const SETTLE_MS = 150;
const LOOKED_AT = [
  "definition",
  "notes",
  "sizes",
  "orientation",
  "selectedNodeIds",
] as const satisfies readonly (keyof CanvasEditor)[];

/**
 * Returns the minimap's shapes, updated a moment after the drawing changes. A drag in progress and typed letters don't
 * change the result, so neither renders the minimap.
 */
export function useMinimapShapes(): MinimapShapes | null {
  const session = useDraftSession();
  const [shapes, setShapes] = useState(() => read(session));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = () => {
      timer = null;
      const now = read(session);
      setShapes((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    };
    const refreshSoon = () => {
      timer ??= setTimeout(refresh, SETTLE_MS);
    };
    const leaveEditor = session.editor.subscribe((now, before) => {
      if (LOOKED_AT.some((part) => now[part] !== before[part])) refreshSoon();
    });
    const leaveTests = session.tests.subscribe((now, before) => {
      if (now.lights !== before.lights) refreshSoon();
    });
    refreshSoon();
    return () => {
      leaveEditor();
      leaveTests();
      if (timer !== null) clearTimeout(timer);
    };
  }, [session]);
  return shapes;
}

function read({ editor, tests }: DraftSession): MinimapShapes | null {
  return minimapShapes({ ...editor.getState(), lights: tests.getState().lights });
}
