"use client";

import { useState } from "react";
import { formatNumber } from "#lib/support/format/format-number";
import { splitRedactions } from "@/components/features/json/redaction";
import { Tooltip } from "@/components/ui/tooltip";

/**
 * Only the first part of a longer text is shown initially: a megabyte on one line would be laid out again on every
 * scroll.
 */
const SHOWN_CHARACTERS = 4_000;

/** A value without nested values. */
export function JsonLeaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <JsonText text={value} />;
  if (typeof value === "number" || typeof value === "boolean")
    return <span className="text-accent">{String(value)}</span>;
  if (Array.isArray(value)) return <span className="text-text-3">[]</span>;
  if (typeof value === "object" && value !== null) return <span className="text-text-3">{"{}"}</span>;
  return <span className="text-text-3">null</span>;
}

function JsonText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(text.length <= SHOWN_CHARACTERS);
  return (
    <span className="whitespace-pre-wrap text-ok">
      "
      {splitRedactions(isWhole ? text : text.slice(0, SHOWN_CHARACTERS)).map((part) =>
        part.meaning === null ? part.text : <Redaction key={part.at} text={part.text} meaning={part.meaning} />,
      )}
      {isWhole ? (
        '"'
      ) : (
        <>
          {"… "}
          <button type="button" className="link font-sans" onClick={() => setIsWhole(true)}>
            Show all {formatNumber(text.length)} characters
          </button>
        </>
      )}
    </span>
  );
}

/** A marker of the sanitizer with its explanation, reachable by keyboard. */
function Redaction({ text, meaning }: { text: string; meaning: string }) {
  return (
    <Tooltip content={meaning}>
      <button type="button" className="cursor-help rounded-1 bg-idle-bg px-1 text-idle">
        {text}
      </button>
    </Tooltip>
  );
}
