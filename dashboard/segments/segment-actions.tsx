import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api.ts'
import { question } from '../format/question.ts'
import { useExport } from '../objects/use-export.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { queryClient } from '../query-client.ts'
import { useEnvironment } from '../session/use-session.ts'
import { type Segment, segmentsQuery } from './queries.ts'

type Props = { segment: Segment; reason: string | undefined }

/** Export, rename, delete. */
export function SegmentActions({ segment, reason }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'rename' | 'delete'>()
  const kind = segment.scope === 'user' ? 'users' : 'groups'
  const condition = JSON.stringify(segment.condition)
  const exporting = useExport(kind, environment, { condition }, [])
  const close = () => setAsking(undefined)
  const again = () => queryClient.invalidateQueries({ queryKey: segmentsQuery(environment).queryKey })
  const uses = segment.used_by.map(({ name }) => name).join(', ')
  return (
    <>
      <Button icon="download" busy={exporting.progress && 'Exporting…'} onClick={exporting.start}>
        Export
      </Button>
      <Menu trigger={<Button className="square" aria-label={`More about ${segment.name}`} icon="more" />}>
        <MenuItem icon="pencil" reason={reason} onSelect={() => setAsking('rename')}>
          Rename…
        </MenuItem>
        <MenuItem
          icon="trash"
          danger
          reason={reason ?? (uses ? `Used by ${uses}` : undefined)}
          onSelect={() => setAsking('delete')}
        >
          Delete…
        </MenuItem>
      </Menu>
      {asking === 'rename' && (
        <NameDialog
          title="Rename the segment"
          about={`Its key stays ${segment.key}: content and other segments refer to it.`}
          value={segment.name}
          act="Rename"
          busy="Renaming…"
          onClose={close}
          onSave={async (name) => {
            await call('updateSegment', { environment, segment_id: segment.id, name })
            await again()
            close()
          }}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={question(`Delete ${segment.name}`)}
          about="Its rule is gone. Nobody who is in it is changed."
          act="Delete segment"
          busy="Deleting…"
          onClose={close}
          onConfirm={async () => {
            await call('deleteSegment', { environment, segment_id: segment.id })
            await navigate({ to: '/$environment/segments', params: { environment } })
            await again()
          }}
        />
      )}
    </>
  )
}
