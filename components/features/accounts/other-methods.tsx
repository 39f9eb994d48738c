import type { ReactNode } from "react";

interface OtherMethodsProps {
  /** False renders nothing: there is only the form. */
  hasAny: boolean;
  children: ReactNode;
}

/** Buttons below the form, for methods that need no password. */
export function OtherMethods({ hasAny, children }: OtherMethodsProps) {
  if (!hasAny) return null;
  return (
    <div className="mt-5 flex flex-col gap-2.5">
      <div className="mb-1 flex items-center gap-3 text-dense text-text-3">
        <span className="h-px flex-1 bg-border" />
        or
        <span className="h-px flex-1 bg-border" />
      </div>
      {children}
    </div>
  );
}
