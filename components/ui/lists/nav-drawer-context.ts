"use client";

import { createContext, useContext } from "react";

interface NavDrawer {
  open: () => void;
}

/** Null outside the signed-in pages, which have no navigation. */
export const NavDrawerContext = createContext<NavDrawer | null>(null);

export function useNavDrawer(): NavDrawer | null {
  return useContext(NavDrawerContext);
}
