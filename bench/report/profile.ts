import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Summarises a CPU profile: the functions by self time. */

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SHOWN = 15

/** The newest profile of a folder. */
export async function profileSummary(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).sort()
  const file = files.at(-1)
  if (file === undefined) return `no profile in ${folder}\n`
  const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile
  const busy = [...selfTimes(profile)].filter(([name]) => !['(idle)', '(program)', '(root)'].includes(name))
  const total = busy.reduce((sum, [, micros]) => sum + micros, 0)
  const lines = busy
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([name, micros]) => `${((100 * micros) / total).toFixed(1).padStart(5)} %  ${name}`)
  return `${file}, ${(total / 1e6).toFixed(1)} s of JavaScript\n${lines.join('\n')}\n`
}

function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]))
  const times = new Map<string, number>()
  samples.forEach((id, index) => {
    const name = names.get(id) as string
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  })
  return times
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName || '(anonymous)'
  if (url === '') return name
  const place = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url
  return `${name} ${place}:${lineNumber + 1}`
}
