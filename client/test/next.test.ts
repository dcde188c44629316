import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../../test/support/client.ts'
import { freePort } from '../../test/support/free-port.ts'
import { fileOf, isInstalled } from '../../test/support/installed.ts'
import { snippetsOf } from '../../test/support/snippets.ts'
import { packedProject } from './packed.ts'
import { usherAt } from './support.ts'

const run = promisify(execFile)

/** The packed client beside the packages of an installed Next, with the example of the README as its only route. */
async function nextProject(): Promise<{ project: string; next: string }> {
  const project = await packedProject()
  onTestFinished(async () => await rm(project, { recursive: true, force: true }))
  const installed = (await realpath(fileOf('next') as string)).split('/next/dist/')[0]
  await cp(installed as string, join(project, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const route = snippetsOf(readme).find(({ name }) => name === 'next')
  await mkdir(join(project, 'app/hooks/usher'), { recursive: true })
  await writeFile(join(project, 'app/hooks/usher/route.ts'), route?.code as string)
  return { project, next: join(project, 'node_modules/next/dist/bin/next') }
}

it.runIf(isInstalled('next'))(
  'a built application of Next accepts the deliveries of a server, and refuses forged ones',
  async () => {
    const server = await startTestServer()
    onTestFinished(async () => await server.close())
    const usher = usherAt(server.url, { apiKey: server.key })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks/usher`
    const { id, secret } = await usher.webhookSubscriptions.create({ url, topics: ['user'] })

    const { project, next } = await nextProject()
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', USHER_WEBHOOK_SECRET: secret }
    await run(process.execPath, [next, 'build'], { cwd: project, env })
    const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], { cwd: project, env })
    onTestFinished(async () => {
      child.kill()
      await once(child, 'exit')
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await expect.poll(() => printed).toContain('Ready')

    await usher.users.upsert({ id: 'u_1' })
    const states = async () => (await usher.webhookSubscriptions.deliveries(id)).data.map(({ state }) => state)
    await expect.poll(states).toEqual(['delivered'])
    const headers = { 'service-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` }
    const forged = await fetch(url, { method: 'POST', body: '{"topic":"user.created"}', headers })
    expect([forged.status, await forged.text()]).toEqual([400, 'wrong_signature'])
    expect(printed.match(/user\.created/g)).toHaveLength(1)
  },
)
