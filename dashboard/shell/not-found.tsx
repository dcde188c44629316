import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/blank.tsx'
import { buttonClass } from '../parts/button.tsx'

export function NotFound() {
  return (
    <div className="page">
      <h1 className="sr">Not found</h1>
      <Empty
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go to Home
          </Link>
        }
      >
        It may have been deleted, or the address was cut when it was copied.
      </Empty>
    </div>
  )
}
