"use client";

import { clsx } from "clsx";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { formatBytes } from "#lib/support/format/format-number";
import { searchJson } from "@/components/features/json/flatten-json";
import { JsonSearch } from "@/components/features/json/json-search";
import { JsonTables } from "@/components/features/json/json-tables";
import { JsonTree } from "@/components/features/json/json-tree";
import { listTables } from "@/components/features/json/list-tables";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";

interface JsonViewProps {
  value: unknown;
  /** The label of the view and its buttons, such as "input" or "output". */
  label: string;
  /** The name that expressions use for the value; if given, each field can be copied as an expression. */
  expressionRoot?: string | undefined;
  /** True if the value was truncated when it was read: it is then the first part of its JSON text. */
  isTruncated?: boolean;
}

/** A value with a shorter text needs no search. */
const SEARCHABLE_CHARACTERS = 400;
const MATCHES_MAX = 1_000;
const ROWS_MAX = 32;

const MODES = { tree: "Tree", table: "Table", json: "JSON" } as const;
type Mode = keyof typeof MODES;

/** Shows a JSON value as a tree, as a table if it has lists of objects, or as text, with search, copy and download. */
export function JsonView({ value, label, expressionRoot, isTruncated = false }: JsonViewProps) {
  const [chosen, setMode] = useState<Mode>("tree");
  const [search, setSearch] = useState({ text: "", at: 0 });
  const isCut = isTruncated && typeof value === "string";
  const text = useMemo(() => (isCut ? value : (JSON.stringify(value, null, 2) ?? "null")), [value, isCut]);
  const tables = useMemo(() => (isCut ? [] : listTables(value)), [value, isCut]);
  const mode = isCut ? "json" : chosen === "table" && tables.length === 0 ? "tree" : chosen;
  const matches = useMemo(
    () => (search.text === "" ? [] : searchJson(value, search.text, MATCHES_MAX)),
    [value, search.text],
  );
  return (
    <section aria-label={label} className="min-w-0 rounded-3 border border-border bg-surface">
      <div className="flex items-center gap-1 border-b border-border py-1 pr-1 pl-2">
        {isCut ? (
          <span className="flex-1 text-dense text-warn">Only the first 64 KiB are shown</span>
        ) : (
          <div className="flex flex-1 gap-1">
            {(["tree", "table", "json"] as const).map((one) =>
              one === "table" && tables.length === 0 ? null : (
                <ModeButton key={one} isOn={mode === one} onClick={() => setMode(one)} label={MODES[one]} />
              ),
            )}
            <span className="ml-auto self-center px-1 text-dense text-text-3">
              {formatBytes(new Blob([text]).size)}
            </span>
          </div>
        )}
        <CopyButton value={text} label={`Copy the ${label}`} />
        <IconButton icon={Download} label={`Download the ${label}`} size="sm" onClick={() => download(text, label)} />
      </div>
      {mode !== "tree" || text.length < SEARCHABLE_CHARACTERS ? null : (
        <JsonSearch
          label={`Search the ${label}`}
          text={search.text}
          at={search.at}
          count={matches.length}
          max={MATCHES_MAX}
          onChange={setSearch}
        />
      )}
      <div className={clsx("font-mono text-dense", mode !== "table" && "p-2")}>
        {mode === "json" ? (
          <RawText text={text} label={label} />
        ) : mode === "table" ? (
          <JsonTables tables={tables} label={label} expressionRoot={expressionRoot} />
        ) : (
          <JsonTree
            value={value}
            label={label}
            expressionRoot={expressionRoot}
            found={matches[search.at % Math.max(1, matches.length)] ?? null}
          />
        )}
      </div>
    </section>
  );
}

/** A read-only text field: it can be scrolled, searched and selected with the usual keys. */
function RawText({ text, label }: { text: string; label: string }) {
  const rows = Math.min(ROWS_MAX, text.split("\n", ROWS_MAX).length);
  return (
    <textarea
      readOnly
      aria-label={`${label} as text`}
      value={text}
      rows={rows}
      spellCheck={false}
      className="block max-h-[70dvh] w-full resize-y bg-transparent"
    />
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

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
