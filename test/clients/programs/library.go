// An echo, a large body with a trailer, and a stream, with net/http.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	echoURL, digestURL, eventsURL := os.Args[1], os.Args[2], os.Args[3]
	var echo struct{ Headers map[string]string }
	fetch(newRequest("GET", echoURL, nil), &echo)
	var digest any
	fetch(newRequest("POST", digestURL, strings.NewReader(strings.Repeat("x", 3_000_000))), &digest)
	seen := map[string]any{
		"authorization": echo.Headers["authorization"],
		"digest":        digest,
		"times":         listen(eventsURL),
		"trailers":      exchangeTrailers(strings.Replace(digestURL, "/digest", "/trailers", 1)),
	}
	check(json.NewEncoder(os.Stdout).Encode(seen))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func newRequest(method, url string, body io.Reader) *http.Request {
	request, err := http.NewRequest(method, url, body)
	check(err)
	return request
}

func fetch(request *http.Request, into any) *http.Response {
	answer, err := http.DefaultClient.Do(request)
	check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	check(err)
	if answer.StatusCode != 200 || answer.ProtoMajor != 2 {
		check(fmt.Errorf("%s %s: %s", answer.Proto, answer.Status, body))
	}
	check(json.Unmarshal(body, into))
	return answer
}

// Sends a trailer and reads one: the upstream's word of what it got, and the body's hash.
func exchangeTrailers(url string) any {
	request := newRequest("POST", url, io.NopCloser(strings.NewReader("abc")))
	request.Trailer = http.Header{"X-Mark": {"sent after the body"}}
	var arrived map[string]string
	answer := fetch(request, &arrived)
	return []string{arrived["x-mark"], answer.Trailer.Get("x-sum")}
}

func listen(url string) []float64 {
	answer, err := http.Get(url)
	check(err)
	defer answer.Body.Close()
	start, times := time.Now(), []float64{}
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data:") {
			times = append(times, float64(time.Since(start).Microseconds())/1000)
		}
	}
	return times
}
