import type { Tokens } from "marked";
import { knownTokens } from "#lib/support/parse-markdown";
import { MarkdownInline, type MarkdownScope } from "@/components/pages/docs/markdown/markdown-inline";

const SIZES = [
  "text-hero font-semibold",
  "mt-6 text-page font-semibold",
  "mt-3 text-[15px] leading-6 font-semibold",
  "mt-2 font-semibold",
] as const;

interface MarkdownHeadingLineProps {
  token: Tokens.Heading;
  scope: MarkdownScope;
}

/** A heading with a link to itself, which shows when the pointer or the focus is on it. */
export function MarkdownHeadingLine({ token, scope }: MarkdownHeadingLineProps) {
  const heading = scope.headings.get(token);
  const Tag = `h${Math.min(token.depth, 6)}` as "h1" | "h2" | "h3" | "h4" | "h5" | "h6";
  return (
    <Tag id={heading?.id} className={`group scroll-mt-16 ${SIZES[token.depth - 1] ?? SIZES[3]}`}>
      <MarkdownInline tokens={knownTokens(token.tokens)} scope={scope} />
      {heading === undefined || token.depth === 1 ? null : (
        <a
          href={`#${heading.id}`}
          aria-label={`Link to ${heading.text}`}
          className="ml-2 rounded-1 text-text-3 opacity-0 group-hover:opacity-100 focus:opacity-100"
        >
          #
        </a>
      )}
    </Tag>
  );
}
