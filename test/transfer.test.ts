import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { raiseRevision } from '../server/accounts/queries.ts'
import { newId } from '../server/ids.ts'
import { withImportLock } from '../server/transfer/import-lock.ts'
import { openSource } from '../server/transfer/source.ts'
import { createKeyedEnvironment } from './support/client.ts'
import { usher, usherJson } from './support/command.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { eventually } from './support/deliveries.ts'
import { temporaryFolder } from './support/folder.ts'
import { killImports, rejections } from './support/import-kills.ts'
import { startNode, type TestNode } from './support/node.ts'
import { call, usherMain } from './support/process.ts'
import { withheldAnswers } from './support/withheld-answers.ts'

let folder: string
let test: TestDatabase
let server: TestNode
let settings: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  test = await createTestDatabase()
  settings = { DATABASE_URL: test.url }
  server = await startNode(settings)
  const [account] = await test.database.query<{ id: number }>('select id from accounts', [])
  accountId = (account as { id: number }).id
})
afterAll(async () => {
  await server.end()
  await test.close()
  await rm(folder, { recursive: true, force: true })
})

interface Imported {
  lines: number
  stored: number
  refused: number
  skipped: number
  rejected_file: string | null
}

async function file(name: string, lines: readonly unknown[]): Promise<string> {
  const path = join(folder, name)
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

const into = (environment: string) => ['--environment', environment]

let accountId: number

/** Without the commands that make environments and keys, which have other tests. */
async function newEnvironment(name: string): Promise<{ name: string; target: { url: string; key: string } }> {
  const { key } = await createKeyedEnvironment(test.database, accountId, name, new Date().toISOString())
  await raiseRevision(test.database)
  return { name, target: { url: server.url, key } }
}

it('stores good lines beside the running server, refuses bad ones with number and reason, and keeps historic times', async () => {
  const { name, target } = await newEnvironment('Lines')
  const users = await file('users.ndjson', [
    { id: 'ada', attributes: { plan: 'pro', seats: { add: 2 } }, groups: [{ id: 'g' }] },
    '{ not json',
    '',
    { id: 'bob', atributes: {} },
    { id: 'ada', attributes: { seats: { add: 'x' } } },
    { id: 'ada', attributes: { plan: { add: 1 } } },
    { id: 7, attributes: { n: 1 } },
  ])
  const { code, stdout } = await usher(['import', 'users', users, ...into(name), '--json'], settings)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([
    { lines: 7, stored: 2, refused: 4, rejected_file: `${users}.rejected.ndjson` },
  ])
  expect(await rejections(users)).toMatchObject([
    { line: 2, reason: expect.stringMatching(/JSON/) },
    { line: 4, reason: expect.stringMatching(/^atributes: is not a known field/) },
    { line: 5, reason: expect.stringMatching(/^attributes\.seats\.add/) },
    { line: 6, reason: expect.stringMatching(/^attributes\.plan/) },
  ])
  expect(await call(target, 'GET', '/users/ada')).toMatchObject({ body: { attributes: { plan: 'pro', seats: 2 } } })
  expect(await call(target, 'GET', '/users/7')).toMatchObject({ status: 200 })
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const events = await file('events.ndjson.gz', [
    { name: 'signed_up', user_id: 'ada', time: '2019-05-06T07:08:09Z' },
    { name: 'signed_up', user_id: 'bob', time: yesterday },
  ])
  await usherJson(['import', 'events', events, ...into(name)], settings)
  expect(await call(target, 'GET', '/events?user_id=ada')).toMatchObject({
    body: { data: [{ name: 'signed_up', time: '2019-05-06T07:08:09Z' }] },
  })
  expect((await call(target, 'GET', '/event_definitions')).body.data).toMatchObject([{ name: 'signed_up' }])
  const days = `select at, count from counts join environments on environments.id = environment_id
                 where environments.name = $1::text and kind = 'event_name' and counts.name = 'signed_up'`
  expect(await test.database.query(days, [name])).toEqual([{ at: `${yesterday.slice(0, 10)}T00:00:00.000Z`, count: 1 }])
})

it('refuses an event with an id that no node has assigned, of the future or not of version 7', async () => {
  const { name, target } = await newEnvironment('Ids')
  const ids = ['ffffffff-ffff-7fff-bfff-ffffffffffff', crypto.randomUUID(), newId()]
  const path = await file(
    'ids.ndjson',
    ids.map((id) => ({ object: 'event', id, name: 'tick', user_id: 'u' })),
  )
  const { stdout } = await usher(['import', 'events', path, ...into(name), '--json'], settings)
  expect(JSON.parse(stdout)).toMatchObject([{ stored: 1, refused: 2 }])
  expect(await rejections(path)).toMatchObject([1, 2].map((line) => ({ line, reason: expect.stringMatching(/^id: /) })))
  expect((await call(target, 'GET', '/events')).body.data).toMatchObject([{ id: ids[2] }])
})

it('a dry run stores nothing and finds what is wrong; a second import of the same file stores nothing more', async () => {
  const { name, target } = await newEnvironment('Twice')
  const path = await file('twice.ndjson', [{ name: 'tick', user_id: 'u' }, { name: 'tick' }])
  const run = async (...more: string[]) =>
    JSON.parse(
      (await usher(['import', 'events', path, ...into(name), '--json', ...more], settings)).stdout,
    ) as Imported[]
  const count = async () => (await call(target, 'GET', '/events')).body.data.length
  expect(await run('--dry-run')).toMatchObject([{ lines: 2, stored: 0, storable: 1, refused: 1 }])
  expect(await count()).toBe(0)
  expect(await run()).toMatchObject([{ stored: 1, refused: 1 }])
  expect(await run()).toMatchObject([{ stored: 0, refused: 0, skipped: 2, refused_before: 1 }])
  expect(await count()).toBe(1)
  expect(await run('--again')).toMatchObject([{ stored: 1, refused: 1 }])
  expect(await count()).toBe(2)
})

it('refuses to import a file that another process imports, and leaves the report of that one as it is', async () => {
  const { name } = await newEnvironment('At once')
  const path = await file('at-once.ndjson', [{ name: 'tick', user_id: 'u' }])
  const report = join(folder, 'at-once.ndjson.rejected.ndjson')
  await writeFile(report, 'of the other\n')
  await withImportLock({ connectionString: test.url }, await openSource(path), async () => {
    const refused = await usher(['import', 'events', path, ...into(name), '--dry-run'], settings)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(`${path}: The same file is being imported by another process: let that one finish.\n`)
    expect(await readFile(report, 'utf8')).toBe('of the other\n')
  })
  expect(await usherJson(['import', 'events', path, ...into(name)], settings)).toMatchObject([{ stored: 1 }])
})

it('reads CSV with quotes, types that are inferred or given, and groups', async () => {
  const { name, target } = await newEnvironment('Csv')
  const path = await file('users.csv', [
    '\ufeffid,attributes.name,attributes.seats:number,attributes.zip,attributes.vip:boolean,attributes.born:datetime,groups,attributes.sum:string,created_at',
    `ada,"Lovelace, ""Ada""\nCountess",3,01234,yes,1815-12-10,a;b,'=1+1,`,
    'bob,,x,12,no,,',
    'eve,,,,,,,,2024-05-06T07:08:09.000Z',
  ])
  const { stdout } = await usher(['import', 'users', path, ...into(name), '--json'], settings)
  expect(JSON.parse(stdout)).toMatchObject([{ stored: 2, refused: 1 }])
  expect(await rejections(path)).toMatchObject([{ line: 4, reason: expect.stringMatching(/^attributes\.seats/) }])
  expect((await call(target, 'GET', '/users/ada')).body.attributes).toEqual({
    name: 'Lovelace, "Ada"\nCountess',
    seats: 3,
    zip: '01234',
    vip: true,
    born: '1815-12-10',
    sum: '=1+1',
  })
  expect((await call(target, 'GET', '/users/eve')).body.created_at).toBe('2024-05-06T07:08:09.000Z')
  expect((await call(target, 'GET', '/groups?user_id=ada')).body.data).toHaveLength(2)
  const wrong = await file('wrong.csv', ['id,plan', 'x,y'])
  const refused = await usher(['import', 'users', wrong, ...into(name)], settings)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^.*wrong\.csv: The column "plan" is not known: .*\n$/),
  })
})

