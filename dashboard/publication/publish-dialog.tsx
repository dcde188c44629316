import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { InsideChoice } from '../../contract/requests/content.ts'
import { ApiError, call } from '../api.ts'
import type { DraftState } from '../content/draft-store.ts'
import { reloadContent } from '../content/queries.ts'
import { savingWords } from '../content/saving-words.ts'
import { useContent, useDraftState } from '../content/use-draft.ts'
import { count, counted } from '../format/number.ts'
import { question } from '../format/question.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { isSecondClick } from '../parts/second-click.ts'
import { Bone } from '../parts/skeleton.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { Loaded } from '../shell/loaded.tsx'
import { useAction } from '../shell/use-action.ts'
import { PlanBody } from './plan-body.tsx'
import { type Plan, planProgressQuery, planQuery } from './queries.ts'
import '../styles/publication.css'

/** Look before you publish: what changes, whom it reaches, and what keeps it from going live. */
export function PublishDialog() {
  const { slug: environment, name: place } = useEnvironment()
  const { detail, store } = useContent()
  const { saving, document } = useDraftState(store)
  const navigate = useNavigate()
  const isSaved = saving === 'saved'
  const query = useQuery({ ...planQuery(environment, detail.id), enabled: isSaved })
  const close = () =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, publish: undefined }) as never })
  const plan = query.data
  // What there is to decide comes with the plan. Until then the first control is the one that closes.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => store.flush(), [store])
  return (
    <Base.Root open onOpenChange={(open, details) => !open && !isSecondClick(details) && close()}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className="dialog pub" initialFocus={heading}>
            <header>
              <div>
                <Base.Title render={<h2 ref={heading} tabIndex={-1} />}>
                  {question(plan ? `Publish version ${plan.number} of ${document.name}` : `Publish ${document.name}`)}
                </Base.Title>
                <Base.Description render={<p className="t2" />}>
                  {aboutOf(plan, place, detail.guidance.is_off)}
                </Base.Description>
              </div>
              <IconButton icon="x" label="Close" onClick={close} />
            </header>
            {!plan && UNSAVED.includes(saving) ? (
              <Unsaved />
            ) : (
              <Loaded query={query} what="The plan" skeleton={<Planning contentId={detail.id} />}>
                {(data) => <Opened key={data.expected_draft} plan={data} onClose={close} />}
              </Loaded>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The plan is made of what is saved. It is loaded as soon as the draft is. */
const UNSAVED: readonly DraftState['saving'][] = ['offline', 'conflict', 'deleted', 'refused']

function Unsaved() {
  const { store } = useContent()
  return (
    <div className="in">
      <p role="status">{savingWords(useDraftState(store))} Only what is saved can be published.</p>
    </div>
  )
}

function aboutOf(plan: Plan | undefined, place: string, isOff: boolean): string {
  if (isOff) return `Guidance is off in ${place}: nobody sees it until an admin turns it on.`
  if (!plan || plan.published_number === null) return `Users in ${place} who match see it within a second.`
  if (plan.published_number === plan.number) return `Version ${plan.number} is what users in ${place} see now.`
  return `It takes the place of version ${plan.published_number} in ${place}, for new runs, within a second. Version ${plan.published_number} stays and can be published again.`
}

function Planning({ contentId }: { contentId: string }) {
  const { slug } = useEnvironment()
  const { looked, users } = useQuery(planProgressQuery(slug, contentId)).data ?? {}
  return (
    <div className="in">
      <p className="t2" role="status">
        {looked != null && users != null && `Looked at ${count(looked)} of about ${count(users)} users.`}
      </p>
      <PlanBones />
    </div>
  )
}

const PlanBones = () => (
  <>
    {[280, 480, 420, 360].map((width) => (
      <Bone key={width} width={width} height={14} />
    ))}
  </>
)

function Opened({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { slug: environment } = useEnvironment()
  const { detail, store } = useContent()
  const { revision, unfinishedRows } = useDraftState(store)
  const [inside, setInside] = useState<InsideChoice>('finish')
  const [description, setDescription] = useState('')
  const { run, running, problem } = useAction(async () => {
    try {
      const given = { environment, content_id: detail.id, expected_draft: plan.expected_draft, inside, description }
      const { number } = await call('publishContent', given)
      await reloadContent(environment)
      onClose()
      toast(detail.guidance.is_off ? `Version ${number} is published. Guidance is off.` : `Version ${number} is live.`)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'draft_changed') throw new Error('The draft changed. Look again.')
      throw error
    }
  })
  const blocked = reasonOf(plan, revision, unfinishedRows, detail.guidance.may_publish)
  const lacking = lackingOf(plan, unfinishedRows)
  return (
    <>
      <div className="in">
        <PlanBody plan={plan} inside={inside} onInside={setInside} />
      </div>
      <footer>
        {lacking ? (
          <span className="bad-t">
            <Icon name="alert" /> {lacking}
          </span>
        ) : (
          <input
            className="input"
            aria-label="Note for the list of versions"
            placeholder="Note for the list of versions"
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        )}
        {problem && (
          <span className="problem-text" role="alert">
            {problem}
          </span>
        )}
        <span className="end btns">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" reason={blocked} busy={running && 'Publishing…'} onClick={() => void run()}>
            Publish version {plan.number}
          </Button>
        </span>
      </footer>
    </>
  )
}

function lackingOf({ problems }: Plan, unfinishedRows: number): string | undefined {
  if (problems.length > 0) return `${counted(problems.length, 'problem')} to solve first`
  return unfinishedRows > 0 ? `${counted(unfinishedRows, 'row')} to finish or to remove first` : undefined
}

function reasonOf(plan: Plan, revision: string, unfinishedRows: number, mayPublish: boolean): string | undefined {
  if (!mayPublish) return 'Needs the role admin'
  if (plan.problems.length > 0) return 'Solve the problems first'
  if (unfinishedRows > 0) return 'Finish the row of the rule, or remove it'
  if (plan.published_number === plan.number) return 'This is what users see already'
  return plan.expected_draft === revision ? undefined : 'The draft changed. Look again'
}
