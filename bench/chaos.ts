import { mayhem } from "#bench/chaos/mayhem";
import { formatTable } from "#bench/chaos/result-table";
const [runs=300,kills=5,crashes=1,zombies=2,cuts=1,poison=2,latencyMs=300,seed=1]=process.argv.slice(2).map(Number);
const rows = await mayhem({ id:"R1", runs, kills, crashes, zombies, cuts, poison, latencyMs, seed, report: (t)=>console.error(((performance.now())/1000).toFixed(1), t)});
console.log(formatTable(rows));
process.exit(rows.some(r=>r.isCorrectness&&r.isMet===false)?1:0);
