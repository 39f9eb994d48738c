import type { ReactNode } from "react";

interface ReferencePartProps {
  /** The anchor that the table of contents leads to. */
  id: string;
  title: string;
  description: string;
  children: ReactNode;
}

/** A chapter of a reference page. */
export function ReferencePart({ id, title, description, children }: ReferencePartProps) {
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 id={id} className="scroll-mt-16 text-page font-semibold">
          {title}
        </h2>
        <p className="text-text-2 [overflow-wrap:anywhere]">{description}</p>
      </div>
      {children}
    </section>
  );
}
