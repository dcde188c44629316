import { isObject } from '../../../contract/content/check.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { sentProblems } from '../../../contract/content/draft.ts'
import { limits } from '../../../contract/limits.ts'
import { KEY_PATTERN } from '../../../contract/names.ts'
import type { KeptDraft } from '../../content/push.ts'
import { count } from '../../counted.ts'
import { StartupError } from '../../startup-error.ts'
import { Interrupted, interruption } from '../interruption.ts'
import { ProgressLine } from '../progress-line.ts'
import { problemText } from './files.ts'
import type { Place, StoredContent } from './stored.ts'

interface Version {
  revision: string
  document: ContentDocument
}

/** A server of before has not all of it. */
interface PushAnswer {
  kept?: KeptDraft[]
  warnings?: { param: string; message: string }[]
}

interface ContentPage {
  data: { key: string; draft_version: Version; published_version: Version | null }[]
  has_more: boolean
  next_page_url: string
}

const NOT_KNOWN = 'Interrupted: it is not known whether the drafts are stored. Run it again: it stores nothing twice.'

/** The content of a server, through its API. */
export function remotePlace(base: string, key: string): Place {
  return {
    read: async () => {
      const stored: StoredContent[] = []
      const paths = new Set<string>()
      const progress = new ProgressLine()
      let path = '/content?limit=100&order_by=name&expand=draft_version.document,published_version.document'
      for (;;) {
        paths.add(path)
        const page = pageOf(base, await call(base, key, 'GET', path))
        stored.push(...page.data.map((content) => storedOf(base, content)))
        progress.show({ done: stored.length, unit: 'contents', part: undefined })
        if (!page.has_more) break
        path = `/content${new URL(page.next_page_url).search}`
        if (page.data.length === 0 || paths.has(path)) throw endless(base, 'the same page of its content again')
        if (stored.length > MOST_CONTENTS) throw endless(base, `more than ${count(MOST_CONTENTS)} contents`)
      }
      progress.end()
      return stored.sort((first, second) => (first.key < second.key ? -1 : 1))
    },
    push: async ({ items: documents, publish, isDryRun }) => {
      const body = { documents, publish, ...(isDryRun && { dry_run: true }) }
      const answer = call(base, key, 'POST', '/content/push', body).catch((error: unknown) => {
        if (interruption.signal.aborted && !isDryRun) throw new Interrupted(NOT_KNOWN)
        throw error
      })
      const { kept = [], warnings = [] } = (await answer) as PushAnswer
      return { kept, warnings: warnings.map(({ param, message }) => `${param}: ${message}`) }
    },
  }
}

/** Ten times what an environment may have, in case that a later version allows more. */
const MOST_CONTENTS = 10 * limits.contentPerEnvironment

const endless = (base: string, what: string) =>
  new StartupError(`${base} sends ${what}, so it is not read on. Is it an Usher server of the version of this command?`)

function storedOf(base: string, { key, draft_version, published_version }: ContentPage['data'][number]): StoredContent {
  return {
    key,
    draft: documentOf(base, key, draft_version),
    revision: draft_version.revision,
    published: published_version ? documentOf(base, key, published_version) : null,
  }
}

function documentOf(base: string, key: string, { document }: Version): ContentDocument {
  const [problem] = sentProblems(document)
  if (problem)
    throw new StartupError(
      `${base} sends a document that this command cannot read: ${key}: ${problemText(problem)}. Use the command of the version of that server.`,
    )
  if (document.key !== key) throw notUsher(base)
  return document
}

function pageOf(base: string, answer: unknown): ContentPage {
  const { data, has_more, next_page_url } = (answer ?? {}) as ContentPage
  if (!Array.isArray(data) || !data.every(isContent)) throw notUsher(base)
  if (has_more && !URL.canParse(next_page_url)) throw notUsher(base)
  return answer as ContentPage
}

const keys = new RegExp(KEY_PATTERN)

/** A key becomes the name of a file: one such as `../x` must not lead out of the folder. */
function isContent(given: ContentPage['data'][number] | null): boolean {
  const draft = given?.draft_version
  return typeof given?.key === 'string' && keys.test(given.key) && isObject(draft) && typeof draft.revision === 'string'
}

const TIMEOUT_MS = 60_000
/** A page of 100 contents with their largest documents has 13 MiB. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024

async function call(base: string, key: string, method: string, path: string, body?: object): Promise<unknown> {
  const { response, text } = await exchange(base, path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  }).catch((error: Error) => {
    if (interruption.signal.aborted || error instanceof StartupError) throw error
    throw new StartupError(`${base} cannot be reached: ${reasonOf(error)}.`)
  })
  const location = response.headers.get('location')
  if (response.status < 400 && location !== null)
    throw new StartupError(`${base} redirects to ${location}: write the address of the server itself.`)
  if (!response.ok) throw new StartupError(`${base} answers ${response.status}: ${messageOf(text)}`)
  try {
    return JSON.parse(text)
  } catch {
    throw notUsher(base)
  }
}

/** A redirect is not followed: it would lose the key on the way to another address, and the body of a POST. */
async function exchange(
  base: string,
  path: string,
  request: RequestInit,
): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const response = await fetch(base + path, { ...request, redirect: 'manual', signal })
  return { response, text: await textOf(base, response) }
}

async function textOf(base: string, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_ANSWER_BYTES) throw endless(base, `an answer of more than ${MOST_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  if (cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak HTTPS'
  return cause?.message ?? error.message
}

const notUsher = (base: string) =>
  new StartupError(
    `${base} answers with something that is not of Usher: write the address of an Usher server, without /app or /docs.`,
  )

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 200)
  }
}
