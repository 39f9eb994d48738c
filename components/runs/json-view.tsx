"use client";

import { clsx } from "clsx";
import { useState } from "react";
import { JsonTree } from "@/components/runs/json-tree";
import { CopyButton } from "@/components/ui/copy-button";

interface JsonViewProps {
  value: unknown;
  /** "input", "output": names the view and its buttons. */
  label: string;
  /** The name by which expressions reach the value; with it, each field can be copied as an expression. */
  expressionRoot?: string | undefined;
  /** The value was cut when it was read: what is here is the beginning of its JSON text. */
  isTruncated?: boolean;
}

/** A JSON value as a tree or as text. */
export function JsonView({ value, label, expressionRoot, isTruncated = false }: JsonViewProps) {
  const [isRaw, setIsRaw] = useState(false);
  const isCut = isTruncated && typeof value === "string";
  const text = isCut ? value : JSON.stringify(value, null, 2);
  return (
    <section aria-label={label} className="min-w-0 rounded-3 border border-border bg-surface">
      <div className="flex items-center gap-1 border-b border-border py-1 pr-1 pl-2">
        {isCut ? (
          <span className="flex-1 text-dense text-warn">Only the first 64 KiB are shown</span>
        ) : (
          <div className="flex flex-1 gap-1">
            <ModeButton isOn={!isRaw} onClick={() => setIsRaw(false)} label="Tree" />
            <ModeButton isOn={isRaw} onClick={() => setIsRaw(true)} label="Raw" />
            <span className="ml-auto self-center px-1 text-dense text-text-3">{describeBytes(text)}</span>
          </div>
        )}
        <CopyButton value={text} label={`Copy the ${label}`} />
      </div>
      <div className="p-2 font-mono text-dense">
        {isRaw || isCut ? (
          <pre className="[overflow-wrap:anywhere] whitespace-pre-wrap">{text}</pre>
        ) : (
          <JsonTree value={value} label={label} expressionRoot={expressionRoot} />
        )}
      </div>
    </section>
  );
}

function ModeButton({ isOn, onClick, label }: { isOn: boolean; onClick: () => void; label: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={clsx("h-6 rounded-1 px-2 text-dense", isOn ? "bg-sunken font-medium" : "text-text-2 hover:text-text")}
    >
      {label}
    </button>
  );
}

function describeBytes(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
