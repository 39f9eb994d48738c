/** The floor of a call to a child process: a message and its answer, without any work. */
process.on("message", (message) => process.send?.(message));
process.on("disconnect", () => process.exit(0));
