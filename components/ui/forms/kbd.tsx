"use client";

import { clsx } from "clsx";
import { useSyncExternalStore } from "react";
import { hasCommandKey, keyWords } from "@/components/ui/forms/key-words";

const subscribeNever = () => () => undefined;

/** A key or chord, written as on a Mac and shown as on the user's keyboard. `isInverse` is for a dark background. */
export function Kbd({ children, isInverse = false }: { children: string; isInverse?: boolean }) {
  const isMac = useSyncExternalStore(subscribeNever, hasCommandKey, () => true);
  return (
    <kbd
      className={clsx(
        "rounded-1 border px-1 font-mono text-micro",
        isInverse ? "border-on-primary/30 text-on-primary" : "border-border bg-surface text-text-3",
      )}
    >
      {keyWords(children, isMac)}
    </kbd>
  );
}
