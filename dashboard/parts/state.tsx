/** A state is always a shape, a colour and a word. */
export type Tone = 'ok' | 'info' | 'mute' | 'warn' | 'bad'
export type Shape = 'full' | 'half' | 'ring' | 'dashed' | 'cross'

export function StateShape({ shape }: { shape: Shape }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      {shape === 'full' && <circle cx="5" cy="5" r="4" fill="currentColor" />}
      {shape === 'cross' && (
        <path d="M1.8 1.8l6.4 6.4M8.2 1.8 1.8 8.2" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      )}
      {(shape === 'half' || shape === 'ring' || shape === 'dashed') && (
        <circle
          cx="5"
          cy="5"
          r="3.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeDasharray={shape === 'dashed' ? '2 1.7' : undefined}
        />
      )}
      {shape === 'half' && <path d="M5 1.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />}
    </svg>
  )
}

type Props = { tone: Tone; shape: Shape; children: React.ReactNode; badge?: boolean }

export function State({ tone, shape, children, badge }: Props) {
  return (
    <span className={`${badge ? 'badge' : 'state'} ${tone}`}>
      <StateShape shape={shape} />
      {children}
    </span>
  )
}
