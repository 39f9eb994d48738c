import { clsx } from "clsx";

/** A grey bar where text or a control will stand; give it the final size, so that nothing shifts. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx("block rounded-1 bg-border/70 animate-pulse", className)} />;
}

/** Said once to a screen reader while skeletons stand in. */
export function LoadingLabel({ children }: { children: string }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  );
}
