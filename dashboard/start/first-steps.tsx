import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { HomeData } from '../home/queries.ts'
import { buttonClass } from '../parts/button.tsx'
import { Snippet } from '../parts/code-block.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment, useSession } from '../session/use-session.ts'
import { IfNothingArrives } from './if-nothing-arrives.tsx'
import { eventSnippets, userSnippets } from './snippets.ts'
import { Step } from './step.tsx'
import { TakeKey } from './take-key.tsx'
import { Waiting } from './waiting.tsx'

const PLACE_OF_KEY = '$USHER_API_KEY'

/** The first integration: key, user, event, webhook. It changes to "received" without a reload. */
export function FirstSteps({ home }: { home: HomeData }) {
  const { name, slug } = useEnvironment()
  const { api_url } = useSession()
  const [key, setKey] = useState<string>()
  const shown = key ?? PLACE_OF_KEY
  const now = key === undefined && !home.has_users ? 1 : !home.has_users ? 2 : !home.has_events ? 3 : 4
  return (
    <>
      <h1 className="title">{home.has_events ? 'Set up' : 'Send the first request'}</h1>
      <p className="sub">
        {home.has_events
          ? `${name} receives events. These steps lead through the first integration again.`
          : `Nothing ${home.has_users ? 'but users' : ''} has reached ${name} yet. This page changes by itself when something does.`}
      </p>
      <div className="first">
        <ol className="steps">
          <Step number={1} title="Take the key" done={key !== undefined || home.has_users} now={now === 1}>
            <TakeKey made={key} onMade={setKey} />
          </Step>
          <Step
            number={2}
            title="Create a user"
            done={home.has_users}
            now={now === 2}
            open={key !== undefined || home.has_events}
          >
            <p>Run this from anywhere that reaches the server. The same call creates and updates.</p>
            <Snippet label="Create a user" snippets={userSnippets(api_url, shown)} />
            <Waiting path="/users" received={home.has_users} />
          </Step>
          <Step number={3} title="Track an event" done={home.has_events} now={now === 3} open={home.has_users}>
            <p>One call for each thing that a user does.</p>
            <Snippet label="Track an event" snippets={eventSnippets(api_url, shown)} />
            <Waiting path="/events" received={home.has_events} />
          </Step>
          <Step
            number={4}
            title="Hear about it"
            done={home.has_endpoints}
            now={now === 4}
            open={home.has_events || home.has_users}
          >
            <p>Add a webhook, and send a test to see that your receiver checks the signature.</p>
            <Link
              className={buttonClass()}
              to="/$environment/webhooks"
              params={{ environment: slug }}
              search={{ create: 'endpoint' }}
            >
              <Icon name="plus" />
              Add endpoint
            </Link>
          </Step>
          <Step number={5} title="Show a guided flow" done={false} now={false} open>
            <p>
              <a className="link" href="/docs/guides/first-flow" target="_blank" rel="noreferrer">
                Your first flow
              </a>{' '}
              takes ten minutes, and needs none of the steps above.
              {home.has_demo && (
                <>
                  {' '}
                  You see it in the{' '}
                  <a className="link" href="/demo" target="_blank" rel="noreferrer">
                    demo application
                  </a>
                  .
                </>
              )}
            </p>
          </Step>
        </ol>
        <IfNothingArrives />
      </div>
      {home.has_events && (
        <p className="mt-16">
          <Link className="link" to="/$environment" params={{ environment: slug }}>
            Back to Home
          </Link>
        </p>
      )}
    </>
  )
}
