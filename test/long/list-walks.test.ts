import { describe } from 'vitest'
import { testWalks } from '../support/list-walks.ts'

describe('walking 4,000 users seven at a time', () => testWalks(4_000))
