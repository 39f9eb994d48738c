"use client";

import { useMemo, useState } from "react";
import { formatCount } from "#lib/support/format/format-number";
import { loopsAround } from "@/components/canvas/document/frames";
import { usePanel } from "@/components/canvas/panel/fields/panel-context";
import {
  type PreviewedPrompt,
  type PromptMessage,
  type PromptPart,
  previewPrompt,
} from "@/components/canvas/samples/preview-prompt";
import { useAnalysis, useKnown } from "@/components/canvas/store/draft-context";

/** Longer values are cut, because no one reads more in a panel. */
const SHOWN_CHARACTERS = 2_000;
const ROLES: Record<PromptMessage["role"], string> = { system: "System", user: "User" };

/** Previews what the model would get, with the values of the last run; computed only while it is open. */
export function PromptPreview() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer font-medium">Prompt preview</summary>
      {isOpen ? <Messages /> : null}
    </details>
  );
}

function Messages() {
  const { node } = usePanel();
  const analysis = useAnalysis();
  const known = useKnown();
  const { messages, tokens, missing } = useMemo(
    () => previewPrompt(node.data, analysis, known, loopsAround(analysis.index.definition, node.id)),
    [node, analysis, known],
  );
  if (messages.length === 0)
    return <p className="mt-2 text-dense text-text-3">Write a prompt to preview what the model receives.</p>;
  return (
    <div className="mt-2 flex flex-col gap-2">
      {messages.map(({ role, parts }) => (
        <section key={role} aria-label={`${ROLES[role]} message`} className="rounded-2 border border-border bg-sunken">
          <h4 className="border-b border-border px-2.5 py-1 text-micro text-text-3">{ROLES[role]}</h4>
          <p className="max-h-72 overflow-y-auto px-2.5 py-1.5 font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap">
            {parts.map((part) => (
              <Part key={part.at} part={part} />
            ))}
          </p>
        </section>
      ))}
      {missing.length === 0 ? null : (
        <ul aria-label="Missing values" className="flex flex-col gap-0.5 text-dense text-warn">
          {missingReasons(missing).map(([source, reason]) => (
            <li key={source}>
              <span className="font-mono [overflow-wrap:anywhere]">{source}</span>: {reason}.
            </li>
          ))}
        </ul>
      )}
      <p className="text-dense text-text-3">
        Estimate: about {formatCount(tokens, "token")}
        {missing.length === 0 ? "" : ", without the missing values"}.
      </p>
    </div>
  );
}

function Part({ part }: { part: PromptPart }) {
  if (part.kind === "text") return part.text;
  if (part.kind === "missing") {
    return (
      <mark title={part.reason} className="rounded-1 bg-warn-bg box-decoration-clone text-warn">
        {part.source}
      </mark>
    );
  }
  const more = part.text.length - SHOWN_CHARACTERS;
  return (
    <mark title={part.source} className="rounded-1 bg-accent-weak box-decoration-clone text-text">
      {more > 0 ? `${part.text.slice(0, SHOWN_CHARACTERS)}… ${formatCount(more, "more character")}` : part.text}
    </mark>
  );
}

/** Returns each expression once. */
function missingReasons(missing: PreviewedPrompt["missing"]): [source: string, reason: string][] {
  return [...new Map(missing.map(({ source, reason }) => [source, reason]))];
}
