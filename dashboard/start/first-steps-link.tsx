import { Link } from '@tanstack/react-router'
import { buttonClass } from '../parts/button.tsx'
import { useEnvironment } from '../session/use-session.ts'

/** From a list that only requests can fill to the steps that send the first one. */
export function FirstStepsLink() {
  const { slug } = useEnvironment()
  return (
    <Link className={buttonClass('plain')} to="/$environment" params={{ environment: slug }} search={{ set_up: 'yes' }}>
      Send the first request
    </Link>
  )
}
