import { clsx } from "clsx";
import { CopyButton } from "@/components/ui/copy-button";

/** The sandbox writes the level before the text. */
const LEVEL = /^\[(warn|error)\] /;

/** Lists what the code of a step wrote to its console. */
export function StepConsole({ lines }: { lines: readonly string[] }) {
  const numbered = lines.map((text, index) => ({ number: index + 1, text }));
  return (
    <section aria-label="Console" className="min-w-0 rounded-3 border border-border bg-surface">
      <div className="flex items-center gap-2 border-b border-border py-1 pr-1 pl-3">
        <h3 className="font-medium">Console</h3>
        <span className="text-dense text-text-3">{lines.length === 1 ? "1 line" : `${lines.length} lines`}</span>
        <span className="ml-auto">
          <CopyButton value={lines.join("\n")} label="Copy the console" />
        </span>
      </div>
      <ol aria-label="Console output" className="py-1.5 font-mono text-dense">
        {numbered.map(({ number, text }) => (
          <li
            key={number}
            className={clsx("px-3 whitespace-pre-wrap [overflow-wrap:anywhere]", COLORS[LEVEL.exec(text)?.[1] ?? ""])}
          >
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

const COLORS: Readonly<Record<string, string>> = { warn: "text-warn", error: "text-err" };