it('refuses the rows of CSV that would lose data, each with its line, and stores the others', async () => {
  const { name, target } = await newEnvironment('Csv losses')
  const path = join(folder, 'losses.csv')
  const rows = [
    'id,attributes.note,groups',
    'more,note,a,b',
    'empty,note,a,',
    'latin,M\xfcller',
    'text,"note"s',
    'fine,"a ""b""\r\nc","a,b;c|d"\r',
    'digits,9007199254740994',
    'open,"note',
    'lost,note',
  ]
  await writeFile(path, Buffer.from(rows.join('\n'), 'latin1'))
  const { code, stdout } = await usher(['import', 'users', path, ...into(name), '--json'], settings)
  expect([code, JSON.parse(stdout)]).toMatchObject([1, [{ stored: 3, refused: 4 }]])
  expect(await rejections(path)).toMatchObject([
    { line: 2, reason: 'has 4 cells, and the header 3', input: ['more', 'note', 'a', 'b'] },
    { line: 4, reason: expect.stringMatching(/^is not UTF-8/) },
    { line: 5, reason: expect.stringMatching(/^has text after a closing quote/) },
    { line: 9, reason: expect.stringMatching(/not closed.*up to line 10/) },
  ])
  const { body } = await call(target, 'GET', '/users/fine?expand=groups')
  expect(body.attributes).toEqual({ note: 'a "b"\r\nc' })
  expect(body.groups.map(({ id }: { id: string }) => id).sort()).toEqual(['a,b', 'c|d'])
  expect((await call(target, 'GET', '/users/digits')).body.attributes).toEqual({ note: '9007199254740994' })
  const twice = await file('twice.csv', ['id,attributes.a,attributes.a:number', 'x,1,2'])
  const refused = await usher(['import', 'users', twice, ...into(name)], settings)
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^.*twice\.csv: The column "attributes.a" is there twice/),
  })
})

