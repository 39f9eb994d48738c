"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { NAV_ITEMS, WORKSPACE_ITEMS } from "@/components/shell/nav-items";
import { useShortcuts } from "@/components/shell/shortcuts";

const SEQUENCE_MS = 1_200;

/** G and then a letter leads to a page. */
export function useGoToKeys(): void {
  const router = useRouter();
  const armedAt = useRef(Number.NEGATIVE_INFINITY);
  const handlers: Record<string, () => void> = {
    g: () => {
      armedAt.current = performance.now();
    },
  };
  for (const item of [...NAV_ITEMS, ...WORKSPACE_ITEMS]) {
    handlers[item.key] = () => {
      if (performance.now() - armedAt.current < SEQUENCE_MS) router.push(item.href);
      armedAt.current = Number.NEGATIVE_INFINITY;
    };
  }
  useShortcuts(handlers);
}
