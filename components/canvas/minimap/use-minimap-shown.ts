import { useState } from "react";

const STORAGE_KEY = "signalbox.minimap";
/** A narrower window has no room to spare until the user asks for the map. */
const SHOWN_FROM = 1024;

/** Whether the map is shown, as this browser was last told. */
export function useMinimapShown(): [isShown: boolean, toggle: () => void] {
  const [isShown, setShown] = useState(readShown);
  function toggle() {
    setShown(!isShown);
    try {
      localStorage.setItem(STORAGE_KEY, isShown ? "off" : "on");
    } catch {
      // Without storage every visit begins as the window's width suggests.
    }
  }
  return [isShown, toggle];
}

function readShown(): boolean {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return chosen === null ? window.innerWidth >= SHOWN_FROM : chosen === "on";
}
