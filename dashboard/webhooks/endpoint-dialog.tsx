import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { useAction } from '../shell/use-action.ts'
import type { Endpoint } from './queries.ts'
import { TopicPicker } from './topic-picker.tsx'

type Props = { endpoint?: Endpoint; onClose: () => void }

/** Adds an endpoint, or changes the URL and topics of one. */
export function EndpointDialog({ endpoint, onClose }: Props) {
  const { slug } = useEnvironment()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [topics, setTopics] = useState(endpoint?.topics ?? ['*'])
  const [tried, setTried] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const first = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { run, running, problem } = useAction(async () => {
    if (endpoint) await call('updateEndpoint', { environment: slug, endpoint_id: endpoint.id, url: url.trim(), topics })
    else setMade(await call('createEndpoint', { environment: slug, url: url.trim(), topics }))
    await queryClient.invalidateQueries({ queryKey: [slug, 'endpoints'] })
    if (endpoint) onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (url.trim() !== '' && topics.length > 0) void run()
  }
  if (made) {
    const open = () => {
      onClose()
      void navigate({ to: '/$environment/webhooks/$endpointId', params: { environment: slug, endpointId: made.id } })
    }
    return (
      <SecretDialog
        title="Signing secret"
        about="It is shown this once. Your receiver checks the signature of each request with it."
        secret={made.secret}
        onClose={open}
      />
    )
  }
  return (
    <Dialog open wide onClose={onClose} focus={first} title={endpoint ? 'Edit the endpoint' : 'Add an endpoint'}>
      <form onSubmit={submit} className="dialog-form" noValidate>
        <Field
          ref={first}
          label="Endpoint URL"
          type="url"
          className="mono"
          placeholder="https://example.com/hooks/usher"
          autoComplete="off"
          spellCheck={false}
          value={url}
          problem={problem ?? (tried && url.trim() === '' ? 'Enter the https address of your receiver.' : undefined)}
          onChange={(event) => setUrl(event.target.value)}
        />
        <fieldset className="field">
          <legend>Topics</legend>
          <TopicPicker chosen={topics} onChange={setTopics} />
          {tried && topics.length === 0 && (
            <small className="problem-text" role="alert">
              Choose at least one topic.
            </small>
          )}
        </fieldset>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={running && 'Saving…'}>
            {endpoint ? 'Save endpoint' : 'Add endpoint'}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
