import t from 'tap'
import { readQuestion } from '../../../catalog/resolve/question.ts'

t.test('the shape of a question is taken off', async (t) => {
  const cases: Record<string, readonly string[]> = {
    'how do I list issues?': ['list', 'issues'],
    'Where is my invoice': ['invoice'],
    'can you please send a text message for me': ['send', 'text', 'message'],
    'Hello, could you please tell me how to merge a pull request, thanks': [
      'merge',
      'pull',
      'request',
    ],
    "what's the weather": ['what', 'weather'],
    'I want to delete the branch': ['delete', 'branch'],
    GITHUB_ISSUES_LIST: ['github', 'issues', 'list'],
    'the repo’s labels': ['repo', 'labels'],
    'ＦＵＬＬ　ｗｉｄｔｈ': ['full', 'width'],
    'naïve straße': ['naïve', 'straße'],
  }
  for (const [text, asked] of Object.entries(cases)) t.same(readQuestion(text).asked, asked, text)
})

t.test('what would leave nothing is taken as it is', async (t) => {
  t.same(readQuestion('please').words, ['please'])
  t.same(readQuestion('how to').words, ['how', 'to'])
  t.same(readQuestion('who am i').asked, ['who', 'am'])
  t.same(readQuestion('!?').words, [])
})

t.test('the key is the spelling of names, and long texts are cut', async (t) => {
  t.equal(readQuestion('issues list for-repo').key, 'ISSUES_LIST_FOR_REPO')
  t.equal(readQuestion('word '.repeat(1000)).words.length, 16)
})
