/** Reads and writes one parameter of the address. */
export interface UrlCodec<T> {
  /** Returns the value of the text, or of a missing parameter if null. An address can contain anything. */
  read(text: string | null): T;
  /** Null leaves the parameter out. */
  write(value: T): string | null;
}

export const textCodec: UrlCodec<string> = {
  read: (text) => text ?? "",
  write: (value) => (value === "" ? null : value),
};

export const optionalTextCodec: UrlCodec<string | null> = {
  read: (text) => (text === "" ? null : text),
  write: (value) => value,
};

export const flagCodec: UrlCodec<boolean> = {
  read: (text) => text === "true",
  write: (value) => (value ? "true" : null),
};

/** One of several words; the fallback is not written. */
export function choiceCodec<T extends string, F extends T | null>(options: readonly T[], fallback: F): UrlCodec<T | F> {
  return {
    read: (text) => options.find((option) => option === text) ?? fallback,
    write: (value) => (value === fallback ? null : value),
  };
}

/** A set of words as a comma-separated list, in the order of the options. */
export function choicesCodec<T extends string>(options: readonly T[]): UrlCodec<readonly T[]> {
  return {
    read: (text) => {
      const words = text?.split(",") ?? [];
      return options.filter((option) => words.includes(option));
    },
    write: (value) => (value.length === 0 ? null : value.join(",")),
  };
}