it('reports refused lines as they were, once however often a dry run repeats, and a dry run forgets no import', async () => {
  const { name, target } = await newEnvironment('Reports')
  await call(target, 'POST', '/users', { id: 'words', attributes: { n: 'words' } })
  const word = { id: 'words', attributes: { n: { add: 1 } } }
  const digits = '{"id":"digits","attributes":{"n":9007199254740993}}'
  const path = await file('reports.ndjson', [word, digits, { id: 'fine', attributes: { n: { add: 1 } } }])
  const run = async (...more: string[]) => await usher(['import', 'users', path, ...into(name), ...more], settings)
  await run('--dry-run')
  await run('--dry-run')
  expect(await rejections(path)).toMatchObject([{ line: 2, input: digits }])
  await run()
  await run('--dry-run', '--again')
  expect(await rejections(path)).toMatchObject([
    { line: 1, input: word },
    { line: 2, input: digits },
  ])
  // A job that is run again after it has failed does not succeed: the lines are still not stored.
  expect(await run()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('all 3 lines were read before: 2 refused (see '),
  })
  expect((await call(target, 'GET', '/users/fine')).body.attributes).toEqual({ n: 1 })
  const table = await file('reports.csv', ['id,attributes.n', 'first,1', ',2'])
  const read = async () => (await usher(['import', 'users', table, ...into(name)], settings)).stdout
  expect(await read()).toMatch(/: 3 lines, 1 stored, 1 refused \(see .*\)\.\n$/)
  expect(await read()).toMatch(/: all 3 lines were read before: 1 refused \(see .*\); --again /)
})

it('stores nothing of a damaged gzip file, and reads from a named pipe', async () => {
  const { name, target } = await newEnvironment('Damaged')
  const path = join(folder, 'damaged.ndjson.gz')
  await writeFile(path, gzipSync('{"id":"damaged"}\n'.repeat(1_000)).subarray(0, -10))
  const { code, stderr } = await usher(['import', 'users', path, ...into(name)], settings)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^.*damaged or incomplete .*Nothing of it is stored\.\n$/)])
  expect((await call(target, 'GET', '/users/damaged')).status).toBe(404)
  const pipe = join(folder, 'pipe.ndjson')
  execFileSync('mkfifo', [pipe])
  const [imported] = await Promise.all([
    usherJson(['import', 'users', pipe, ...into(name)], settings),
    writeFile(pipe, '{"id":"piped"}\n'),
  ])
  expect(imported).toMatchObject([{ stored: 1 }])
})

