# An echo, a large body and a stream, with Net::HTTP.
require 'json'
require 'net/http'

echo_url, digest_url, events_url = ARGV.map { |url| URI(url) }
Net::HTTP.start(echo_url.host, echo_url.port, use_ssl: true) do |http|
  echo = http.get(echo_url)
  abort echo.body unless echo.is_a?(Net::HTTPSuccess)
  digest = http.post(digest_url, 'x' * 3_000_000, 'expect' => '100-continue')
  times = []
  http.request_get(events_url) do |events|
    events.read_body do |piece|
      piece.scan('data:') { times << Process.clock_gettime(Process::CLOCK_MONOTONIC) * 1000 }
    end
  end
  authorization = JSON.parse(echo.body).dig('headers', 'authorization')
  puts JSON.generate(authorization:, digest: JSON.parse(digest.body), times:)
end
