import t from 'tap'
import { nearest } from '../../cli/nearest.ts'

const KNOWN = ['tools', 'task', 'uses', 'expires', 'without']

t.equal(nearest('tols', KNOWN), 'tools')
t.equal(nearest('expiry', KNOWN), 'expires')
t.equal(nearest('use', KNOWN), 'uses')
t.equal(nearest('frobnicate', KNOWN), undefined, 'nothing is near')
t.equal(nearest('x', []), undefined)
