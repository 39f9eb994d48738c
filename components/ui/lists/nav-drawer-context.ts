"use client";

import { createContext, useContext } from "react";

interface NavDrawer {
  open: () => void;
}

/** Null outside the signed-in pages, where there is nothing to navigate. */
export const NavDrawerContext = createContext<NavDrawer | null>(null);

export function useNavDrawer(): NavDrawer | null {
  return useContext(NavDrawerContext);
}
