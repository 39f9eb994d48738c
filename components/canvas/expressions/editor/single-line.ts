import { EditorState, type Extension } from "@codemirror/state";
import { FROM_OUTSIDE } from "@/components/ui/code/editor-base";

const BREAK = /\s*\n\s*/g;

/** Turns a pasted or dropped line break into a space. */
export const SINGLE_LINE: Extension = EditorState.transactionFilter.of((transaction) => {
  const hasBreak = transaction.docChanged && transaction.newDoc.lines > 1;
  if (!hasBreak || transaction.annotation(FROM_OUTSIDE)) return transaction;
  const breaks = [...transaction.newDoc.toString().matchAll(BREAK)];
  const changes = breaks.map(({ index, 0: found }) => ({ from: index, to: index + found.length, insert: " " }));
  return [transaction, { changes, sequential: true }];
});
