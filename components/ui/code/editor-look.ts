import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The surface, text and lists of every editor, from the page's own tokens, so that they follow the theme. */
export const EDITOR_THEME: Extension = EditorView.theme({
  "&": { fontSize: "12px", lineHeight: "18px", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-plex-mono)", lineHeight: "18px", maxHeight: "60vh" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent) !important",
  },
  ".cm-content ::selection": { color: "var(--text)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-placeholder": { color: "var(--text-3)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-weak)",
    outline: "1px solid var(--border)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--err) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-tooltip": {
    zIndex: "var(--z-popover)",
    border: "1px solid var(--border)",
    borderRadius: "var(--r-2)",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    boxShadow: "var(--sh-2)",
    fontSize: "12px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-plex-mono)", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", lineHeight: "18px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--sunken)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--text-3)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-diagnostic": { padding: "4px 10px", border: "0" },
});

/** The colors of the step kinds, which have a contrast of 4.5:1 on every surface in both themes. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--k-llm)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.comment, color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.className], color: "var(--k-logic)" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.propertyName, color: "var(--k-code)" },
  { tag: tags.invalid, color: "var(--err)" },
]);

/** The theme with the colors of code. */
export const EDITOR_LOOK: Extension = [EDITOR_THEME, syntaxHighlighting(colours)];
