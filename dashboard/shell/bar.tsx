import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useEnvironment } from '../session/use-session.ts'

export type Crumb = { label: string; link: LinkProps }

type Props = {
  /** Between the environment and this page. On a phone the last of them is the way back. */
  crumbs?: Crumb[]
  current: string
  /** A view switch or a status. */
  end?: ReactNode
}

/** The header of a page. It also names the browser's tab. */
export function Bar({ crumbs = [], current, end }: Props) {
  const environment = useEnvironment()
  useEffect(() => {
    document.title = `${current} · ${environment.name} · Usher`
  }, [current, environment.name])
  return (
    <div className={crumbs.length > 0 ? 'bar deep' : 'bar'}>
      <nav className="crumbs" aria-label="Where you are">
        <Link to="/$environment" params={{ environment: environment.slug }}>
          {environment.name}
        </Link>
        <Icon name="right" />
        {crumbs.map(({ label, link }, index) => (
          <span key={label} className={index === crumbs.length - 1 ? 'step parent' : 'step'}>
            <Link {...link} className="clip">
              {label}
            </Link>
            <Icon name="right" />
          </span>
        ))}
        <b className="clip" aria-current="page">
          {current}
        </b>
      </nav>
      {end && <div className="end">{end}</div>}
    </div>
  )
}
