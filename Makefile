# make builds ./engine for this machine; make EXE=name under another name.
# The engine needs no C compiler, so CC and CXX do not matter.

EXE ?= engine

# make TUNE=1 builds an engine whose search parameters are options. The workers of
# OpenBench only call make, so a branch that they tune sets it here.
TUNE ?= 0

# The instruction set of this machine, if it can be determined: v3 (AVX2, BMI2) is
# faster than v1, which runs everywhere. LZCNT belongs to v3 as well and every processor
# with BMI2 has it, but the kernel does not list its flag, abm, on all virtual machines;
# a program for v3 checks the processor itself when it starts.
V3_FLAGS := avx2 bmi1 bmi2 f16c fma movbe
GOAMD64 ?= $(shell for f in $(V3_FLAGS); do grep -qw $$f /proc/cpuinfo 2>/dev/null || { echo v1; exit; }; done; echo v3)

# The profile for profile-guided optimization; see scripts/pgo/run. Named default.pgo,
# it would make go vet and go test compile everything twice.
PGO ?= cmd/engine/bench.pgo

ifneq ($(filter-out 0 1,$(TUNE)),)
$(error TUNE is "$(TUNE)", expected 0 or 1)
endif
TAGS_FLAG := $(if $(filter 1,$(TUNE)),-tags tune)

export CGO_ENABLED = 0
export GOAMD64

# make EVALFILE=FILE embeds another network, without touching the one in nets/.
ifdef EVALFILE
# Each network has its own overlay, since two may be built at once.
OVERLAY := .evalfile-$(shell printf %s "$(EVALFILE)" | cksum | cut -d ' ' -f 1).json
OVERLAY_FLAG := -overlay $(OVERLAY)
endif

.PHONY: all tools test check release container clean $(OVERLAY)
all: $(OVERLAY)
	go build $(TAGS_FLAG) $(OVERLAY_FLAG) -pgo="$(PGO)" -trimpath -ldflags "-s -w" -o "$(EXE)" ./cmd/engine

ifdef EVALFILE
$(OVERLAY):
	@test -r "$(EVALFILE)" || { echo "EVALFILE: cannot read $(EVALFILE)"; exit 1; }
	@printf '{"Replace": {"nets/default.nnue": "%s"}}\n' "$(EVALFILE)" > $@
endif

# make tools DIR=FOLDER builds datagen, tune and the engine there, each as make builds
# the engine.
DIR ?= .
tools: $(OVERLAY)
	go build $(TAGS_FLAG) $(OVERLAY_FLAG) -pgo="$(PGO)" -trimpath -ldflags "-s -w" -o "$(DIR)/" ./cmd/...

test:
	go test ./...

check:
	.ci/run

# Reproducible archives for all platforms in dist/, each unpacked and tried;
# scripts/release/again builds them once more and compares checksums. Engines of
# other platforms are tried under qemu-user and Wine where those are installed:
# apt-get install --no-install-recommends qemu-user wine wine64
release:
	go run ./scripts/release

# An image of engine, datagen and tune for machines with the processor of this one;
# make container BUILDER=docker builds it with another program.
BUILDER ?= podman
container:
	GOOS=linux $(MAKE) tools DIR=dist/container
	$(BUILDER) build -t skein -f scripts/release/Containerfile dist/container

clean:
	rm -f "$(EXE)" datagen tune .evalfile-*.json
	rm -rf dist
