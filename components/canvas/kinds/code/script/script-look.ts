import { EditorView } from "@codemirror/view";

/** What an editor with several lines of code adds to the look of every editor. */
export const SCRIPT_LOOK = EditorView.theme({
  "&": { flex: "1 1 0", minHeight: "0" },
  ".cm-scroller": { maxHeight: "none", overflow: "auto" },
  ".cm-gutters": {
    backgroundColor: "var(--sunken)",
    color: "var(--text-3)",
    borderRight: "1px solid var(--border)",
    fontFamily: "var(--font-plex-mono)",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 8px", minWidth: "28px" },
  ".cm-foldGutter .cm-gutterElement": { padding: "0 4px 0 0" },
  ".cm-activeLineGutter": { backgroundColor: "var(--accent-weak)", color: "var(--text)" },
  ".cm-selectionMatch": { backgroundColor: "var(--accent-weak)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-bg)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-weak)", outline: "1px solid var(--accent)" },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-panels": { backgroundColor: "var(--app)", color: "var(--text)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--border)" },
  ".cm-panel.cm-search": { padding: "6px 28px 6px 8px", fontFamily: "var(--font-sans)" },
  ".cm-panel.cm-search label": { fontSize: "12px", display: "inline-flex", alignItems: "center", gap: "3px" },
  ".cm-textfield": {
    border: "1px solid var(--border-strong)",
    borderRadius: "var(--r-1)",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "12px",
    padding: "3px 6px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--border)",
    borderRadius: "var(--r-1)",
    color: "var(--text)",
    fontSize: "12px",
    minHeight: "24px",
  },
  ".cm-panel.cm-search [name=close]": { minWidth: "24px", minHeight: "24px", color: "var(--text-2)", fontSize: "16px" },
});
