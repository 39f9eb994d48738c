import { clsx } from "clsx";
import type { ReactNode } from "react";

/** A key or chord. `isInverse` stands on ink. */
export function Kbd({ children, isInverse = false }: { children: ReactNode; isInverse?: boolean }) {
  return (
    <kbd
      className={clsx(
        "rounded-1 border px-1 font-mono text-micro",
        isInverse ? "border-on-primary/30 text-on-primary" : "border-border bg-surface text-text-3",
      )}
    >
      {children}
    </kbd>
  );
}
