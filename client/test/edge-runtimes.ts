import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'

/** A worker with the packed client in an application of Hono. `listen` is how the runtime wants it. */
const worker = (listen: string) => `
  import * as client from '@usher/client'
  import { Hono } from 'hono'
  import { trial } from './trial.mjs'
  const app = new Hono()
  app.post('/trial', async (context) => context.json(await trial(client, await context.req.json())))
  app.post('/hooks/:secret', async (context) => {
    const receive = client.fetchWebhook({ secret: context.req.param('secret'), onNotification: () => {} })
    return await receive(context.req.raw)
  })
  ${listen}
`

/** As the tools of these platforms do it: one file, with the exports for workers. */
async function bundle(project: string, listen: string, format: 'es' | 'iife'): Promise<string> {
  const entry = join(project, `worker-${format}.mjs`)
  await writeFile(entry, worker(listen))
  const { build } = await import('vite')
  const built = await build({
    ...{ configFile: false, root: project, logLevel: 'error' },
    resolve: {
      alias: { hono: fileURLToPath(import.meta.resolve('hono')) },
      conditions: ['workerd', 'worker', 'browser'],
    },
    build: { lib: { entry, name: 'worker', formats: [format] }, write: false, target: 'es2022' },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  return output[0].code
}

/** The configuration of workerd, without its compatibility with Node. */
const workerdConfig = (port: number) => `
  using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
    sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
  );
  const worker :Workerd.Worker = (
    modules = [(name = "worker", esModule = embed "workerd.js")],
    compatibilityDate = "2026-01-01"
  );
`

/** The runtimes of Cloudflare and of Vercel, each with the worker on a port. */
export const edgeRuntimes: Record<string, (project: string, port: number) => Promise<ChildProcess>> = {
  workerd: async (project, port) => {
    await writeFile(join(project, 'workerd.js'), await bundle(project, 'export default app', 'es'))
    await writeFile(join(project, 'workerd.capnp'), workerdConfig(port))
    return spawn('workerd', ['serve', join(project, 'workerd.capnp')], { stdio: 'inherit' })
  },
  'edge-runtime': async (project, port) => {
    const listen = `addEventListener('fetch', (event) => event.respondWith(app.fetch(event.request)))`
    await writeFile(join(project, 'edge.js'), await bundle(project, listen, 'iife'))
    const args = ['--listen', '--host', '127.0.0.1', '--port', String(port), join(project, 'edge.js')]
    return spawn('edge-runtime', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  },
}

/** Starts the worker; the result is its address. It runs until the test ends. */
export async function startWorker(runtime: string, project: string): Promise<string> {
  const port = await freePort()
  const child = await (edgeRuntimes[runtime] as (typeof edgeRuntimes)[string])(project, port)
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  const status = () =>
    fetch(url).then(
      (response) => response.status,
      () => 0,
    )
  await expect.poll(status).toBe(404)
  return url
}
