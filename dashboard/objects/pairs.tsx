const SHOWN = 3

/** The first attributes of an event, in one line. */
export function Pairs({ attributes }: { attributes: Record<string, unknown> }) {
  return Object.entries(attributes)
    .slice(0, SHOWN)
    .map(([name, value]) => (
      <span key={name} className="attr" dir="auto">
        <code>{name}</code> {String(value)}
      </span>
    ))
}
