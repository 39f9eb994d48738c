import GithubSlugger from "github-slugger";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";

export interface MarkdownHeading {
  /** 1 to 6. */
  depth: number;
  text: string;
  /** The anchor of the heading, as on GitHub. */
  id: string;
}

interface ParsedMarkdown {
  tokens: MarkdownToken[];
  headings: ReadonlyMap<MarkdownToken, MarkdownHeading>;
}

/** `Token` without its open-ended member, which only extensions of the parser produce. */
export type MarkdownToken = MarkedToken;

/** Parses GitHub Flavored Markdown and gives every heading the same anchor as GitHub. */
export function parseMarkdown(source: string): ParsedMarkdown {
  const tokens = knownTokens(lexer(source));
  const slugger = new GithubSlugger();
  const headings = new Map<MarkdownToken, MarkdownHeading>();
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    const text = plainText(token);
    headings.set(token, { depth: token.depth, text, id: slugger.slug(text) });
  }
  return { tokens, headings };
}

/** Without extensions, the parser produces only these tokens. */
export function knownTokens(tokens: Token[] | undefined): MarkdownToken[] {
  return (tokens ?? []) as MarkdownToken[];
}

/** Lists the given tokens and all tokens below them, in reading order. */
export function flattenTokens(tokens: readonly MarkdownToken[]): MarkdownToken[] {
  return tokens.flatMap((token) => [token, ...flattenTokens(childrenOf(token))]);
}

/** Returns the text that a reader sees, without markup. */
export function plainText(token: MarkdownToken): string {
  switch (token.type) {
    case "space":
    case "hr":
    case "html":
    case "def":
    case "checkbox":
      return "";
    case "br":
      return " ";
    case "code":
    case "codespan":
    case "escape":
    case "image":
      return token.text;
    case "table":
      return [token.header, ...token.rows].flat().map(cellText).join(" ");
    case "list":
      return childrenOf(token).map(plainText).join(" ");
    default: {
      const children = childrenOf(token);
      if (children.length === 0) return "text" in token ? token.text : "";
      return children.map(plainText).join(isInline(token) ? "" : " ");
    }
  }
}

function childrenOf(token: MarkdownToken): MarkdownToken[] {
  if (token.type === "table") {
    return [token.header, ...token.rows].flat().flatMap((cell) => knownTokens(cell.tokens));
  }
  if (token.type === "list") return knownTokens(token.items);
  return "tokens" in token ? knownTokens(token.tokens) : [];
}

function cellText({ tokens }: Tokens.TableCell): string {
  return knownTokens(tokens).map(plainText).join("");
}

function isInline({ type }: MarkdownToken): boolean {
  return type !== "list_item" && type !== "blockquote";
}
