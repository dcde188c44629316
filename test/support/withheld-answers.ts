import { connect, createServer, type Socket } from 'node:net'
import type { TestDatabase } from './database.ts'
import { serverAddress } from './unsteady-connection.ts'

/**
 * PostgreSQL behind connections on which an answer can be withheld, a commit unless another is named: the statement is
 * executed, and the client cannot know.
 */
export async function withheldAnswers({ connection, url }: TestDatabase, answer = 'COMMIT') {
  const sockets = new Set<Socket>()
  let isWithholding = false
  const server = createServer((client) => {
    const postgres = connect(serverAddress(connection))
    let isSilent = false
    postgres.on('data', (chunk) => {
      isSilent ||= isWithholding && chunk.includes(`${answer}\0`)
      if (!isSilent) client.write(chunk)
    })
    client.pipe(postgres)
    for (const socket of [client, postgres]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => postgres.destroy())
    postgres.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    /** For a server or a command in a process of its own. */
    url: url.replace(/\?.*$/, `?host=127.0.0.1&port=${port}`),
    withhold: (isOn: boolean) => {
      isWithholding = isOn
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
