import type { TestDatabase } from './database.ts'
import { postgresProxy } from './postgres-proxy.ts'

/**
 * PostgreSQL behind connections on which an answer can be withheld, a commit unless another is named: the statement is
 * executed, and the client cannot know.
 */
export async function withheldAnswers({ connection, url }: TestDatabase, answer = 'COMMIT') {
  let isWithholding = false
  const { port, close } = await postgresProxy(
    () => connection,
    (client, postgres) => {
      let isSilent = false
      postgres.on('data', (chunk) => {
        isSilent ||= isWithholding && chunk.includes(`${answer}\0`)
        if (!isSilent) client.write(chunk)
      })
      client.pipe(postgres)
    },
  )
  return {
    /** For a server or a command in a process of its own. */
    url: url.replace(/\?.*$/, `?host=127.0.0.1&port=${port}`),
    withhold: (isOn: boolean) => {
      isWithholding = isOn
    },
    close,
  }
}
