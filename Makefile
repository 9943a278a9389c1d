# make demo   all set-up, then the wizard on a sandbox cluster
# make test   all set-up, then the tests; of slow proofs of a kind some, the others are skipped by name
# make bench  ratios against helm and kubectl, in one run
# make soak   every proof: fuzzing, data races, and all end-to-end tests many times
.DEFAULT_GOAL := build
.PHONY: build binaries demo test check lint unit cross e2e bench soak golden clean

# One set of flags for everything, so that nothing is compiled twice.
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath

build:
	@scripts/build cfwizard

binaries:
	@scripts/build cfwizard
	@scripts/build sandbox
	@scripts/build helm

demo:
	@scripts/build cfwizard
	@scripts/build sandbox
	@bin/sandbox run --scenario codefresh.fresh-account --scenario host-answers -- scripts/demo

test: check lint unit cross e2e

# What needs no build of ours: formatting and vet of both modules.
check:
	@scripts/check

lint:
	@scripts/lint

# The product was vetted whole by `check`.
unit:
	go test -vet=off ./...
	cd sandbox && go test ./chart/... ./cluster/... ./codefresh/... ./githost/... ./kubelet/... ./scenario/... ./supervisor/...
	cd tools && go test -vet=off ./...

cross:
	@scripts/cross

# The sandbox's own program is vetted here, where what it needs is compiled.
e2e: binaries
	cd sandbox && go vet . ./controlplane/...
	cd sandbox && CFWIZARD_BIN=$(CURDIR)/bin go test -count=1 -parallel 4 -timeout 15m ./e2e/...

bench: binaries
	CFWIZARD_BENCH=1 go test -v -count=1 -run TestKeysAreDrawnAtOnce ./ui
	cd sandbox && CFWIZARD_BIN=$(CURDIR)/bin go test -v -count=1 -timeout 30m ./bench/...

# Records the golden frames anew. Read every one before you commit it.
golden:
	UPDATE_GOLDEN=1 go test $$(git grep -l UPDATE_GOLDEN -- '*_test.go' ':!sandbox' | xargs -n 1 dirname | sort -u | sed 's|^|./|')
	cd sandbox && UPDATE_GOLDEN=1 go test $$(git grep -l UPDATE_GOLDEN -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's|^|./|')

soak: binaries
	@scripts/soak

clean:
	rm -rf bin dist
