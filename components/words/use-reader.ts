"use client";

import { useSyncExternalStore } from "react";
import { currentReader, DEFAULT_READER, type Reader } from "#lib/support/format/reader";

/**
 * Returns the reader to format with where the server also renders the value: `DEFAULT_READER` on the server and while
 * the browser takes over its HTML, which must be the same, and then the browser's. Values that come from a query need no
 * hook, because the server never renders them.
 */
export function useReader(): Reader {
  return useSyncExternalStore(subscribeToNothing, currentReader, serverReader);
}

const subscribeToNothing = () => () => undefined;
const serverReader = () => DEFAULT_READER;
