import { Button } from './button.tsx'

type Props = {
  /** Who changed it, as the server says it. */
  problem: string
  onTheirs: () => void
  onMine: () => void
}

/** Somebody else has saved what is edited here: one of the two is chosen, and nothing is overwritten unseen. */
export function ChangedMeanwhile({ problem, onTheirs, onMine }: Props) {
  return (
    <div className="strip-save warn" role="alert">
      <span>{problem} Yours is kept here.</span>
      <span className="end">
        <Button onClick={onTheirs}>Take theirs</Button>
        <Button onClick={onMine}>Keep mine</Button>
      </span>
    </div>
  )
}
