import { useState } from "react";

const STORAGE_KEY = "signalbox.minimap";
/** A narrower window hides the minimap until the user opens it, because it has no room to spare. */
const SHOWN_FROM = 1024;

/** Returns whether the minimap is shown, as last chosen in this browser. */
export function useMinimapShown(): [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(readShown);
  function toggle() {
    setShown(!isShown);
    try {
      localStorage.setItem(STORAGE_KEY, isShown ? "off" : "on");
    } catch {
      // Without storage, every visit starts with the default for the window's width.
    }
  }
  return [isShown, toggle];
}

function readShown(): boolean {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return chosen === null ? window.innerWidth >= SHOWN_FROM : chosen === "on";
}
