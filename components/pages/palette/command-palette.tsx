"use client";

import { lazy, Suspense, useEffect, useState } from "react";

const load = () => import("@/components/pages/palette/palette-dialog");
const PaletteDialog = lazy(() => load().then((m) => ({ default: m.PaletteDialog })));

/** The ⌘K palette, wherever the focus is: every page and command by name. Its code loads on first use. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k")
        return;
      event.preventDefault();
      setOpen((wasOpen) => !wasOpen);
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <PaletteDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
