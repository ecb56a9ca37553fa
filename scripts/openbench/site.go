//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// site is the server as its user sees it.
type site struct {
	address        string // http://HOST:PORT
	user, password string
	client         http.Client
}

func newSite(user, password string) *site {
	jar, _ := cookiejar.New(nil) // returns no error
	return &site{user: user, password: password, client: http.Client{Jar: jar, Timeout: time.Minute}}
}

// login waits until the server answers, and logs in.
func (s *site) login(ctx context.Context, server *service) error {
	for {
		_, err := s.get(ctx, "/login/")
		if err == nil {
			break
		}
		if failure := server.failure(); failure != nil {
			return failure
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second / 2):
		}
	}
	return s.post(ctx, "/login/", url.Values{"username": {s.user}, "password": {s.password}})
}

// get returns a page.
func (s *site) get(ctx context.Context, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address+path, nil)
	if err != nil {
		return nil, err
	}
	return s.do(request)
}

// object reads a page with a JSON object into v.
func (s *site) object(ctx context.Context, path string, v any) error {
	text, err := s.get(ctx, path)
	if err != nil {
		return err
	}
	var failure struct{ Error string }
	if json.Unmarshal(text, &failure) == nil && failure.Error != "" {
		return fmt.Errorf("%s: %s", path, failure.Error)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// post sends a form.
func (s *site) post(ctx context.Context, path string, form url.Values) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, cookie := range s.client.Jar.Cookies(request.URL) {
		if cookie.Name == "csrftoken" {
			request.Header.Set("X-CSRFToken", cookie.Value)
		}
	}
	_, err = s.do(request)
	return err
}

// upload uploads a network as the script of OpenBench does.
func (s *site) upload(ctx context.Context, n network) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"username": s.user, "password": s.password,
		"action": "UPLOAD_NETWORK", "engine": engineName, "name": n.name} {
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	file, err := form.CreateFormFile("netfile", n.name)
	if err == nil {
		_, err = file.Write(n.content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/scripts/", &body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	_, err = s.do(request)
	return err
}

// errorMessage is how a page reports what was wrong with the form before it.
var errorMessage = regexp.MustCompile(`(?s)<div class="error-message">\s*<pre>(.*?)</pre>`)

// do sends a request and returns the page in answer. An error that the page shows is
// returned.
func (s *site) do(request *http.Request) ([]byte, error) {
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", request.URL.Path, answer.Status)
	}
	if m := errorMessage.FindSubmatch(text); m != nil {
		return nil, fmt.Errorf("%s: %s", request.URL.Path, html.UnescapeString(strings.TrimSpace(string(m[1]))))
	}
	return text, nil
}
