import t from 'tap'
import { mintToken, unsafeReadToken } from '../../policy/index.ts'
import { KEY } from './support.ts'

const token = mintToken(KEY, 'g_1', ['tools = A', 'uses <= 3'])
const forged = `${token.slice(0, -43)}${'A'.repeat(43)}`

t.same(unsafeReadToken(token), { id: 'g_1', lines: ['tools = A', 'uses <= 3'] })
t.same(unsafeReadToken(forged), unsafeReadToken(token), 'nothing is proven')
t.throws(() => unsafeReadToken(`${token}=`), { name: 'TokenFault', stage: 'format' })