/** Only the given type says that it is a date-time. */
const BORN = { set: '1815-12-10', data_type: 'datetime' }

it.each(['ndjson', 'csv'])(
  'stores large lines of %s few at a time, also when all of them are refused',
  async (format) => {
    const { name } = await newEnvironment(`Large ${format}`)
    const text = 'x'.repeat(800_000)
    const lines = Array.from({ length: 40 }, (_, index) =>
      format === 'csv' ? `u${index},${text}` : { id: `u${index}`, attributes: { text } },
    )
    const path = await file(`large.${format}`, format === 'csv' ? ['id,attributes.text', ...lines] : lines)
    const { stdout } = await usher(['import', 'users', path, ...into(name), '--json'], settings)
    expect(JSON.parse(stdout)).toMatchObject([{ stored: 0, refused: 40 }])
    expect(await rejections(path)).toHaveLength(40)
    const [{ bytes } = { bytes: 0 }] = await test.database.query<{ bytes: number }>(
      `select octet_length(rejected) as bytes from imports order by updated_at desc limit 1`,
      [],
    )
    expect(bytes).toBeLessThan(20_000_000)
  },
)

it('an export imports into an empty environment with equal objects and types', async () => {
  const from = await newEnvironment('From')
  for (let n = 0; n < 30; n += 1) {
    await call(from.target, 'POST', '/users', {
      id: `u${n}`,
      attributes: { n, large: (n + 1) * 1e21, text: 'tab\t"quote" 🙂', at: '2026-01-03T09:30:00+02:00', born: BORN },
      memberships: [{ group: { id: `g${n % 4}`, attributes: { plan: 'x' } }, attributes: { role: 'owner' } }],
    })
    await call(from.target, 'POST', '/events', { name: 'tick', user_id: `u${n}`, group_id: 'g1', attributes: { n } })
  }
  const to = await newEnvironment('To')
  await test.database.query(
    `update attribute_definitions set written_by = 'anyone', written_by_chosen = true, shown_unverified = true
       from environments where environments.id = environment_id and environments.name = $1::text and scope = 'user'`,
    [from.name],
  )
  const path = join(folder, 'all.ndjson.gz')
  const exported = await usherJson<{ objects: number }>(['export', 'all', ...into(from.name), '-o', path], settings)
  const [objects, names] = [30 + 4 + 30 + 30, 8 + 1]
  expect(exported.objects).toBe(names + objects)
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(await usherJson(['import', 'all', path, ...into(to.name)], settings)).toMatchObject([
    { stored: names + objects, refused: 0 },
  ])
  for (const kind of ['definitions', 'users', 'groups', 'events', 'memberships']) {
    const [before, after] = await Promise.all(
      [from, to].map(async ({ name }) => (await usher(['export', kind, ...into(name)], settings)).stdout),
    )
    // The id of a membership is derived of its environment.
    const plain = (text: string | undefined) => text?.replace(kind === 'memberships' ? /"id":"[^"]*",/g : /^$/, '')
    expect(plain(after), kind).toBe(plain(before))
    expect(before).not.toBe('')
    if (kind === 'definitions') expect(after).toMatch(/"written_by" ?: ?"anyone","shown_unverified" ?: ?true/)
  }
  const order = async ({ target }: typeof from) =>
    (await call(target, 'GET', '/users?limit=100')).body.data.map(({ id }: { id: string }) => id)
  expect(await order(to)).toEqual(await order(from))
})

it('types that are there already stay, and the line of another type is refused', async () => {
  const { name, target } = await newEnvironment('Typed')
  await call(target, 'POST', '/users', { id: 'u', attributes: { seats: 3 } })
  const line = { object: 'attribute_definition', scope: 'user', name: 'seats' }
  const path = await file('definitions.ndjson', [
    { ...line, data_type: 'string' },
    { ...line, data_type: 'number' },
    { ...line, name: 'born', data_type: 'datetime', display_name: 'Date of birth' },
    { ...line, name: 'born', data_type: 'date' },
  ])
  const { stdout } = await usher(['import', 'definitions', path, ...into(name), '--json'], settings)
  expect(JSON.parse(stdout)).toMatchObject([{ stored: 2, refused: 2 }])
  expect(await rejections(path)).toMatchObject([
    { line: 1, reason: 'data_type: seats is there already as number, and stays so' },
    { line: 4, reason: expect.stringMatching(/^data_type: /) },
  ])
  const { data } = (await call(target, 'GET', '/attribute_definitions?order_by=name')).body
  expect(data).toMatchObject([
    { name: 'born', data_type: 'datetime', display_name: 'Date of birth' },
    { name: 'seats', data_type: 'number' },
  ])
})

