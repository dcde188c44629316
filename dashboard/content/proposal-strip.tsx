import { useNavigate } from '@tanstack/react-router'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { Proposal } from '../../contract/dashboard/in-place.ts'
import { Button } from '../parts/button.tsx'
import { useAction } from '../shell/use-action.ts'
import { useDraft } from './use-draft.ts'
import { useInPlaceActs } from './use-in-place-acts.ts'

/** What a page of the application has proposed, until the member confirms or declines it. */
export function ProposalStrip() {
  const { wish, tab } = useInPlaceActs()
  if (tab.offered) return <Offered proposal={tab.offered} />
  if (wish?.purpose !== 'pick' || !(tab.state === 'waiting' || tab.state === 'open')) return null
  return (
    <div className="strip info" role="status">
      <p>Pick the element in the tab of your application. What you pick is offered here.</p>
      <span className="end">
        <Button small onClick={tab.forget}>
          Stop waiting
        </Button>
      </span>
    </div>
  )
}

function Offered({ proposal: { id, step, locators, page } }: { proposal: Proposal }) {
  const { tab } = useInPlaceActs()
  const { document, edit, reason } = useDraft()
  const navigate = useNavigate()
  const place = placeOf(document, step)
  const { run, running, problem } = useAction(async (isWanted: boolean) => {
    if (isWanted) {
      const names = locators.map(({ locator }) => locator)
      edit(`pick the element of ${place ?? 'a step'}`, (now) => withLocators(now, step, names))
      if (step !== null)
        await navigate({ to: '.', search: (before: object) => ({ ...before, step }) as never, replace: true })
    }
    await tab.settle(id, isWanted)
  })
  return (
    <div className="strip info" role="alert">
      <p>
        <b>Picked for {place ?? 'a step that has no element any more'}</b> on {pageWords(page)}:{' '}
        {locators.map(({ locator, stability }, index) => (
          <span key={locator}>
            {index > 0 && ', then '}
            <code>{locator}</code> ({stability})
          </span>
        ))}
      </p>
      <span className="end">
        {problem && <small className="problem-text">{problem}</small>}
        <Button small onClick={() => void run(false)}>
          Not this one
        </Button>
        <Button
          small
          kind="primary"
          reason={reason ?? (place ? undefined : 'The step was deleted, or is no tooltip any more')}
          busy={running && 'Saving…'}
          onClick={() => void run(true)}
        >
          Use it
        </Button>
      </span>
    </div>
  )
}

/** `step 3`, `the launcher`; undefined when there is no such step, or nothing that it is attached to. */
function placeOf(document: ContentDocument, step: string | null): string | undefined {
  if (document.type === 'launcher') return 'the launcher'
  const isIt = ({ key, type }: { key: string; type: string }) => key === step && type === 'tooltip'
  const index = document.type === 'flow' ? document.steps.findIndex(isIt) : -1
  return index === -1 ? undefined : `step ${index + 1}`
}

const pageWords = (page: string) => page.replace(/^https?:\/\//, '')

/** Only a tooltip is attached to something. */
function withLocators(document: ContentDocument, step: string | null, locators: string[]): ContentDocument {
  if (document.type === 'launcher') return { ...document, target: { ...document.target, locators } }
  if (document.type !== 'flow') return document
  const steps = document.steps.map((one) =>
    one.key === step && one.type === 'tooltip' ? { ...one, target: { ...one.target, locators } } : one,
  )
  return { ...document, steps }
}
