/** What a text of a step's params is, if a value in it must be written for more than its own characters. */
export type WrittenPlace = "url" | "html" | "markdown" | "markdown_v2";
