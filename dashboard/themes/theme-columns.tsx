import type { ThemeDocument } from '../../contract/content/theme.ts'
import { State } from '../parts/state.tsx'
import type { TableColumn } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { RowLink } from '../shell/row-link.tsx'
import { failingPairs } from './contrast-section.tsx'
import type { Theme } from './queries.ts'
import { UsedBy } from './used-by.tsx'

export const themeColumns = (environment: string): TableColumn<Theme>[] => [
  {
    id: 'name',
    head: 'Name',
    cell: ({ document }) => (
      <span className="nm">
        <Swatches document={document} />
        <RowLink to="/$environment/themes/$themeKey" params={{ environment, themeKey: document.key }}>
          <b dir="auto">{document.name}</b>
        </RowLink>
      </span>
    ),
  },
  { id: 'used_by', head: 'Used by', cell: ({ used_by }) => <UsedBy isCell uses={used_by} /> },
  {
    id: 'contrast',
    head: 'Contrast',
    cell: ({ document }) => {
      const failing = failingPairs(document).length
      return failing === 0 ? (
        <State tone="ok" shape="full">
          All pairs pass
        </State>
      ) : (
        <State tone="warn" shape="half">
          {failing === 1 ? 'One pair too close' : `${failing} pairs too close`}
        </State>
      )
    },
  },
  {
    id: 'edited_at',
    head: 'Last change',
    align: 'end',
    cell: ({ edited_at }) => (edited_at ? <Time plain as="activity" at={edited_at} /> : 'As it came'),
  },
]

const Swatches = ({ document: { light, dark } }: { document: ThemeDocument }) => (
  <span className="th-sw" aria-hidden="true">
    {[light, dark].map(({ background, accent, text }, index) => (
      <i key={index === 0 ? 'light' : 'dark'} style={{ background, color: text }}>
        <i style={{ background: accent }} />
      </i>
    ))}
  </span>
)
