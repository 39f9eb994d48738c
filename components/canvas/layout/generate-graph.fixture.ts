import type { Definition, GraphEdge, GraphNode, NodeType } from "#lib/contract/workflow/graph";
import { type SeededRandom, seededRandom } from "#lib/support/seeded-random.fixture";

/** An end of a path that is still open: the next step connects to it. */
interface OpenEnd {
  source: string;
  handle: string | null;
}

const LABELS = ["Gold", "Silver", "Bronze", "Customers abroad", "New", "B2B", "Everyone else in the list", "VIP"];
const NESTING_MAX = 3;

/** Builds a workflow as a person would: sequences with branches, switches, failure paths, loops and joins. */
export function generateGraph(seed: number, sizeMax: number): Definition {
  const random = seededRandom(seed);
  const builder = new GraphBuilder(random, sizeMax);
  const start = builder.add("action_input", null);
  builder.grow([{ source: start, handle: null }], null, 0);
  builder.joinAtRandom();
  return { nodes: builder.nodes, edges: builder.edges };
}

class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  readonly #random: SeededRandom;
  readonly #sizeMax: number;

  constructor(random: SeededRandom, sizeMax: number) {
    this.#random = random;
    this.#sizeMax = sizeMax;
  }

  add(type: NodeType, loop: string | null, data: Record<string, unknown> = {}): string {
    const id = `${type}_${this.nodes.length}`;
    const name = `${this.#random.pick(LABELS)} ${this.nodes.length}`;
    const parent = loop === null ? {} : { parentId: loop };
    this.nodes.push({ id, type, position: { x: 0, y: 0 }, ...parent, data: { name, ...data } });
    return id;
  }

  /** Adds a sequence of steps after the open ends, and returns the ends that it leaves open. */
  grow(ends: OpenEnd[], loop: string | null, depth: number): OpenEnd[] {
    let open = ends;
    const length = 1 + this.#random.below(4);
    for (let step = 0; step < length && this.nodes.length < this.#sizeMax && open.length > 0; step += 1) {
      open = this.#addStep(open, loop, depth);
    }
    return open;
  }

  /** Adds edges forward between steps of the same frame, which no structure explains. */
  joinAtRandom(): void {
    const count = this.#random.below(3);
    for (let index = 0; index < count; index += 1) {
      const a = this.#random.below(this.nodes.length);
      const [source, target] = [this.nodes[a], this.nodes[a + 1 + this.#random.below(this.nodes.length - a)]];
      if (source === undefined || target === undefined || source.parentId !== target.parentId) continue;
      if (source.type === "condition" || source.type === "switch" || source.type === "return_output") continue;
      this.#connect({ source: source.id, handle: null }, target.id);
    }
  }

  #addStep(open: OpenEnd[], loop: string | null, depth: number): OpenEnd[] {
    const choice = depth < NESTING_MAX ? this.#random.next() : 1;
    if (choice < 0.2) return this.#branch("condition", ["true", "false"], open, loop, depth);
    if (choice < 0.32) {
      const cases = LABELS.slice(0, 1 + this.#random.below(7)).map((name, index) => ({ id: `c${index}`, name }));
      const handles = [...cases.map(({ id }) => id), "default"];
      return this.#branch("switch", handles, open, loop, depth, { cases });
    }
    const type = choice < 0.45 ? "loop" : this.#random.next() < 0.5 ? "transform" : "connector";
    const id = this.#join(open, type, loop);
    if (type === "loop" && this.#random.next() < 0.9) this.#fillLoop(id, depth);
    const after: OpenEnd[] = [{ source: id, handle: null }];
    if (this.#random.next() > 0.85) {
      const failed = this.grow([{ source: id, handle: "failed" }], loop, depth + 1);
      if (this.#random.next() < 0.5) return [...after, ...failed];
    }
    return this.#random.next() < 0.05 ? [] : after;
  }

  #fillLoop(id: string, depth: number): void {
    const first = this.add(this.#random.next() < 0.5 ? "transform" : "condition", id);
    const isPlain = this.nodes.at(-1)?.type === "transform";
    const ends = isPlain ? [null] : ["true", "false"];
    for (const handle of ends) this.grow([{ source: first, handle }], id, depth + 1);
  }

  #branch(
    type: NodeType,
    handles: readonly string[],
    open: OpenEnd[],
    loop: string | null,
    depth: number,
    data: Record<string, unknown> = {},
  ): OpenEnd[] {
    const id = this.#join(open, type, loop, data);
    const joins: OpenEnd[] = [];
    for (const handle of handles) {
      const end = { source: id, handle };
      const fate = this.#random.next();
      if (fate < 0.15) continue;
      if (fate < 0.35) joins.push(end);
      else {
        const left = this.grow([end], loop, depth + 1);
        if (fate < 0.8) joins.push(...left);
      }
    }
    return joins;
  }

  #join(open: OpenEnd[], type: NodeType, loop: string | null, data: Record<string, unknown> = {}): string {
    const id = this.add(type, loop, data);
    for (const end of open) this.#connect(end, id);
    return id;
  }

  #connect({ source, handle }: OpenEnd, target: string): void {
    const isKnown = this.edges.some(
      (edge) => edge.source === source && edge.target === target && (edge.sourceHandle ?? null) === handle,
    );
    if (isKnown) return;
    const id = `${source}.${handle ?? ""}-${target}`;
    this.edges.push({ id, source, target, ...(handle === null ? {} : { sourceHandle: handle }) });
  }
}
