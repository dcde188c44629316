const CENTRE = { x: 400, y: -40 }
const ROWS = Array.from({ length: 17 }, (_, row) => 236 + row * 34.1)
const GAP = 22
const STEP = 23
const WIDEST = 1.12
const YOURS = { x: 535.3, y: 449.6 }

type Seat = { x: number; y: number; taken: boolean }

/** The decoration of the sign-in page: a row of seats on each side of an aisle. Which seats are taken is fixed. */
function seatsOf(radius: number, row: number): Seat[] {
  const seats: Seat[] = []
  for (let index = 0; ; index++) {
    const angle = Math.asin(GAP / radius) + (index * STEP) / radius
    if (angle > WIDEST) return seats
    for (const side of [-1, 1]) {
      const x = CENTRE.x + side * radius * Math.sin(angle)
      const y = CENTRE.y + radius * Math.cos(angle)
      seats.push({ x, y, taken: (row * 7 + index * 13 + side * 3 + ((index * index) % 5)) % 10 < 3 })
    }
  }
}

const SEATS = ROWS.flatMap(seatsOf).filter(({ x, y }) => Math.hypot(x - YOURS.x, y - YOURS.y) > 14)

/** Seats of a hall with the path to one of them. */
export function Seats() {
  return (
    <div className="gate-r" aria-hidden="true">
      <svg viewBox="0 0 800 760" preserveAspectRatio="xMidYMid slice">
        <rect className="stage-bar" x="316" y="84" width="168" height="5" rx="2.5" />
        {SEATS.map(({ x, y, taken }) => (
          <circle key={`${x} ${y}`} className={taken ? 'seat taken' : 'seat'} cx={x} cy={y} r="5" />
        ))}
        <path className="aisle" d="M400 760V465Q400 451 414 451A491 491 0 0 0 528.4 433.9" />
        <circle className="seat you" cx={YOURS.x} cy={YOURS.y} r="6.5" />
      </svg>
    </div>
  )
}
