import { clsx } from "clsx";

/** A gray bar in place of a text or a control; give it the final size, so that nothing shifts. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx("block rounded-1 bg-border/70 animate-pulse", className)} />;
}

/** Announces loading to a screen reader once, while skeletons are shown. */
export function LoadingLabel({ children }: { children: string }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  );
}
