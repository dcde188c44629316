import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { duration } from '../format/duration.ts'
import { bytes, count } from '../format/number.ts'
import { subjectFacts } from '../objects/subject-facts.tsx'
import { CodeBox } from '../parts/code-box.tsx'
import { CopyId } from '../parts/copy.tsx'
import { Absent, Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Time } from '../parts/time.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { givenWords } from './given-value.ts'
import { pageFacts } from './page-facts.ts'
import { type RequestDetail as Detail, requestErrorsQuery } from './queries.ts'
import { messageOf } from './reasons.ts'

/** The problem in words first, then facts, request, answer. */
export function RequestDetail({ request }: { request: Detail }) {
  return (
    <>
      {request.status >= 300 && <Problem request={request} />}
      <RequestFacts request={request} />
      <Body title="Request" body={request.request} mark={request.field} />
      <Body title="Answer" body={request.answer} />
    </>
  )
}

type Refused = Pick<Detail, 'status' | 'code' | 'field' | 'message'> & { request?: Detail['request'] }

/** The problem in words, what the field held, and how often it happened. */
export function Problem({ request }: { request: Refused }) {
  const { slug } = useEnvironment()
  const { data } = useQuery(requestErrorsQuery(slug))
  // Errors are counted without the indexes of lists.
  const field = request.field?.replace(/\[\d+\]/g, '[]') ?? ''
  const same = data?.data.find((reason) => reason.code === request.code && reason.field === field)
  const [key] = same?.keys ?? []
  const given = givenWords(request.request?.text ?? null, request.field, request.message ?? '')
  return (
    <div className={request.status >= 500 ? 'problem bad' : 'problem'}>
      <b dir="auto">
        {request.field && `${request.field} `}
        {ended(messageOf(request) || request.code || `Status ${request.status}`)}
      </b>
      {given && <p dir="auto">{given}</p>}
      {same && (
        <p>
          {count(same.count)} {same.count === 1 ? 'request' : 'requests'} had this in the last 24 hours
          {key?.name && same.keys.length === 1 && `, all with the key ${key.name}`}.
        </p>
      )}
    </div>
  )
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function RequestFacts({ request }: { request: Detail }) {
  const { slug: environment } = useEnvironment()
  const facts: [string, ReactNode][] = [
    ['Request-Id', <CopyId key="id" value={request.id} />],
    ['Time', <Time key="time" at={request.at} as="milliseconds" />],
    ['Key', <KeyOf key="key" request={request} />],
    ['Took', duration(request.duration_ms)],
    ['From', request.address ? <span className="mono">{request.address}</span> : <Absent />],
  ]
  facts.push(...factsOfPage(request))
  if (request.is_replay) {
    facts.push(['Repeated', 'Answered as the first request with this Idempotency-Key. Nothing was stored again.'])
  }
  facts.push(...subjectFacts(environment, request))
  return <Facts>{facts}</Facts>
}

/** Of a page: whether its user is verified, and what it sent that only the back end may write. */
function factsOfPage({ url, answer }: Detail): [string, ReactNode][] {
  const page = pageFacts(url, answer.text)
  if (!page) return []
  const { verified, ignored, ignoredMore } = page
  const names = ignored.map(({ name, reason }) => (
    <span key={name} className="block" dir="auto">
      <code>{name}</code> <span className="t2">{reason}</span>
    </span>
  ))
  if (ignoredMore > 0)
    names.push(
      <span key=" more" className="block">
        and {count(ignoredMore)} more
      </span>,
    )
  return [
    ...(verified === undefined ? [] : [['Identity', verified ? 'Verified' : 'Not verified'] as [string, ReactNode]]),
    ...(ignored.length === 0 ? [] : [['Not written', names] as [string, ReactNode]]),
  ]
}

function KeyOf({ request: { key_name, key_shown } }: { request: Detail }) {
  if (key_shown === null) return <Absent />
  return (
    <span dir="auto">
      {key_name} <span className="mono t3">{key_shown}</span>
    </span>
  )
}

type BodyData = Detail['request']

function Body({ title, body, mark }: { title: string; body: BodyData; mark?: string | null }) {
  const note = body.is_cut ? `${bytes(body.bytes)}, cut` : bytes(body.bytes)
  if (body.text === null || body.text === '') {
    return (
      <CodeBox title={title} note={note}>
        <p className="none t3">{body.is_hidden ? 'Bodies are hidden from the role viewer.' : 'There was no body.'}</p>
      </CodeBox>
    )
  }
  return (
    <CodeBox title={title} note={note} copy={{ value: body.text, label: `Copy the ${title.toLowerCase()}` }}>
      <Json text={body.text} mark={mark} />
    </CodeBox>
  )
}
