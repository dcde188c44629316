import { Link, useParams } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'

/** To Home of the environment in the address. */
export function BackButton() {
  const { environment } = useParams({ strict: false })
  return environment ? (
    <Link to="/$environment" params={{ environment }} className={buttonClass('plain')}>
      Go to Home
    </Link>
  ) : null
}
