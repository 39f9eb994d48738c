import type { Tokens } from "marked";
import { Children, type ReactNode } from "react";

/** A bulleted or numbered list; each child is the content of one item. */
export function MarkdownList({ token, children }: { token: Tokens.List; children: ReactNode }) {
  const items = Children.map(children, (content) => (
    <li className="pl-1 marker:text-text-3">
      <div className="flex min-w-0 flex-col gap-2">{content}</div>
    </li>
  ));
  if (!token.ordered) return <ul className="flex list-disc flex-col gap-1.5 pl-5">{items}</ul>;
  return (
    <ol start={token.start === "" ? undefined : token.start} className="flex list-decimal flex-col gap-1.5 pl-6">
      {items}
    </ol>
  );
}
