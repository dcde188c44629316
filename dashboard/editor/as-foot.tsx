import { UserChoice } from '../content/user-choice.tsx'
import { toldWords } from '../receipts/gates.ts'
import type { DraftAs } from './use-draft-as.ts'

type Props = { as: string | undefined; draft: DraftAs; onAs: (userId: string | undefined) => void }

/** As whom content without steps is drawn, and whether this user would see it. */
export function AsFoot({ as, draft: { preview, problem }, onAs }: Props) {
  const user = as === undefined ? undefined : { id: as, name: preview?.user.name ?? as }
  const words = user && preview ? `${toldWords(preview.receipt.sentence, 'Would be')}.` : ''
  return (
    <div className="pv-foot as-foot">
      <span className="path-of">
        As <UserChoice label="As" none="nobody" value={user} onChange={(next) => onAs(next?.id)} />
      </span>
      <small className={problem ? 'clip warn-t' : 'clip'} title={problem ?? words} role="status">
        {problem ?? words}
      </small>
    </div>
  )
}
