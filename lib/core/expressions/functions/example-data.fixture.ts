/** The data that the functions' examples read, as the output of a step `order`. */
export const EXAMPLE_DATA = {
  order: {
    total: 1234.5,
    note: null,
    tags: ["new", "paid"],
    lines: [{ sku: "A-1" }, { sku: "B-2" }],
    created_at: "2026-11-23T09:30:00Z",
  },
};
