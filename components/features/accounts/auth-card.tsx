import type { ReactNode } from "react";

interface AuthCardProps {
  title: string;
  children: ReactNode;
  /** A link to the other form, shown below the card. */
  footer?: ReactNode;
}

export function AuthCard({ title, children, footer }: AuthCardProps) {
  return (
    <div className="w-full max-w-[380px]">
      <section className="rounded-4 border border-border bg-surface p-6 shadow-1 sm:p-7">
        <h1 className="text-hero font-semibold">{title}</h1>
        {children}
      </section>
      {footer === undefined ? null : <p className="mt-4 text-center text-text-2">{footer}</p>}
    </div>
  );
}
