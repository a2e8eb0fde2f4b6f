"""An echo, a large body and a stream, with httpx over HTTP/2."""
import json, sys, time
import httpx

echo_url, digest_url, events_url = sys.argv[1:]
with httpx.Client(http2=True, timeout=30) as client:
    echo = client.get(echo_url)
    if echo.is_error or echo.http_version != 'HTTP/2':
        sys.exit(f'{echo.http_version} {echo.text}')
    digest = client.post(digest_url, content=b'x' * 3_000_000).json()
    times = []
    with client.stream('GET', events_url) as events:
        for line in events.iter_lines():
            if line.startswith('data:'):
                times.append(time.monotonic() * 1000)
print(json.dumps({'authorization': echo.json()['headers']['authorization'], 'digest': digest, 'times': times}))
