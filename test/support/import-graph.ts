import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** From each node to those that it imports. */
export type Graph = Map<string, Set<string>>

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(\.{1,2}\/[^']+)'/gm

/** Every source file below a folder and the files of the same folder that it imports. Types count too. Tests do not. */
export function fileGraph(root: string): Graph {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .sort()
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const targets = [...text.matchAll(IMPORT)].map((match) =>
        relative(root, join(root, dirname(file), match[1] as string)),
      )
      return [file, new Set(targets.filter((target) => known.has(target)))]
    }),
  )
}

/** The same between the folders right below the root. A file beside them is a node of its own. */
export function folderGraph(files: Graph): Graph {
  const graph: Graph = new Map()
  for (const [file, targets] of files) {
    const node = folderOf(file)
    const edges = graph.get(node) ?? new Set()
    graph.set(node, edges)
    for (const target of targets) if (folderOf(target) !== node) edges.add(folderOf(target))
  }
  return graph
}

function folderOf(file: string): string {
  return file.split('/', 1)[0] as string
}

/** Groups of nodes that reach each other, by Tarjan's algorithm: imported ones first. A group of one has no cycle. */
export function components(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    low.set(node, own)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      const reached = !index.has(next) ? visit(next) : stack.includes(next) ? (index.get(next) as number) : own
      low.set(node, Math.min(low.get(node) as number, reached))
    }
    if (low.get(node) === own) found.push(stack.splice(stack.indexOf(node)).sort())
    return low.get(node) as number
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}

/** The groups that import each other in a circle. */
export function cycles(graph: Graph): string[][] {
  return components(graph).filter((group) => group.length > 1)
}
