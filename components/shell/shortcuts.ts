"use client";

import { useLayoutEffect, useRef, useSyncExternalStore } from "react";

const STORAGE_KEY = "signalbox.shortcuts";
const listeners = new Set<() => void>();

/** Single-letter shortcuts disturb people who speak to their computer, so they can be switched off (WCAG 2.1.4). */
export function useShortcutsEnabled(): [boolean, (isEnabled: boolean) => void] {
  const isEnabled = useSyncExternalStore(subscribe, readEnabled, () => true);
  return [isEnabled, writeEnabled];
}

/**
 * Runs the handler of a key while no field, dialog or menu has the focus. Keys are compared in lower case. A handler that
 * returns false has left the key to the others; `isFirst` asks before them. What is on the screen hears its keys: an effect
 * that waits for the first drawing would miss those of whoever is quick.
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
