import { ApiError, type FieldError } from "#lib/contract/error/api-error";

/** More characters make no password weaker, and the check of longer ones takes too long: 31 ms for the worst 32. */
const CHECKED_CHARACTERS = 32;
/** zxcvbn's score of a password that takes more than 10^8 guesses. */
const LEAST_SCORE = 3;
const PRODUCT_WORDS = ["signalbox", "workflow", "automation"];

let checker: Promise<import("@zxcvbn-ts/core").ZxcvbnFactory> | null = null;

/** Loads the list of about 50,000 passwords from breaches once: 30 MB of memory that most processes never need. */
async function loadChecker() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs, maxLength: CHECKED_CHARACTERS });
}

/**
 * Refuses passwords that are easy to guess: known from breaches, made of keys in a row or repeated characters, or built
 * from the person's own words. Works without a network.
 * @param field the input that the error names
 * @param own the person's name and email address
 * @throws ApiError BAD_REQUEST that says what to do
 */
export async function assertStrongPassword(password: string, field: string, own: readonly string[]): Promise<void> {
  checker ??= loadChecker();
  const words = [...own, ...PRODUCT_WORDS].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score, feedback } = (await checker).check(
    password,
    words.filter((word) => word.length > 2),
  );
  if (score >= LEAST_SCORE) return;
  const message = REASONS[feedback.warning ?? ""] ?? "is too easy to guess. Use four or more unrelated words";
  const details: FieldError[] = [{ field, pointer: `/${field}`, code: "custom", message }];
  throw new ApiError("BAD_REQUEST", `${field}: ${message}`, { details });
}

const ADVICE = "Use four or more unrelated words, or let a password manager choose one";
const BREACHED = `is one of the passwords that attackers try first. ${ADVICE}`;

/** By the warning of zxcvbn. */
const REASONS: Record<string, string> = {
  topTen: BREACHED,
  topHundred: BREACHED,
  common: BREACHED,
  similarToCommon: `is close to a password that attackers try first. ${ADVICE}`,
  userInputs: `contains your name, your email address or the name of the product. ${ADVICE}`,
  straightRow: `is a row of neighboring keys. ${ADVICE}`,
  keyPattern: `is a pattern of neighboring keys. ${ADVICE}`,
  simpleRepeat: `repeats the same characters. ${ADVICE}`,
  extendedRepeat: `repeats the same characters. ${ADVICE}`,
  sequences: `is a sequence of characters. ${ADVICE}`,
};
