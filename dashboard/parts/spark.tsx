type Props = { values: number[]; tone?: 'warn' | 'bar' }

const HEIGHT = 18
const WIDTH = 56
const LEAST = 1.5

/** A few bars beside a figure that says the same. */
export function Spark({ values, tone = 'bar' }: Props) {
  const highest = Math.max(1, ...values)
  const step = WIDTH / values.length
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {values.map((value, index) => {
        const height = value === 0 ? LEAST : Math.max(LEAST, (value / highest) * HEIGHT)
        const look = value === 0 ? 'b0' : tone === 'warn' ? 'b2' : 'b1'
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key
            key={index}
            className={look}
            x={index * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1.3)}
            height={height}
            rx=".8"
          />
        )
      })}
    </svg>
  )
}
