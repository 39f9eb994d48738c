import { closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintKeymap } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

interface ScriptCommands {
  onTest(): void;
  onExpand(): void;
  /** Tab indents now, or moves the focus. */
  onTabMode(isIndenting: boolean): void;
}

const TAKEN = new Set(["Mod-Enter", "Ctrl-m", "Alt-Shift-m"]);

/** Tab moves the focus until its user asks for something else, so that the editor is no trap. */
export function isTabIndenting(view: EditorView): boolean {
  return view.dom.dataset.tab === "indents";
}

export function setTabIndenting(view: EditorView, isIndenting: boolean): void {
  view.setTabFocusMode(!isIndenting);
  view.dom.dataset.tab = isIndenting ? "indents" : "moves";
}

/** The editor's keys; Escape ends indenting with Tab before it closes anything. */
export function scriptKeys(commands: () => ScriptCommands): Extension {
  const run = (work: (its: ScriptCommands, view: EditorView) => void) => (view: EditorView) => {
    work(commands(), view);
    return true;
  };
  const toggle = run((its, view) => {
    setTabIndenting(view, !isTabIndenting(view));
    its.onTabMode(isTabIndenting(view));
  });
  return [
    keymap.of([
      { key: "Mod-Enter", run: run((its) => its.onTest()) },
      { key: "Mod-Shift-e", run: run((its) => its.onExpand()) },
      { key: "Ctrl-m", run: toggle },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...[...defaultKeymap, ...historyKeymap, ...lintKeymap].filter(({ key }) => key === undefined || !TAKEN.has(key)),
      indentWithTab,
      {
        key: "Escape",
        run: (view) => {
          if (!isTabIndenting(view)) return false;
          return toggle(view);
        },
      },
    ]),
    EditorView.domEventHandlers({
      // Handled keys must not reach the panel, which closes with Escape.
      keydown: (event) => {
        if (event.key === "Escape" && event.defaultPrevented) event.stopPropagation();
      },
    }),
  ];
}
