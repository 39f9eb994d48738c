import { useRef } from "react";

interface RowKeys {
  keys: readonly number[];
  /** To be called with every removal, so that the rows after it keep their keys. */
  remove: (index: number) => void;
}

/** Keys for rows that have no id of their own: a row keeps its caret and its open parts while others come and go. */
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
  };
}
