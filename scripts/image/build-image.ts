import { collectProduct } from "#scripts/image/collect-product";

// `deploy/Dockerfile` runs this. A container's Node.js and its PostgreSQL are not in the folder.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node scripts/image/build-image.ts <folder>");
await collectProduct(folder);
