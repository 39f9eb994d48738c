import type { Tokens } from "marked";
import { Children, type ReactNode } from "react";
import { knownTokens, type MarkdownToken } from "#lib/support/parse-markdown";
import { inOrder } from "@/components/pages/docs/markdown/in-order";
import { MarkdownInline, type MarkdownScope } from "@/components/pages/docs/markdown/markdown-inline";
import { MarkdownTable } from "@/components/pages/docs/markdown/markdown-table";
import { CodeBlock } from "@/components/ui/code-block";

interface MarkdownBlocksProps {
  tokens: readonly MarkdownToken[];
  scope: MarkdownScope;
}

/** Headings, paragraphs, lists, tables and code of a Markdown file, rendered on the server. */
export function MarkdownBlocks({ tokens, scope }: MarkdownBlocksProps) {
  return inOrder(tokens.map((token) => renderBlock(token, scope)));
}

function renderBlock(token: MarkdownToken, scope: MarkdownScope): ReactNode {
  switch (token.type) {
    case "space":
    case "html":
    case "def":
      return null;
    case "heading":
      return <MarkdownHeadingLine token={token} scope={scope} />;
    case "paragraph":
      return (
        <p>
          <MarkdownInline tokens={knownTokens(token.tokens)} scope={scope} />
        </p>
      );
    case "code":
      return <MarkdownCode language={token.lang} code={token.text} />;
    case "table":
      return <MarkdownTable token={token} scope={scope} />;
    case "list":
      return (
        <MarkdownList token={token}>
          {token.items.map((item) => (
            <MarkdownBlocks key={item.raw} tokens={knownTokens(item.tokens)} scope={scope} />
          ))}
        </MarkdownList>
      );
    case "blockquote":
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-border-strong pl-4 text-text-2">
          <MarkdownBlocks tokens={knownTokens(token.tokens)} scope={scope} />
        </blockquote>
      );
    case "hr":
      return <hr className="border-border" />;
    case "text":
      return (
        <div>
          <MarkdownInline tokens={[token]} scope={scope} />
        </div>
      );
    default:
      throw new Error(`${scope.file}: Markdown of the type ${token.type} cannot be rendered`);
  }
}

/** The languages of fenced blocks, as people call them. */
const LANGUAGES: Record<string, string> = {
  sh: "Shell",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  python: "Python",
  json: "JSON",
  sql: "SQL",
  yaml: "YAML",
};

function MarkdownCode({ language = "", code }: { language: string | undefined; code: string }) {
  const name = LANGUAGES[language.split(" ", 1)[0] ?? ""] ?? "Text";
  const [first = ""] = code.split("\n", 1);
  return <CodeBlock label={`${name}: ${first}`} snippets={[{ label: name, code }]} />;
}

/** A bulleted or numbered list; each child is the content of one item. */
function MarkdownList({ token, children }: { token: Tokens.List; children: ReactNode }) {
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
function MarkdownHeadingLine({ token, scope }: MarkdownHeadingLineProps) {
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
