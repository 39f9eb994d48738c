"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { toExpression } from "@/components/runs/json-path";
import { splitRedactions } from "@/components/runs/redaction";

type Path = readonly (string | number)[];

/** Open at first down to this depth, and shown at first up to this many children. */
const OPEN_DEPTH = 2;
const CHILDREN_SHOWN = 100;

interface JsonTreeProps {
  value: unknown;
  label: string;
  expressionRoot: string | undefined;
}

export function JsonTree({ value, label, expressionRoot }: JsonTreeProps) {
  return (
    <ul aria-label={label} className="flex flex-col">
      <JsonNode name={null} value={value} path={[]} expressionRoot={expressionRoot} />
    </ul>
  );
}

interface JsonNodeProps {
  /** Null for the root. */
  name: string | number | null;
  value: unknown;
  path: Path;
  expressionRoot: string | undefined;
}

function JsonNode({ name, value, path, expressionRoot }: JsonNodeProps) {
  const children = childrenOf(value);
  const [isOpen, setIsOpen] = useState(path.length < OPEN_DEPTH);
  const [shown, setShown] = useState(CHILDREN_SHOWN);
  if (children === null || children.length === 0) {
    return (
      <li className="pl-5 [overflow-wrap:anywhere]">
        <NodeName name={name} path={path} expressionRoot={expressionRoot} />
        <JsonLeaf value={value} />
      </li>
    );
  }
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <span className="flex items-start gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Close" : "Open"} ${name ?? "the value"}`}
          onClick={() => setIsOpen(!isOpen)}
          className="-my-px flex size-5 shrink-0 items-center justify-center rounded-1 text-text-3 hover:text-text"
        >
          <Chevron aria-hidden className="size-3.5" />
        </button>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <NodeName name={name} path={path} expressionRoot={expressionRoot} />
          <span className="text-text-3">{summaryOf(value, children.length)}</span>
        </span>
      </span>
      {isOpen ? (
        <ul className="ml-2.5 border-l border-border pl-1.5">
          {children.slice(0, shown).map(([key, child]) => (
            <JsonNode key={key} name={key} value={child} path={[...path, key]} expressionRoot={expressionRoot} />
          ))}
          {children.length > shown ? (
            <li className="pl-5">
              <button type="button" className="link" onClick={() => setShown(shown + CHILDREN_SHOWN)}>
                Show {Math.min(CHILDREN_SHOWN, children.length - shown)} more of {children.length}
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
}

function NodeName({ name, path, expressionRoot }: Omit<JsonNodeProps, "value">) {
  if (name === null) return null;
  if (expressionRoot === undefined) return <span className="text-text-2">{name}: </span>;
  const expression = toExpression(expressionRoot, path);
  return (
    <>
      <button
        type="button"
        title={`Copy ${expression}`}
        className="rounded-1 text-text-2 hover:text-accent hover:underline"
        onClick={() => {
          navigator.clipboard.writeText(expression).then(
            () => toast(`Copied ${expression}`),
            () => toast(`Copying failed. The expression is ${expression}`),
          );
        }}
      >
        {name}
      </button>
      <span className="text-text-2">: </span>
    </>
  );
}

function JsonLeaf({ value }: { value: unknown }) {
  if (typeof value === "string") return <JsonText text={value} />;
  if (typeof value === "number" || typeof value === "boolean")
    return <span className="text-accent">{String(value)}</span>;
  if (Array.isArray(value)) return <span className="text-text-3">[]</span>;
  if (typeof value === "object" && value !== null) return <span className="text-text-3">{"{}"}</span>;
  return <span className="text-text-3">null</span>;
}

function JsonText({ text }: { text: string }) {
  return (
    <span className="whitespace-pre-wrap text-ok">
      "
      {splitRedactions(text).map((part) =>
        part.meaning === null ? (
          part.text
        ) : (
          <abbr
            key={part.at}
            title={part.meaning}
            className="rounded-1 bg-idle-bg px-1 text-idle no-underline decoration-transparent"
          >
            {part.text}
          </abbr>
        ),
      )}
      "
    </span>
  );
}

function childrenOf(value: unknown): [string | number, unknown][] | null {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  if (typeof value === "object" && value !== null) return Object.entries(value);
  return null;
}

function summaryOf(value: unknown, count: number): string {
  const noun = Array.isArray(value) ? "item" : "field";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
