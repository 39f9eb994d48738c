// Loaded before the web server. The launcher holds the other end of the IPC channel. The server must not keep its port
// when the launcher is gone, even after `kill -9`.
process.once("disconnect", () => process.exit(0));
