import { useRef } from "react";

export interface RowKeys {
  keys: readonly number[];
  /** Must be called for every removal, so that the following rows keep their keys. */
  remove: (index: number) => void;
  /** Must be called for every row that is not added at the end. */
  insert: (index: number) => void;
  move: (from: number, to: number) => void;
}

/**
 * Returns keys for rows without ids, so that each row keeps its caret and open sections while other rows are added,
 * moved, and removed.
 */
export function useRowKeys(count: number): RowKeys {
  const state = useRef<{ keys: number[]; next: number }>({ keys: [], next: 0 });
  const { current } = state;
  while (current.keys.length < count) {
    current.keys.push(current.next);
    current.next += 1;
  }
  current.keys.length = count;
  return {
    keys: [...current.keys],
    remove: (index) => {
      current.keys.splice(index, 1);
    },
    insert: (index) => {
      current.keys.splice(index, 0, current.next);
      current.next += 1;
    },
    move: (from, to) => {
      current.keys.splice(to, 0, ...current.keys.splice(from, 1));
    },
  };
}
