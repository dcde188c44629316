/** How far long work is: `share` is from 0 to 1. */
export function Meter({ label, share }: { label: string; share: number }) {
  return (
    <span
      className="meter"
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(100 * share)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${100 * share}%` }} />
    </span>
  )
}
