"use client";

import { useEffect } from "react";

/** What a press would act on. */
const CONTROLS = 'a,button,input,label,select,textarea,summary,[tabindex="0"]';
/** A pointer that only crosses a control, or has the page moved under it by a wheel, stays for a shorter time. */
const REST_MS = 100;

/**
 * Fetches code once the user is about to use the page: the pointer rests on a control, or a finger, a button, or a key is
 * pressed. A page that is only read loads none of it.
 * @param loads created once, at module level
 */
export function useOnIntent(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => onIntent(() => loads.map((load) => load().catch(() => undefined))), [loads]);
}

/**
 * Calls the listener once, when the user is about to use the page.
 * @returns a function that stops waiting for it
 */
export function onIntent(listener: () => void): () => void {
  const watching = new AbortController();
  const options = { capture: true, passive: true, signal: watching.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    watching.abort();
    clearTimeout(timer);
  };
  const tell = () => {
    stop();
    listener();
  };
  const wait = ({ target }: Event) => {
    clearTimeout(timer);
    if (target instanceof Element && target.closest(CONTROLS) !== null) timer = setTimeout(tell, REST_MS);
  };
  for (const event of ["pointerover", "wheel"]) window.addEventListener(event, wait, options);
  for (const event of ["pointerdown", "keydown"]) window.addEventListener(event, tell, options);
  return stop;
}
