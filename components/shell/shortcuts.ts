"use client";

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

const STORAGE_KEY = "signalbox.shortcuts";
const listeners = new Set<() => void>();

/** Users can switch off single-letter shortcuts, which interfere with speech input (WCAG 2.1.4). */
export function useShortcutsEnabled(): [boolean, (isEnabled: boolean) => void] {
  const isEnabled = useSyncExternalStore(subscribe, readEnabled, () => true);
  return [isEnabled, writeEnabled];
}

/**
 * Runs the handler of a key while no field, dialog or menu has the focus. Keys are compared in lower case. A handler
 * that returns false leaves the key to the others; `isFirst` handlers run before them. They are registered in a layout
 * effect: a later effect would miss the keys of a fast user.
 */
export function useShortcuts(handlers: Readonly<Record<string, () => unknown>>, isFirst = false): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const handler = readEnabled() ? latest.current[event.key.toLowerCase()] : undefined;
      if (handler !== undefined && handler() !== false) event.preventDefault();
    }
    document.addEventListener("keydown", onKeyDown, isFirst);
    return () => document.removeEventListener("keydown", onKeyDown, isFirst);
  }, [isFirst]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input,textarea,select,[role=dialog],[role=alertdialog],[role=menu]") !== null
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function readEnabled(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "off";
}

function writeEnabled(isEnabled: boolean): void {
  localStorage.setItem(STORAGE_KEY, isEnabled ? "on" : "off");
  for (const listener of listeners) listener();
}
