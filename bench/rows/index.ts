import { requestRows } from './requests.ts'
import type { Row } from './row.ts'

export const rows: Row[] = [...requestRows]
