import { type ComponentProps, type ReactNode, useId } from 'react'

type Frame = {
  label: ReactNode
  /** Shown before anything is wrong. */
  help?: ReactNode
  /** What is wrong and what to do. */
  problem?: string | undefined
}

type Props = Frame & ComponentProps<'input'> & { large?: boolean }

/** A labelled input. The problem stands below it and is its description. */
export function Field({ label, help, problem, large, className = '', ...input }: Props) {
  const id = useId()
  const note = problem ?? help
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        dir="auto"
        {...input}
        id={id}
        className={`input ${large ? 'lg' : ''} ${className}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <small id={`${id}-note`} className={problem ? 'problem-text' : ''}>
          {note}
        </small>
      )}
    </div>
  )
}
