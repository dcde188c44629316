import { writeFileSync } from 'node:fs'
import { components, cycles, fileGraph, folderGraph, type Graph } from './import-graph.ts'

/**
 * `npm run graph`: draws which folder of server/ imports which, into docs/graph.svg or into the given file. What is imported
 * stands below. An edge that a longer way implies is left out, except inside a circle, which is drawn in red.
 */

const [folder = 'server', output = 'docs/graph.svg'] = process.argv.slice(2)
const WIDTH = 1_400
const BOX = { width: 116, height: 26 }
const ROW = 92

const graph = folderGraph(fileGraph(folder))
const circles = cycles(graph)
const layers = layersOf(graph)
const places = placesOf(layers)
writeFileSync(output, svg())
process.stdout.write(
  `${output}: ${graph.size} folders and files, ${circles.length === 0 ? 'no circle' : `circles: ${circles.map((circle) => circle.join(' ↔ ')).join('; ')}`}\n`,
)

/** A node stands one row above the highest of those it imports; the nodes of a circle share a row. */
function layersOf(all: Graph): string[][] {
  const height = new Map<string, number>()
  for (const group of components(all)) {
    const below = group.flatMap((node) => [...(all.get(node) ?? [])]).filter((node) => !group.includes(node))
    const own = Math.max(-1, ...below.map((node) => height.get(node) as number)) + 1
    for (const node of group) height.set(node, own)
  }
  const rows: string[][] = []
  for (const [node, row] of height) rows[row] = [...(rows[row] ?? []), node]
  return rows.reverse()
}

function placesOf(rows: string[][]): Map<string, { x: number; y: number }> {
  return new Map(
    rows.flatMap((nodes, row) =>
      nodes.sort().map((node, column) => {
        const x = (WIDTH / (nodes.length + 1)) * (column + 1)
        return [node, { x, y: row * ROW + 60 + (nodes.length > 9 && column % 2 === 1 ? 34 : 0) }] as const
      }),
    ),
  )
}

function inCircle(from: string, to: string): boolean {
  return circles.some((circle) => circle.includes(from) && circle.includes(to))
}

function isImplied(from: string, to: string): boolean {
  return [...(graph.get(from) ?? [])].some(
    (via) => via !== to && !inCircle(via, to) && reaches(via, to, new Set([from])),
  )
}

function reaches(from: string, to: string, seen: Set<string>): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return [...(graph.get(from) ?? [])].some((next) => reaches(next, to, seen))
}

function svg(): string {
  const edges = [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => inCircle(from, to) || !isImplied(from, to)).map((to) => edge(from, to)),
  )
  const boxes = [...places].map(([node, { x, y }]) => {
    const fill = circles.some((circle) => circle.includes(node)) ? '#fdebe9' : '#eef1fe'
    return `<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="6" fill="${fill}" stroke="#8b909c"/><text x="${x}" y="${y + 4}" text-anchor="middle">${node}</text>`
  })
  const height = layers.length * ROW + 60
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>Which folder of ${folder} imports which</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${edges.join('\n')}
${boxes.join('\n')}
</svg>
`
}

function edge(from: string, to: string): string {
  const [a, b] = [places.get(from), places.get(to)] as [{ x: number; y: number }, { x: number; y: number }]
  const colour = inCircle(from, to) ? '#d93a31' : '#b6bac4'
  const bend = a.y === b.y ? -60 : 0
  return `<path d="M${a.x} ${a.y} C${a.x} ${(a.y + b.y) / 2 + bend} ${b.x} ${(a.y + b.y) / 2 + bend} ${b.x} ${b.y}" fill="none" stroke="${colour}"/>`
}
