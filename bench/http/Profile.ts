/**
 * Reads a CPU profile (`.cpuprofile`) and prints where the time went: own time by package, by file and by function, and
 * time of the project's own functions with all that they call. `node bench/http/Profile.ts <file>` prints one again.
 *
 * Gotchas
 * - What a fibre goes on with after it waited has no caller any more: time with all that is called stops there.
 * - Code of the engine itself has no file. By function it is named with whoever called it.
 */
import { readFile } from "node:fs/promises"

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: Frame
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  /** Microseconds since the sample before. */
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function on a stack. */
interface Node {
  readonly frame: Frame
  readonly parent: number | null
  /** Microseconds in the function itself. */
  readonly own: number
}

type Nodes = ReadonlyMap<number, Node>

const nodesOf = ({ nodes, samples, timeDeltas }: CpuProfile): Nodes => {
  const times = new Map<number, number>()
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0))
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  return new Map(
    nodes.map(({ callFrame: frame, id }) => [id, { frame, parent: parents.get(id) ?? null, own: times.get(id) ?? 0 }])
  )
}

/** A function and those that called it, from the inside out. */
const stackOf = (nodes: Nodes, node: Node): ReadonlyArray<Frame> => {
  const stack: Array<Frame> = []
  for (let at: Node | undefined = node; at !== undefined; at = nodes.get(at.parent ?? -1)) stack.push(at.frame)
  return stack
}

/** `effect/dist/Effect.js`, `packages/core/src/waterfall/Merge.ts`, `node:events`, `(garbage collector)`. */
const fileOf = ({ functionName, url }: Frame): string => {
  if (url === "") return functionName.startsWith("(") ? functionName : "(engine)"
  if (url.startsWith("wasm:")) return "(web assembly)"
  const path = url.replace(/^file:\/\//, "")
  const dependency = path.lastIndexOf("/node_modules/")
  if (dependency >= 0) return path.slice(dependency + "/node_modules/".length)
  return /\/((?:packages|bench)\/.*)$/.exec(path)?.[1] ?? path
}

const packageOf = (file: string): string => {
  if (file.startsWith("node:")) return "node"
  const depth = file.startsWith("packages/providers/") ? 4 : /^(?:@|packages\/)/.test(file) ? 2 : 1
  return file.split("/").slice(0, depth).join("/")
}

const placeOf = (frame: Frame): string =>
  `${frame.functionName === "" ? "(anonymous)" : frame.functionName} ${fileOf(frame)}:${frame.lineNumber + 1}`

const functionOf = (stack: ReadonlyArray<Frame>): string => {
  const [frame] = stack
  if (frame === undefined) return ""
  const file = fileOf(frame)
  if (file !== "(engine)") return file.startsWith("(") ? file : placeOf(frame)
  const caller = stack.find((one) => !fileOf(one).startsWith("("))
  return `${frame.functionName} (engine)${caller === undefined ? "" : ` < ${placeOf(caller)}`}`
}

type Totals = Map<string, number>

const add = (totals: Totals, key: string, time: number): Totals => totals.set(key, (totals.get(key) ?? 0) + time)

/** Nothing is done there, or only because somebody profiles. */
const isIdle = (frame: Frame): boolean => ["(idle)", "(root)", "node:inspector"].includes(fileOf(frame))

const totalsOf = (nodes: Nodes) => {
  const packages: Totals = new Map()
  const files: Totals = new Map()
  const functions: Totals = new Map()
  const whole: Totals = new Map()
  let busy = 0
  for (const node of nodes.values()) {
    if (node.own === 0 || isIdle(node.frame)) continue
    const stack = stackOf(nodes, node)
    const file = fileOf(node.frame)
    busy += node.own
    add(packages, packageOf(file), node.own)
    add(files, file, node.own)
    add(functions, functionOf(stack), node.own)
    // What calls itself counts once.
    for (const name of new Set(stack.filter((one) => fileOf(one).startsWith("packages/")).map(placeOf))) {
      add(whole, name, node.own)
    }
  }
  return { packages, files, functions, whole, busy }
}

/** `requests` were answered while the profile ran. */
export const print = async (file: string, requests: number | null): Promise<void> => {
  const profile: CpuProfile = JSON.parse(await readFile(file, "utf8"))
  const nodes = nodesOf(profile)
  const { busy, files, functions, packages, whole } = totalsOf(nodes)
  const show = (title: string, totals: Totals, count: number) => {
    console.log(`\n${title}`)
    for (const [name, time] of [...totals].toSorted(([, a], [, b]) => b - a).slice(0, count)) {
      const each = requests === null ? "" : `${(time / requests).toFixed(1).padStart(8)} µs`
      console.log(`${((time / busy) * 100).toFixed(1).padStart(6)} %${each}  ${name}`)
    }
  }
  const all = [...nodes.values()].reduce((sum, { own }) => sum + own, 0)
  console.log(`The main thread was busy for ${(busy / 1e6).toFixed(1)} s of ${(all / 1e6).toFixed(1)} s`)
  show("Own time by package", packages, 25)
  show("Own time by file", files, 40)
  show("Own time by function", functions, 50)
  show("The project's functions with all that they call", whole, 50)
}

if (import.meta.main) await print(process.argv[2] ?? "", null)
