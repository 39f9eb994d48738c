// Loaded before the web server: the launcher holds the other end of the IPC channel, and when even a `kill -9` takes
// it away, the server must not stay behind on its port.
process.once("disconnect", () => process.exit(0));
