import { Minus, Pencil, Plus } from "lucide-react";
import type { ReactNode } from "react";
import type { ChangedNode, FieldChange, GraphChanges } from "#lib/contract/action/publish";
import { formatCount } from "#lib/support/format/format-number";
import { differingParts, type TextParts } from "@/components/canvas/view/differing-parts";
import { KindTile } from "@/components/canvas/view/kind-tile";

/** Labels for the two sides. */
export interface ChangeWords {
  added: string;
  removed: string;
  changed: string;
  was: string;
  now: string;
}

/** The panel's labels of settings whose names in the definition differ. */
const SETTING_WORDS: Record<string, string> = {
  properties: "fields",
  action_slug: "action",
  connection_id: "connection",
  output_schema: "output schema",
  max_tokens: "max tokens",
  maxRetries: "retries",
  retryBackoff: "wait between retries",
  retryWaitSeconds: "wait before a retry",
  continueOnFailure: "continue on failure",
};

const IN_TIME: ChangeWords = { added: "Added", removed: "Removed", changed: "Changed", was: "Was", now: "Now" };

/** Lists added, removed and changed steps, with each changed setting before and after, or on the two sides. */
export function GraphChangeList({ changes, words = IN_TIME }: { changes: GraphChanges; words?: ChangeWords }) {
  const { added, removed, changed, lines_added: linesAdded, lines_removed: linesRemoved } = changes;
  const lines = describeLines(linesAdded, linesRemoved);
  if (added.length + removed.length + changed.length === 0 && lines === null) {
    return <p className="text-text-2">The steps are the same.</p>;
  }
  return (
    <div className="flex flex-col gap-2">
      <ul className="divide-y divide-border rounded-3 border border-border">
        {added.map((node) => (
          <NodeRow
            key={`+${node.node_id}`}
            node={node}
            icon={<Plus aria-hidden className="size-3.5 text-ok" />}
            word={words.added}
          />
        ))}
        {removed.map((node) => (
          <NodeRow
            key={`-${node.node_id}`}
            node={node}
            icon={<Minus aria-hidden className="size-3.5 text-err" />}
            word={words.removed}
          />
        ))}
        {changed.map((node) => (
          <NodeRow
            key={node.node_id}
            node={node}
            icon={<Pencil aria-hidden className="size-3.5 text-text-3" />}
            word={words.changed}
          >
            <FieldChangeList node={node} words={words} />
          </NodeRow>
        ))}
      </ul>
      {lines === null ? null : <p className="text-dense text-text-3">{lines}</p>}
    </div>
  );
}

function describeLines(added: number, removed: number): string | null {
  const parts = [
    ...(added > 0 ? [`${formatCount(added, "line")} added`] : []),
    ...(removed > 0 ? [`${formatCount(removed, "line")} removed`] : []),
  ];
  return parts.length === 0 ? null : `${parts.join(", ")}.`;
}

interface NodeRowProps {
  node: Omit<ChangedNode, "fields">;
  icon: ReactNode;
  word: string;
  children?: ReactNode;
}

function NodeRow({ node, icon, word, children }: NodeRowProps) {
  return (
    <li className="px-3 py-2">
      <p className="flex items-center gap-2">
        <KindTile type={node.type} />
        <span className="min-w-0 truncate font-medium">{node.name}</span>
        <span className="ml-auto inline-flex items-center gap-1 text-dense text-text-2">
          {icon}
          {word}
        </span>
      </p>
      {children}
    </li>
  );
}

function FieldChangeList({ node, words }: { node: ChangedNode; words: ChangeWords }) {
  return (
    <details className="mt-1 ml-8">
      <summary className="cursor-pointer text-dense text-text-2">
        {node.fields.map(({ field }) => settingWord(field)).join(", ")}
      </summary>
      <dl className="mt-2 flex flex-col gap-3">
        {node.fields.map((change) => (
          <FieldSides key={change.field} change={change} words={words} />
        ))}
      </dl>
    </details>
  );
}

function settingWord(field: string): string {
  return SETTING_WORDS[field] ?? field;
}

function FieldSides({ change, words }: { change: FieldChange; words: ChangeWords }) {
  const parts = differingParts(print(change.was), print(change.now));
  return (
    <div>
      <dt className="text-dense font-medium">{settingWord(change.field)}</dt>
      <dd className="mt-1 grid gap-2 sm:grid-cols-2">
        <SideOf label={words.was} value={change.was} parts={parts.was} ink="bg-err-bg" />
        <SideOf label={words.now} value={change.now} parts={parts.now} ink="bg-ok-bg" />
      </dd>
    </div>
  );
}

interface SideProps {
  label: string;
  value: unknown;
  parts: TextParts;
  ink: string;
}

function SideOf({ label, value, parts: { before, differing, after }, ink }: SideProps) {
  const isNothing = value === undefined || value === "";
  return (
    <figure className="min-w-0 rounded-2 border border-border bg-sunken px-2 py-1">
      <figcaption className="text-micro text-text-3">{label}</figcaption>
      {isNothing ? (
        <p className="text-dense text-text-3">{value === "" ? "Empty" : "Not set"}</p>
      ) : (
        <pre className="max-h-48 overflow-y-auto font-mono text-dense [overflow-wrap:anywhere] whitespace-pre-wrap">
          {before}
          <mark className={`rounded-1 box-decoration-clone text-text ${ink}`}>{differing}</mark>
          {after}
        </pre>
      )}
    </figure>
  );
}

function print(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
