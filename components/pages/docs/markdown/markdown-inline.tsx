import type { ReactNode } from "react";
import { resolveDocumentationLink } from "#lib/contract/wire/documentation";
import { knownTokens, type MarkdownHeading, type MarkdownToken } from "#lib/support/parse-markdown";
import { inOrder } from "@/components/pages/docs/markdown/in-order";
import { Link } from "@/components/ui/link";

/** What rendering needs to know of the page: links are relative to its file, and its headings have anchors. */
export interface MarkdownScope {
  file: string;
  headings: ReadonlyMap<MarkdownToken, MarkdownHeading>;
}

interface MarkdownInlineProps {
  tokens: readonly MarkdownToken[];
  scope: MarkdownScope;
}

/** Text with its emphasis, code and links. */
export function MarkdownInline({ tokens, scope }: MarkdownInlineProps) {
  return inOrder(tokens.map((token) => renderInline(token, scope)));
}

/** HTML in a Markdown file is left out, and React escapes the rest. */
function renderInline(token: MarkdownToken, scope: MarkdownScope): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? token.text : inside(token.tokens, scope);
    case "escape":
      return token.text;
    case "br":
      return <br />;
    case "strong":
      return <strong className="font-semibold">{inside(token.tokens, scope)}</strong>;
    case "em":
      return <em>{inside(token.tokens, scope)}</em>;
    case "del":
      return <del>{inside(token.tokens, scope)}</del>;
    case "codespan":
      return (
        <code className="rounded-1 bg-sunken px-1 py-0.5 font-mono text-[0.9em] [overflow-wrap:anywhere]">
          {token.text}
        </code>
      );
    case "link":
      return (
        <MarkdownLink href={resolveDocumentationLink(scope.file, token.href)}>
          {inside(token.tokens, scope)}
        </MarkdownLink>
      );
    case "html":
      return null;
    default:
      throw new Error(`${scope.file}: Markdown of the type ${token.type} has no place inside a line`);
  }
}

function inside(tokens: Parameters<typeof knownTokens>[0], scope: MarkdownScope): ReactNode {
  return <MarkdownInline tokens={knownTokens(tokens)} scope={scope} />;
}

/** A file that the product does not serve, such as a source file, is named without a link. */
function MarkdownLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return children;
  if (/^(#|\/docs(?!\/signalbox\.ts))/.test(href)) {
    return (
      <Link href={href} className="link">
        {children}
      </Link>
    );
  }
  return (
    <a href={href} rel="noreferrer" className="link">
      {children}
    </a>
  );
}
