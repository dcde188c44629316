import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuMicros } from '../proc.ts'
import { FIRST_NEW, NewNumbers, wrkScript } from '../traffic.ts'
import { answerParent } from './child.ts'
import type { LoadAnswer, LoadQuestion } from './load.ts'

/** The load by wrk, which needs a fifth of the CPU time of a generator in JavaScript. */

const newNumbers = new NewNumbers(FIRST_NEW.wrk)

answerParent<LoadQuestion, LoadAnswer>(async ({ port, connections, seconds, traffic }) => {
  const folder = await mkdtemp(join(tmpdir(), 'usher-wrk-'))
  const script = join(folder, 'requests.lua')
  const cpuBefore = cpuMicros(process.pid)
  try {
    await writeFile(script, wrkScript(traffic, newNumbers.take(traffic, 0)))
    const output = await run([
      '--threads',
      '1',
      '--connections',
      `${connections}`,
      '--duration',
      `${Math.ceil(seconds)}s`,
      '--timeout',
      '20s',
      '--script',
      script,
      `http://127.0.0.1:${port}`,
    ])
    const [requests, micros, refused, broken, p50] = numbersOf(output)
    // Each connection has sent one more request whose answer came too late to be counted.
    newNumbers.take(traffic, requests + connections)
    const failures = refused + broken
    return {
      requests: requests - refused,
      seconds: micros / 1e6,
      p50Ms: p50 / 1_000,
      // Not known: wrk corrects its tail with requests that it never sent, for the time in which it waited for a slow answer.
      p99Ms: Number.NaN,
      failures,
      failure: failures > 0 ? `${refused} responses of 400 and above, ${broken} broken connections` : undefined,
      cpuMicros: cpuMicros(process.pid) - cpuBefore,
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function run(parameters: string[]): Promise<string> {
  const wrk = spawn('wrk', parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, problem, [code]] = await Promise.all([text(wrk.stdout), text(wrk.stderr), once(wrk, 'exit')])
  if (code !== 0) throw new Error(`wrk ended with ${code}: ${problem}${output}`)
  return output
}

type Numbers = [requests: number, micros: number, refused: number, broken: number, p50: number]

function numbersOf(output: string): Numbers {
  const [, numbers] = /^RESULT ([\d ]+)$/m.exec(output) ?? []
  if (numbers === undefined) throw new Error(`wrk said nothing of the requests: ${output}`)
  return numbers.split(' ').map(Number) as Numbers
}
