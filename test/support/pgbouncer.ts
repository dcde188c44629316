import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { eventually } from './deliveries.ts'
import { freePort } from './free-port.ts'

/** Debian has it as a package, outside of an ordinary user's path. */
export const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(isProgram)

function isProgram(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export interface Pooler {
  url: string
  close(): Promise<void>
}

/** A PgBouncer with its usual settings in front of a database. */
export async function startPgbouncer(
  { host, port, user, password, database }: pg.ClientConfig,
  mode: string,
): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'usher-pooler-'))
  const listenPort = await freePort()
  const settings = [
    '[databases]',
    `${database} = host=${host} port=${port} dbname=${database} user=${user}${password ? ` password=${password}` : ''}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'max_client_conn = 100',
    'default_pool_size = 40',
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings.join('\n'))
  const asRoot = process.getuid?.() === 0
  // It refuses to run as root, like PostgreSQL, whose user it then takes.
  const uid = asRoot ? Number(execFileSync('id', ['-u', 'postgres']).toString()) : undefined
  if (uid !== undefined) for (const path of [folder, file]) await chown(path, uid, uid)
  const child: ChildProcess = spawn(PGBOUNCER as string, [file], { stdio: 'ignore', ...(uid !== undefined && { uid }) })
  const ended = once(child, 'exit')
  await eventually('PgBouncer listens', () => canConnect(listenPort))
  return {
    url: `postgres://${user}@127.0.0.1:${listenPort}/${database}`,
    close: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}
