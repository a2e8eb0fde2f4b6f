<?php
/** An echo, a large body and a stream, with PHP's curl. */
[, $echoUrl, $digestUrl, $eventsUrl] = $argv;

function fetch(string $url, array $options = []): string
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true] + $options);
    $body = curl_exec($curl);
    if ($body === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        fwrite(STDERR, curl_error($curl) . $body);
        exit(1);
    }
    return $body;
}

$echo = json_decode(fetch($echoUrl));
$digest = json_decode(fetch($digestUrl, [CURLOPT_POSTFIELDS => str_repeat('x', 3_000_000)]));
$times = [];
fetch($eventsUrl, [CURLOPT_WRITEFUNCTION => function ($curl, string $piece) use (&$times): int {
    for ($left = substr_count($piece, 'data:'); $left > 0; $left--) {
        $times[] = hrtime(true) / 1e6;
    }
    return strlen($piece);
}]);
echo json_encode(['authorization' => $echo->headers->authorization, 'digest' => $digest, 'times' => $times]);
