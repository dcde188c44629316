import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  sub?: ReactNode
  end?: ReactNode
  badge?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** A page below the header: title, description and actions. */
export function Page({ title, sub, end, badge, wide, children }: Props) {
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <div className="head">
        <div className="min-w-0">
          <div className="title-row">
            <h1 className="title" tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
          {sub && <div className="sub">{sub}</div>}
        </div>
        {end && <div className="end">{end}</div>}
      </div>
      {children}
    </div>
  )
}
