import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import type { Command, EditorView, KeyBinding } from "@codemirror/view";
import { completionPlaceAt } from "@/components/canvas/expressions/editor/completion-place";
import {
  type CompletionSource,
  type ListedChoice,
  listCompletions,
  writeChoice,
} from "@/components/canvas/expressions/editor/list-completions";

/** Set when the user types or moves inside the list; only then do Enter and Tab choose from it. */
const enterList = StateEffect.define<boolean>();
const isEntered = StateField.define<boolean>({
  create: () => false,
  update: (value, transaction) => {
    for (const effect of transaction.effects) if (effect.is(enterList)) return effect.value;
    return value || (transaction.docChanged && transaction.isUserEvent("input.type"));
  },
});

/**
 * Offers values, functions and `??` in expressions. The list opens when the user types a character, or asks for it with
 * Ctrl-Space, but never because the caret moves.
 */
export function expressionCompletion(sources: () => readonly CompletionSource[]): Extension {
  return [
    isEntered,
    EditorState.phrases.of({ Completions: "Data from earlier steps" }),
    autocompletion({
      override: [(context) => complete(context, sources())],
      icons: false,
      defaultKeymap: false,
      interactionDelay: 0,
      activateOnTypingDelay: 20,
      maxRenderedOptions: 40,
      tooltipClass: (state) => `expression-list${state.field(isEntered) ? "" : " is-unentered"}`,
      addToOptions: [{ render: renderSample, position: 90 }],
    }),
  ];
}

function complete(context: CompletionContext, sources: readonly CompletionSource[]): CompletionResult | null {
  const place = completionPlaceAt(context.state.doc.toString(), context.pos, context.explicit);
  if (place === null) return null;
  const choices = listCompletions(sources, place, context.explicit);
  if (choices.length === 0) return null;
  return { from: place.from, to: place.to, options: choices.map(optionOf), filter: false };
}

interface ChoiceOption extends Completion {
  choice: ListedChoice;
}

function optionOf(choice: ListedChoice): ChoiceOption {
  const { label, detail, description } = choice;
  return {
    choice,
    label,
    detail,
    ...(description === "" ? {} : { info: description }),
    apply: (view, completion) => applyChoice(view, completion, choice),
  };
}

/** The place is found again, because the text can have changed since the list was made. */
function applyChoice(view: EditorView, completion: Completion, choice: ListedChoice): void {
  const text = view.state.doc.toString();
  const place = completionPlaceAt(text, view.state.selection.main.head, true);
  if (place === null) return;
  const { caret, ...changes } = writeChoice(choice, place, text);
  view.dispatch({
    changes,
    selection: { anchor: caret },
    scrollIntoView: true,
    userEvent: "input.complete",
    annotations: pickedCompletion.of(completion),
    effects: enterList.of(false),
  });
}

function renderSample(completion: Completion): Node | null {
  const { choice } = completion as ChoiceOption;
  if (choice.sample === null) return null;
  const line = document.createElement("span");
  line.className = "expression-list-sample";
  line.ariaHidden = "true";
  line.textContent = `= ${choice.sample}`;
  return line;
}

const ask: Command = (view) => {
  view.dispatch({ effects: enterList.of(false) });
  return startCompletion(view);
};

const accept: Command = (view) => view.state.field(isEntered) && acceptCompletion(view);

/** Opens the list for an expression that was typed before the editor was there; its keys are those of a list that typing opened. */
export function completeTyped(view: EditorView): void {
  const { doc, selection } = view.state;
  if (completionPlaceAt(doc.toString(), selection.main.head, false) === null) return;
  view.dispatch({ effects: enterList.of(true) });
  startCompletion(view);
}

/** The first press enters a list that was asked for, with its first choice. */
function move(isForward: boolean, by: "option" | "page" = "option"): Command {
  const moveOn = moveCompletionSelection(isForward, by);
  return (view) => {
    if (completionStatus(view.state) !== "active") return false;
    if (view.state.field(isEntered)) return moveOn(view);
    view.dispatch({ effects: enterList.of(true) });
    return true;
  };
}

export const COMPLETION_KEYS: readonly KeyBinding[] = [
  { key: "Ctrl-Space", run: ask },
  { mac: "Alt-`", run: ask },
  { mac: "Alt-i", run: ask },
  { key: "Escape", run: closeCompletion },
  { key: "ArrowDown", run: move(true) },
  { key: "ArrowUp", run: move(false) },
  { key: "PageDown", run: move(true, "page") },
  { key: "PageUp", run: move(false, "page") },
  { key: "Enter", run: accept },
  { key: "Tab", run: accept },
];
