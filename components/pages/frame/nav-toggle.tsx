"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { type NavState, rememberNavState } from "@/components/shell/nav-state";
import { IconButton } from "@/components/ui/icon-button";

/** Returns how the navigation is shown, and a function that switches it. ⌘B switches it too. */
export function useNavState(initial: NavState): [NavState, () => void] {
  const [state, setState] = useState(initial);
  const toggle = () => {
    const next = state === "wide" ? "collapsed" : "wide";
    setState(next);
    rememberNavState(next);
  };
  const latest = useRef(toggle);
  useEffect(() => {
    latest.current = toggle;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isChord = (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
      if (!isChord || event.key.toLowerCase() !== "b" || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest("[role=dialog],[role=alertdialog]") !== null) return;
      event.preventDefault();
      latest.current();
    }
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return [state, toggle];
}

/** Collapses the navigation to icons. Shown only from 1024 px: below, the navigation is collapsed anyway. */
export function NavToggle({ state, onToggle }: { state: NavState; onToggle: () => void }) {
  const isWide = state === "wide";
  return (
    <div className="hidden px-3 py-1 lg:block">
      <IconButton
        icon={isWide ? PanelLeftClose : PanelLeftOpen}
        label={isWide ? "Collapse the sidebar" : "Expand the sidebar"}
        shortcut="⌘B"
        aria-expanded={isWide}
        size="sm"
        onClick={onToggle}
      />
    </div>
  );
}
