//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// engineName is the name of the engine in OpenBench.
const engineName = "Skein"

// engineFile is the part of scripts/openbench/Skein.json that the forms begin with.
type engineFile struct {
	NPS         int                       `json:"nps"`
	TestPresets map[string]map[string]any `json:"test_presets"`
}

// settings leaves out the compression of pages, which needs another module.
const settings = `from OpenSite.settings import *
MIDDLEWARE = [m for m in MIDDLEWARE if not m.startswith("htmlmin.")]
`

// createUser registers a user who may create tests and upload networks.
const createUser = `
import os
from django.contrib.auth.models import User
from OpenBench.models import Profile
user = User.objects.create_user(os.environ["NEW_USER"], password=os.environ["NEW_PASSWORD"])
Profile.objects.create(user=user, enabled=True, approver=True)
`

// startServer sets up a new instance in a folder of its own, starts it, and logs in.
func startServer(ctx context.Context, m *material, h *hub) (*site, *service, error) {
	folder := filepath.Join(m.folder, "instance")
	if err := os.RemoveAll(folder); err != nil {
		return nil, nil, err
	}
	if _, err := command(ctx, m.folder, "git", "clone", "--quiet", m.repositories["OpenBench"], folder); err != nil {
		return nil, nil, err
	}
	if err := configure(ctx, m, folder); err != nil {
		return nil, nil, err
	}
	environment := append(h.environment(), "DJANGO_SETTINGS_MODULE=local_settings", "PYTHONUNBUFFERED=1")
	s := newSite("tester", rand.Text())
	for _, args := range [][]string{{"migrate", "--verbosity", "0"}, {"shell", "-c", createUser}} {
		cmd := exec.CommandContext(ctx, m.python, append([]string{"manage.py"}, args...)...)
		cmd.Dir = folder
		cmd.Env = append(append(os.Environ(), environment...), "NEW_USER="+s.user, "NEW_PASSWORD="+s.password)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, nil, fmt.Errorf("manage.py %s: %w\n%s", args[0], err, lastLines(string(out)))
		}
	}
	address, err := freeAddress()
	if err != nil {
		return nil, nil, err
	}
	s.address = "http://" + address
	server, err := startService("server", filepath.Join(m.folder, "server.log"), folder, environment,
		m.python, "manage.py", "runserver", "--noreload", address)
	if err != nil {
		return nil, nil, err
	}
	if err := s.login(ctx, server); err != nil {
		server.stop()
		return nil, nil, err
	}
	return s, server, nil
}

// freeAddress returns an address on 127.0.0.1 that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// configure writes the configuration of an instance with one engine and one book.
func configure(ctx context.Context, m *material, folder string) error {
	head, err := command(ctx, m.repositories["OpenBench"], "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	general := filepath.Join("Config", "config.json")
	if err := editJSON(filepath.Join(folder, general), filepath.Join(folder, general), map[string]any{
		"client_repo_url": repoURL + "OpenBench",
		"client_repo_ref": strings.TrimSpace(string(head)),
		"engines":         []string{engineName},
		"books":           []string{bookName},
	}); err != nil {
		return err
	}
	if err := editJSON(filepath.Join(m.repositories["skein"], "scripts", "openbench", engineName+".json"),
		filepath.Join(folder, "Engines", engineName+".json"), map[string]any{"source": skeinURL}); err != nil {
		return err
	}
	description, err := json.Marshal(map[string]string{"sha": m.book.sha, "source": bookURL})
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "Books", bookName+".json"), description, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "local_settings.py"), []byte(settings), 0o666)
	}
	return err
}

// editJSON copies a file with an object, some of whose values it sets. Every one of
// them must be there.
func editJSON(from, to string, values map[string]any) error {
	var object map[string]any
	text, err := os.ReadFile(from)
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	for key, value := range values {
		if _, ok := object[key]; !ok {
			return fmt.Errorf("%s has no %s", from, key)
		}
		object[key] = value
	}
	if text, err = json.MarshalIndent(object, "", "    "); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// workerThreads is the number of games that the worker plays at a time. A tune needs
// two.
const workerThreads = "2"

// pkill makes the worker, which ends programs by their names, spare those that are
// not its own.
const pkill = "#!/bin/sh\nexec %s -s 0 \"$@\"\n"

// startWorker sets up a new worker, which downloads all but client.py and fastchess,
// and starts it.
func startWorker(m *material, h *hub, s *site) (*service, error) {
	folder, programs := m.workerFolder(), filepath.Join(m.folder, "worker-programs")
	for _, f := range []string{folder, programs} {
		if err := os.RemoveAll(f); err != nil {
			return nil, err
		}
		if err := os.Mkdir(f, 0o777); err != nil {
			return nil, err
		}
	}
	path, err := exec.LookPath("pkill")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(programs, "pkill"), fmt.Appendf(nil, pkill, path), 0o777); err != nil {
		return nil, err
	}
	for from, to := range map[string]string{
		filepath.Join(m.repositories["OpenBench"], "Client", "client.py"): "client.py",
		m.runner: "fastchess-ob",
	} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, to), text, 0o777)
		}
		if err != nil {
			return nil, err
		}
	}
	environment := append(h.environment(), "PYTHONUNBUFFERED=1", "PATH="+programs+":"+os.Getenv("PATH"),
		"OPENBENCH_USERNAME="+s.user, "OPENBENCH_PASSWORD="+s.password, "OPENBENCH_SERVER="+s.address)
	return startService("worker", filepath.Join(m.folder, "worker.log"), folder, environment,
		m.python, "client.py", "--threads", workerThreads, "--nsockets", "1", "--identity", "local")
}

// workerFolder is where the worker runs.
func (m *material) workerFolder() string { return filepath.Join(m.folder, "worker") }
