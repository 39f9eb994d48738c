import { clsx } from "clsx";
import type { ReactNode } from "react";

interface SpecimenProps {
  /** What is shown, and in which state. */
  name: string;
  /** On its own line instead of next to the others. */
  isWide?: boolean;
  children: ReactNode;
}

/** One specimen with its name. */
export function Specimen({ name, isWide = false, children }: SpecimenProps) {
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1.5", isWide && "w-full")}>
      <h3 className="text-dense text-text-3">{name}</h3>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}

/** Specimens next to each other on the page's background. */
export function SpecimenSheet({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-8 gap-y-5 rounded-3 border border-border bg-surface p-4">
      {children}
    </div>
  );
}
