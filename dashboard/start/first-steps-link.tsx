import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { useEnvironment } from '../session/use-session.ts'

/** A link from an empty list to the first steps, which send the first request. */
export function FirstStepsLink() {
  const { slug } = useEnvironment()
  return (
    <Link className={buttonClass('plain')} to="/$environment" params={{ environment: slug }} search={{ set_up: 'yes' }}>
      Send the first request
    </Link>
  )
}
