"use client";

import { clsx } from "clsx";
import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";

export interface Snippet {
  /** "curl", "TypeScript". */
  label: string;
  code: string;
}

interface CodeBlockProps {
  /** One block, or several with a tab each. */
  snippets: readonly Snippet[];
  /** What the block shows; a screen reader reads it as the name. */
  label: string;
  className?: string;
}

/** A block of code with a copy button that is always visible. Long lines wrap, so that nothing is cut off. */
export function CodeBlock({ snippets, label, className }: CodeBlockProps) {
  const [shown, setShown] = useState(0);
  const snippet = snippets[shown] ?? snippets[0];
  if (snippet === undefined) return null;
  return (
    <figure aria-label={label} className={clsx("min-w-0 rounded-3 border border-border bg-sunken", className)}>
      <div className="flex items-center gap-1 border-b border-border py-1 pr-1 pl-2">
        <div className="flex min-w-0 flex-1 flex-wrap gap-1">
          {snippets.length === 1 ? (
            <span className="px-1 text-dense text-text-3">{snippet.label}</span>
          ) : (
            snippets.map((option, index) => (
              <button
                key={option.label}
                type="button"
                aria-pressed={index === shown}
                onClick={() => setShown(index)}
                className={clsx(
                  "h-6 shrink-0 rounded-1 px-2 text-dense -outline-offset-2",
                  index === shown ? "bg-surface font-medium text-text shadow-1" : "text-text-2 hover:text-text",
                )}
              >
                {option.label}
              </button>
            ))
          )}
        </div>
        <CopyButton value={snippet.code} label={`Copy ${snippet.label}`} />
      </div>
      <pre className="p-3 font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap">
        <code>{snippet.code}</code>
      </pre>
    </figure>
  );
}
