"use client";

import { useRouter } from "next/navigation";
import { useRef } from "react";
import { useShortcuts } from "@/components/shell/shortcuts";
import { useNavItems } from "@/components/shell/use-nav-items";

const SEQUENCE_MS = 1_200;

/** G and then a letter opens a page, even if the letter alone has another meaning. */
export function useGoToKeys(): void {
  const router = useRouter();
  const { main, workspace } = useNavItems();
  const armedAt = useRef(Number.NEGATIVE_INFINITY);
  const handlers: Record<string, () => unknown> = {
    g: () => {
      armedAt.current = performance.now();
    },
  };
  for (const item of [...main, ...workspace]) {
    handlers[item.key] = () => {
      const isArmed = performance.now() - armedAt.current < SEQUENCE_MS;
      armedAt.current = Number.NEGATIVE_INFINITY;
      if (isArmed) router.push(item.href);
      return isArmed;
    };
  }
  useShortcuts(handlers, true);
}
