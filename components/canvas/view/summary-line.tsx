import { Fragment } from "react";
import type { SummaryPart } from "@/components/canvas/kinds/summary-parts";

/** A node's sentence, with its values as chips. */
export function SummaryLine({ parts }: { parts: readonly SummaryPart[] }) {
  let offset = 0;
  return parts.map((part) => {
    offset += part.text.length + 1;
    if (part.kind === "text") return <Fragment key={offset}>{part.text}</Fragment>;
    return <ValueChip key={offset}>{part.text}</ValueChip>;
  });
}

/** A field or expression inside a sentence. */
export function ValueChip({ children }: { children: string }) {
  return (
    <span className="rounded-1 bg-accent-weak box-decoration-clone px-1 py-px font-mono text-micro text-accent">
      {children}
    </span>
  );
}
