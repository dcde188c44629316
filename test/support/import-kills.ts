import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { usher } from './command.ts'
import type { TestDatabase } from './database.ts'
import { usherMain } from './process.ts'

interface Kills {
  kind: 'users' | 'events'
  lines: number
  kills: number
  /** An empty environment, by its name. */
  environment: string
  folder: string
  test: TestDatabase
}

/** Imports one file, kills the import at random lines and starts it again, and counts what is stored in the end. */
export async function killImports({ kind, lines, kills, environment, folder, test }: Kills): Promise<void> {
  const path = join(folder, `killed-${kind}.ndjson`)
  const objects = Array.from({ length: lines }, (_, n) => lineOf[kind](n))
  await writeFile(path, objects.map((object) => JSON.stringify(object)).join('\n'))
  const words = ['import', kind, path, '--environment', environment]
  const all = (await linesDone(test)) + lines
  for (let kill = 0; kill < kills; kill += 1) await runAndKill(words, kill % 3 === 0 ? 'SIGINT' : 'SIGKILL', test, all)
  const { stdout } = await usher([...words, '--json'], { DATABASE_URL: test.url })
  expect(JSON.parse(stdout)).toMatchObject([{ lines }])
  await audit[kind](test, environment, path, lines)
}

const isBad = (n: number) => n % 1_000 === 7
const lineOf = {
  events: (n: number) => ({ name: 'tick', user_id: 'u', attributes: { mark: n } }),
  users: (n: number) => ({ id: `u${n % 50}`, attributes: { n: { add: isBad(n) ? 'x' : 1 } } }),
}

const audit = {
  events: async ({ database }: TestDatabase, environment: string, _path: string, lines: number) => {
    const [row] = await database.query<{ n: number; marks: number }>(
      `select count(*)::int as n, count(distinct attributes -> 'mark')::int as marks from events
        where environment_id = (select id from environments where name = $1::text)`,
      [environment],
    )
    expect(row).toEqual({ n: lines, marks: lines })
  },
  users: async ({ database }: TestDatabase, environment: string, path: string, lines: number) => {
    const [row] = await database.query<{ n: number }>(
      `select sum((attributes -> 'n')::int)::int as n from users
        where environment_id = (select id from environments where name = $1::text)`,
      [environment],
    )
    const bad = Array.from({ length: lines }, (_, n) => n).filter(isBad)
    expect(row?.n).toBe(lines - bad.length)
    expect((await rejections(path)).map(({ line }) => line)).toEqual(bad.map((n) => n + 1))
  },
}

/** Starts the import, and kills it somewhere on its way. The signal may also come just after the last line. */
async function runAndKill(
  words: readonly string[],
  signal: NodeJS.Signals,
  test: TestDatabase,
  all: number,
): Promise<void> {
  const child = spawn(process.execPath, [await usherMain(), ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: test.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said = text(child.stderr)
  const before = await linesDone(test)
  while (child.exitCode === null && (await linesDone(test)) === before) await sleep(5)
  await sleep(Math.random() * 60)
  child.kill(signal)
  await ended
  if (child.exitCode === 130 && (await linesDone(test)) < all)
    expect(await said).toMatch(/^Interrupted: the first [\d,]+ lines of .* are imported\. Run .*\n$/)
}

async function linesDone({ database }: TestDatabase): Promise<number> {
  const [row] = await database.query<{ n: number }>('select coalesce(sum(lines), 0)::int as n from imports', [])
  return row?.n ?? 0
}

/** The lines of a file that were refused, and why. */
export async function rejections(path: string): Promise<{ line: number; reason: string }[]> {
  const content = await readFile(`${path}.rejected.ndjson`, 'utf8')
  return content
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
