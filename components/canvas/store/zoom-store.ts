import { createStore, type StoreApi } from "zustand/vanilla";

/** The current zoom. It changes with every frame of a zoom, so it is not in the editor, where every card listens. */
export type ZoomStore = StoreApi<{ zoom: number }>;

export function createZoomStore(): ZoomStore {
  return createStore(() => ({ zoom: 1 }));
}
