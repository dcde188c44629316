import { useEffect, useRef } from 'react'
import type { FlowDocument } from '../../contract/content/document.ts'
import { stepTitle } from '../../contract/content/step-title.ts'
import { UserChoice } from '../content/user-choice.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { toldWords } from '../receipts/gates.ts'
import { bringIntoSight } from './in-sight.ts'
import type { DraftAs } from './use-draft-as.ts'
import { numberOf } from './words.ts'

type Props = {
  flow: FlowDocument
  /** The key of the chosen step. */
  chosen: string | undefined
  as: string | undefined
  draft: DraftAs
  onChoose: (key: string) => void
  /** Absent: nobody can be chosen. */
  onAs?: (userId: string | undefined) => void
}

/** The steps that a user would take, with the reason for a branch; of nobody, all steps. */
export function PathFoot({ flow, chosen, as, draft: { preview, problem }, onChoose, onAs }: Props) {
  const path = as === undefined ? undefined : preview?.path
  const keys = (path ? path.steps : flow.steps).map(({ key }) => key)
  const at = keys.indexOf(chosen ?? '')
  const go = (by: 1 | -1) => {
    const next = keys[at + by]
    if (next !== undefined) onChoose(next)
  }
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    bringIntoSight(list.current, list.current?.children[at])
  }, [at])
  const user = as === undefined ? undefined : { id: as, name: preview?.user.name ?? as }
  return (
    <div className="pv-foot">
      {onAs && (
        <span className="path-of">
          Path of <UserChoice label="Path of" none="nobody" value={user} onChange={(next) => onAs(next?.id)} />
        </span>
      )}
      <ol ref={list} className="path" aria-label={user ? `Path of ${user.name}` : 'Path'}>
        {keys.map((key) => {
          const number = numberOf(flow, key)
          const step = flow.steps[number - 1]
          return (
            <li key={key}>
              <button
                type="button"
                className={key === chosen ? 'on' : ''}
                aria-current={key === chosen ? 'step' : undefined}
                aria-label={`Step ${number}${step ? `, ${stepTitle(step)}` : ''}`}
                onClick={() => onChoose(key)}
              >
                {number}
              </button>
            </li>
          )
        })}
        {path?.end !== 'page' && path?.end !== 'nowhere' && (
          <li aria-hidden="true">
            <Icon name="flag" />
          </li>
        )}
      </ol>
      {problem ? (
        <small className="clip warn-t" role="status">
          {problem}
        </small>
      ) : (
        user && preview && <PathWords flow={flow} preview={preview} />
      )}
      <span className="end">
        <IconButton icon="arrowleft" label="Step before" onClick={() => go(-1)} />
        <IconButton icon="arrowright" label="Next step" onClick={() => go(1)} />
      </span>
    </div>
  )
}

const ENDS = {
  completed: '',
  dismissed: '',
  page: 'Then the page decides.',
  nowhere: 'Then it leads nowhere.',
} as const

/** `Step 5, since role is "owner". Not shown: seats is 3, at least 5 are needed.` */
function PathWords({
  flow,
  preview: { path, receipt },
}: {
  flow: FlowDocument
  preview: NonNullable<DraftAs['preview']>
}) {
  const reasons = (path?.steps ?? []).flatMap(({ key, because }) =>
    because === null ? [] : [`Step ${numberOf(flow, key)}, since ${because}.`],
  )
  const words = [...reasons, path ? ENDS[path.end] : '', `${toldWords(receipt.sentence, 'Would be')}.`]
    .filter(Boolean)
    .join(' ')
  return (
    <small className="clip" title={words} role="status">
      {words}
    </small>
  )
}
