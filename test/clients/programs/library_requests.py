"""An echo, a large body and a stream, with requests."""
import json, sys, time
import requests

echo_url, digest_url, events_url = sys.argv[1:]
echo = requests.get(echo_url)
if not echo.ok:
    sys.exit(echo.text)
digest = requests.post(digest_url, data=b'x' * 3_000_000).json()
times = []
with requests.get(events_url, stream=True) as events:
    for line in events.iter_lines(chunk_size=1):
        if line.startswith(b'data:'):
            times.append(time.monotonic() * 1000)
print(json.dumps({'authorization': echo.json()['headers']['authorization'], 'digest': digest, 'times': times}))