it('imports nothing when one of the files does not exist or is a folder', async () => {
  const { name, target } = await newEnvironment('Some files')
  const first = await file('first of two.ndjson', ['{"id":"of two files"}'])
  const none = join(folder, 'none')
  for (const [second, problem] of [
    [none, `There is no file ${none}.\n`],
    [folder, `${folder} is a folder: name the files in it.\n`],
  ] as const)
    expect(await usher(['import', 'users', first, second, ...into(name)], settings)).toMatchObject({
      code: 1,
      stderr: problem,
    })
  expect((await call(target, 'GET', '/users')).body.data).toEqual([])
})

it('an export that was killed leaves no file with its name, and the next one of that name is complete', async () => {
  const { name, target } = await newEnvironment('Killed export')
  for (const id of ['u1', 'u2', 'u3']) await call(target, 'POST', '/users', { id, groups: [{ id: 'g' }] })
  const output = await temporaryFolder()
  onTestFinished(() => rm(output, { recursive: true }))
  const words = ['export', 'all', ...into(name), '-o', join(output, 'all.ndjson')]
  // The group is written, and the users do not arrive.
  const answers = await withheldAnswers(test, 'COPY 3')
  onTestFinished(answers.close)
  answers.withhold(true)
  const child = spawn(process.execPath, [await usherMain(), ...words], {
    env: { PATH: process.env.PATH, DATABASE_URL: answers.url },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const isBegun = async () => {
    const [unfinished] = await readdir(output)
    return unfinished !== undefined && (await stat(join(output, unfinished))).size > 0
  }
  await eventually('the group is written', isBegun)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  const left = await readdir(output)
  expect(left).toEqual([expect.stringMatching(/^all\.ndjson\.\w+\.unfinished$/)])
  expect(await usherJson(words, settings)).toMatchObject({ objects: 1 + 3 + 3 })
  expect((await readdir(output)).toSorted()).toEqual(['all.ndjson', ...left])
  const lines = (await readFile(join(output, 'all.ndjson'), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).object)).toEqual([
    'group',
    ...Array(3).fill('user'),
    ...Array(3).fill('group_membership'),
  ])
})

it('sends webhooks only with --notify', async () => {
  const { name, target } = await newEnvironment('Quiet')
  await call(target, 'POST', '/webhook_subscriptions', {
    url: 'http://127.0.0.1:1/',
    topics: ['user', 'event.tracked'],
  })
  const notifications = async () =>
    (
      await test.database.query<{ n: number }>(
        `select count(*)::int as n from webhook_notifications
          where environment_id = (select id from environments where name = $1::text)`,
        [name],
      )
    )[0]?.n
  await usherJson(['import', 'users', await file('quiet.ndjson', [{ id: 'a' }]), ...into(name)], settings)
  await usherJson(['import', 'events', await file('q.ndjson', [{ name: 'x', user_id: 'a' }]), ...into(name)], settings)
  expect(await notifications()).toBe(0)
  await usherJson(['import', 'users', await file('loud.ndjson', [{ id: 'b' }]), ...into(name), '--notify'], settings)
  await usherJson(
    ['import', 'events', await file('l.ndjson', [{ name: 'x', user_id: 'b' }]), ...into(name), '--notify'],
    settings,
  )
  expect(await notifications()).toBe(2)
})

it.each([
  ['events', 6_000],
  ['users', 2_000],
] as const)(
  'an import of %s that is interrupted and killed at random lines stores every line exactly once',
  async (kind, lines) => {
    await newEnvironment(`Killed ${kind}`)
    await killImports({ kind, lines, kills: 2, environment: `Killed ${kind}`, folder, test })
  },
)
