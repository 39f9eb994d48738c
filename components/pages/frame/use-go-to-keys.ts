"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { NAV_ITEMS, WORKSPACE_ITEMS } from "@/components/shell/nav-items";
import { useShortcuts } from "@/components/shell/shortcuts";

const SEQUENCE_MS = 1_200;

/** G and then a letter opens a page, even if the letter alone has another meaning. */
export function useGoToKeys(): void {
  const router = useRouter();
  const armedAt = useRef(Number.NEGATIVE_INFINITY);
  const handlers: Record<string, () => unknown> = {
    g: () => {
      armedAt.current = performance.now();
    },
  };
  for (const item of [...NAV_ITEMS, ...WORKSPACE_ITEMS]) {
    handlers[item.key] = () => {
      const isArmed = performance.now() - armedAt.current < SEQUENCE_MS;
      armedAt.current = Number.NEGATIVE_INFINITY;
      if (isArmed) router.push(item.href);
      return isArmed;
    };
  }
  useShortcuts(handlers, true);
}
