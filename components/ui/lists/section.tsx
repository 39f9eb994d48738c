import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A part of a page under an h2. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 id={id} className="text-title font-semibold">
          {title}
        </h2>
        {description === undefined ? null : <p className="text-text-2">{description}</p>}
      </div>
      {children}
    </section>
  );
}
