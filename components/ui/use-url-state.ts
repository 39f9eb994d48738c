"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import type { UrlCodec } from "@/components/ui/url-codecs";

type Codecs = Record<string, UrlCodec<unknown>>;
type Values<C extends Codecs> = { [K in keyof C]: C[K] extends UrlCodec<infer T> ? T : never };

/** Takes the parameters that change; null resets all of them. With `push`, Back undoes the change. */
type SetUrlState<C extends Codecs> = (next: Partial<Values<C>> | null, history?: "replace" | "push") => void;

/**
 * Keeps state in the address, so that a reload and a link show the same page. A change doesn't call the server.
 * @param codecs must be the same object on every render
 */
export function useUrlState<C extends Codecs>(codecs: C): [Values<C>, SetUrlState<C>] {
  const search = useSearchParams();
  const values = useMemo(() => readAll(codecs, search), [codecs, search]);
  const set = useCallback<SetUrlState<C>>(
    (next, history = "replace") => {
      // Reads the address instead of the last render, so that two changes in a row both apply.
      const params = new URLSearchParams(window.location.search);
      for (const [name, codec] of Object.entries(codecs)) {
        if (next !== null && !(name in next)) continue;
        const text = next === null ? null : codec.write(next[name]);
        if (text === null) params.delete(name);
        else params.set(name, text);
      }
      const query = params.size === 0 ? "" : `?${params}`;
      if (query === window.location.search) return;
      const address = window.location.pathname + query + window.location.hash;
      if (history === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
    },
    [codecs],
  );
  return [values, set];
}

function readAll<C extends Codecs>(codecs: C, search: URLSearchParams): Values<C> {
  return Object.fromEntries(
    Object.entries(codecs).map(([name, codec]) => [name, codec.read(search.get(name))]),
  ) as Values<C>;
}
