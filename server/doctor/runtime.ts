import { readFile } from 'node:fs/promises'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The server is tested with the runtime that its package.json pins, which `npm` scripts find first. */
export async function checkRuntime(): Promise<Finding> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies: { node: string } }
  return judgeRuntime(process.versions.node, dependencies.node)
}

export function judgeRuntime(running: string, pinned: string): Finding {
  const finding = `node ${running}`
  const advice = `Start it through npm (npm start), which uses node ${pinned} from node_modules; npm ci puts it there.`
  const [runningMajor, pinnedMajor] = [Number.parseInt(running, 10), Number.parseInt(pinned, 10)]
  if (runningMajor < pinnedMajor) return problem('runtime', finding, advice)
  return running === pinned ? ok('runtime', finding) : warning('runtime', `${finding}, not ${pinned}`, advice)
}
