import { bytes } from '../format/number.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { HttpStatus } from '../parts/http-status.tsx'
import { Json } from '../parts/json.tsx'
import { Panel } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'
import type { Attempt, Delivery } from './queries.ts'
import { Timings } from './timings.tsx'
import { hostOf } from './words.ts'

const size = (text: string) => new TextEncoder().encode(text).length

/** The chosen attempt: timings, response, request. */
export function AttemptDetail({ delivery, attempt }: { delivery: Delivery; attempt: Attempt | undefined }) {
  return (
    <div className="stack">
      {attempt && (
        <Panel title={`Attempt ${attempt.attempt}`} end={<Time at={attempt.at} as="milliseconds" />}>
          <Timings attempt={attempt} />
        </Panel>
      )}
      {attempt && <Response attempt={attempt} />}
      <Request delivery={delivery} />
    </div>
  )
}

function Response({ attempt }: { attempt: Attempt }) {
  const title =
    attempt.status === null ? (
      'No response'
    ) : (
      <>
        Response <HttpStatus code={attempt.status} />
      </>
    )
  if (attempt.response === '') {
    return (
      <CodeBox title={title}>
        <p className="none t3">{attempt.failure ?? 'The response had no body.'}</p>
      </CodeBox>
    )
  }
  return (
    <CodeBox
      title={title}
      note={`${bytes(size(attempt.response))}; the first 4 KB are kept`}
      copy={{ value: attempt.response, label: 'Copy the response' }}
    >
      <Json text={attempt.response} />
    </CodeBox>
  )
}

function Request({ delivery: { request_body: body, url } }: { delivery: Delivery }) {
  if (body === null) {
    return (
      <CodeBox title="Request">
        <p className="none t3">The notification is over 30 days old, and is no longer stored.</p>
      </CodeBox>
    )
  }
  return (
    <CodeBox
      title="Request"
      note={`POST, ${bytes(size(body))}`}
      copy={{ value: body, label: 'Copy the request' }}
      facts={[
        ['host', hostOf(url)],
        ['content-type', 'application/json'],
        [
          'service-signature',
          <span key="signature" className="t3">
            t=…,v1=… made for each attempt, not stored
          </span>,
        ],
      ]}
    >
      <Json text={body} />
    </CodeBox>
  )
}
